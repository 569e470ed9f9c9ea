// Cache hits of the hierarchy in a machine file, numbers derived by hand. One warp a team; Inputs/tiny.msl says how large
// its caches are.
// RUN: %simt_cc -O1 -g -fsimt-count %s -o %t
// RUN: env PLACE_MACHINE=%S/Inputs/tiny.msl %t 8 2>&1 | %FileCheck %s --check-prefixes=FITS
// RUN: env PLACE_MACHINE=%S/Inputs/tiny.msl %t 9 2>&1 | %FileCheck %s --check-prefixes=OVER
// RUN: env PLACE_MACHINE=%S/Inputs/tiny.msl %t 17 2>&1 | %FileCheck %s --check-prefixes=MORE
// RUN: env PLACE_MACHINE=%place_source/msl/machines/m2075.msl %t 256 2>&1 | %FileCheck %s --check-prefix=M2075
// RUN: env PLACE_MACHINE=%place_source/msl/machines/m2075.msl %t 257 2>&1 | %FileCheck %s --check-prefix=M2075-OVER
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl %t 4096 2>&1 | %FileCheck %s --check-prefix=H200
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl %t 4097 2>&1 | %FileCheck %s --check-prefix=H200-OVER
#include "Inputs/device.h"
#include <stdlib.h>

enum { MOST = 4097 * 16 };

#pragma omp begin declare target
CONSTANT float table[128];
#pragma omp end declare target

