/* What device code made by libplace.so and the runtime libplacert.so agree on: symbol names, the extra parameters of a
 * version, and the layout of the two device buffers. Used by the plugin (C++), the runtime (C) and the tests.
 *
 * A version is a clone of a kernel with the kernel's own parameters, followed by PLACE_CONTROL_WORDS control words and
 * by PLACE_WORDS_PER_ARRAY words for each placeable array (ascending placeable index), all 64-bit integers passed as
 * literals. Every version of a kernel has the same parameters, so the runtime fills them in one way.
 *
 * Changing anything here means a new PLACE_ABI_VERSION: the runtime refuses tables of another version. */
#ifndef PLACE_ABI_H
#define PLACE_ABI_H

#define PLACE_ABI_VERSION 2

/* Region table of one translation unit: a constant byte array `place_table_<16 hex digits>` in the device image. */
#define PLACE_TABLE_PREFIX "place_table_"

/* Constant bank: one symbol of a device image, merged by the linker; arrays get disjoint slots. Bytes. A device image holds it as
 * zeros, and on today's GPUs what is larger than a few KiB gains nothing in it, so it is much smaller than the 64 KiB that there are.
 * nvlink asks for the same size in all translation units. */
#define PLACE_CONST_SYMBOL "place_const"
#define PLACE_CONST_BYTES 16384u
#define PLACE_CONST_MOST_BYTES 49152u /* of a bank that any plugin made; libomptarget's device runtime needs some of the 64 KiB */
#define PLACE_CONST_ALIGN 256u

/* Dynamic shared memory of a team; the launch gives its size. */
#define PLACE_SHARED_SYMBOL "place_shared"
#define PLACE_SHARED_ALIGN 16u

/* Control words, in this order. */
enum {
  PLACE_CONTROL_TIMER = 0,  /* 0: off; k: record the launch in entry k-1 of the timer buffer */
  PLACE_CONTROL_SHARED = 1, /* first byte of dynamic shared memory that is ours (what the program asked for lies before) */
  PLACE_CONTROL_WORDS = 2
};

/* Behind all others, of a version that can be launched in slices (version.h, `slice`): the launch carries out the teams from `first` on of
 * `teams` that the whole iteration space takes, as many as it is launched with. Both 0: a whole launch. A slice that the version may
 * decline is timed. Of blocks (`origin`), all may begin some iterations of the outermost loop later: so many times PLACE_SLICE_ROWS as bits 32 to
 * 63 of `first` say, fewer than a block has. Of a version with `fill`: the iterations from `first` on to `teams`; 0: to the end. */
enum { PLACE_SLICE_FIRST = 0, PLACE_SLICE_TEAMS = 1, PLACE_SLICE_WORDS = 2 };
enum { PLACE_SLICE_ROWS = 8, PLACE_SLICE_ORIGIN_SHIFT = 32 };

/* Words of one placeable array. Offsets are in bytes, relative to the array's kernel argument (which may lie outside of
 * the mapped section: a[100:50] is passed as &a[0]). The window [lo, lo + bytes) is what a staged copy holds; an access
 * at offset x is served at (space base) + bias + x, for constant: base = place_const, for shared: base = place_shared.
 * So bias = slot - lo, modulo 2^64. A bias is a multiple of PLACE_BIAS_ALIGN, and a version may be launched only if the
 * kernel arguments of the arrays that it copies are, too: then the copies are aligned as the arrays are.
 * Of an array in a texture, whose texels have as many bytes as the version's record says (version.h), an access at offset x is served
 * by texel x / bytes + lo of the texture that bias is the handle of; its select has no bytes. A texture of two dimensions has its texels
 * numbered row by row: texel n is in row (n * factor >> 32) >> shift, which is n / length for n below 2^31. */
