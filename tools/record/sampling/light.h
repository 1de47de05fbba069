/*
 * tools/record/sampling/light.h - sparse-clock intervals: in a part of the time, threads that are mostly in probes read
 * the clock rarely, and more samples are taken.
 *
 * Why: while a processor waits for a probe's clock it does the program's work, where no sample sees it; see
 * docs/decisions/shares-of-dense-programs.md.  In: how fast threads fill their rings, what an event costs.  Out:
 * prof_thread.light of the region (wire/control.h), the extra sampler switched on and off, intervals for LIGHT chunks.
 *
 *    gap, random length | interval | gap         all dense threads at once; without dense threads: a look now and then
 *
 * Threads: its own, so that an interval's length doesn't depend on the pump; the pump asks for intervals.
 */
#ifndef PROF_RECORD_LIGHT_H
#define PROF_RECORD_LIGHT_H

#include "base/vec.h"
#include "record/clock/beat.h"
#include "record/clock/ticks.h"
#include "record/region/channel.h"
#include "record/sampling/perf_rings.h"
#include "trace/write/write_samples.h"

struct prof_light_thread { /* of one thread record */
  uint64_t slots, cpu_ns;  /* at the last look */
  uint64_t begin, begin_slots;
  uint32_t generation; /* of the record at the last look; 0: never */
  bool on;
  PROF_VEC(struct prof_light_slice) slices; /* `events` counts slots */
};

struct prof_light {
  const struct prof_region *region;
  struct prof_perf *perf;
  enum prof_ticks_of clock;
  struct prof_light_thread *threads; /* by record; NULL: no intervals */
  struct prof_beat beat;             /* its lock: of what follows, and of `threads` */
  double event_ticks;                /* what one event costs; 0: not known yet */
  struct {                           /* of the first look */
    uint64_t ns, ticks;
  } first;
};

/* Starts if `perf` has an extra sampler.  Without memory or a thread there are no intervals. */
void prof_light_start(struct prof_light *, const struct prof_region *, struct prof_perf *, enum prof_ticks_of);
/* Ends the current interval and begins no other: call it before `perf` is closed.  May be called again. */
void prof_light_stop(struct prof_light *);
/* All zero: no effect.  The region must still exist. */
void prof_light_fini(struct prof_light *);

void prof_light_cost(struct prof_light *, double event_ticks);

enum prof_light_part {
  PROF_LIGHT_MANY,  /* ended ones, if there are many */
  PROF_LIGHT_ENDED, /* ended ones */
  PROF_LIGHT_LAST,  /* all, before the record is given back */
};

/* Writes the intervals of record `index` as those of the channel's thread. */
void prof_light_write(struct prof_light *, prof_writer *, uint32_t index, const struct prof_channel *,
                      enum prof_light_part);

/* Maximum size of what prof_light_write would write of all threads now. */
uint64_t prof_light_waiting_bytes(struct prof_light *);

#endif
