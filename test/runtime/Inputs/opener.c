/* Opens a library with target regions and runs its main. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
  int (*entry)(int, char **) = (int (*)(int, char **))dlsym(library, "main");
  return entry ? entry(1, argv) : 3;
}
