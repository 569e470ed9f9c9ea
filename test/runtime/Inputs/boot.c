/* What a program built with libplace.so carries: loads the runtime before the images register. */
extern void *dlopen(const char *, int);
extern void *dlsym(void *, const char *);
__attribute__((constructor(100), used, visibility("hidden"))) void place_boot(void) {
  void *runtime = dlopen(RUNTIME, 0x102);
#ifdef ATTACH
  void (*attach)(void) = runtime ? (void (*)(void))dlsym(runtime, "place_runtime_attach") : 0;
  if (attach) attach();
#endif
  (void)runtime;
}
