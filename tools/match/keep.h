/*
 * tools/match/keep.h - which calls of a thread are written: a filter between the rules of the stack and the encoder.
 *
 * In: the steps of the whole stack, in order.  Out: the steps of the calls that are kept, in the thread's encoder, as
 * if the program had made no other calls.  So a reader needs no filter, and sees what it would see with the same filter
 * in a recording of everything: base/filter_state.h has the rule.
 *
 *   all steps:   main( parse( next() next() )  draw( line() ) )       -F parse -D 1
 *   kept:              parse( LEFT_OUT 2   )
 *
 * Calls that are left out inside of a kept one are counted there (LEFT_OUT, docs/trace-format.md), as their probes took
 * time.  Waits, lost events and measures are always kept.
 *
 * Steps whose fate isn't known yet are held: a call's entry until the call has lasted `least_ticks`, and all of a call
 * of an `only` function until it has lasted `slow_ticks` (a faster one is kept alone).  So at most so much time is
 * held.  With `by_caller` an entry is held until a call with FILTER_CALLER is made in it, however long that takes: with
 * 65,536 steps, and where parts end, open calls are kept.  Frames that go on from before (resume) are kept.
 *
 * While `off` is set nothing is written, but the stack is followed: frames that are open when it is cleared are entered
 * again then (flag 2 of EVENTS).  Before, STOP leaves them.  A keep belongs to its matcher, and to the same thread.
 */
#ifndef PROF_MATCH_KEEP_H
#define PROF_MATCH_KEEP_H

#include <stdbool.h>

#include "keep_rules.h"
#include "trace/write/encode.h"

struct prof_keep;

/* NULL: no memory.  The rules and the encoder must outlive it. */
struct prof_keep *prof_keep_new(struct prof_keep_rules *, prof_encoder *);
void prof_keep_free(struct prof_keep *); /* NULL: nothing */
/* It takes a thread over that had waited so long for the recorder, and waits since `begin` (0: it doesn't). */
void prof_keep_take_wait(struct prof_keep *, uint64_t stalled, uint64_t begin);

/* All of these: false: no memory, a step is lost. */

/* A frame of a function or loop is entered; `function`: of prof_site_map, or beyond. */
bool prof_keep_enter(struct prof_keep *, uint64_t time, uint64_t key, uint32_t function);
/* Any other step of the stack but these two. */
bool prof_keep_step(struct prof_keep *, const struct prof_step *);
/* A VALUE of a loop, its number in prof_site_map. */
bool prof_keep_value(struct prof_keep *, const struct prof_step *, uint32_t loop);
/* NOTHING and VALUE of what the program reports (wire/point.h). */
bool prof_keep_point(struct prof_keep *, const struct prof_step *);

/* After a STOP, or at the begin of a thread: these frames are open, entered at `time`, and no new calls. */
bool prof_keep_resume(struct prof_keep *, const struct prof_open_frame *frames, uint32_t depth, uint64_t time);
/* The rules' `off` may have changed at `time`. */
bool prof_keep_switch(struct prof_keep *, uint64_t time);
/* Writes what is held, as if it were kept, and all counts; then, if frames are open, a step without effect. */
bool prof_keep_mark(struct prof_keep *, uint64_t time);

/* Is nothing kept inside of the innermost frame, whatever is called there (but for functions with PROF_KEEP_ flags)? */
bool prof_keep_is_closed(const struct prof_keep *);
/* Has the function PROF_KEEP_ flags? */
bool prof_keep_wants(const struct prof_keep *, uint32_t function);
/* May its exits be missing? */
bool prof_keep_is_quiet(const struct prof_keep *, uint32_t function);
/* How many frames are open inside of it, which a keep only counts. */
uint64_t prof_keep_closed_depth(const struct prof_keep *);
/* While it is: so many calls were entered there by `time`, and so many frames are open now. */
bool prof_keep_pass(struct prof_keep *, uint64_t time, uint64_t calls, uint64_t depth);

/*
 * Is everything kept that is called in the innermost frame, but for functions that have no call so far?  `depth`: how
 * many frames are open in all.  *levels: so many of the innermost ones, at most `most`, can be left without more ado.
 */
bool prof_keep_is_open(struct prof_keep *, uint32_t depth, uint32_t most, uint32_t *levels);
/* While it is: of the frames [1, depth] that are open now those up to `same` were open before.  The others' steps are
 * in the encoder. */
bool prof_keep_follow(struct prof_keep *, const struct prof_open_frame *frames, uint32_t same, uint32_t depth);

uint64_t prof_keep_left_out(const struct prof_keep *); /* timed events that made no step */

#endif
