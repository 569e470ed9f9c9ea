#pragma omp declare target
int weigh_elsewhere(const int *table, int at) { return table[at] - 2 * table[1]; }
#pragma omp end declare target
