int main() {
  int sum = 0;
#ifndef T1
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
#endif
  return sum != 4950;
}
