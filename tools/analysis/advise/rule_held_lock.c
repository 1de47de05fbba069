/*
 * tools/analysis/advise/rule_held_lock.c - a lock is held while its holder sleeps, waits, reads or writes.
 *
 * Evidence: events of --locks and --io: others waited for the lock at the same time.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

#define LEAST_CALLS 3u /* of one alone, as at the start of a program, little is gained */

extern const struct prof_advice_rule prof_rule_held_lock;

static bool find(struct prof_evidence *evidence) {
  const struct prof_held_waits *held = &evidence->measured.held;
  for (size_t i = 0; i < held->count; i++) {
    const struct prof_held_wait_row *row = &held->rows[i];
    double share = row->waiters_ns ? fmin((double)row->wait_ns / (double)row->waiters_ns, 1) : 0;
    if (row->calls < LEAST_CALLS || share < 2 * evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, &prof_rule_held_lock, &row->call);
    if (!advice)
      return false;
    const struct prof_interval interval = {share * 0.8, share};
    prof_advice_weigh(advice, interval, 2, HUGE_VAL);
    prof_advice_figure_add(
        advice, PROF_ADVICE_SHARE, share,
        prof_advice_text(evidence, "of these threads' time they wait for %s during this %s", row->lock, row->what));
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->calls, "times");
    prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)row->held_ns / (double)row->calls, "each");
    prof_advice_figure_add(
        advice, PROF_ADVICE_WORDS, 0,
        prof_advice_text(evidence, "the holder took the lock in %s", prof_advice_place_text(evidence, &row->taken)));
  }
  return true;
}

const struct prof_advice_rule prof_rule_held_lock = {
    .kind = "held-lock",
    .title = "A lock is held while its holder waits",
    .of = "the waiting threads' time",
    .why = "All who need the lock wait for the holder's sleep, input or output too. Release the lock before, or copy "
           "what is needed under the lock and do the slow part afterwards.",
    .before = "lock(&queue);\nitem = take(queue);\nwrite(fd, item, size);\nunlock(&queue);",
    .after = "lock(&queue);\nitem = take(queue);\nunlock(&queue);\nwrite(fd, item, size);",
    .check = "locks",
    .find = find,
};
