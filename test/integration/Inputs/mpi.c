/* Each rank filters its own numbers; rank 0 adds up what is wrong. */
#include <mpi.h>
#include <stdio.h>

#include "regions.h"

int main(int argc, char **argv) {
  static float a[N + TAPS], w[TAPS], out[N];
  int rank, ranks, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < N + TAPS; i++) a[i] = (float)((i + rank) % 7);
  for (int j = 0; j < TAPS; j++) w[j] = (float)(j + 1 + rank);
  for (int launch = 0; launch < 3; launch++) wrong += first(a, w, out) + second(a, w, out);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, wrong: %d", ranks, all);
  MPI_Finalize();
  return wrong != 0;
}
