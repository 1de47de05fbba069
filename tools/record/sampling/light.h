/*
 * tools/record/sampling/light.h - sparse-clock intervals: in a part of the time, threads that are mostly in probes read
 * the clock rarely, and more samples are taken.
 *
 * Why: a processor does the program's work while it waits for a probe's clock, where no sample sees it; see
 * docs/decisions/shares-of-dense-programs.md.  In: how fast threads fill their rings, what an event costs.  Out:
 * prof_thread.light of the region (wire/control.h), the extra sampler switched on and off, intervals for LIGHT chunks.
 *
 *   gap, random length | slice | gap            all dense threads at once; none is dense: a look now and then
 *
 * Threads: one of its own, so that slices don't last as long as the pump is busy; the pump asks for slices.
 */
#ifndef PROF_RECORD_LIGHT_H
#define PROF_RECORD_LIGHT_H

#include <pthread.h>

#include "base/vec.h"
#include "record/clock/ticks.h"
#include "record/region/channel.h"
#include "record/sampling/perf_rings.h"
#include "trace/write/write_samples.h"

struct prof_light_thread { /* of one thread record */
  uint64_t slots, cpu_ns;  /* when it was last looked at */
  uint64_t begin, begin_slots;
  uint32_t generation; /* of the record when it was last looked at; 0: never */
  bool on;
  PROF_VEC(struct prof_light_slice) slices; /* `events` counts slots */
};

struct prof_light {
  const struct prof_region *region;
  struct prof_perf *perf;
  enum prof_ticks_of clock;
  struct prof_light_thread *threads; /* by record; NULL: there are no slices */
  pthread_t thread;
  pthread_mutex_t lock; /* of what follows, and of `threads` */
  pthread_cond_t wake;
  bool ends, held;
  double event_ticks; /* what one event costs; 0: not known yet */
  uint64_t random;
  struct { /* when the first look was */
    uint64_t ns, ticks;
  } first;
};

/* Begins if `perf` has an extra sampler.  Without memory, or a thread, there are no slices. */
void prof_light_start(struct prof_light *, const struct prof_region *, struct prof_perf *, enum prof_ticks_of);
/* Ends the slice that there is, and begins no other: before `perf` is closed.  May be called again. */
void prof_light_stop(struct prof_light *);
/* A zeroed one is fine.  The region must still be there. */
void prof_light_fini(struct prof_light *);

void prof_light_cost(struct prof_light *, double event_ticks);

enum prof_light_part {
  PROF_LIGHT_MANY,  /* those that have ended, if there are many */
  PROF_LIGHT_ENDED, /* those that have ended */
  PROF_LIGHT_LAST,  /* all, before the record is given back */
};

/* Writes the slices of record `index` as those of the thread that the channel reads. */
void prof_light_write(struct prof_light *, prof_writer *, uint32_t index, const struct prof_channel *,
                      enum prof_light_part);

/* What prof_light_write would write of all threads now, at most. */
uint64_t prof_light_waiting_bytes(struct prof_light *);

#endif
