/* CHECK(condition): counts what does not hold and says where. RESULT(): what main returns. */
#include <stdio.h>
static int check_failures;
#define CHECK(condition)                                                                                                            \
  do                                                                                                                                \
    if (!(condition)) {                                                                                                             \
      printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                                                          \
      ++check_failures;                                                                                                             \
    }                                                                                                                               \
  while (0)
#define RESULT() (check_failures != 0)
