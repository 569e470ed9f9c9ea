// Ten parts, of which the 2nd and the 9th fail: a bit each of what main returns.
#include <stdlib.h>
int part(int number) {
  int wrong = 0;
#pragma acc parallel loop reduction(+ : wrong)
  for (int i = 0; i < 100; i++)
    wrong += number == 2 || number == 9;
  return wrong;
}
int main() {
  int failcode = 0;
#ifndef T2
  if (part(2))
    failcode += 1 << 1;
#endif
#ifndef T9
  if (part(9))
    failcode += 1 << 8;
#endif
#ifndef T10
  if (part(10))
    failcode += 1 << 9;
#endif
  return failcode;
}
