/* What the runtime remembers: devices, regions on a device, size classes, decisions.
 *
 * Owner: devices live until the process ends and own the rest. Thread-safety: everything in a device and in its regions is
 * guarded by the device's lock. */
#ifndef PLACE_RT_STATE_H
#define PLACE_RT_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "ask_device.h"
#include "bias.h"
#include "budget.h"
#include "config.h"
#include "constant.h"
#include "force.h"
#include "history.h"
#include "place/advice.h"
#include "plan_memory.h"
#include "tune.h"
#include "view.h"
#include "watch.h"
#include "yardstick.h"

enum { RT_MAX_CLASSES = 256, RT_SETS = 64, RT_WAYS = 4, RT_DECISIONS = RT_SETS * RT_WAYS };
enum { RT_MAX_WORDS = PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * PLACE_MAX_PLACEABLE + PLACE_SLICE_WORDS };

/* ---- a size class of a region on a device ---- */

enum class_phase { CLASS_NEW, CLASS_TRIAL, CLASS_SETTLED };

enum { RT_SAMPLES = 64 };

/* What a class knows of one array by its first launch. */
struct rt_class_array {
  struct place_extent extent;
  const char *why_global, *why_constant, *why_texture; /* view.h */
};

/* Kept small, the rest apart: most of what a region's first launch costs is pages that were never touched before. */
struct rt_class {
  uint64_t *key; /* class.c */
  unsigned key_words;
  enum class_phase phase;
  unsigned generation;        /* grows when `chosen` changes */
  int chosen;                 /* CLASS_SETTLED: index into plan, or -1 for the original */
  bool trusted;               /* settled by the model, unmeasured */
  int plan_count;
  const struct rt_class *sibling; /* another size of the region that has been through a trial, or NULL */
  uint64_t launches, placed_launches;
  uint64_t fallbacks;
  struct place_launch shape;  /* scalars of the first launch; its pointers are NULL */
  struct rt_class_array *array; /* [array_count] */
  struct place_array_summary *summary; /* [array_count]; NULL: not looked at */
  uint64_t settled_launches, next_check; /* launches since it was settled by a trial; when it is checked again */
  bool other_work;            /* what was chosen was given up at launches that do other work than those of its trial */
  unsigned renewed;           /* trials begun for that, or since the last one was disturbed */
  double trial_original_ns;   /* `usual_original_ns` when the last trial ended */
  unsigned trial_misses;      /* launches in a row that the arm whose turn it is could not be made for */
  unsigned slices;            /* of its launches, that plans were tried on */
  struct watch watch;         /* over what a trial settled on */
  struct yardstick *yardstick; /* NULL: the base was never timed */
  bool recalled;              /* taken up from an earlier run (recall.h): as of that generation, last used then (seconds since 1970) */
  unsigned recalled_generation;
  int64_t recalled_used;
  struct bias bias;           /* of the base, what others are measured against */
  double base_unpaid_ns;      /* kernel time of the base's launches before the first sample of that */
  double original_ns;         /* least wall time of a launch of the original; 0: none was clocked */
  double usual_original_ns;   /* the mean, in which recent ones weigh more */
  unsigned alike_originals;   /* launches of the original in a row that took about as long as that */
  double beside_ns;           /* least wall time of a measured launch beside its kernel; 0: none was */
  uint64_t waited_launches;   /* that a look or a trial had to wait for the budget */
  unsigned waiting;           /* of them, in a row */
  uint64_t presumed_launches; /* of a version of which nothing was measured (presume.h) */
  bool as_elsewhere;          /* the last of them, of one that trials at other sizes found to be faster */
  unsigned evidence_at;       /* `learned` of the region when evidence_version was asked for this size; 0: never */
  int evidence;               /* and what it said */
  unsigned unclocked, clock_in; /* launches since a clock was read, and after how many it is read again */
  double planning_ns;         /* spent on making plans for single launches, of the last `planned_launches` */
  double copying_ns;          /* and on copies of arrays that had changed */
  double copied_ns;           /* what those took that no budget knows of yet (regret.h) */
  unsigned planned_launches;
  double profile_ns;          /* wall time of profiling, beyond the launch itself */
  double solve_ns;
  double predicted_ns, predicted_base_ns; /* of the best plan and of all-global; memory time */
  char reason[240];           /* why the original was kept, or "" */
  char note[240];             /* further remarks, e.g. of PLACE_FORCE */
  char fell_back[200];        /* why the last launch that should have been placed was not, or "" */
  struct tune tune;
  struct place_plan *plan;    /* [TUNE_MAX_ARMS] 0: baseline; 1..: what is tried; after that, the winner stays where it is;
                                 NULL: not looked at (class_make_room) */
  double predicted[PLACE_MAX_PLACEABLE][PLACE_SPACE_COUNT]; /* of the best plan with the array there; 0: none */
  double sample[RT_SAMPLES];  /* kernel times of forced launches, a ring */
  uint64_t samples;
  double ran_ns;              /* what its launches took, expenses apart */
  double gain_ns;             /* of a launch of what was chosen, as measured; 0: nothing was chosen, or not measured */
  double saved_ns;            /* by all such launches so far */
  struct place_advice *advice; /* [advice_count] copies that the program could make */
  unsigned advice_count;
  bool advised;               /* that was worked out */
  unsigned untried;           /* plans worth a trial that PLACE_TRIALS left out */
  struct history history;
  struct plan_memory memory;  /* of its plans at launches that look alike */
};

