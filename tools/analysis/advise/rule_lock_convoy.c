/*
 * tools/analysis/advise/rule_lock_convoy.c - threads that wait in line for a lock.
 *
 * Evidence: events of --locks: several threads waited many times, and not for a wait of the holder (rule_held_lock.c).
 * Without such events: several threads wait many times in the own code of one function, which calls a lock and no
 * function that waits for an event.  Where the lock is taken much less often than threads wait, they wait for something
 * else: in an event loop of a library, say.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_WAITS 20u
#define MOST_WAITS_A_LOCK 4u /* a thread that wakes up may find the lock taken again */

extern const struct prof_advice_rule prof_rule_lock_convoy;

/* Elapsed time, without preempted time, of the threads in which the function waited. */
static double threads_ticks(const struct prof_evidence *evidence, uint32_t function) {
  const struct prof_profile *profile = evidence->profile;
  double sum = 0;
  for (uint32_t at = profile->nodes[0].first_child; at != PROF_NONE; at = profile->nodes[at].next_sibling) {
    bool waits = false;
    uint32_t end = profile->nodes[at].next_sibling != PROF_NONE ? profile->nodes[at].next_sibling : profile->node_count;
    for (uint32_t i = at + 1; i < end && !waits; i++)
      waits = profile->nodes[i].self_off.waiting > 0 && prof_evidence_owner(evidence, i) == function;
    if (waits)
      sum += (double)(profile->nodes[at].total_ticks - profile->nodes[at].off.preempted);
  }
  return sum;
}

/* Others' waits for a wait of the lock's holder. */
static uint64_t held_ns(const struct prof_held_waits *held, const struct prof_lock_row *row) {
  uint64_t sum = 0;
  for (size_t i = 0; i < held->count; i++)
    sum += held->rows[i].kind == row->kind && strcmp(held->rows[i].lock, row->name) == 0 ? held->rows[i].wait_ns : 0;
  return sum < row->wait_ns ? sum : row->wait_ns;
}

/* Of a row for which threads waited. */
static bool advise(struct prof_evidence *evidence, const struct prof_lock_row *row, double share) {
  const struct prof_lock_holder *holder = row->holder_count > 0 ? &row->holders[0] : NULL;
  struct prof_advice *advice =
      prof_advice_add_place(evidence, &prof_rule_lock_convoy, holder ? &holder->place : &row->waiting[0].place);
  if (!advice)
    return false;
  advice->check = "locks";
  const struct prof_interval interval = {share * 0.8, fmin(share, 0.95)};
  prof_advice_weigh(advice, interval, 1.5, 20);
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share,
                         prof_advice_text(evidence, "of these threads' time waits for %s", row->name));
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->contended, "waits");
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->waiters, "threads");
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->acquisitions, "times the lock is taken");
  if (holder && row->wait_ns > 0)
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE,
                           (double)(holder->wait_ns + holder->handover_ns) / (double)row->wait_ns,
                           prof_advice_text(evidence, "of the waits for who took it in %s",
                                            prof_advice_place_text(evidence, &holder->place)));
  return true;
}

static bool find_measured(struct prof_evidence *evidence) {
  const struct prof_measured_evidence *measured = &evidence->measured;
  bool done = true;
  for (size_t i = 0; i < measured->locks.count && done; i++) {
    const struct prof_lock_row *row = &measured->locks.rows[i];
    if (!row->is_held || row->contended < LEAST_WAITS || row->waiters < 2 || row->waiters_ns == 0)
      continue;
    double share = fmin((double)(row->wait_ns - held_ns(&measured->held, row)) / (double)row->waiters_ns, 1);
    done = share < 2 * evidence->options->min_share || (row->waiting_count == 0 && row->holder_count == 0) ||
           advise(evidence, row, share);
  }
  return done;
}

static bool find(struct prof_evidence *evidence) {
  if (evidence->measured.locks.recorded)
    return find_measured(evidence);
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    const struct prof_function_evidence *function = &evidence->functions[i];
    uint32_t at, other;
    if (function->waits < LEAST_WAITS || function->waiting_threads < 2)
      continue;
    double all = threads_ticks(evidence, i), share = all > 0 ? (double)function->waiting_ticks / all : 0;
    if (share < 2 * evidence->options->min_share || !prof_evidence_calls(evidence, i, PROF_CALL_LOCK, &at) ||
        prof_evidence_calls(evidence, i, PROF_CALL_SLEEP, &other))
      continue;
    uint64_t times = prof_evidence_executions(evidence, i, at); /* 0: not known */
    if (times > 0 && function->waits > MOST_WAITS_A_LOCK * times)
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_lock_convoy, i);
    if (!advice)
      return false;
    prof_advice_place(evidence, advice, evidence->codes[i]->lines.items[at].instruction.address);
    struct prof_interval interval = {share * 0.8, fmin(share * 1.2, 0.95)};
    prof_advice_weigh(advice, interval, 1.5, 20);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of these threads' time is waiting in it");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)function->waits, "waits");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, function->waiting_threads, "threads");
    if (times > 0)
      prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)times, "times the lock is taken");
  }
  return true;
}

const struct prof_advice_rule prof_rule_lock_convoy = {
    .kind = "lock-convoy",
    .title = "Threads wait in line for a lock",
    .of = "these threads' time",
    .why =
        "The lock is taken for each small item, so threads run one after another. Collect results by thread and take "
        "the lock once for many items, or give each part of the data its own lock.",
    .before = "for (i = 0; i < n; i++) {\n  lock(&all);\n  sum += value(i);\n  unlock(&all);\n}",
    .after = "for (i = 0; i < n; i++)\n  own += value(i);\nlock(&all);\nsum += own;\nunlock(&all);",
    .check = "report --time=waiting -F @",
    .find = find,
};
