/* Finding, or making, the decision of a launch.
 *
 * Thread-safety: the caller holds the device's lock. */
#ifndef PLACE_RT_DECISION_H
#define PLACE_RT_DECISION_H

#include "state.h"

/* More map entries than this: the launch is not looked into. */
enum { DECISION_MAX_ENTRIES = 64, DECISION_MAX_WORDS = 4 + 4 * DECISION_MAX_ENTRIES };

/* The decision of this launch, from the cache (*fast) or new; NULL and a reason when there can be none. */
struct decision *decision_find(struct rt_device *device, struct rt_device_region *state, const struct rt_region *region,
                               const struct rt_call *call, bool *fast, const char **why);

/* The decision of this launch, from the cache; NULL: there is none that holds. */
struct decision *decision_known(struct rt_device *device, struct rt_device_region *state, const struct rt_region *region, const struct rt_call *call);

/* Equal for launches that most likely do the same work: sizes, and scalars but for those that are values alone, whatever memory they work on. */
uint64_t decision_identity(const struct rt_region *region, const struct rt_call *call);

/* Windows, version and team count of plan `index` of the decision's class for this launch: 0, or -1 with the reason in
 * decision->refused. */
int decision_plan(struct decision *decision, const struct rt_region *region, int index,
                  const struct place_machine *machine);

/* Whether that is known already, and nothing needs to be made for it. */
bool decision_has_plan(const struct decision *decision, int index);

/* Whether the spaces of all arrays are global; [PLACE_MAX_PLACEABLE]. */
bool decision_moves_nothing(const enum place_space *spaces);

/* The same for given spaces. `force`: which version must realise them; one of a loop form brings its own spaces. */
int decision_force(struct decision *decision, const struct rt_region *region, const enum place_space *spaces,
                   const struct force_choice *force, const struct place_machine *machine);

/* The same for a version as it stands that no class need have a plan with; -1: for one that is likely (versions.h) and can be launched, of
 * several the one with the smallest teams, and the first of those in the table. False: it cannot be made, or there is none. */
bool decision_presume(struct decision *decision, const struct rt_region *region, int version, const struct place_machine *machine);

/* Plans of earlier launches of the class that the model could not tell from this one: takes plan `index` from there (true; what
 * its version needs is checked anew), or puts it there. */
bool decision_recall(struct decision *decision, const struct rt_region *region, int index);
void decision_remember(const struct decision *decision, int index);

void decision_free(struct decision *decision);

#endif
