/*
 * tools/estimate/correct_sampled.c - see correct_sampled.h.
 */
#include "estimate/correct_sampled.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "estimate/profile_build.h"
#include "fold/light_slices.h"

/* This part of an event's cost among other work hides work of the program in sparse-clock intervals too: measured on
   kernels whose calls do next to nothing (docs/decisions/shares-of-dense-programs.md). */
#define LIGHT_HIDES_PART (1.0 / 20)

bool prof_correct_wants_samples(const struct prof_correction *correction) {
  return prof_correction_sampled_part(correction, UINT64_MAX, UINT64_MAX) > 0;
}

bool prof_correct_thread_wants_samples(const prof_trace *trace, uint32_t thread) {
  struct prof_correction correction = prof_correction_of(trace, thread);
  return prof_correct_wants_samples(&correction);
}

struct own {             /* of one node */
  double ticks, squares; /* what they stand for, and the sum of its squares; of its total in the end */
  double probes;         /* events and readings for lines, of its total */
};

/* Samples of each node's self time. */
static void count_samples(const struct prof_profile *profile, const struct prof_samples *samples, struct own *own) {
  for (size_t i = 0; i < samples->count; i++)
    if (prof_sample_counts(profile, &samples->items[i])) {
      struct own *to = &own[samples->items[i].node];
      double ticks = samples->items[i].weight_ticks;
      to->ticks += ticks;
      to->squares += ticks * ticks;
    }
}

/* By thread, in all its frames: no filter for functions counts here.  NULL: no memory. */
static uint64_t *samples_by_thread(const struct prof_profile *profile, const struct prof_samples *samples) {
  size_t thread_count;
  prof_trace_threads(profile->trace, &thread_count);
  uint64_t *counts = calloc(thread_count + 1, sizeof *counts);
  for (size_t i = 0; counts != NULL && i < samples->count; i++) {
    const struct prof_sample *sample = &samples->items[i];
    if (prof_sample_is_counted(sample) && sample->node != PROF_NONE && sample->thread < thread_count)
      counts[sample->thread]++;
  }
  return counts;
}

/* One thread's nodes, [begin, end); [begin] is its own. */
struct thread {
  struct prof_node *nodes;
  struct own *own;
  uint32_t begin, end;
  bool light;          /* samples are those of its sparse-clock intervals: probes hide next to nothing from them */
  double beyond;       /* uncertainty of all its times together, as a part of them */
  double ticks;        /* that samples saw */
  double shadow_ticks; /* of an event, or of a reading for a line: work that no sample saw */
  double shadow_error_ticks; /* uncertainty of that */
  double fit;                /* part of both that counts */
  double part;               /* that samples have in times; the rest is what was measured, less what the probes cost */
  double each_ticks;         /* a sample stands for */
  double probes;             /* events and readings */
};

static double probes_of(const struct prof_node *node) {
  return (double)node->own_events + node->own_readings;
}

/* The work that no sample saw (correct_sampled.h); each event and each reading for a line hides the same amount. */
static void find_shadow(struct thread *thread, const struct prof_correction *correction, bool knows_pauses) {
  double ran_ticks = (double)thread->nodes[thread->begin].taken_ticks; /* with the probes */
  thread->probes = 0;
  thread->ticks = 0;
  for (uint32_t i = thread->begin + 1; i < thread->end; i++) {
    const struct prof_node *node = &thread->nodes[i];
    ran_ticks += (double)prof_node_self(node, PROF_TIME_RUNNING);
    thread->ticks += thread->own[i].ticks;
    thread->probes += probes_of(node);
  }
  thread->shadow_ticks = thread->shadow_error_ticks = 0;
  if (thread->light)
    thread->shadow_ticks = thread->shadow_error_ticks = LIGHT_HIDES_PART * correction->cost_ticks;
  if (thread->light || correction->state != PROF_CORRECT_DONE || thread->probes <= 0 || !knows_pauses)
    return;
  double all = (double)correction->events + (double)correction->readings;
  double cost = prof_correction_most(correction) / all; /* of one; a filter changes nothing of it */
  double hides = prof_correction_hides(correction), reading_hides = prof_correction_reading_hides(correction);
  double most = (hides * (double)correction->events + reading_hides * (double)correction->readings) / all;
  double each = (ran_ticks - thread->ticks) / thread->probes - cost;
  thread->shadow_ticks = each < 0 ? 0 : each > most ? most : each;
  thread->shadow_error_ticks = most > 2 * thread->shadow_ticks ? most - thread->shadow_ticks : thread->shadow_ticks;
}

/* By chance, samples may stand for more than the thread ran: then they stand for all that it ran. */
static double find_fit(const struct thread *thread) {
  double ran = (double)thread->nodes[thread->begin].taken_ticks, estimated = 0;
  for (uint32_t i = thread->begin + 1; i < thread->end; i++) {
    ran += (double)prof_node_self(&thread->nodes[i], PROF_TIME_RUNNING);
    estimated += thread->own[i].ticks + probes_of(&thread->nodes[i]) * thread->shadow_ticks;
  }
  return estimated > ran ? ran / estimated : 1;
}

static uint64_t rounded(double ticks) {
  return (uint64_t)llround(ticks);
}

/* The distance of the two estimates of a thread's running time, times the smaller part, as a part of their blend. */
static double find_apart(const struct thread *thread) {
  double measured = 0, sampled = 0;
  for (uint32_t i = thread->begin + 1; i < thread->end; i++) {
    measured += (double)prof_node_self(&thread->nodes[i], PROF_TIME_RUNNING);
    sampled += (thread->own[i].ticks + probes_of(&thread->nodes[i]) * thread->shadow_ticks) * thread->fit;
  }
  double both = thread->part * sampled + (1 - thread->part) * measured;
  return both > 0 ? fabs(sampled - measured) / both * fmin(thread->part, 1 - thread->part) : 0;
}

