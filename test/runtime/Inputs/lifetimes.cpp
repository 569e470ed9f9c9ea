// Regions before main, in a forked child, after main, and behind the last destructor.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
static int bad;
static int region(int seed) {
  enum { N = 1000 };
  static int in[N], out[N];
  int wrong = 0;
  for (int r = 0; r < 5; r++) {
    for (int i = 0; i < N; i++)
      in[i] = i * seed + r;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
    for (int i = 0; i < N; i++)
      out[i] = in[i] + in[(i * 5) % N];
    for (int i = 0; i < N; i++)
      wrong += out[i] != in[i] + in[(i * 5) % N];
  }
  return wrong;
}
#ifdef FORKED
int main() {
  pid_t child = fork(); // before the device is used
  int status = 0;
  bad = region(2);
  if (!child)
    _exit(bad != 0);
  waitpid(child, &status, 0);
  std::puts(bad || status ? "FAIL" : "PASS");
  return bad || status;
}
#else
struct Early {
  Early() { bad += region(1); }
  ~Early() {
    if (region(4))
      _exit(3);
  }
} early;
int main() {
  std::atexit([] {
    if (region(3))
      _exit(2);
  });
  bad += region(2);
  std::puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
#endif
