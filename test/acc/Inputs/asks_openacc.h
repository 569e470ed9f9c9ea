/* As headers of portable programs do. */
#ifdef _OPENACC
#include <openacc.h>
#endif
