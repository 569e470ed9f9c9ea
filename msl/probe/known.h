/* What a program cannot measure and the makers document: limits by compute capability. */
#ifndef MSL_PROBE_KNOWN_H
#define MSL_PROBE_KNOWN_H

struct probe_known {
  unsigned arch;         /* 90 for sm_90 */
  unsigned sms_per_tpc;
  unsigned cores_per_sm; /* FP32 */
  unsigned warps_per_sm, teams_per_sm;
  unsigned l1_kib;       /* L1 and shared memory together */
  unsigned shared_unit_bytes, shared_reserved_bytes;
};

/* NULL for an architecture that is not in the table. All of them: 65,536 registers an SM and a team, 255 a thread, given to a
 * warp in multiples of 256. */
const struct probe_known *probe_known(unsigned arch);

#endif
