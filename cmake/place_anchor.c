/* Compiled for offloading and linked with static libraries of target regions: clang 19 takes device code out of archives only for
 * GPUs that an object of the program itself has code for (place_enable). */
typedef int place_anchor;
