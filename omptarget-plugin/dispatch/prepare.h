/* From a plan to the words that a version's launch needs, with constant slots and textures held and a timer entry taken.
 *
 * Thread-safety: the caller holds the device's lock. */
#ifndef PLACE_RT_PREPARE_H
#define PLACE_RT_PREPARE_H

#include "decision.h"
#include "slices_shape.h"

enum { PREPARE_DECLINED = -1 };

struct prepared {
  uint64_t words[RT_MAX_WORDS];
  struct rt_request request;
  struct const_slot *slot[PLACE_MAX_PLACEABLE];
  unsigned slots;
  struct texture *texture[PLACE_MAX_PLACEABLE];
  unsigned textures;
  unsigned timer_entry; /* from 1; 0: not timed */
  bool copies;          /* the version reads copies in constant memory */
  double copying_ns;    /* what those took of which the content had changed */
};

/* Fills *p for launching decision->plan; 0, or -1 and a reason (then nothing is held). `timed`: take a timer entry; if
 * there is none, the launch is made untimed. */
int prepare_plan(struct prepared *p, struct rt_device *device, struct rt_module_state *module,
                 const struct rt_region *region, const struct decision *decision, const struct rt_call *call, bool timed,
                 const char **why);

/* Of a plan that was prepared, whose version has slices: only these of the teams that take all iterations. */
void prepare_slice(struct prepared *p, const struct slices_teams *part);

/* The profiling version: all global, counts zeroed. */
int prepare_profile(struct prepared *p, struct rt_device *device, struct rt_module_state *module,
                    const struct rt_region *region, const struct decision *decision, const struct rt_call *call,
                    const char **why);

void prepare_release(struct prepared *p, struct rt_device *device, struct rt_module_state *module);

/* The module's symbols on the device, resolved on first use. */
struct rt_module_state *prepare_module(struct rt_device *device, const struct rt_module *module,
                                       void (*load_images)(int device));

/* Kernel time of a timed launch that has ended, or 0; PREPARE_DECLINED: it was a slice that the version did not carry out. Needs no lock as long as the device is `measuring`. */
double prepare_read_timer(const struct rt_device *device, const struct rt_module_state *module, unsigned entry);

/* What the profiling version left: PLACE_PROFILE_WORDS words for free(), or NULL. As above. */
uint32_t *prepare_read_profile(const struct rt_device *device, const struct rt_module_state *module,
                               const struct place_region *region);

#endif
