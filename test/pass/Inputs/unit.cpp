// A unit that implements a part of module.cppm.
module regions;

int twice(const int *a) { return 2 * sum(a); }
