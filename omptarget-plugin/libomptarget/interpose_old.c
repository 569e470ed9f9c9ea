/* Entry points that compilers before LLVM 15 called, and libomptarget still exports. They are passed on; what they did is
 * not looked into, so everything known about the device is forgotten. */
#include "interpose.h"

#include "dispatch.h"
#include "next.h"
#include "place/launch_reason.h"

static void forget(struct rt_device *d, bool nowait) {
  if (!d) return;
  pthread_mutex_lock(&d->lock);
  ext_forget(&d->ext);
  if (nowait) d->ext.unstable = d->ext.unsettled = WHY_OLD_NOWAIT;
  pthread_mutex_unlock(&d->lock);
}

static struct rt_device *begin(int64_t device, bool nowait) {
  struct rt_device *d = interpose_device(device);
  if (d) dispatch_unknown_begin(d, nowait);
  return d;
}

static void end(struct rt_device *d, bool nowait) {
  if (d) dispatch_unknown_end(d);
  forget(d, nowait);
}

#define OLD_PARAMETERS int64_t device, int32_t count, void **base, void **ptr, int64_t *size, int64_t *type
#define OLD_ARGUMENTS device, count, base, ptr, size, type
#define DEPEND_PARAMETERS int32_t depend_count, void *depend, int32_t other_count, void *other
#define DEPEND_ARGUMENTS depend_count, depend, other_count, other

#define DATA(name, nowait, parameters, arguments) \
  EXPORTED void name parameters {                 \
    struct rt_device *d = begin(device, nowait);  \
    next_##name() arguments;                      \
    end(d, nowait);                               \
  }
DATA(__tgt_target_data_begin, false, (OLD_PARAMETERS), (OLD_ARGUMENTS))
DATA(__tgt_target_data_end, false, (OLD_PARAMETERS), (OLD_ARGUMENTS))
DATA(__tgt_target_data_update, false, (OLD_PARAMETERS), (OLD_ARGUMENTS))
DATA(__tgt_target_data_begin_nowait, true, (OLD_PARAMETERS, DEPEND_PARAMETERS), (OLD_ARGUMENTS, DEPEND_ARGUMENTS))
DATA(__tgt_target_data_end_nowait, true, (OLD_PARAMETERS, DEPEND_PARAMETERS), (OLD_ARGUMENTS, DEPEND_ARGUMENTS))
DATA(__tgt_target_data_update_nowait, true, (OLD_PARAMETERS, DEPEND_PARAMETERS), (OLD_ARGUMENTS, DEPEND_ARGUMENTS))

#define TARGET_PARAMETERS \
  int64_t device, void *host, int32_t count, void **base, void **ptr, int64_t *size, int64_t *type
#define TARGET_ARGUMENTS device, host, count, base, ptr, size, type
#define MAPPER_PARAMETERS void *location, TARGET_PARAMETERS, void **names, void **mappers
#define MAPPER_ARGUMENTS location, TARGET_ARGUMENTS, names, mappers
#define TEAMS_PARAMETERS int32_t teams, int32_t limit
#define TEAMS_ARGUMENTS teams, limit

#define TARGET(name, nowait, parameters, arguments) \
  EXPORTED int name parameters {                    \
    struct rt_device *d = begin(device, nowait);    \
    int rc = next_##name() arguments;               \
    end(d, nowait);                                 \
    return rc;                                      \
  }
TARGET(__tgt_target, false, (TARGET_PARAMETERS), (TARGET_ARGUMENTS))
TARGET(__tgt_target_nowait, true, (TARGET_PARAMETERS, DEPEND_PARAMETERS), (TARGET_ARGUMENTS, DEPEND_ARGUMENTS))
TARGET(__tgt_target_teams, false, (TARGET_PARAMETERS, TEAMS_PARAMETERS), (TARGET_ARGUMENTS, TEAMS_ARGUMENTS))
TARGET(__tgt_target_teams_nowait, true, (TARGET_PARAMETERS, TEAMS_PARAMETERS, DEPEND_PARAMETERS),
       (TARGET_ARGUMENTS, TEAMS_ARGUMENTS, DEPEND_ARGUMENTS))
TARGET(__tgt_target_mapper, false, (MAPPER_PARAMETERS), (MAPPER_ARGUMENTS))
TARGET(__tgt_target_nowait_mapper, true, (MAPPER_PARAMETERS, DEPEND_PARAMETERS), (MAPPER_ARGUMENTS, DEPEND_ARGUMENTS))
TARGET(__tgt_target_teams_mapper, false, (MAPPER_PARAMETERS, TEAMS_PARAMETERS), (MAPPER_ARGUMENTS, TEAMS_ARGUMENTS))
TARGET(__tgt_target_teams_nowait_mapper, true, (MAPPER_PARAMETERS, TEAMS_PARAMETERS, DEPEND_PARAMETERS),
       (MAPPER_ARGUMENTS, TEAMS_ARGUMENTS, DEPEND_ARGUMENTS))
