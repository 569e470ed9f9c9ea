/* A packed image: what the versions of one translation unit, or of some of its regions, were compiled to by themselves.
 *
 * They are not part of the program's device image then, which is what plain clang makes, the region table (region.h) and one constant byte
 * array: a head and a zlib stream. What comes out of the stream is a device image of its own, as the linker makes one: the versions, and
 * the device symbols that they use (abi.h). The array is called as the table that lists the versions is, but for the prefix:
 * `place_image_<16 hex digits>`. Machine code shrinks to a fifth to a seventh.
 *
 * Numbers are little-endian. Changing anything here means a new PLACE_PACKED_MAGIC. */
#ifndef PLACE_PACKED_H
#define PLACE_PACKED_H

#include <stdint.h>

#define PLACE_PACKED_PREFIX "place_image_"
#define PLACE_PACKED_MAGIC "placepk1"

struct place_packed_head {
  char magic[8];        /* PLACE_PACKED_MAGIC, without a terminating zero */
  uint64_t image_bytes; /* of the image */
  uint64_t stream_bytes; /* of the zlib stream, which follows */
};

#define PLACE_PACKED_MOST_BYTES (UINT64_C(1) << 30) /* of an image: more is taken for damage */

#endif
