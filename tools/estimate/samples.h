/*
 * tools/estimate/samples.h - samples and scheduler switches of a recording, each with the call path that was open then.
 *
 * samples_fold.h makes them.  Arrays are in the order of threads and time.  Immutable once made.
 *
 * A sample stands for `ticks_each` ticks of its thread's CPU time, and in shares for `weight_ticks`;
 * prof_sample_is_counted selects those that count.  A sample lies in its node's self time: in the node's function, or
 * in uninstrumented code that it called.
 *
 * Samples of the faster sampler (PROF_SAMPLED_EXTRA) are here only if they lie in sparse-clock intervals of their
 * thread.  Where there are enough of them they count instead of the others (light_samples.h); else they stand aside.
 */
#ifndef PROF_ESTIMATE_SAMPLES_H
#define PROF_ESTIMATE_SAMPLES_H

#include "base/vec.h"
#include "estimate/profile.h"
#include "fold/filter.h"
#include "proftrace.h"

enum prof_where {
  PROF_WHERE_PROBED,   /* in a module that has probes */
  PROF_WHERE_LIBRARY,  /* in one without */
  PROF_WHERE_KERNEL,   /* `address` is where it was entered, 0: not known; not if the profiler entered it */
  PROF_WHERE_UNKNOWN,  /* in memory that belongs to no file: generated code */
  PROF_WHERE_PROFILER, /* in a trampoline (then `address` is its patch point) or elsewhere in the profiler */
};
#define PROF_WHERE_COUNT 5

#define PROF_SAMPLED_AMBIGUOUS 1u /* an event is so near that the sample may belong to the frames on its other side */
#define PROF_SAMPLED_STALLED 2u   /* while the thread waited for the recorder */
#define PROF_SAMPLED_EXTRA 4u     /* of the faster sampler, in a sparse-clock interval */
#define PROF_SAMPLED_ASIDE 8u     /* others count for its thread: in no share */
#define PROF_SAMPLED_SPINS 16u    /* it waits in a loop (spin_waits.h) */

struct prof_sample {
  uint64_t time;       /* ticks */
  uint64_t address;    /* link-time, of `module`; run-time where that is PROF_NONE */
  double weight_ticks; /* what it stands for in shares; 0: not known, all the same */
  uint32_t module;     /* index; PROF_NONE: not known */
  uint32_t process;    /* index */
  uint32_t thread;     /* index; PROF_NONE: a thread without events */
  uint32_t tid;
  /* Of the profile: the innermost frame that is shown; a thread's node: none is; PROF_NONE: not known, or no events. */
  uint32_t node;
  uint32_t processor; /* number + 1; 0 not known */
  uint32_t path;      /* of its caller (proftrace_bursts.h); 0: not known */
  uint32_t gap_ticks; /* between the events before and after it; 0: not known */
  uint8_t where;      /* enum prof_where */
  uint8_t flags;      /* PROF_SAMPLED_ */
  float times;        /* usual ones that it stands for: 1, but at PROF_RATE_FAST (sample_rates.h) */
};

struct prof_pause { /* a thread didn't run from begin to end */
  uint64_t begin, end;
  uint32_t thread; /* index */
  uint32_t node;   /* as of a sample */
  bool waits;      /* it waited for something; else it was preempted */
  bool stalled;    /* for the recorder: in no call's time */
  bool unplaced; /* in a sparse-clock interval, and which of several calls waited is not known: `node` is around them */
  uint8_t choice; /* in a sparse-clock interval: prof_fold_mark */
  float times;    /* what its length stands for: 1, but where switches were recorded in stretches (switch_spans.h) */
};

struct prof_pause_list {
  PROF_VEC(struct prof_pause) items;
};

struct prof_light_samples { /* samples in sparse-clock intervals of a thread */
  double weight_ticks;      /* of each, where they count; 0: they don't */
  double error;             /* uncertainty of what they all stand for, as a part of it (light_total.h) */
  uint64_t outside;         /* so many of them are not in the profiler */
  /* Where they don't count and a thread's times come from samples all the same: correct_sampled.h. */
  double shadow_ticks, shadow_error_ticks;
  double fit; /* part of what samples stand for that the thread can have run; likewise */
};

struct prof_samples {
  const struct prof_sampler *sampler; /* NULL: an older recording, and no samples */
  double ticks_each;                  /* 0: not known */
  const struct prof_sample *items;    /* ordinary ones and those with PROF_SAMPLED_EXTRA */
  size_t count;
  size_t ordinary;                  /* of them without PROF_SAMPLED_EXTRA */
  size_t where[PROF_WHERE_COUNT];   /* how many of the ordinary ones are there */
  double times[PROF_WHERE_COUNT];   /* sums of theirs */
  size_t ambiguous;                 /* of the ordinary ones within frames */
  struct prof_light_samples *light; /* by thread index */
  uint32_t light_threads;           /* whose samples in sparse-clock intervals count */
  const struct prof_pause *pauses;
  size_t pause_count;
  bool has_pauses;        /* switches were recorded: a thread without a pause ran all the time */
  bool has_sparse_pauses; /* ... but for a part of the recording in stretches only */
  uint64_t chunks_damaged;
};

/* For burst/bursts.h, while they are being made: the nodes of samples and pauses move. */
static inline struct prof_sample *prof_samples_items_of(struct prof_samples *samples) {
  return (struct prof_sample *)(uintptr_t)samples->items;
}
static inline struct prof_pause *prof_samples_pauses_of(struct prof_samples *samples) {
  return (struct prof_pause *)(uintptr_t)samples->pauses;
}

/* Whether it is part of the program's CPU time. */
static inline bool prof_sample_is_of_program(const struct prof_sample *sample) {
  return sample->where != PROF_WHERE_PROFILER && !(sample->flags & (PROF_SAMPLED_STALLED | PROF_SAMPLED_ASIDE));
}

/* Whether it is part of the CPU time in which the program did not spin. */
static inline bool prof_sample_is_counted(const struct prof_sample *sample) {
  return prof_sample_is_of_program(sample) && !(sample->flags & PROF_SAMPLED_SPINS);
}

void prof_samples_free(struct prof_samples *); /* NULL: nothing */

#endif
