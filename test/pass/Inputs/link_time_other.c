#pragma omp declare target
float elsewhere(float x) { return x + 1; }
#pragma omp end declare target
