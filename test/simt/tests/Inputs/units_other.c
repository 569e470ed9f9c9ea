#pragma omp begin declare target
int counter;
int triple(int i) { return 3 * i; }
#pragma omp end declare target

int read_counter(void) {
  int value = 0;
#pragma omp target map(from : value)
  value = counter;
  return value;
}