/* From the innermost out. */
static void take(const struct thread *thread) {
  struct prof_node *nodes = thread->nodes;
  for (uint32_t i = thread->begin; i < thread->end; i++) {
    nodes[i].taken_ticks += nodes[i].total_ticks;
    nodes[i].total_ticks = 0;
  }
  for (uint32_t i = thread->end - 1; i > thread->begin; i--) {
    struct prof_node *node = &nodes[i], *parent = &nodes[node->parent];
    struct own *own = &thread->own[i];
    own->probes += probes_of(node);
    thread->own[node->parent].probes += own->probes;
    double sampled = (own->ticks + probes_of(node) * thread->shadow_ticks) * thread->fit;
    double ran = thread->part * sampled + (1 - thread->part) * (double)prof_node_self(node, PROF_TIME_RUNNING);
    node->self_ticks = node->self_off.waiting + node->self_off.preempted + rounded(ran);
    node->total_ticks += node->self_ticks;
    parent->total_ticks += node->total_ticks;
    thread->own[node->parent].squares += own->squares;
  }
  for (uint32_t i = thread->begin; i < thread->end; i++) {
    uint64_t before = nodes[i].taken_ticks;
    nodes[i].taken_ticks = before > nodes[i].total_ticks ? before - nodes[i].total_ticks : 0;
    double one = thread->each_ticks, chance = 1.96 * sqrt(thread->own[i].squares + one * one); /* one more or less */
    double sampled = chance + thread->own[i].probes * thread->shadow_error_ticks;
    double error = thread->part * sampled + (1 - thread->part) * (double)nodes[i].error_ticks +
                   (double)prof_node_total(&nodes[i], PROF_TIME_RUNNING) * thread->beyond;
    nodes[i].error_ticks = rounded(fmin(error, (double)before)); /* it took no more than what was measured */
    nodes[i].sampled = thread->part >= 0.5;
  }
}

prof_status prof_correct_by_samples(struct prof_profile *profile, struct prof_samples *samples, bool knows_shadow,
                                    struct prof_diag *diag) {
  if (samples->count == 0)
    return PROF_OK;
  struct own *own = calloc(profile->node_count, sizeof *own);
  uint64_t *met = samples_by_thread(profile, samples);
  if (own == NULL || met == NULL) {
    free(own);
    free(met);
    return prof_diag_memory(diag);
  }
  struct thread thread = {.nodes = prof_profile_nodes_of(profile), .own = own};
  struct prof_node *nodes = thread.nodes;
  count_samples(profile, samples, own);
  bool changed = false;
  for (uint32_t begin = nodes[0].first_child; begin != PROF_NONE; begin = nodes[begin].next_sibling) {
    thread.begin = begin;
    thread.end = nodes[begin].next_sibling != PROF_NONE ? nodes[begin].next_sibling : profile->node_count;
    struct prof_correction correction = prof_correction_of(profile->trace, nodes[begin].thread);
    struct prof_light_samples *light = &samples->light[nodes[begin].thread];
    thread.light = light->weight_ticks > 0;
    thread.beyond = light->error;
    thread.part = prof_correction_sampled_part(&correction, light->outside, met[nodes[begin].thread]);
    thread.each_ticks = thread.light ? light->weight_ticks : samples->ticks_each;
    if (!prof_correct_wants_samples(&correction) || samples->ticks_each <= 0)
      continue;
    find_shadow(&thread, &correction, samples->has_pauses);
    if (knows_shadow) {
      thread.shadow_ticks = light->shadow_ticks;
      thread.shadow_error_ticks = light->shadow_error_ticks;
    }
    thread.fit = knows_shadow ? light->fit : find_fit(&thread);
    light->shadow_ticks = thread.shadow_ticks;
    light->shadow_error_ticks = thread.shadow_error_ticks;
    light->fit = thread.fit;
    if (thread.part <= 0)
      continue;
    thread.beyond = thread.part * thread.beyond + find_apart(&thread);
    take(&thread);
    profile->coverage.sampled_threads += nodes[begin].sampled;
    profile->coverage.light_threads += nodes[begin].sampled && thread.light;
    profile->coverage.corrected_threads -= nodes[begin].sampled && correction.state == PROF_CORRECT_DONE;
    profile->coverage.shadow_ticks += rounded(thread.part * thread.probes * thread.shadow_ticks);
    changed = true;
  }
  free(own);
  free(met);
  return !changed || prof_profile_figures_anew(profile) ? PROF_OK : prof_diag_memory(diag);
}

void prof_correct_count_measured(struct prof_profile *profile, const struct prof_filter *filter, bool raw) {
  const struct prof_node *nodes = profile->nodes;
  uint64_t begin = filter && filter->active ? filter->begin_ticks : 0;
  uint64_t end = filter && filter->active ? filter->end_ticks : UINT64_MAX;
  for (uint32_t i = nodes[0].first_child; i != PROF_NONE; i = nodes[i].next_sibling) {
    if (nodes[i].sampled)
      continue;
    struct prof_light_slices slices = prof_light_slices_of(profile->trace, nodes[i].thread);
    size_t at = prof_light_slices_before(&slices, begin);
    struct prof_correction correction = prof_correction_of(profile->trace, nodes[i].thread);
    bool wants = correction.state == PROF_CORRECT_CALLS;
    profile->coverage.few_threads += !raw && wants && prof_trace_sampler(profile->trace) != NULL;
    profile->coverage.loose_threads += at < slices.count && slices.items[at].begin < end;
  }
}
