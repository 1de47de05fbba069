/*
 * tools/record/pump.h - the one thread that empties all rings into the trace.
 *
 * In: the shared region.  Out: chunks of the writer, free segments, woken threads, figures.  It sleeps on the region's
 * bell; a turn with nothing to do costs a look at each thread record.
 *
 * Threads: prof_pump_start to prof_pump_finish are called by the session's thread; everything else runs in the pump.
 */
#ifndef PROF_RECORD_PUMP_H
#define PROF_RECORD_PUMP_H

#include <pthread.h>

#include "record/channel.h"
#include "record/clock_log.h"
#include "record/gpu/gpu_stream.h"
#include "record/log_reader.h"
#include "record/sampling/light.h"
#include "record/sampling/sampling.h"
#include "record/sampling/slices.h"
#include "record/tables/count_table.h"
#include "record/tables/module_table.h"
#include "record/tables/process_table.h"
#include "record/warn.h"

enum prof_pump_end { /* what ended the recording, if anything did before the program */
                     PROF_PUMP_GOES_ON = 0,
                     PROF_PUMP_SIZE_LIMIT,
                     PROF_PUMP_INTERRUPTED,
                     PROF_PUMP_WRITE_FAILED,
};

struct prof_pump_options {
  struct prof_region *region;
  prof_writer *writer;
  uint64_t max_bytes; /* of the trace; 0: no limit */
  const struct prof_clock_log *clock;
  struct prof_sampling *sampling; /* the pump's until it has finished */
  bool bounded;                   /* a part of the time was asked for */
  bool until_all_gone;            /* serving: ends by itself when no recorded process is left */
  uint64_t patience_ns;           /* then: how long the first one may take to appear */
  void (*say)(const char *text);  /* one line for the user; called in the pump; NULL: none are wanted */
  void (*arrived)(void *context); /* there is something to keep: called in the pump before it is taken; once or more */
  void *context;                  /* of arrived */
};

#define PROF_PUMP_UNPROBED 4

struct prof_pump_unprobed {
  char path[4096];
  struct prof_elf_unprobed units;
};

struct prof_pump_result {
  struct prof_channel_sums sums;
  struct prof_gpu_sums gpu;
  uint32_t threads, processes, modules;
  uint64_t slices;                   /* of all processes, in a recording with bounds */
  uint32_t going_on;                 /* processes that went on unrecorded */
  struct prof_unrecorded unrecorded; /* processes with probes that never were recorded */
  uint32_t event_cost;               /* thousandths of a tick */
  uint32_t line_cost;                /* of a reading for a line, likewise; 0: there are none */
  uint32_t runtime_errors;           /* ERROR records: each is a note in the trace */
  char first_error[512];
  enum prof_pump_end end;
  bool names_fill;         /* the trace, at its size limit: no call had room beside them */
  uint32_t unprobed_count; /* modules with such units; the first ones follow */
  struct prof_pump_unprobed unprobed[PROF_PUMP_UNPROBED];
};

struct prof_pump {
  struct prof_pump_options options;
  struct prof_pump_result result;
  pthread_t thread;
  uint32_t finish; /* set by the session, or by the pump itself: read what is there, and end */
  uint32_t interrupted;
  /* the pump's own */
  prof_packer *packer;
  struct prof_channel_source source;
  prof_fork_stacks *forks;
  struct prof_channel *channels; /* one per thread record */
  uint64_t *fork_waits_ns;       /* likewise: since when it isn't opened because of its fork; 0: it doesn't wait */
  uint32_t waiting_forks;        /* threads that waited so in this turn */
  bool hurried;                  /* they wait no longer */
  struct prof_log_reader log;
  struct prof_processes processes;
  struct prof_gpu_streams gpu;
  struct prof_modules modules;
  struct prof_count_table counts;
  struct prof_slices slices;
  struct prof_warn warn;
  struct prof_light light;
  uint64_t started_ns, housekeeping_ns, clock_ns;
  uint64_t frequency_hz; /* as measured last */
  struct prof_room room;
  uint64_t room_bytes;    /* length of the file when that was set */
  uint64_t encoder_bytes; /* in memory, of all channels */
  uint32_t open_channels;
  uint32_t shared_threads; /* how many threads there had been when the buffer was last shared out */
  bool closed;
};

/* PROF_NO_MEMORY, PROF_IO.  The region and the writer must outlive it. */
prof_status prof_pump_start(struct prof_pump *, const struct prof_pump_options *, struct prof_diag *) PROF_MUST_CHECK;

/* For record/size_limit.h: writes slices of a record's thread. */
void prof_pump_write_light(struct prof_pump *, uint32_t index, enum prof_light_part);

/* No recorded process is left (until_all_gone). */
bool prof_pump_has_ended(const struct prof_pump *);

/* The recording shall end although processes run; prof_pump_finish is still needed. */
void prof_pump_interrupt(struct prof_pump *);

/* Reads what is there, notifies the programs that recording ended, joins the thread.  The result stays in the struct.
 */
void prof_pump_finish(struct prof_pump *);

#endif
