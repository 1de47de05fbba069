/*
 * tools/estimate/join_pauses.h - makes pauses of scheduler switches.
 */
#ifndef PROF_ESTIMATE_JOIN_PAUSES_H
#define PROF_ESTIMATE_JOIN_PAUSES_H

#include <proftrace.h>
#include <stddef.h>

#include "estimate/samples.h"
#include "fold/filter.h"

/*
 * In: a pause per switch, in any order; `begin` is the switch's time, `end` is 0 where the thread was put on a
 * processor, UINT64_MAX where it was taken off.  Out, in place: pauses by thread and time, each from a switch off to
 * the next on, cut to the filter's range (NULL: everything is shown).  A forked child's first one begins at the fork:
 * until it is put on a processor it could run, and does not.  A pause that outlasts the recording, or the
 * part of it that was recorded, ends with that.  Other switches without their other half are dropped.  Returns how many
 * remain.
 */
size_t prof_pauses_join(const prof_trace *, const struct prof_filter *, struct prof_pause *, size_t count);

/*
 * When the frames end of a thread that was taken off its processor at `off`, and not put on one again: with the thread,
 * or with the part of its process that was recorded then.  0: not known, or it had events after that.
 */
uint64_t prof_pauses_off_until(const prof_trace *, uint32_t thread, uint64_t off);

/* By thread and time. */
void prof_pauses_sort(struct prof_pause *, size_t count);
/*
 * The first event of a thread of a forked process, in ticks: the fork, or after the thread was first put on a
 * processor. UINT64_MAX: of another process, or not known.
 */
uint64_t prof_pauses_fork_ticks(const prof_trace *, uint32_t thread);

#endif
