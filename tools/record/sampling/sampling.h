/*
 * tools/record/sampling/sampling.h - samples and scheduler switches of the recorded processes: from the kernel's
 * buffers, or from the threads' own rings, to SAMPLES, SWITCHES, MAP and SAMPLER chunks.
 *
 * The kernel's records name system thread ids.  The order of forks, execs and ends, and the programs' own records, give
 * the thread, process and image of each.  Times are CLOCK_MONOTONIC_RAW's; pairs of readings around them convert them
 * to ticks. The distance of these pairs from one line is the stated error.
 *
 * Opened by the session's thread before the program execs; everything else runs in the pump.
 */
#ifndef PROF_RECORD_SAMPLING_H
#define PROF_RECORD_SAMPLING_H

#include "record/sampling/sampling_state.h"

#define PROF_SAMPLING_HZ 997u
#define PROF_SAMPLING_MOST_HZ 20000u

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
/* Once all threads are closed: the last SAMPLER chunk.  unsampled: threads that could not sample themselves. */
void prof_sampling_finish(struct prof_sampling *, uint32_t unsampled);

/* What a thread that samples itself has written: the chunk; and the processor time that it used. */
void prof_sampling_own(struct prof_sampling *, const struct prof_samples_record *);
void prof_sampling_own_time(struct prof_sampling *, uint64_t cpu_ns, uint64_t samples);

#endif
