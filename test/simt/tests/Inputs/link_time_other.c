#pragma omp declare target
int elsewhere(int x) { return 2 * x + 1; }
#pragma omp end declare target
