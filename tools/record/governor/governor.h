/*
 * tools/record/governor/governor.h - keeps a recording within its budget: which functions are recorded always, which in
 * windows only.
 *
 * In: processes and modules of the log, events counted by the sieve, CPU time of the processes.  Out: switched sites,
 * STATES and WINDOWS chunks, figures.  A state is of a function in all processes of the recording, so a new process
 * starts with what is known.  Called by the pump's thread; the windows have a thread of their own (opener.h).
 */
#ifndef PROF_RECORD_GOVERNOR_H
#define PROF_RECORD_GOVERNOR_H

#include "record/governor/governor_state.h"

/* budget 0: it stays off, and the other functions have no effect.  false: no thread; nothing is switched then. */
bool prof_governor_start(struct prof_governor *, const struct prof_governor_options *);
/* No window opens any more: call it before the last events are read. */
void prof_governor_stop(struct prof_governor *);
void prof_governor_fini(struct prof_governor *);

void prof_governor_process(struct prof_governor *, const struct prof_log_process *);
/* A thread that had used so much CPU time. */
void prof_governor_thread_ended(struct prof_governor *, uint32_t process, uint64_t cpu_ns);
/* entry: NULL if the module's sites aren't known. */
void prof_governor_module(struct prof_governor *, const struct prof_module_entry *, const struct prof_log_module *);
/* A process has a module's text no longer (it ends, or unloads it), or switches it by itself (PROF_LOG_TEXT_PRIVATE).
 */
void prof_governor_lose(struct prof_governor *, uint32_t process, uint32_t first_site, bool is_private);

/* Everything was read that had been written before the turn which ends now. */
void prof_governor_caught_up(struct prof_governor *);
/* After some events were read: decides. */
void prof_governor_turn(struct prof_governor *, uint64_t now_ns);
/* Everything written before `ticks` was read, and prof_sieve_settle was called for each thread: writes windows that
 * ended before, if there are enough; all of them the last time. */
void prof_governor_write(struct prof_governor *, const struct prof_site_map *, uint64_t ticks, uint64_t now_ns,
                         bool last);
/* The next prof_governor_write waits for no more windows. */
void prof_governor_hurry(struct prof_governor *);
uint64_t prof_governor_waiting_bytes(const struct prof_governor *);

/* While it is paused no windows open: nothing is recorded. */
void prof_governor_pause(struct prof_governor *, bool paused);
/* From now on; samples keep their rate. */
void prof_governor_set_budget(struct prof_governor *, double budget);

void prof_governor_figures(const struct prof_governor *, struct prof_governor_figures *);
/* Are more than half of the events written of zones that are kept, and of functions that are because of them? */
bool prof_governor_is_of_zones(const struct prof_governor *);

#endif
