#include <omp.h>

#pragma omp declare target
int team_elsewhere(int add) { return omp_get_team_num() + add; }
#pragma omp end declare target
