/*
 * tools/record/pump/pump_state.h - what the parts of the pump share: options, state, results.
 */
#ifndef PROF_RECORD_PUMP_STATE_H
#define PROF_RECORD_PUMP_STATE_H

#include <pthread.h>

#include "record/clock/clock_log.h"
#include "record/governor/governor.h"
#include "record/gpu/gpu_stream.h"
#include "record/keep/kept_functions.h"
#include "record/keep/quiet.h"
#include "record/machine/machine.h"
#include "record/parts/series.h"
#include "record/parts/snapshots.h"
#include "record/pump/warn.h"
#include "record/reads/answers.h"
#include "record/region/channel.h"
#include "record/region/log_reader.h"
#include "record/sampling/light.h"
#include "record/sampling/rates.h"
#include "record/sampling/sampling.h"
#include "record/sampling/slices.h"
#include "record/summary/summaries.h"
#include "record/tables/count_table.h"
#include "record/tables/module_table.h"
#include "record/tables/process_table.h"

enum prof_pump_end { /* what ended the recording before the program's end */
                     PROF_PUMP_GOES_ON = 0,
                     PROF_PUMP_SIZE_LIMIT,
                     PROF_PUMP_INTERRUPTED,
                     PROF_PUMP_WRITE_FAILED,
};

struct prof_pump_options {
  struct prof_region *region;
  prof_writer *writer;
  uint64_t max_bytes;        /* of the trace; 0: no limit */
  struct prof_series *parts; /* the pump's until it has finished; NULL: one file */
  const struct prof_clock_log *clock;
  struct prof_sampling *sampling;     /* the pump's until it has finished */
  uint64_t machine_ns;                /* between two readings of the machine; 0: none */
  double budget;                      /* part of the program's CPU time that recording may take; 0: no limit */
  struct prof_hints *hints;           /* with a budget; NULL: none */
  const struct prof_kept_wish *kept;  /* which calls are recorded; with a budget files and modules only */
  bool bounded;                       /* only a part of the time is recorded */
  pid_t program;                      /* its end is noticed at once; 0: none's is */
  bool until_all_gone;                /* serving: ends by itself when no recorded process is left */
  uint64_t patience_ns;               /* if so: how long the first one may take to appear */
  void (*say)(const char *text);      /* a line for the user; called in the pump; NULL: none wanted */
  void (*arrived)(void *context);     /* called in the pump before it takes the first data; once */
  const char *(*base)(void *context); /* the folder that snapshots go into */
  void *context;                      /* of arrived, base */
};

#define PROF_PUMP_UNPROBED 4

struct prof_pump_unprobed {
  char path[4096];
  struct prof_elf_unprobed units;
};

struct prof_pump_result {
  struct prof_channel_sums sums;
  struct prof_gpu_sums gpu;
  struct prof_governor_figures governor;
  uint32_t threads, processes, modules;
  uint64_t slices;                   /* of all processes, in a bounded recording */
  uint32_t going_on;                 /* processes that continued unrecorded */
  struct prof_unrecorded unrecorded; /* instrumented processes that were never recorded */
  uint32_t event_cost;               /* thousandths of a tick */
  uint32_t line_cost;                /* of a reading for a line, same unit; 0: no readings */
  uint32_t attached;                 /* processes that prepared their probes; all calls of exec count */
  uint64_t attach_ns;                /* CPU time that they took for it, and for libraries that they loaded */
  uint64_t attach_before_ns;         /* of it, in earlier parts of the recording */
  uint32_t runtime_errors;           /* ERROR records; each is a note in the trace */
  char first_error[512];
  char unmet[512]; /* a filter that matched nothing, not told yet; "": none */
  enum prof_pump_end end;
  bool names_fill;         /* names filled the trace to its limit: no room for calls */
  uint32_t unprobed_count; /* modules with uninstrumented units; the first ones follow */
  struct prof_pump_unprobed unprobed[PROF_PUMP_UNPROBED];
};

#define PROF_CREW_MOST 16

struct prof_crew {                      /* crew.h */
  prof_packer *packers[PROF_CREW_MOST]; /* of each thread; NULL: not needed so far */
  PROF_VEC(uint32_t) rings;             /* records whose rings are read in this turn */
};

struct prof_orders { /* orders.h; `text` is the asking thread's until `asked` grows, the rest the pump's until `done` */
  uint32_t asked, done; /* atomic */
  char text[PROF_KEPT_TEXT_BYTES];
  bool good;
  char answer[512];
  char filter[208]; /* of the last order: ": -F leaf" */
};

struct prof_pump {
  struct prof_pump_options options;
  struct prof_pump_result result;
  pthread_t thread;
  uint32_t finish; /* set by the session or the pump: read the rest, and end */
  uint32_t interrupted;
  uint64_t finish_ticks; /* when the session saw the program's end */
  /* the pump's own */
  prof_packer *packer;
  struct prof_crew crew;
  struct prof_channel_source source;
  prof_fork_stacks *forks;
  struct prof_channel *channels; /* one per thread record */
  uint64_t *fork_waits_ns;       /* per record: since when it waits for its fork's frames; 0: it doesn't wait */
  uint32_t waiting_forks;        /* threads that waited for it in this turn */
  bool hurried;                  /* they no longer wait */
  struct prof_log_reader log;
  struct prof_processes processes;
  struct prof_gpu_streams gpu;
  struct prof_modules modules;
  struct prof_count_table counts;
  struct prof_slices slices;
  struct prof_machine_watch machine;
  struct prof_warn warn;
  struct prof_kept kept;
  struct prof_quiet quiet;
  struct prof_orders orders;
  struct prof_answers answers;
  struct prof_light light;
  struct prof_rates rates;
  struct prof_governor governor;
  uint64_t whole_ns; /* begin of the last turn that read everything */
  uint64_t started_ns, housekeeping_ns, clock_ns;
  uint64_t file_ns; /* when the present file began */
  struct prof_snapshots snapshots;
  struct prof_summaries summaries; /* the session ends it */
  uint64_t frequency_hz;           /* as last measured */
  struct prof_room room;
  uint64_t room_bytes;    /* length of the file when `room` was set */
  uint64_t encoder_bytes; /* in memory, of all channels */
  uint32_t open_channels;
  uint32_t cpu_look_next;       /* channel whose CPU time was looked at last */
  uint32_t shared_threads;      /* number of threads when the buffer was last shared out */
  uint32_t snapshots_asked;     /* by prof_snapshot, as seen */
  uint64_t watch_met, watch_ns; /* calls that were a reason for a snapshot, as seen; when the last one was asked for */
  uint32_t watch_snapshots;     /* asked for so */
  uint64_t cleared, cleared_ns; /* the last prof_clear taken; when it was */
  PROF_VEC(uint32_t) spared;    /* numbers of threads that ended since the next one */
  uint64_t forgotten_ticks;     /* from when on it shows the recording; 0: there was none */
  PROF_VEC(struct prof_part_thread) forgotten; /* figures of threads then, as written */
  bool samples_wait; /* they are taken, but not written: a cut comes, and some of them belong behind it */
  bool has_data;     /* `arrived` was called */
  bool closed;
};

#endif
