/*
 * tools/record/sampling/sampling.h - samples and scheduler switches of the recorded processes: from the kernel's
 * buffers or the threads' own rings to SAMPLES, SWITCHES, MAP and SAMPLER chunks.
 *
 * The kernel's records have system thread ids.  The order of forks, execs and ends, and the programs' own records, give
 * the thread, process and image of each.  Times are CLOCK_MONOTONIC_RAW; pairs of readings around them convert them to
 * ticks.  The distance of these pairs from one line is the stated error.
 *
 * The session's thread opens it before the program execs; everything else runs in the pump.
 */
#ifndef PROF_RECORD_SAMPLING_H
#define PROF_RECORD_SAMPLING_H

#include "record/sampling/sampling_state.h"

#define PROF_SAMPLING_HZ 997u
#define PROF_SAMPLING_MOST_HZ 20000u

/* hz 0: off.  on_exec: the program is about to exec.  If the kernel refuses, another method is used. */
void prof_sampling_open(struct prof_sampling *, const struct prof_perf_wish *, enum prof_ticks_of);
void prof_sampling_begin(struct prof_sampling *, prof_writer *, struct prof_modules *, const struct prof_slices *);

/*
 * Writes a SAMPLER chunk with the current figures: at the start and at intervals, as a recording may end at any time.
 */
void prof_sampling_describe(struct prof_sampling *);

/* The programs' own records. */
void prof_sampling_process(struct prof_sampling *, const struct prof_log_process *);
void prof_sampling_module(struct prof_sampling *, const struct prof_log_module *, const char *path);
void prof_sampling_thread(struct prof_sampling *, uint32_t pid, uint32_t tid, uint64_t start_ticks, uint32_t number);

/* The kernel's last name of the thread before its process executed another program; NULL: there is none. */
const char *prof_sampling_name(const struct prof_sampling *, uint32_t thread);

/* When the THREAD ended, as far as the kernel's records were taken; start_ticks: when it began to record.  Of a thread
 * that lives: its CPU time so far. */
struct prof_sampling_end {
  uint64_t ticks;  /* 0: not known, or it lives */
  uint64_t cpu_ns; /* its CPU time since its start; 0: not known */
};
struct prof_sampling_end prof_sampling_end_of(const struct prof_sampling *, uint32_t thread, uint64_t start_ticks);
/* Will prof_sampling_end_of know it, after the next records? */
bool prof_sampling_knows_ends(const struct prof_sampling *);

/* Takes what the kernel recorded before the call if it is time; the last time, all that is left.  now_ns: any steady
 * clock.  False: it was not time. */
bool prof_sampling_drain(struct prof_sampling *, uint64_t now_ns, bool last);
/* The same now. */
void prof_sampling_take_all(struct prof_sampling *, uint64_t now_ns);

/*
 * After all threads were closed: writes the last SAMPLER chunk.  unsampled: threads that could not sample themselves.
 */
void prof_sampling_finish(struct prof_sampling *, uint32_t unsampled);

/* For a thread that samples itself: its chunk; its CPU time. */
void prof_sampling_own(struct prof_sampling *, const struct prof_samples_record *);
void prof_sampling_own_time(struct prof_sampling *, uint64_t cpu_ns, uint64_t samples);

#endif
