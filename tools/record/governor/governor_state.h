/*
 * tools/record/governor/governor_state.h - what governor.c (decisions) and bursts.c (switches, windows) share.
 */
#ifndef PROF_RECORD_GOVERNOR_STATE_H
#define PROF_RECORD_GOVERNOR_STATE_H

#include "record/governor/choice.h"
#include "record/governor/cpu_times.h"
#include "record/governor/opener.h"
#include "record/governor/sieve.h"
#include "record/governor/text_users.h"
#include "record/tables/process_table.h"

struct prof_governor_options {
  double budget; /* of the processes' CPU time; 0: no limit, all calls */
  uint32_t sample_hz;
  double sample_ns; /* what a sample costs the program */
  enum prof_ticks_of clock;
  int region_fd;
  const struct prof_region *region; /* NULL: no window counts */
  prof_opener_thread_of *thread_of; /* of `region` */
  void *context;
  uint64_t texts_begin, texts_end; /* in the region's file */
  bool limits_own;                 /* this process does nothing but record: its own CPU time has a limit too */
  bool attached;                   /* to a program that ran before: that time counts for nobody */
  prof_writer *writer;
  const struct prof_processes *processes;
  struct prof_text_others others;
  const struct prof_keep_rules *rules; /* functions with PROF_KEEP_QUIET are off for good; NULL: there are none */
};

struct prof_governor_figures {
  double budget;                       /* 0: there was none */
  uint32_t functions, burst_functions; /* called ones; those that were ever in state burst */
  uint32_t burst_loops;
  uint32_t zones, burst_zones; /* as functions; those named at run time are none */
  uint32_t private_modules;    /* whose sites can't be switched: all their events were written */
  bool of_zones;               /* prof_governor_is_of_zones */
  uint64_t windows;
  uint64_t always_events, burst_events;
  uint64_t cpu_ns;                                       /* of the recorded processes */
  double events_ns, windows_ns, samples_ns, switches_ns; /* CPU time added to them */
};

struct prof_governor {
  struct prof_governor_options options;
  bool on;
  struct prof_sieve sieve;
  struct prof_opener opener;
  struct prof_cpu_times cpu;
  struct prof_parts parts;
  double left; /* of the budget, beside switches of threads */
  struct prof_own own;
  uint64_t own_ns; /* this process' CPU time at the last housekeeping */
  struct prof_credit credit;
  double event_ns, event_ticks_sum;
  double spent_ns;                  /* what events of functions in state always cost, until the last look */
  double count_ns, count_ticks_sum; /* the same of a counted call */
  uint32_t costs;                   /* processes that told an event's cost */
  uint64_t first_ns, first_ticks;
  struct prof_governor_mark { /* figures at a moment */
    uint64_t ns, cpu_ns, events, dropped, opened, rows, counted;
  } looked, span, house;  /* last look; when counts were cleared; last housekeeping */
  uint64_t read_cpu_ns;   /* CPU time up to which all events were read, or less */
  double cpus, window_ns; /* CPUs in use; what a window costs the program */
  uint64_t written_ns;
  struct prof_text_users users;
  PROF_VEC(struct prof_rated) rated;
  PROF_VEC(struct prof_state_change) states; /* to write */
  struct prof_site_list sites;
  uint32_t private_modules;
  bool is_dense; /* some functions are in state burst */
};

/* The parts for functions in state always and for windows, as they are now. */
static inline double prof_governor_always(const struct prof_governor *governor) {
  return prof_parts_beside(&governor->parts, governor->left).always * governor->own.scale;
}
static inline double prof_governor_windows(const struct prof_governor *governor) {
  return prof_parts_beside(&governor->parts, governor->left).windows;
}

/* Beside dense functions, those in state always are called seldom: their trampolines and the ring's next line are in no
 * cache when they are.  So their events cost more than calibration says (docs/decisions/bounded-cost.md). */
#define PROF_EVENT_COLD 3.0
static inline double prof_governor_event_ns(const struct prof_governor *governor) {
  return governor->event_ns * (governor->is_dense ? PROF_EVENT_COLD : 1);
}

#endif
