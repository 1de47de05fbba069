/*
 * tools/record/sampling/sampling.h - samples and scheduler switches of the recorded processes: from the kernel's
 * buffers, or from the threads' own rings, to SAMPLES, SWITCHES, MAP and SAMPLER chunks.
 *
 * The kernel's records name system thread ids.  The order of forks, execs and ends, and the programs' own records, give
 * the thread, process and image of each.  Times are CLOCK_MONOTONIC_RAW's; pairs of readings around them convert them
 * to ticks. The distance of these pairs from one line is the stated error.
 *
 *   image    a process between exec (or fork) and its end: has maps, becomes a PROCESS if a runtime is in it
 *   strand   a system thread within an image: becomes a THREAD if it writes events
 *
 * Opened by the session's thread before the program execs; everything else runs in the pump.
 */
#ifndef PROF_RECORD_SAMPLING_H
#define PROF_RECORD_SAMPLING_H

#include "control.h"
#include "record/sampling/perf_rings.h"
#include "record/sampling/slices.h"
#include "record/tables/map_table.h"
#include "record/ticks.h"
#include "record/unrecorded.h"
#include "trace/write/write_samples.h"

#define PROF_SAMPLING_HZ 997u
#define PROF_SAMPLING_MOST_HZ 20000u

struct prof_sampling_image {
  uint32_t pid;
  uint32_t process; /* number; 0: not known (yet) */
  uint64_t begin, known_ns;
  uint32_t strands; /* that live */
  bool used;
  PROF_VEC(struct prof_mapped) maps; /* not written yet */
};

struct prof_sampling_strand {
  uint32_t pid, tid, image, next;            /* next: index + 1 of the next one of the same hash, or free one */
  uint32_t thread;                           /* number; 0: not known (yet) */
  uint64_t begin, end, ended_ns, written_ns; /* end: 0, it lives */
  bool used;
  char name[PROF_THREAD_NAME_BYTES]; /* that it got while it ran; "": none */
  PROF_VEC(struct prof_sample_record) samples;
  PROF_VEC(struct prof_sample_record) switches;
};

struct prof_sampling_thread { /* a THREAD for which no strand has been seen yet */
  uint32_t pid, tid, number;
  uint64_t start;
};
struct prof_sampling_process {
  uint32_t pid, number;
  uint64_t start;
};

struct prof_sampling_event { /* a record of the kernel's on its way to be sorted */
  struct prof_perf_record record;
  char *path; /* owned */
};

struct prof_sampling_name { /* what the kernel last called a THREAD; not of those that never changed it */
  uint32_t thread;
  char name[PROF_THREAD_NAME_BYTES];
};

#define PROF_SAMPLING_HASH 1024u
#define PROF_SAMPLE_BYTES 10u /* about, of one sample in the trace: 4 of time, 4 of its address, flags, processor */

struct prof_sampling {
  struct prof_sampler figures; /* as they will be written */
  char reason[128];
  struct prof_perf perf;
  prof_writer *writer;
  struct prof_map_table maps;
  const struct prof_slices *slices; /* what of a process is recorded */
  enum prof_ticks_of clock;
  bool attached;                   /* to a process that runs already: its earlier maps are unknown */
  struct prof_clock_pair pairs[2]; /* those before and now */
  uint64_t drained_ns, written_ns;
  PROF_VEC(struct prof_sampling_event) events;
  PROF_VEC(struct prof_sampling_image) images;
  PROF_VEC(struct prof_sampling_strand) strands;
  uint32_t heads[PROF_SAMPLING_HASH]; /* index + 1 */
  PROF_VEC(struct prof_sampling_thread) threads;
  PROF_VEC(struct prof_sampling_process) processes;
  PROF_VEC(struct prof_sampling_name) names;
  struct prof_unrecorded unrecorded;
  uint64_t own_cpu_ns, own_samples; /* of threads that sampled themselves */
};

/* hz 0: off.  on_exec: the program is about to exec.  Where the kernel refuses, the method becomes another one. */
void prof_sampling_open(struct prof_sampling *, const struct prof_perf_wish *, enum prof_ticks_of);
void prof_sampling_begin(struct prof_sampling *, prof_writer *, struct prof_modules *, const struct prof_slices *);

/* A SAMPLER chunk with the figures so far: at the start, and now and then, as a recording may end at any time. */
void prof_sampling_describe(struct prof_sampling *);

/* The programs' own records. */
void prof_sampling_process(struct prof_sampling *, const struct prof_log_process *);
void prof_sampling_thread(struct prof_sampling *, uint32_t pid, uint32_t tid, uint64_t start_ticks, uint32_t number);

/* The kernel's last name of the thread before its process executed another program; NULL: there is none. */
const char *prof_sampling_name(const struct prof_sampling *, uint32_t thread);

/* Takes what the kernel has, if it is time; the last time, all that it has left.  now_ns: of any steady clock.  False:
 * it was not time. */
bool prof_sampling_drain(struct prof_sampling *, uint64_t now_ns, bool last);
/* After it, and after the log was read up to then: writes what is due, or all. */
void prof_sampling_write(struct prof_sampling *, uint64_t now_ns, bool last);
/* What it would write now, at most. */
uint64_t prof_sampling_waiting_bytes(const struct prof_sampling *);
/* Once all threads are closed: the last SAMPLER chunk.  unsampled: threads that could not sample themselves. */
void prof_sampling_finish(struct prof_sampling *, uint32_t unsampled);

/* What a thread that samples itself has written: the chunk; and the processor time that it used. */
void prof_sampling_own(struct prof_sampling *, const struct prof_samples_record *);
void prof_sampling_own_time(struct prof_sampling *, uint64_t cpu_ns, uint64_t samples);

#endif
