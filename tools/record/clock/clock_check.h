/*
 * tools/record/clock/clock_check.h - may the TSC be the recording's clock on this machine?
 *
 * In: what processor and kernel report about the TSC, and readings on the cores, compared.  Out: the facts, for the
 * CLOCK chunks, and a choice with its reason.  The choice depends on the facts only.
 */
#ifndef PROF_RECORD_CLOCK_CHECK_H
#define PROF_RECORD_CLOCK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

enum prof_clock_wish { PROF_CLOCK_AUTO = 0, PROF_CLOCK_TSC, PROF_CLOCK_OS };

struct prof_clock_facts {
  bool invariant;        /* by the processor's flags, the TSC neither stops nor changes its rate */
  bool kernel_known;     /* the kernel lists its clocks: the next two are valid */
  bool kernel_has_tsc;   /* among them the TSC: the kernel has not found it unstable */
  char kernel_clock[32]; /* the one it uses now; "": not known */
  bool compared;         /* the cores' readings were compared */
  double skew_ns;        /* least difference between cores */
};

/* Takes some milliseconds and runs on other cores. */
void prof_clock_facts_find(struct prof_clock_facts *);

/* true: the TSC.  *why: NULL, or a line for the user: why not the TSC, or why it may be wrong. */
bool prof_clock_choose_tsc(const struct prof_clock_facts *, enum prof_clock_wish, const char **why);

/* Least difference of two clocks: `there` was read after `before` and before `after` were read here, in this order.  0:
 * they may be equal. */
uint64_t prof_clock_skew_of(uint64_t before, uint64_t there, uint64_t after);

#endif
