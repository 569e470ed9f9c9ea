/* Paper 001's model in parts: its terms for a plan, the queues of device memory, the regression for the overlap. Internal.
 *
 * Units: nanoseconds. Equation numbers are the paper's. */
#ifndef PLACE_CORE_HUANG_H
#define PLACE_CORE_HUANG_H

#include "model.h"

/* Equation 11's events, each a part of the memory requests (misses, conflicts and replays count beside the requests):
 * global, texture and read-only (whose cache it is), constant, shared, row misses and conflicts; warps an SM of 64; 1. */
enum { HUANG_FEATURES = 7 };

/* Device memory as the requests of the launch meet it (3.3.1 to 3.3.3). */
struct huang_dram {
  double hit_ratio, miss_ratio, conflict_ratio; /* of the row buffers */
  double banks;                                 /* that requests go to */
  double service_ns, arrival_ns;                /* tau_s, tau_a: means over the banks */
  double c_a, c_s, utilisation;                 /* equation 10 */
  double queue_ns;                              /* equation 9 */
  double latency_ns;                            /* equations 6 and 7 */
};

struct huang_terms {
  double executed, replays, instructions;  /* per warp; instructions = executed + replays: equation 2's #inst */
  double replay[4];                        /* per warp: address divergence, constant misses and divergence, bank conflicts */
  double addressing;                       /* part of `executed`: for addresses */
  double requests;                         /* memory instructions per warp */
  double l2_miss_ratio, shared_ratio;      /* of the requests */
  struct huang_dram dram;
  double amat_ns;                          /* equation 5 */
  double itilp, itmlp, mwp, cwp;           /* equations 14, 18; Hong and Kim */
  double effective_requests;               /* per SM, equation 17 */
  double comp_ns, mem_ns;                  /* T_comp, T_mem */
  double feature[HUANG_FEATURES];
};

/* All but the overlap. False: the plan is impossible. */
bool huang_terms(const struct model_input *in, const uint8_t *space, struct huang_terms *terms);

/* T = T_comp + T_mem - T_overlap with equation 11's coefficients. */
double huang_time(const struct huang_terms *terms, const double *coefficients);

/* The coefficients that this project's machine code uses: trained by place-models --fit (huang_fit.h). */
extern const double huang_trained[HUANG_FEATURES];

/* The requests to device memory that the sampled accesses can make, whatever the plan: in->prepared of all functions here that are given
 * a plan. One block of malloc; NULL and a diagnostic: out of memory. */
void *huang_requests_new(const struct model_input *in, struct place_diag *diag);

/* Queues of device memory for the sampled accesses under a plan. step_ns: between two instructions of a warp. */
void huang_dram_of(const struct model_input *in, const uint8_t *space, double step_ns, double instructions_per_access,
                   struct huang_dram *dram);

/* Least squares, on relative errors: coefficients that minimise sum of ((T - measured) / measured)^2 plus RIDGE times their
 * squares. rows: terms of plans with their measured times. */
struct huang_row {
  const struct huang_terms *terms;
  double measured_ns;
};
void huang_fit(const struct huang_row *rows, size_t count, double *coefficients);

#endif