/* ---- a decision: what a launch with these arguments looks like ---- */

struct decision {
  uint64_t *key;
  unsigned key_words;
  uint64_t epoch, generation; /* of the extents that the view holds at */
  struct view view;
  size_t arrays;            /* of the region */
  struct rt_class *in_class;
  int planned;              /* plan that `plan` was made from, or -1 */
  unsigned planned_generation;
  struct place_plan plan;   /* with this launch's windows */
  char refused[200];        /* why it cannot be made, or "" */
  bool unmet;               /* it was refused for what the version needs */
  bool pinned;              /* in use by a launch that left the lock */
};

struct rt_device_region {
  uint64_t cache_hash[RT_DECISIONS]; /* of the key of cache[i], 0: empty; RT_WAYS in a row are a set */
  struct decision *cache[RT_DECISIONS]; /* NULL until it is needed */
  unsigned victim;
  struct rt_class *classes[RT_MAX_CLASSES];
  unsigned class_count;
  bool crowded;             /* more classes than RT_MAX_CLASSES */
  unsigned learned;         /* from 1: grows when what a trial of any class has found may be more than before */
  unsigned against_at;      /* of that number it is known whether trials speak against what is likely (presume.c); 0: of none */
  bool against;
  const char *dropped;      /* why no version is launched any more */
  struct force_choice force;
  bool force_told;          /* what of PLACE_FORCE is not possible was said */
  bool force_refused;       /* that PLACE_FORCE leads to the original was said */
  char force_note[400];
  _Atomic bool routine;     /* what dispatch_is_routine tells; read without the lock */
  uint64_t launches, original_launches, nowait_launches, fallback_launches;
  struct budget budget;     /* for finding out about it */
  unsigned fruitless;       /* sizes looked at since a trial ended with a gain */
  double look_ns;           /* what the last launch that was looked at cost; 0: none was */
  uint64_t fast, slow;      /* launches whose decision was there, or had to be made */
  double overhead_ns;       /* of sampled dispatches */
  uint64_t overhead_samples;
};

/* ---- a device ---- */

struct rt_module_state { /* a module's symbols on a device */
  const struct rt_module *module;
  bool resolved;
  struct const_bank bank;
  uintptr_t timer, profile; /* device addresses, 0: none */
  unsigned timer_next;      /* next unused entry, from 0 */
  bool timer_clear;
  struct rt_module_state *next;
};

struct rt_device {
  pthread_mutex_t lock;
  int number;
  struct device_facts facts;
  struct extents ext;
  struct rt_module_state *modules;
  uint64_t launches, unknown_launches; /* of regions with and without a table */
  struct budget budget; /* of all regions */
  bool measuring; /* a profiled or timed launch is in flight, or a plan is being searched for */
};

/* ---- the whole ---- */

struct runtime {
  struct config config;
  struct force *force;
  struct rt_ops ops;
  void (*prepare)(int device); /* makes the device load its images; NULL: nothing to do */
  const struct place_machine *machine;
  char machine_note[512];  /* where the model comes from */
  char device_name[120];   /* of the first device that was used; "": none was */
  bool on_host;            /* OMP_TARGET_OFFLOAD=DISABLED: no region reaches a device */
  bool unified;            /* requires unified_shared_memory */
  bool active;
  uint64_t started_ns;     /* when the program loaded it; 0: not known */
  _Atomic uint64_t host_launches; /* that no device took: the program ran the region itself */
  struct rt_device *_Atomic device[RT_MAX_DEVICES];
};

#endif
