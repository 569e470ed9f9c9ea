// The OpenMP made of each kind of nest; docs/openacc.md explains it.
// RUN: %acc_text %s 2>&1 | %FileCheck %s

double t0;
#pragma acc routine seq
double half(double x) { return x / 2; }
#pragma acc routine vector
void row(double *x, int n) {
#pragma acc loop vector
  for (int i = 0; i < n; i++)
    x[i] = half(x[i]);
}
// One loop: one combined construct. A scalar that is written is each iteration's own.
void one(int n, double *a, double *b, double t) {
#pragma acc parallel loop gang vector copyin(a[0:n]) num_gangs(n) num_workers(4) vector_length(32) if(n > 1)
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
}
// The loop of a region alone, one variable in two clauses, a reduction.
void alone(int n, double *a, double s) {
#pragma acc parallel copyin(a[0:n]) copyout(a[0:n])
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < n; i++)
      s += a[i];
  }
}
// Nothing but loops: a kernel each, the data once around.
void two(int n, double *a, double *b, int x) {
#pragma acc parallel copy(a[0:n], x) copyin(b[0:n]) if(n) async(3)
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      a[i] = x;
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      a[i] += b[i];
  }
}
// Code between the loops: all teams execute it.
void mixed(int n, double *a) {
#pragma acc parallel num_gangs(8) private(t0)
  {
    int first = n / 2;
#pragma acc loop gang
    for (int i = first; i < n; i++)
      a[i] = 0;
#pragma acc loop vector
    for (int i = 0; i < first; i++)
      a[i] = 1;
  }
}
// Tight levels become one iteration space; others two levels.
void levels(int n, int m, double (*a)[m], double *s) {
#pragma acc parallel loop gang
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < m; j++)
      a[i][j] = 0;
#pragma acc parallel loop gang
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < i; j++)
      a[i][j] = 0;
#pragma acc parallel loop gang
  for (int i = 0; i < n; i++) {
    double sum = 0;
#pragma acc loop worker
    for (int j = 0; j < m; j++) {
      double p = 1;
#pragma acc loop vector reduction(* : p)
      for (int k = 0; k < j; k++)
        p *= a[i][k];
      sum += p;
    }
#pragma acc loop seq private(t0)
    for (int j = 0; j < m; j++)
      sum += (t0 = a[i][j]);
    s[i] = sum;
  }
#pragma acc parallel loop tile(8, 8)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 1;
#pragma acc parallel loop gang
  for (int i = 0; i < n; i++)
    row(a[i], m);
}
// kernels: what is said or proven to be independent is parallel.
void kernels(int n, double *restrict a, const double *restrict b, double *c) {
#pragma acc kernels loop independent
  for (int i = 0; i < n; i++)
    c[i] = a[i];
#pragma acc kernels copyin(b[0:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] * b[i];
#pragma acc kernels
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
#pragma acc kernels
  for (int i = 0; i < n; i++)
    c[i] = a[i];
#pragma acc kernels
  for (int t = 0; t < 10; t++) {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      c[i] += t;
  }
#pragma acc serial loop gang
  for (int i = 0; i < n; i++)
    c[i] = i;
}
// Data.
void data(int n, double *a, double *b, double *d, double x) {
#pragma acc data copy(a[0:n], x) present(b) create(zero: d[0:n]) if(n)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = x;
#pragma acc update self(a[0:n]) device(x) if(n)
#pragma acc host_data use_device(a)
    half(*a);
  }
