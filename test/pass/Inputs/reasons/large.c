// Reasons why a region has no versions, no blocks, no strips, or keeps the device runtime: `has_X` has the reason X, `lacks_X` is the
// same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
int omp_get_num_teams(void);
int omp_get_level(void);

#define FOUR(x, k) x(k) x(k + 1) x(k + 2) x(k + 3)
#define SIXTEEN(x, k) FOUR(x, k) FOUR(x, k + 4) FOUR(x, k + 8) FOUR(x, k + 12)
#define SIXTY_FOUR(x, k) SIXTEEN(x, k) SIXTEEN(x, k + 16) SIXTEEN(x, k + 32) SIXTEEN(x, k + 48)
#define ADD(k) s += a[at[k] + i];
void has_too_large(int n, const int *at, const float *a, float *o) {
  LOOP { float s = 0; SIXTY_FOUR(ADD, 0) SIXTY_FOUR(ADD, 64) SIXTY_FOUR(ADD, 128) SIXTY_FOUR(ADD, 192) SIXTEEN(ADD, 256) o[i] = s; }
}
void lacks_too_large(int n, const int *at, const float *a, float *o) { LOOP { float s = 0; SIXTY_FOUR(ADD, 0) o[i] = s; } }

