// acc_suite_main.c: main of tests of the OpenACC validation suite that have more parts than an exit status has bits (acc-suite.py).
// Their own main, compiled with -Dmain=parts_of_test, returns a bit for each part that failed.
#undef main
#include <stdio.h>

int parts_of_test(void);

int main(void) {
  int failed = parts_of_test();
  if (failed) {
    printf("failed parts:");
    for (int part = 0; part < 31; part++)
      if (failed >> part & 1)
        printf(" T%d", part + 1);
    printf("\n");
  }
  return failed != 0;
}