#pragma acc data deviceptr(d)
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    d[i] = i;
#pragma acc enter data copyin(a[0:n]) create(x) async
#pragma acc exit data copyout(a[0:n]) delete(x) finalize
#pragma acc wait(1)
#pragma acc atomic capture
  { x = t0; t0 += 1; }
}
// Without gang, every gang asked for does all of it.
void redundant(int n, double *a) {
#pragma acc parallel num_gangs(4)
  {
#pragma acc loop vector
    for (int i = 0; i < n; i++)
      a[i] = 0;
  }
}
// A member's section is mapped without its structure, whose pointer follows.
struct s { int n; double *x; };
void members(struct s *p, double **rows, int n) {
#pragma acc enter data copyin(p->x[0:p->n])
#pragma acc exit data delete(p->x[0:p->n])
#pragma acc enter data copyin(p[0:1], p->x[0:p->n])
#pragma acc update self(rows[0:n][0:4])
}
// More threads than a team can have.
void many(int n, double *a) {
#pragma acc parallel loop num_workers(8) vector_length(1024) copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

// CHECK-LABEL: text.c:5: #pragma acc routine seq
// CHECK-NEXT: #pragma omp begin declare target
// CHECK-NEXT: double half(double x) {
// CHECK-NEXT:   return x / 2;
// CHECK-NEXT: }
// CHECK-NEXT: #pragma omp end declare target
// CHECK-LABEL: text.c:7: #pragma acc routine vector
// CHECK-NEXT: #pragma omp begin declare target
// CHECK-NEXT: void row(double * x, int n) {
// CHECK-NEXT:   #pragma acc loop vector
// CHECK-NEXT:   for (int i = 0; i < n; i++) x[i] = half(x[i]);
// CHECK-NEXT: }
// CHECK-NEXT: #pragma omp end declare target
// CHECK-LABEL: text.c:9: #pragma acc loop vector
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT: for (int i = 0; i < n; i++) x[i] = half(x[i]);
// CHECK-LABEL: text.c:15: #pragma acc parallel loop gang vector copyin(a[0: n]) num_gangs(n) num_workers(4) vector_length(32) if(n > 1)
// CHECK-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, to: a[0: n]) if (target: !!(n > 1)) num_teams((n)) thread_limit((4) * (32)) firstprivate(t)
// CHECK-NEXT: for (int i = 0; i < n; i++) {
// CHECK-NEXT:   t = a[i];
// CHECK-NEXT:   b[i] = t;
// CHECK-NEXT: }
// CHECK-LABEL: text.c:23: #pragma acc parallel copyin(a[0: n]) copyout(a[0: n])
// CHECK-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, tofrom: a[0: n]) map(ompx_hold, tofrom: s) reduction(+: s)
// CHECK-NEXT: for (int i = 0; i < n; i++) s += a[i];
// CHECK-LABEL: text.c:32: #pragma acc parallel copy(a[0: n], x) copyin(b[0: n]) if(n) async(3)
// CHECK-NEXT: {
// CHECK-NEXT:   int place_acc_queue = (3);
// CHECK-NEXT:   place_acc_wait(place_acc_queue, - 2);
// CHECK-NEXT:   {
// CHECK-NEXT:     int place_acc_if = !!(n);
// CHECK-NEXT:     #pragma omp target data map(ompx_hold, tofrom: a[0: n], x) map(ompx_hold, to: b[0: n]) if (place_acc_if)
// CHECK-NEXT:     {
// CHECK-NEXT:       #pragma omp target teams distribute parallel for if (target: place_acc_if) map(ompx_hold, tofrom: x)
// CHECK-NEXT:       for (int i = 0; i < n; i++) a[i] = x;
// CHECK-NEXT:       #pragma omp target teams distribute parallel for if (target: place_acc_if)
// CHECK-NEXT:       for (int i = 0; i < n; i++) a[i] += b[i];
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:44: #pragma acc parallel num_gangs(8) private(t0)
// CHECK-NEXT: #pragma omp target teams num_teams((8)) private(t0)
// CHECK-NEXT: {
// CHECK-NEXT:   {
// CHECK-NEXT:     int first = n / 2;
// CHECK-NEXT:     #pragma omp distribute parallel for
// CHECK-NEXT:     for (int i = first; i < n; i++) a[i] = 0;
// CHECK-NEXT:     #pragma omp parallel for
// CHECK-NEXT:     for (int i = 0; i < first; i++) a[i] = 1;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:57: #pragma acc parallel loop gang
// CHECK-NEXT: #pragma omp target teams distribute parallel for collapse(2)
// CHECK-NEXT: for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0;
// CHECK-LABEL: text.c:62: #pragma acc parallel loop gang
// CHECK-NEXT: #pragma omp target teams distribute
// CHECK-NEXT: for (int i = 0; i < n; i++)
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT: for (int j = 0; j < i; j++) a[i][j] = 0;
// CHECK-LABEL: text.c:67: #pragma acc parallel loop gang
// CHECK-NEXT: #pragma omp target teams distribute firstprivate(t0)
// CHECK-NEXT: for (int i = 0; i < n; i++) {
// CHECK-NEXT:   double sum = 0;
// CHECK-NEXT:   for (int j = 0; j < m; j++) {
// CHECK-NEXT:     double p = 1;
// CHECK-NEXT:     #pragma omp parallel for reduction(*: p)
// CHECK-NEXT:     for (int k = 0; k < j; k++) p *= a[i][k];
// CHECK-NEXT:     sum += p;
// CHECK-NEXT:   }
// CHECK-NEXT:   {
// CHECK-NEXT:     __typeof__ (t0) t0;
// CHECK-NEXT:     for (int j = 0; j < m; j++) sum += (t0 = a[i][j]);
// CHECK-NEXT:   }
// CHECK-NEXT:   s[i] = sum;
// CHECK-NEXT: }
// CHECK-LABEL: text.c:83: #pragma acc parallel loop tile(8, 8)
// CHECK-NEXT: #pragma omp target teams distribute parallel for collapse(2)
// CHECK-NEXT: for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 1;
// CHECK-LABEL: text.c:87: #pragma acc parallel loop gang
// CHECK-NEXT: #pragma omp target teams distribute
// CHECK-NEXT: for (int i = 0; i < n; i++) row(a[i], m);
// CHECK-LABEL: text.c:93: #pragma acc kernels loop independent
// CHECK-NEXT: #pragma omp target teams distribute parallel for
// CHECK-NEXT: for (int i = 0; i < n; i++) c[i] = a[i];
// CHECK-LABEL: text.c:96: #pragma acc kernels copyin(b[0: n])
// CHECK-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, to: b[0: n])
// CHECK-NEXT: for (int i = 0; i < n; i++) a[i] = a[i] * b[i];
// CHECK-LABEL: text.c:99: #pragma acc kernels
// CHECK-NEXT: #pragma omp target defaultmap(tofrom: scalar)
// CHECK-NEXT: {
// CHECK-NEXT:   for (int i = 1; i < n; i++) a[i] = a[i - 1];
// CHECK-NEXT: }
// CHECK-LABEL: text.c:102: #pragma acc kernels
// CHECK-NEXT: #pragma omp target defaultmap(tofrom: scalar)
// CHECK-NEXT: {
// CHECK-NEXT:   for (int i = 0; i < n; i++) c[i] = a[i];
// CHECK-NEXT: }
// CHECK-LABEL: text.c:105: #pragma acc kernels
// CHECK-NEXT: #pragma omp target teams num_teams(1) defaultmap(tofrom: scalar)
// CHECK-NEXT: {
// CHECK-NEXT:   for (int t = 0; t < 10; t++) {
// CHECK-NEXT:     #pragma omp parallel for
// CHECK-NEXT:     for (int i = 0; i < n; i++) c[i] += t;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:111: #pragma acc serial loop gang
// CHECK-NEXT: #pragma omp target
// CHECK-NEXT: {
// CHECK-NEXT:   for (int i = 0; i < n; i++) c[i] = i;
// CHECK-NEXT: }
// CHECK-LABEL: text.c:117: #pragma acc data copy(a[0: n], x) present(b) create(zero: d[0: n]) if(n)
// CHECK-NEXT: {
// CHECK-NEXT:   int place_acc_absent0 = place_acc_absent(& d[0]);
// CHECK-NEXT:   #pragma omp target data map(ompx_hold, alloc: d[0: n]) if (n)
// CHECK-NEXT:   {
// CHECK-NEXT:     if (place_acc_absent0) place_acc_clear(& d[0], (n) * sizeof (d[0]));
// CHECK-NEXT:     #pragma omp target data map(ompx_hold, tofrom: a[0: n], x) map(ompx_hold, alloc: d[0: n]) map(ompx_hold, present, alloc: b[0: 1]) if (n)
// CHECK-NEXT:     {
// CHECK-NEXT:       #pragma acc parallel loop
// CHECK-NEXT:       for (int i = 0; i < n; i++) a[i] = x;
// CHECK-NEXT:       #pragma acc update self(a[0: n]) device(x) if(n)
// CHECK-NEXT:       #pragma acc host_data use_device(a)
// CHECK-NEXT:       half(* a);
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:119: #pragma acc parallel loop
// CHECK-NEXT: #pragma omp target teams distribute parallel for map(ompx_hold, tofrom: x)
// CHECK-NEXT: for (int i = 0; i < n; i++) a[i] = x;
// CHECK-LABEL: text.c:122: #pragma acc update self(a[0: n]) device(x) if(n)
// CHECK-NEXT: #pragma omp target update from(present: a[0: n]) to(present: x) if (n)
// CHECK-LABEL: text.c:123: #pragma acc host_data use_device(a)
// CHECK-NEXT: #pragma omp target data use_device_ptr(a)
// CHECK-NEXT: half(* a);
// CHECK-LABEL: text.c:126: #pragma acc data deviceptr(d)
// CHECK-NEXT: #pragma acc parallel loop
// CHECK-NEXT: for (int i = 0; i < n; i++) d[i] = i;
// CHECK-LABEL: text.c:127: #pragma acc parallel loop
// CHECK-NEXT: #pragma omp target teams distribute parallel for is_device_ptr(d)
// CHECK-NEXT: for (int i = 0; i < n; i++) d[i] = i;
// CHECK-LABEL: text.c:130: #pragma acc enter data copyin(a[0: n]) create(x) async
// CHECK-NEXT: {
// CHECK-NEXT:   int place_acc_queue = - 1;
// CHECK-NEXT:   place_acc_async_begin(place_acc_queue);
// CHECK-NEXT:   #pragma omp target enter data map(to: a[0: n]) map(alloc: x)
// CHECK-NEXT:   place_acc_async_end();
// CHECK-NEXT: }
// CHECK-LABEL: text.c:131: #pragma acc exit data copyout(a[0: n]) delete(x) finalize
// CHECK-NEXT: {
// CHECK-NEXT:   #pragma omp target update from(a[0: n])
// CHECK-NEXT:   #pragma omp target exit data map(delete: a[0: n], x)
// CHECK-NEXT: }
// CHECK-LABEL: text.c:132: #pragma acc wait(1)
// CHECK-NEXT: {
// CHECK-NEXT:   {
// CHECK-NEXT:     place_acc_wait_device((1), - 2, - 1);
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:133: #pragma acc atomic capture
// CHECK-NEXT: #pragma omp atomic capture
// CHECK-NEXT: {
// CHECK-NEXT:   x = t0;
// CHECK-NEXT:   t0 += 1;
// CHECK-NEXT: }
// CHECK-LABEL: text.c:138: #pragma acc parallel num_gangs(4)
// CHECK-NEXT: #pragma omp target teams num_teams((4))
// CHECK-NEXT: {
// CHECK-NEXT:   {
// CHECK-NEXT:     #pragma omp parallel for
// CHECK-NEXT:     for (int i = 0; i < n; i++) a[i] = 0;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:148: #pragma acc enter data copyin(p->x[0: p->n])
// CHECK-NEXT: {
// CHECK-NEXT:   __typeof__ (& p->x[0]) place_acc_member0 = p->x;
// CHECK-NEXT:   #pragma omp target enter data map(to: place_acc_member0[0: p->n])
// CHECK-NEXT:   place_acc_attach(& p->x);
// CHECK-NEXT: }
// CHECK-LABEL: text.c:149: #pragma acc exit data delete(p->x[0: p->n])
// CHECK-NEXT: {
// CHECK-NEXT:   __typeof__ (& p->x[0]) place_acc_member0 = p->x;
// CHECK-NEXT:   #pragma omp target exit data map(release: place_acc_member0[0: p->n])
// CHECK-NEXT:   place_acc_leave(& p->x);
// CHECK-NEXT: }
// CHECK-LABEL: text.c:150: #pragma acc enter data copyin(p[0: 1], p->x[0: p->n])
// CHECK-NEXT: #pragma omp target enter data map(to: p[0: 1], p->x[0: p->n])
// CHECK-LABEL: text.c:151: #pragma acc update self(rows[0: n][0: 4])
// CHECK-NEXT: {
// CHECK-NEXT:   for (long place_acc_row = (0); place_acc_row < (0) + (n);++place_acc_row) {
// CHECK-NEXT:     #pragma omp target update from(rows[place_acc_row][0: 4])
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: text.c:155: #pragma acc parallel loop num_workers(8) vector_length(1024) copyout(a[0: n])
// CHECK: thread_limit(1024)
