/* For libFuzzer: any bytes either give errors or a machine that prints, reads back, draws and evaluates. With MSL_REPLAY
 * defined, a program that runs the files named on its command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../msl/internal.h"

static void require(bool holds) {
  if (!holds)
    abort();
}

static void evaluate(const struct place_machine *machine) {
  static const uint64_t addresses[8] = {0, 4, 128, 132, 4096, UINT64_MAX, (uint64_t)1 << 63, 4};
  for (unsigned i = 0; i < machine->memory_count; i++) {
    unsigned transactions = msl_transactions_of_array(&machine->memories[i], addresses, 8, 64, 8);
    require(transactions >= 1 && transactions <= 8);
    require(transactions == msl_transactions_general(&machine->memories[i], addresses, 8, 64, 8));
    msl_curve_at_ns(&machine->memories[i].working_set, 1000);
    msl_capacity_bytes(&machine->memories[i]);
  }
  msl_teams_per_sm(machine, 128, 32, 1024);
}

static void write_all(const struct place_machine *machine) {
  unsigned differences = 1;
  char *first = msl_print(machine);
  struct place_machine *again = msl_read(first, strlen(first), "printed", NULL);
  require(again);
  char *second = msl_print(again), *diff = msl_diff(machine, again, &differences);
  require(!strcmp(first, second) && !differences);
  char *text = msl_draw_text(machine), *svg = msl_draw_svg(machine);
  require(text && svg);
  free(first);
  free(second);
  free(diff);
  free(text);
  free(svg);
  msl_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct msl_diagnostics diagnostics;
  struct place_machine *machine = msl_read((const char *)data, size, "fuzz", &diagnostics);
  if (machine) {
    evaluate(machine);
    write_all(machine);
    msl_free(machine);
  } else {
    char *said = msl_diagnostics_text(&diagnostics);
    require(said && diagnostics.count);
    free(said);
  }
  return 0;
}

#ifdef MSL_REPLAY
int main(int argc, char **argv) {
  static uint8_t data[1 << 20];
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    require(file);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
  }
  printf("%d files\n", argc - 1);
  return 0;
}
#endif
