// Transactions of one warp access, as each machine's serial conditions define them: one warp, one access a line, numbers
// derived by hand. The arrays are of float but where it says otherwise; lane i reads what the line says.
//   H200   global memory 32-byte blocks, L1 128-byte lines, L2 32-byte sectors; constant: addresses; 32 shared banks of 4 bytes
//   K20C   global memory and L2 32-byte blocks, no L1; readOnly 32-byte blocks; 32 banks
//   C1060  global memory 128-byte segments, no cache; no readOnly; 16 banks, compared over the whole warp
// RUN: %simt_cc -O1 -g -fsimt-count %s -o %t && env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl %t 2>&1 | %FileCheck %s --check-prefixes=ALL,H200
// RUN: env PLACE_MACHINE=%place_source/msl/machines/k20c.msl %t 2>&1 | %FileCheck %s --check-prefixes=ALL,K20C
// RUN: env PLACE_MACHINE=%place_source/msl/machines/c1060.msl %t 2>&1 | %FileCheck %s --check-prefixes=ALL,C1060
// Nothing is counted where it is switched off, and nothing by a machine that cannot be read.
// RUN: env SIMT_COUNT=0 %t 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: simt-count
// RUN: %not env PLACE_MACHINE=%s %t 2>&1 | %FileCheck %s --check-prefix=BROKEN
// BROKEN: simt: error: nothing to count by: PLACE_MACHINE={{.*}}count.c cannot be used
// The records go to a file, the same ones in every run and with any number of threads.
// RUN: env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl SIMT_COUNT_FILE=%t.1 %t && env PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl SIMT_COUNT_FILE=%t.2 SIMT_THREADS=1 %t && cmp %t.1 %t.2
// RUN: %FileCheck %s --check-prefixes=ALL,H200 < %t.1
// ALL: simt-count: launch launch=1 kernel={{[^ ]*}}_main_l{{[0-9]+}} version=original teams=1 threads=32 machine=
#include "Inputs/device.h"

#pragma omp begin declare target
CONSTANT float table[32];
#pragma omp end declare target