enum {
  PLACE_WORD_SELECT = 0, /* bits 0-7: enum place_space (read by the agnostic version); bits 8-63: bytes, or of a texture's rows, below */
  PLACE_WORD_LO = 1,     /* lo, signed; of a texture: the texel that the kernel argument lies at, signed, in bits 0-31 */
  PLACE_WORD_BIAS = 2,   /* bias, signed; of a texture: its handle */
  PLACE_WORDS_PER_ARRAY = 3
};
enum {
  PLACE_ROW_SHIFT_BIT = 8,   /* of the select word: shift, 8 bits */
  PLACE_ROW_LENGTH_BIT = 32, /* of the select word: length, in texels, 32 bits */
  PLACE_ROW_FACTOR_BIT = 32  /* of the word lo: factor, 32 bits */
};
#define PLACE_SELECT(space, bytes) ((unsigned long long)(space) | (unsigned long long)(bytes) << 8)
#define PLACE_MAX_PLACEABLE 16
#define PLACE_BIAS_ALIGN 16

/* Timer buffer: `place_timer`, PLACE_TIMER_ENTRIES entries of as many slots { u64 not_begin, u64 end, u64 unused[2] } as its size says
 * (PLACE_TIMER_SLOTS in what this plugin makes; a power of two), zero-initialised. Teams, or their warps, are spread over
 * the slots, each of which is left with the maximum of ~globaltimer at entry and of globaltimer at exit, in nanoseconds. The kernel's time
 * is the greatest end - ~(the greatest not_begin). An entry is used once, then the runtime zeroes the buffer. A slot is a sector of the L2
 * cache: maxima at one address wait for each other, so that few slots hold up launches of many short teams. */
#define PLACE_TIMER_SYMBOL "place_timer"
#define PLACE_TIMER_ENTRIES 64u
#define PLACE_TIMER_SLOTS 256u
#define PLACE_TIMER_SLOT_BYTES 32u
#define PLACE_TIMER_DECLINED 16u /* byte of an entry: not 0, the launch was a slice that the version did not carry out, none of it */
#define PLACE_TIMER_BYTES (PLACE_TIMER_ENTRIES * PLACE_TIMER_SLOTS * PLACE_TIMER_SLOT_BYTES)

/* Profile buffer: `place_profile`, zero-initialised 32-bit words. The profiling version samples PLACE_PROFILE_SLOTS
 * warps: slot s is warp (s mod warps of a team) of team s * stride, stride = max(1, teams / PLACE_PROFILE_SLOTS). For slot
 * s, logged access a (a < PLACE_PROFILE_ACCESSES), lane l:
 *   counts:  word  (s * ACCESSES + a) * 32 + l                                how often the lane executed the access
 *   entries: word  PLACE_PROFILE_COUNT_WORDS + ((s * ACCESSES + a) * ENTRIES + e) * 32 + l
 *            element index (byte offset from the kernel argument / access width, modulo 2^32) of the lane's e-th
 *            execution of the access, for e < min(count, ENTRIES).
 * Counts are written when a sampled thread leaves the kernel; the runtime zeroes them before the launch. */
#define PLACE_PROFILE_SYMBOL "place_profile"
#define PLACE_PROFILE_SLOTS 8u
#define PLACE_PROFILE_ACCESSES 16u
#define PLACE_PROFILE_ENTRIES 16u
#define PLACE_PROFILE_COUNT_WORDS (PLACE_PROFILE_SLOTS * PLACE_PROFILE_ACCESSES * 32u)
#define PLACE_PROFILE_WORDS (PLACE_PROFILE_COUNT_WORDS * (1u + PLACE_PROFILE_ENTRIES))

/* SONAME of the runtime, with PLACE_ABI_VERSION: what a program built with -fplugin=libplace.so opens (docs/loading.md). */
#define PLACE_RUNTIME_SONAME "libplacert.so.2"
#define PLACE_RUNTIME_LIBRARY "libplacert.so" /* the same for linkers, and where a folder has no other name of it */

#endif
