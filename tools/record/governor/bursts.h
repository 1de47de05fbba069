/*
 * tools/record/governor/bursts.h - functions leave state always and come back: switches, STATES rows, what windows
 * showed of them.
 *
 * In: the governor's decisions; its units, texts and opener.  Part of governor.c.
 */
#ifndef PROF_RECORD_BURSTS_H
#define PROF_RECORD_BURSTS_H

#include "record/governor/governor_state.h"

/* With the opener's lock: switches off in a new load what is in state burst. */
void prof_bursts_begin_in(struct prof_governor *, uint32_t first_site);
/* With the opener's lock: makes its list of burst functions anew. */
void prof_bursts_list(struct prof_governor *);

/* These leave state always now, and with them the loops and zones in them. */
void prof_bursts_demote(struct prof_governor *, const struct prof_rated *, size_t count, double plain_ns);
/* Those that have fitted into `left` (a part of the CPU time) for long enough come back. */
void prof_bursts_promote(struct prof_governor *, uint64_t now_ns, double left);
/* Switches all off again, if more events come than windows explain: a program may have switched meanwhile. */
void prof_bursts_again(struct prof_governor *, uint64_t dropped, uint64_t windows);

/* Switches off the LANDED rows of functions in state burst that write too many: setjmp's first returns do too. */
void prof_bursts_landings(struct prof_governor *, double cpu_ns);

/* Adds a window's counts to what is known of the functions that were on. */
void prof_bursts_learn(struct prof_governor *, const struct prof_site_map *, const struct prof_booked *,
                       double ticks_per_ns);
/* Of the recording's clock, measured since the start. */
double prof_bursts_ticks_per_ns(const struct prof_governor *);

/* Tells the opener how often to open, and which part. */
void prof_bursts_plan(struct prof_governor *);

/* What windows cost the program; rows: calls from different places, summed over the windows. */
double prof_bursts_window_cost(const struct prof_governor *, uint64_t windows, uint64_t events, uint64_t rows);

#endif
