/*
 * tools/model/correct_sampled.c - see correct_sampled.h.
 */
#include "model/correct_sampled.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "model/profile_build.h"

bool prof_correct_wants_samples(enum prof_correction_state state) {
  return state == PROF_CORRECT_DENSE || state == PROF_CORRECT_CALLS;
}

struct own { /* of one node */
  uint64_t samples;
  uint64_t waited_ticks;
};

/* Counts, and each thread's sum in its own node. */
static void count_samples(const struct prof_profile *profile, const struct prof_samples *samples, struct own *own) {
  for (size_t i = 0; i < samples->count; i++)
    if (prof_sample_counts(profile, &samples->items[i]))
      own[samples->items[i].node].samples++;
  for (size_t i = 0; i < samples->pause_count; i++) {
    const struct prof_pause *pause = &samples->pauses[i];
    if (pause->waits && !pause->stalled && pause->node != PROF_NONE && profile->nodes[pause->node].parent != 0)
      own[pause->node].waited_ticks += pause->end - pause->begin;
  }
}

/* A thread's nodes, from the innermost out; error_ticks holds the samples of a total until the end. */
static void take(struct prof_node *nodes, uint32_t begin, uint32_t end, const struct own *own, double ticks_each) {
  for (uint32_t i = begin; i < end; i++) {
    nodes[i].taken_ticks = nodes[i].total_ticks;
    nodes[i].total_ticks = nodes[i].error_ticks = 0;
  }
  for (uint32_t i = end - 1; i > begin; i--) {
    struct prof_node *node = &nodes[i], *parent = &nodes[node->parent];
    node->self_ticks = (uint64_t)llround((double)own[i].samples * ticks_each) + own[i].waited_ticks;
    node->total_ticks += node->self_ticks;
    node->error_ticks += own[i].samples;
    parent->total_ticks += node->total_ticks;
    parent->error_ticks += node->error_ticks;
  }
  for (uint32_t i = begin; i < end; i++) {
    uint64_t before = nodes[i].taken_ticks;
    nodes[i].taken_ticks = before > nodes[i].total_ticks ? before - nodes[i].total_ticks : 0;
    nodes[i].error_ticks = (uint64_t)llround(1.96 * sqrt((double)nodes[i].error_ticks) * ticks_each);
    nodes[i].sampled = true;
  }
}

static uint64_t count_of(const struct own *own, uint32_t begin, uint32_t end) {
  uint64_t count = 0;
  for (uint32_t i = begin; i < end; i++)
    count += own[i].samples;
  return count;
}

prof_status prof_correct_by_samples(struct prof_profile *profile, const struct prof_samples *samples,
                                    struct prof_diag *diag) {
  if (samples->count == 0 || samples->ticks_each <= 0)
    return PROF_OK;
  struct own *own = calloc(profile->node_count, sizeof *own);
  if (own == NULL)
    return prof_diag_memory(diag);
  struct prof_node *nodes = prof_profile_nodes_of(profile);
  count_samples(profile, samples, own);
  bool changed = false;
  for (uint32_t begin = nodes[0].first_child; begin != PROF_NONE; begin = nodes[begin].next_sibling) {
    uint32_t end = nodes[begin].next_sibling != PROF_NONE ? nodes[begin].next_sibling : profile->node_count;
    if (!prof_correct_wants_samples(prof_correction_of(profile->trace, nodes[begin].thread).state) ||
        count_of(own, begin, end) < PROF_CORRECT_SAMPLES_LEAST)
      continue;
    take(nodes, begin, end, own, samples->ticks_each);
    profile->coverage.sampled_threads++;
    changed = true;
  }
  free(own);
  return !changed || prof_profile_figures_anew(profile) ? PROF_OK : prof_diag_memory(diag);
}
