/* Regions of several objects, all of one form: out[i] = sum of a[i + j] * w[j]. */
enum { N = 4096, TAPS = 8 };
int first(const float *a, const float *w, float *out);  /* each: how many results are wrong */
int second(const float *a, const float *w, float *out);
