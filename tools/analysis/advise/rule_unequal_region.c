/*
 * tools/analysis/advise/rule_unequal_region.c - threads of a parallel region of OpenMP have unequal work.
 *
 * Evidence: events of --locks, with the work of each thread over all runs of the region.  A thread that shared its
 * processor with other programs seems to work longer, and gets less where pieces go to the thread that is free.  So one
 * thread must have more work both by elapsed time and by the part of it in which it ran.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

#define LEAST_RATIO 1.25 /* of the longest work to the mean */
#define LEAST_NS 10e6    /* work of the longest; less says little */

extern const struct prof_advice_rule prof_rule_unequal_region;

struct work { /* ns */
  double sum, longest;
  uint32_t threads, longest_thread;
};

/* The part of the time that the thread wanted to run in which it did. */
static double ran(const struct prof_evidence *evidence, uint32_t thread) {
  const struct prof_profile *profile = evidence->profile;
  for (uint32_t at = profile->nodes[0].first_child; at != PROF_NONE; at = profile->nodes[at].next_sibling) {
    const struct prof_node *node = &profile->nodes[at];
    double running = (double)prof_node_total(node, PROF_TIME_RUNNING);
    if (node->thread == thread && evidence->recording->has_switches && running > 0)
      return running / (running + (double)node->off.preempted);
  }
  return 1;
}

/* Of all runs of a region.  by_elapsed: of the time, else of the part in which threads ran. */
static struct work work_of(const struct prof_evidence *evidence, const struct prof_measured_place *place,
                           bool by_elapsed) {
  const struct prof_openmp *threads = &evidence->measured.region_threads;
  struct work work = {.longest_thread = PROF_NONE};
  for (size_t i = 0; i < threads->count; i++) {
    const struct prof_openmp_row *row = &threads->rows[i];
    if (row->thread == PROF_NONE || !prof_measured_place_same(&row->place, place))
      continue;
    double ns = (double)row->work_ns * (by_elapsed ? 1 : ran(evidence, row->thread));
    work.threads++;
    work.sum += ns;
    if (ns > work.longest) {
      work.longest = ns;
      work.longest_thread = row->thread;
    }
  }
  return work;
}

/* The longest work over the mean; 1: none. */
static double ratio_of(const struct work *work) {
  return work->sum > 0 ? work->longest * work->threads / work->sum : 1;
}

static bool find(struct prof_evidence *evidence) {
  const struct prof_openmp *regions = &evidence->measured.regions;
  const prof_trace *trace = evidence->recording->trace;
  const double span = (double)prof_trace_ns(trace, evidence->span_ticks);
  for (size_t i = 0; i < regions->count; i++) {
    const struct prof_openmp_row *row = &regions->rows[i];
    struct work work = work_of(evidence, &row->place, false), elapsed = work_of(evidence, &row->place, true);
    double ratio = fmin(ratio_of(&work), ratio_of(&elapsed));
    double share = span > 0 ? fmin((double)row->time_ns / span, 0.99) : 0;
    if (work.threads < 2 || work.longest < LEAST_NS || ratio < LEAST_RATIO ||
        work.longest_thread != elapsed.longest_thread || share * (1 - 1 / ratio) < evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, &prof_rule_unequal_region, &row->place);
    if (!advice)
      return false;
    const struct prof_interval interval = {share * 0.9, share};
    prof_advice_weigh(advice, interval, 1 + (ratio - 1) * 0.6, ratio);
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, work.threads, "threads of the region");
    prof_advice_figure_add(
        advice, PROF_ADVICE_NS, work.longest,
        prof_advice_text(evidence, "work in thread %u", prof_trace_threads(trace, NULL)[work.longest_thread].tid));
    prof_advice_figure_add(advice, PROF_ADVICE_NS, work.sum / work.threads, "on average");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->runs, row->runs == 1 ? "run" : "runs");
  }
  return true;
}

const struct prof_advice_rule prof_rule_unequal_region = {
    .kind = "unequal-region",
    .title = "Threads of a parallel region have unequal work",
    .of = "elapsed time",
    .why = "The region ends when its slowest thread does; the others wait. Give out smaller pieces, each to the thread "
           "that is free.",
    .before = "#pragma omp parallel for\nfor (row = 0; row < n; row++)\n  work(row);",
    .after = "#pragma omp parallel for schedule(dynamic, 16)\nfor (row = 0; row < n; row++)\n  work(row);",
    .check = "openmp --by=thread",
    .find = find,
};