int main(int argc, char **argv) {
  (void)argc;
  static float data[MOST], out[6 * 32];
  int lines = atoi(argv[1]); // of 64 bytes
  int zero = lines / 100000;
// What is simulated is said first.
// FITS: simt-count: level space=global memory=L1 shared-by=sm line-bytes=64 piece-bytes=32 lines=8{{$}}
// FITS-NEXT: simt-count: level space=global memory=T shared-by=tpc line-bytes=64 piece-bytes=64 lines=16{{$}}
// FITS-NEXT: simt-count: level space=global memory=L2 shared-by=die line-bytes=32 piece-bytes=32 lines=64{{$}}
// FITS-NEXT: simt-count: level space=global memory=globalMem shared-by=die line-bytes=32 piece-bytes=32{{$}}
// FITS: simt-count: level space=constant memory=cL1 shared-by=sm line-bytes=64 piece-bytes=64 lines=4{{$}}
// FITS-NEXT: simt-count: level space=constant memory=cL2 shared-by=die line-bytes=128 piece-bytes=32 lines=?{{$}}
// Two walks over `lines` * 64 bytes, 16 lanes a step, by one team.
//   8 lines of 64 bytes, as many as L1 of tiny has: the first walk misses 8 * 2 sectors of 32 bytes. The two of an access ask
//   T for the same 64 bytes, once: 8 misses there, each of which asks L2 for 2 * 32 bytes. The second walk hits 16 times
//   in L1.
// FITS: launch=1 {{.*}} array=data {{.*}} warp-accesses=16 lane-accesses=256 transactions=32 L1-transactions=16 L1-hits=16 L1-misses=16 T-transactions=16 T-hits=0 T-misses=8 L2-transactions=32 L2-hits=0 L2-misses=16 globalMem-served=16
//   9 lines, walked in a circle, are never found in L1: 2 * 18 misses. T holds 16 lines: the first walk's 9 requests miss,
//   the second's 9 hit.
// OVER: launch=1 {{.*}} array=data {{.*}} warp-accesses=18 lane-accesses=288 transactions=36 L1-transactions=18 L1-hits=0 L1-misses=36 T-transactions=18 T-hits=9 T-misses=9 L2-transactions=36 L2-hits=0 L2-misses=18 globalMem-served=18
//   17 lines are too many for T, too: each walk misses 17 times there. L2 holds 64 lines of 32 bytes, so the second walk
//   hits 34 times in it.
// MORE: launch=1 {{.*}} array=data {{.*}} L1-hits=0 L1-misses=68 {{.*}} T-hits=0 T-misses=34 {{.*}} L2-hits=34 L2-misses=34 globalMem-served=34
//   The M2075 has an L1 of 16 KiB with 128 lines of 128 bytes, brought in whole. 256 * 64 bytes fit: of the first walk's 256 accesses every
//   second one misses and asks L2 for 4 * 32 bytes; the second walk hits 256 times. With 257 * 64 bytes, 129 lines, no line is
//   still there at its second turn: each walk misses 129 times, hits 128 times (a line's second half).
// M2075: launch=1 {{.*}} array=data {{.*}} transactions=512 L1-transactions=512 L1-hits=384 L1-misses=128 {{.*}} L2-hits=0 L2-misses=512 globalMem-served=128
// M2075-OVER: launch=1 {{.*}} array=data {{.*}} transactions=514 L1-transactions=514 L1-hits=256 L1-misses=258 {{.*}} L2-hits=516 L2-misses=516 globalMem-served=129
//   The H200 has an L1 of 256 KiB with 2048 lines of 128 bytes in 4 sectors. 4096 * 64 bytes fit: 8192 sectors miss once and hit once. One
//   line more: nothing hits in L1, and L2 (50 MiB) serves the second walk's 8194.
// H200: launch=1 {{.*}} array=data {{.*}} transactions=16384 L1-transactions=8192 L1-hits=8192 L1-misses=8192 {{.*}} L2-hits=0 L2-misses=8192 globalMem-served=8192
// H200-OVER: launch=1 {{.*}} array=data {{.*}} transactions=16388 L1-transactions=8194 L1-hits=0 L1-misses=16388 {{.*}} L2-hits=8194 L2-misses=8194 globalMem-served=8194
#pragma omp target teams ompx_bare num_teams(1) thread_limit(16) map(to : data) map(from : out)
  {
    float sum = 0;
    for (int walk = 0; walk < 2; walk++)
      for (int i = 0; i < lines; i++)
        sum += data[i * 16 + THREAD()];
    out[THREAD()] = sum;
  }
// Six teams read the same 64 bytes. Teams 0 to 3 run on SMs 0 to 3, teams 4 and 5 on SMs 0 and 1, whose L1 still has the
// line: 2 * 2 hits, 4 * 2 misses. T is that of SMs 0 and 1, or of 2 and 3: teams 0 and 2 miss, teams 1 and 3 hit.
// L2: 2 pieces missed for team 0, found for team 2.
// FITS: launch=2 {{.*}} array=same {{.*}} warp-accesses=6 lane-accesses=96 transactions=12 L1-transactions=6 L1-hits=4 L1-misses=8 T-transactions=6 T-hits=2 T-misses=2 L2-transactions=12 L2-hits=2 L2-misses=2 globalMem-served=2
  static float same[16];
#pragma omp target teams ompx_bare num_teams(6) thread_limit(16) map(to : same) map(from : out)
  out[TEAM() * 16 + THREAD()] = same[THREAD()];
// Constant memory: two walks over 4 lines of 64 bytes, one address for all lanes. cL1 holds 4 lines and brings in 64 bytes at
// once: 4 misses, 2 * 64 - 4 hits. The size of cL2 is not known: it is passed by, in pieces of 32 bytes. Five lines: each
// is thrown out before its turn comes again: 2 * 5 misses.
// FITS: launch=3 {{.*}} array=table space=constant {{.*}} warp-accesses=128 lane-accesses=2048 transactions=128 cL1-transactions=128 cL1-hits=124 cL1-misses=4 cL2-transactions=128 cL2-hits=? cL2-misses=? constantMem-served=8
// OVER: launch=3 {{.*}} array=table space=constant {{.*}} warp-accesses=160 lane-accesses=2560 transactions=160 cL1-transactions=160 cL1-hits=150 cL1-misses=10 cL2-transactions=160 cL2-hits=? cL2-misses=? constantMem-served=20
  int words = lines == 8 ? 64 : 80;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(16) map(from : out)
  {
    float sum = 0;
    for (int walk = 0; walk < 2; walk++)
      for (int i = 0; i < words; i++)
        sum += table[i + zero];
    out[THREAD()] = sum;
  }
// A store is brought into L2 and hits there the second time; L1 and T do not see it, and a load after it comes from L2.
// FITS: launch=4 {{.*}} array=kept space=global access=load {{.*}} L1-hits=0 L1-misses=2 {{.*}} T-hits=0 T-misses=1 {{.*}} L2-hits=2 L2-misses=0 globalMem-served=0
// FITS: launch=4 {{.*}} array=kept space=global access=store warp-accesses=2 lane-accesses=32 transactions=4 L1-transactions=2 L1-hits=0 L1-misses=0 T-transactions=2 T-hits=0 T-misses=0 L2-transactions=4 L2-hits=2 L2-misses=2 globalMem-served=2
  static float kept[20000]; // no array before it was as long: it lies where none has been
#pragma omp target teams ompx_bare num_teams(1) thread_limit(16) map(from : kept, out)
  {
    ((volatile float *)kept)[THREAD()] = 1;
    ((volatile float *)kept)[THREAD()] = 2;
    out[THREAD()] = ((volatile float *)kept)[THREAD()];
  }
  return 0;
}
