// Constant memory: which bytes the host has written, and in which pieces (slots).
//
// A constant variable that the host fills starts out uninitialised. Each write of the host makes a slot; one load of
// the program must stay within one slot for a whole launch, because it belongs to one array.
// A launch sees the slots as they were when it began.
// Units: bytes. Thread-safety: note_written may be called by any native thread, begin_launch by the launching one,
// check by the workers of that launch.
#ifndef SIMT_CONSTANTS_H
#define SIMT_CONSTANTS_H

#include "registry.h"

void simt_constants_note_written(const void *memory, uint64_t bytes);

void simt_constants_begin_launch(void);

enum simt_constant_state { SIMT_CONSTANT_GOOD, SIMT_CONSTANT_UNWRITTEN, SIMT_CONSTANT_OTHER_SLOT };
// Whether `site` may load these bytes of `variable` in launch number `launch`.
enum simt_constant_state simt_constants_check(const struct simt_global_variable *variable, const void *address,
                                              uint64_t bytes, const struct simt_site *site, uint64_t launch);

#endif