int main(void) {
  static float row[64], two[64], line[32 * 32], odd[33 * 32], one[1], shifted[64], half[32], once[32], out[32];
  static double wide[32];
  static int far[32];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) map(to : row, two, line, odd, one, shifted, half, wide, far, once)    \
    map(from : out)
  {
    SHARED float tile[33 * 32];
    SHARED double pairs[32];
    int lane = LANE();
    float sum = 0;
    for (int k = 0; k < 33; k++)
      tile[k * 32 + lane] = 1;
    pairs[lane] = 1;
    BARRIER();
    // Coalesced: 32 * 4 = 128 bytes from an aligned start: 4 blocks of 32, 1 of 128.
    // H200-DAG: array=row space=global access=load file={{[^ ]*}}count.c line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=4 L1-transactions=1 L1-hits=0 L1-misses=4 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-served=4
    // K20C-DAG: array=row space=global access=load file={{[^ ]*}}count.c line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=4 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-served=4
    // C1060-DAG: array=row space=global access=load file={{[^ ]*}}count.c line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=1 globalMem-served=1
    sum += row[lane];
    // Stride 2: 256 bytes, half of them unused: 8 blocks of 32, 2 of 128.
    // H200-DAG: array=two {{.*}} line=[[@LINE+3]] {{.*}} transactions=8 L1-transactions=2 L1-hits=0 L1-misses=8 L2-transactions=8 L2-hits=0 L2-misses=8 globalMem-served=8
    // K20C-DAG: array=two {{.*}} line=[[@LINE+2]] {{.*}} transactions=8 L2-transactions=8
    // C1060-DAG: array=two {{.*}} line=[[@LINE+1]] {{.*}} transactions=2 globalMem-served=2
    sum += two[2 * lane];
    // Stride 32: each lane its own 128 bytes, of which it touches one block of 32.
    // H200-DAG: array=line {{.*}} line=[[@LINE+3]] {{.*}} transactions=32 L1-transactions=32 L1-hits=0 L1-misses=32 L2-transactions=32
    // K20C-DAG: array=line {{.*}} line=[[@LINE+2]] {{.*}} transactions=32 L2-transactions=32
    // C1060-DAG: array=line {{.*}} line=[[@LINE+1]] {{.*}} transactions=32 globalMem-served=32
    sum += line[32 * lane];
    // Stride 33: 132 bytes from lane to lane, so no two in one 128.
    // H200-DAG: array=odd {{.*}} line=[[@LINE+3]] {{.*}} transactions=32 L1-transactions=32 L1-hits=0 L1-misses=32 L2-transactions=32
    // K20C-DAG: array=odd {{.*}} line=[[@LINE+2]] {{.*}} transactions=32 L2-transactions=32
    // C1060-DAG: array=odd {{.*}} line=[[@LINE+1]] {{.*}} transactions=32 globalMem-served=32
    sum += odd[33 * lane];
    // Broadcast: one address.
    // H200-DAG: array=one {{.*}} line=[[@LINE+3]] {{.*}} lane-accesses=32 transactions=1 L1-transactions=1 L1-hits=0 L1-misses=1 L2-transactions=1
    // K20C-DAG: array=one {{.*}} line=[[@LINE+2]] {{.*}} lane-accesses=32 transactions=1 L2-transactions=1
    // C1060-DAG: array=one {{.*}} line=[[@LINE+1]] {{.*}} lane-accesses=32 transactions=1 globalMem-served=1
    sum += one[0];
    // Bytes 4 to 131: a fifth block of 32, a second of 128.
    // H200-DAG: array=shifted {{.*}} line=[[@LINE+3]] {{.*}} transactions=5 L1-transactions=2 L1-hits=0 L1-misses=5 L2-transactions=5
    // K20C-DAG: array=shifted {{.*}} line=[[@LINE+2]] {{.*}} transactions=5 L2-transactions=5
    // C1060-DAG: array=shifted {{.*}} line=[[@LINE+1]] {{.*}} transactions=2 globalMem-served=2
    sum += shifted[lane + 1];
    // 8 bytes a lane, 256 in a row: 8 blocks of 32, 2 of 128.
    // H200-DAG: array=wide {{.*}} line=[[@LINE+3]] {{.*}} transactions=8 L1-transactions=2 L1-hits=0 L1-misses=8 L2-transactions=8
    // K20C-DAG: array=wide {{.*}} line=[[@LINE+2]] {{.*}} transactions=8 L2-transactions=8
    // C1060-DAG: array=wide {{.*}} line=[[@LINE+1]] {{.*}} transactions=2 globalMem-served=2
    sum += (float)wide[lane];
    // The lower 10 lanes only: 40 bytes, 2 blocks of 32.
    // H200-DAG: array=half {{.*}} line=[[@LINE+4]] warp-accesses=1 lane-accesses=10 transactions=2 L1-transactions=1 L1-hits=0 L1-misses=2
    // K20C-DAG: array=half {{.*}} line=[[@LINE+3]] warp-accesses=1 lane-accesses=10 transactions=2 L2-transactions=2
    // C1060-DAG: array=half {{.*}} line=[[@LINE+2]] warp-accesses=1 lane-accesses=10 transactions=1 globalMem-served=1
    if (lane < 10)
      sum += half[lane];
    // The read-only path: a cache of its own before L2; the C1060 has none.
    // H200-DAG: array=once space=readonly access=load file={{[^ ]*}}count.c line=[[@LINE+3]] {{.*}} transactions=1 readOnly-hits=0 readOnly-misses=4 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-transactions=4 globalMem-served=4
    // K20C-DAG: array=once space=readonly access=load file={{[^ ]*}}count.c line=[[@LINE+2]] {{.*}} transactions=4 readOnly-hits=0 readOnly-misses=4 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-transactions=4 globalMem-served=4
    // C1060-DAG: array=once space=readonly access=load file={{[^ ]*}}count.c line=[[@LINE+1]] {{.*}} transactions=1 globalMem-served=1
    sum += LOAD_READONLY(&once[lane]);
    // Constant memory serves one address at a time: 1, then 4 (lanes in groups of 8), then 32.
    // ALL-DAG: array=table space=constant access=load file={{[^ ]*}}count.c line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=1 cL1-transactions=1
    sum += table[far[0] + 7];
    // ALL-DAG: array=table space=constant access=load file={{[^ ]*}}count.c line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=4 cL1-transactions=4
    sum += table[lane / 8];
    // ALL-DAG: array=table space=constant access=load file={{[^ ]*}}count.c line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=32 cL1-transactions=32
    sum += table[lane];
    // Shared memory, word = lane: 32 banks once each; 16 banks twice.
    // H200-DAG: array={{.*}}tile{{.*}} space=shared access=load file={{[^ ]*}}count.c line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=1{{$}}
    // K20C-DAG: array={{.*}}tile{{.*}} space=shared access=load file={{[^ ]*}}count.c line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=1{{$}}
    // C1060-DAG: array={{.*}}tile{{.*}} space=shared access=load file={{[^ ]*}}count.c line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    sum += tile[lane];
    // Words 0, 2, ... 62: the even ones of 32 banks twice, of 16 banks four times.
    // H200-DAG: line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    // K20C-DAG: line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    // C1060-DAG: line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=4{{$}}
    sum += tile[2 * lane];
    // Words 0, 4, ... 124: every fourth of 32 banks four times, of 16 banks eight times.
    // H200-DAG: line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=4{{$}}
    // K20C-DAG: line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=4{{$}}
    // C1060-DAG: line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=8{{$}}
    sum += tile[4 * lane];
    // A column of a tile 32 words wide: all in one bank.
    // ALL-DAG: line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=32{{$}}
    sum += tile[32 * lane];
    // Padded to 33 words: bank lane modulo 32, or modulo 16.
    // H200-DAG: line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=1{{$}}
    // K20C-DAG: line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=1{{$}}
    // C1060-DAG: line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    sum += tile[33 * lane];
    // One word for all: no conflict.
    // ALL-DAG: line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=1{{$}}
    sum += tile[far[1] + 5];
    // 8 bytes a lane: first words 0, 2, ... 62.
    // H200-DAG: array={{.*}}pairs{{.*}} line=[[@LINE+3]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    // K20C-DAG: array={{.*}}pairs{{.*}} line=[[@LINE+2]] warp-accesses=1 lane-accesses=32 transactions=2{{$}}
    // C1060-DAG: array={{.*}}pairs{{.*}} line=[[@LINE+1]] warp-accesses=1 lane-accesses=32 transactions=4{{$}}
    sum += (float)pairs[lane];
    // Stores go past the caches of an SM.
    // H200-DAG: array=out space=global access=store file={{[^ ]*}}count.c line=[[@LINE+3]] {{.*}} transactions=4 L1-transactions=1 L1-hits=0 L1-misses=0 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-served=4
    // K20C-DAG: array=out space=global access=store file={{[^ ]*}}count.c line=[[@LINE+2]] {{.*}} transactions=4 L2-transactions=4 L2-hits=0 L2-misses=4 globalMem-served=4
    // C1060-DAG: array=out space=global access=store file={{[^ ]*}}count.c line=[[@LINE+1]] {{.*}} transactions=1 globalMem-served=1
    out[lane] = sum;
  }
  return 0;
}
