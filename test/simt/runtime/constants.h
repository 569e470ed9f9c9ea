// Constant memory: which bytes the host has written, and in which pieces (slots).
//
// A constant variable that the host fills starts out uninitialised. Each write of the host makes a slot; one load of
// the program must stay within one slot for a whole launch, because it belongs to one array.
// Units: bytes. Thread-safety: note_written may be called by any native thread; the rest by workers during a launch.
#ifndef SIMT_CONSTANTS_H
#define SIMT_CONSTANTS_H

#include "registry.h"

void simt_constants_note_written(const void *memory, uint64_t bytes);

enum simt_constant_state { SIMT_CONSTANT_GOOD, SIMT_CONSTANT_UNWRITTEN, SIMT_CONSTANT_OTHER_SLOT };
// Whether `site` may load these bytes of `variable` in launch number `launch`.
enum simt_constant_state simt_constants_check(const struct simt_global_variable *variable, const void *address,
                                              uint64_t bytes, const struct simt_site *site, uint64_t launch);

#endif
