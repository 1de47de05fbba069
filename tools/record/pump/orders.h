/*
 * tools/record/pump/orders.h - what `prof ctl` changes in a running recording: off and on, budget, filters.
 *
 * In: a line of another thread.  Out: rules of all matchers from a moment on, a CONTROL chunk, an answer.  The pump
 * carries one out between two turns, when it has read everything from before.
 */
#ifndef PROF_RECORD_ORDERS_H
#define PROF_RECORD_ORDERS_H

#include <inttypes.h>

#include "record/pump/pump_state.h"

/*
 * Called by one other thread at a time: hands an order over and waits for its answer, or until *ends is set.  Orders:
 * stop, start, "overhead 0.02", "flush" (for a reader: everything up to now is written), "figures" (its answer alone),
 * "state" (what was changed, as it is now, for people), and "filter", followed by
 * "\x1f" and KEY=VALUE of kept_functions.h for each.
 * False: the answer is why it can't be done, a tab, and what to do.
 */
bool prof_orders_give(struct prof_pump *, const char *order, const uint32_t *ends, char *answer, size_t answer_bytes);

#define PROF_FLUSH_RING "this recording is kept in memory"   /* there is no file */
#define PROF_LOOK_FAILED "the last seconds can't be written" /* answer to "look" of asked.c */
#define PROF_LOOK_SHOWN "%" PRIu64 " %s" /* likewise: a tick, all until then is in the folder; the folder */
/* Answer to "flush": a tick, and with a budget the CPU time added, and in all, of the program so far (ns); the budget.
 */
#define PROF_FLUSHED "written up to tick %" PRIu64 ", added %.0f ns of %.0f, budget %.6f"
#define PROF_FLUSHED_SCAN "written up to tick %" SCNu64 ", added %lf ns of %lf, budget %lf"

/* Called by the pump: is there one? */
bool prof_orders_wait(const struct prof_pump *);
/* Everything from before `ticks` was read. */
void prof_orders_carry_out(struct prof_pump *, uint64_t ticks);

#endif
