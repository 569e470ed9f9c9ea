/* One launch seen through its region's table: what each array is, how far it extends, and which spaces are legal for it.
 *
 * Units: bytes. Owner: the view owns its arrays (view_free) and points at objects of the extents it was built from, which
 * are valid as long as their generation. Thread-safety: none of its own, the caller holds the device's lock.
 * Errors: an array about which anything is in doubt gets a reason and stays in global memory. */
#ifndef PLACE_RT_VIEW_H
#define PLACE_RT_VIEW_H

#include "extents.h"
#include "place/plan.h"
#include "registry.h"

enum view_kind {
  VIEW_UNKNOWN, /* nothing is known about the memory behind it */
  VIEW_OBJECT,  /* part of a tracked object */
  VIEW_FRESH,   /* mapped by this launch and released at its end */
  VIEW_PRIVATE  /* a private copy */
};

struct view_array {
  enum view_kind kind;
  uintptr_t argument; /* what extents are relative to: a host address, or a device address for device pointers */
  uintptr_t host;     /* host address of the extent's first byte, 0: none */
  uintptr_t device;   /* device address of the extent's first byte, 0: not known before the launch */
  struct ext_object *object;
  const char *why_global;   /* why it cannot be placed at all at this launch, or NULL */
  uintptr_t section;        /* of a mapped object: host address of the part that the launch's own map clause names, */
  uint64_t section_bytes;   /* and its size; 0: it names none */
  const char *why_constant; /* why it cannot be copied to constant memory whatever happens between launches, or NULL */
  const char *why_texture;  /* why it cannot be bound to a texture, or NULL */
};

/* What was known of the memory that an entry of the launch's maps names, NULL: nothing; and whether of the pointer that it sets. */
struct found {
  struct ext_object *object;
  bool holder;
};

struct view {
  void *block; /* holds all of the arrays */
  struct view_array *array;     /* [region->array_count] */
  struct place_extent *extent;  /* [region->array_count] */
  place_space_set *allowed;     /* [region->array_count] */
  uint64_t *arg;
  bool *arg_known;
  struct place_launch launch; /* points at the arrays above */
  struct ext_object **written; /* objects that the launch may write */
  unsigned written_count;
  struct found *found; /* [entries of the launch's maps] */
  bool writes_unknown;  /* it may write anything */
  bool changes_mapped;  /* its own map clauses change the content of tracked objects */
  bool thread_limit;    /* the program or the environment limits the threads of a team */
  uint32_t most_threads; /* of a team, as the environment has it; 0: it sets no limit */
  bool teams_limited;   /* the environment limits the number of teams */
  bool keeps_shape;     /* the user wants the original's numbers of teams and threads (PLACE_SHAPE) */
  const struct place_array *overlap[2]; /* arrays that overlap, though the program promises that none does; or NULL */
  const char *refused;  /* why nothing can be placed at this launch, or NULL */
};

/* Builds the view of a call; 0, or -1 when out of memory (then *view holds nothing). */
int view_build(struct view *view, const struct rt_region *region, const struct rt_call *call, struct extents *ext);
void view_free(struct view *view);

/* Whether a view built in this generation, of a call with the same addresses, is what view_build would make of this one now. */
bool view_holds(const struct view *view, const struct rt_region *region, const struct rt_call *call, const struct extents *ext);

/* Why array a cannot be in the space at this launch; NULL: nothing is known to be in the way. Static storage. */
const char *view_why_not(const struct view *view, size_t a, enum place_space space);

/* Applies what the launch's own map clauses do to tracked objects before the kernel runs. */
void view_apply_maps(const struct rt_call *call, struct extents *ext);

/* Entry of the call's maps that is kernel argument n, or -1. */
int view_entry_of(const struct rt_call *call, int n);

#endif
