/*
 * tools/analysis/advise/rule_sleeps.c - the program sleeps again and again, and nothing runs meanwhile.
 *
 * Evidence: events of --locks: many short sleeps at one place with nothing between them, in a program that is idle for
 * that time.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

#define LEAST_SLEEPS 20u
#define MOST_GAIN 2.0 /* what comes during a sleep is noticed half a sleep too late, on average */
#define MOST_NS 100e6 /* of one; longer ones are a pace, or wait for people */

extern const struct prof_advice_rule prof_rule_sleeps;

static bool find(struct prof_evidence *evidence) {
  const struct prof_wait_habits *habits = &evidence->measured.habits;
  const double span = (double)prof_trace_ns(evidence->recording->trace, evidence->span_ticks);
  const double idle = prof_evidence_idle(evidence);
  for (size_t i = 0; i < habits->count; i++) {
    const struct prof_wait_habit_row *row = &habits->rows[i];
    if (row->habit != PROF_WAIT_SLEEPS || row->waits < LEAST_SLEEPS ||
        (double)row->wait_ns > MOST_NS * (double)row->waits)
      continue;
    double share = span > 0 ? fmin((double)row->wait_ns / span, idle) : 0;
    if (share < 4 * evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, &prof_rule_sleeps, &row->place);
    if (!advice)
      return false;
    const struct prof_interval interval = {0, share};
    prof_advice_weigh(advice, interval, 1, MOST_GAIN);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of the elapsed time it sleeps here and nothing runs");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->waits, "sleeps in a row");
    prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)row->wait_ns / (double)row->waits, "each");
  }
  return true;
}

const struct prof_advice_rule prof_rule_sleeps = {
    .kind = "sleeps",
    .title = "The program sleeps until it looks again",
    .of = "elapsed time",
    .why = "What it waits for may have come long before the sleep ends. Wait for the event itself: a condition "
           "variable, poll, waitpid. If the pace is meant, there is nothing to gain.",
    .before = "while (!atomic_load(&done))\n  usleep(10000);",
    .after = "lock(&mutex);\nwhile (!done)\n  cond_wait(&finished, &mutex);\nunlock(&mutex);",
    .check = "locks --all",
    .find = find,
};
