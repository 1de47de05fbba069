/*
 * tools/record/clock/clock_check.h - may the TSC be the recording's clock on this machine?
 *
 * In: what processor and kernel report of the TSC, and readings on the cores, compared.  Out: the facts, for
 * the CLOCK chunks, and a choice with its reason.  The choice is a function of the facts alone.
 */
#ifndef PROF_RECORD_CLOCK_CHECK_H
#define PROF_RECORD_CLOCK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

enum prof_clock_wish { PROF_CLOCK_AUTO = 0, PROF_CLOCK_TSC, PROF_CLOCK_OS };

struct prof_clock_facts {
  bool invariant;        /* by the processor's flags, the TSC neither stops nor changes its rate */
  bool kernel_known;     /* the kernel lists its clocks: the next two */
  bool kernel_has_tsc;   /* it would take the TSC: it has not found it unsteady */
  char kernel_clock[32]; /* what it takes now; "": not known */
  bool compared;         /* the cores' readings were compared */
  double skew_ns;        /* they differ at least by this */
};

/* Takes some milliseconds: it runs on other cores. */
void prof_clock_facts_find(struct prof_clock_facts *);

/* true: the TSC.  *why: NULL, or a line for the user on a TSC that was not taken, or taken although it may be wrong. */
bool prof_clock_choose_tsc(const struct prof_clock_facts *, enum prof_clock_wish, const char **why);

/*
 * How far two clocks differ at least: `there` was read after `before` and before `after` were read here, in this order.
 * 0: they may be the same.
 */
uint64_t prof_clock_skew_of(uint64_t before, uint64_t there, uint64_t after);

#endif
