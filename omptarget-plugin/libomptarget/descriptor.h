/* The program's image descriptors, as they are registered with libomptarget: with entries for what place adds, and beside them, as
 * descriptors of their own, the images of versions that lie packed within theirs (place/packed.h).
 *
 * Owner: what is registered lives as long as the process. Thread-safety: any thread. Errors: what place cannot read is registered as it is;
 * refused_text says what was refused. */
#ifndef PLACE_RT_DESCRIPTOR_H
#define PLACE_RT_DESCRIPTOR_H

#include "next.h"

void descriptor_register(struct tgt_desc *d, type___tgt_register_lib next);
void descriptor_unregister(struct tgt_desc *d, type___tgt_unregister_lib next);

#endif
