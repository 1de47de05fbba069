/*
 * tools/analysis/advise/rule_imbalance.c - threads of one kind of which one runs much longer than the others.
 *
 * Evidence: threads with the same first function, alive at the same time, and their running times.  Of elapsed time
 * only the part in which the group was alive is concerned.  The longest must have had work for most of it: threads
 * that wait for messages, one with more of them than others, are no imbalance.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

#define LEAST_RATIO 1.25   /* of the longest running time to the mean */
#define LEAST_NS 10000000u /* CPU time of the longest; less says little */
#define LEAST_BUSY 0.5     /* share of the group's span in which the longest ran or could have */
#define MOST_THREADS 4096u

extern const struct prof_advice_rule prof_rule_imbalance;

struct group {
  uint64_t running, longest; /* ticks */
  uint64_t busy;             /* of the longest: running or preempted, ticks */
  uint64_t begin, end;       /* of its threads' first and last events, ticks */
  uint32_t threads, longest_tid;
};

/* The group of threads whose first function is this one. */
static struct group group_of(const struct prof_evidence *evidence, uint32_t function) {
  const struct prof_profile *profile = evidence->profile;
  const struct prof_thread_info *threads = prof_trace_threads(evidence->recording->trace, NULL);
  struct group group = {.begin = UINT64_MAX};
  for (uint32_t at = profile->nodes[0].first_child; at != PROF_NONE; at = profile->nodes[at].next_sibling) {
    uint32_t root = profile->nodes[at].first_child;
    const struct prof_thread_info *thread = &threads[profile->nodes[at].thread];
    if (root == PROF_NONE || profile->nodes[root].function != function ||
        profile->nodes[root].next_sibling != PROF_NONE || profile->nodes[root].calls != 1)
      continue;
    uint64_t running = prof_node_total(&profile->nodes[at], PROF_TIME_RUNNING);
    group.threads++;
    group.running += running;
    group.begin = thread->start_ticks < group.begin ? thread->start_ticks : group.begin;
    group.end = thread->end_ticks > group.end ? thread->end_ticks : group.end;
    if (running > group.longest) {
      group.longest = running;
      group.busy = running + profile->nodes[at].off.preempted;
      group.longest_tid = thread->tid;
    }
  }
  return group;
}

static bool take(struct prof_evidence *evidence, uint32_t function) {
  struct group group = group_of(evidence, function);
  double mean = group.threads ? (double)group.running / group.threads : 0;
  if (group.threads < 2 || group.threads > MOST_THREADS || group.end <= group.begin || mean <= 0 ||
      prof_trace_ns(evidence->recording->trace, group.longest) < LEAST_NS ||
      (double)group.longest < LEAST_RATIO * mean || (double)group.busy < LEAST_BUSY * (double)(group.end - group.begin))
    return true;
  double cpu = (double)group.running / (double)evidence->running_ticks;
  double span = fmin((double)(group.end - group.begin) / (double)evidence->span_ticks, 0.99);
  if (cpu < 2 * evidence->options->min_share || span < 2 * evidence->options->min_share)
    return true;
  struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_imbalance, function);
  if (!advice)
    return false;
  double factor = (double)group.longest / mean;
  struct prof_interval interval = {span * 0.9, span};
  prof_advice_weigh(advice, interval, 1 + (factor - 1) * 0.6, factor);
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, group.threads, "threads begin with it");
  prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)prof_trace_ns(evidence->recording->trace, group.longest),
                         prof_advice_text(evidence, "CPU time in thread %u", group.longest_tid));
  prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)prof_trace_ns(evidence->recording->trace, (uint64_t)mean),
                         "on average");
  return true;
}

static bool find(struct prof_evidence *evidence) {
  const struct prof_profile *profile = evidence->profile;
  bool done = true;
  if (!evidence->recording->has_switches || evidence->span_ticks == 0)
    return true;
  for (uint32_t at = profile->nodes[0].first_child; at != PROF_NONE && done; at = profile->nodes[at].next_sibling) {
    uint32_t root = profile->nodes[at].first_child, function = root != PROF_NONE ? profile->nodes[root].function : 0;
    bool known = root == PROF_NONE || function >= evidence->function_count;
    for (uint32_t before = profile->nodes[0].first_child; before != at && !known;
         before = profile->nodes[before].next_sibling)
      known = profile->nodes[before].first_child != PROF_NONE &&
              profile->nodes[profile->nodes[before].first_child].function == function;
    done = known || take(evidence, function);
  }
  return done;
}

const struct prof_advice_rule prof_rule_imbalance = {
    .kind = "imbalance",
    .title = "One thread has most of the work",
    .of = "elapsed time",
    .why =
        "The others are done early, and all wait for the last one. Give out smaller pieces, each to the thread that is "
        "free, or deal them out in turn.",
    .before = "for (row = me * n / threads; row < (me + 1) * n / threads; row++)\n  work(row);",
    .after = "while ((row = atomic_fetch_add(&next, 1)) < n)\n  work(row);",
    .check = "report --by=thread -F @",
    .find = find,
};
