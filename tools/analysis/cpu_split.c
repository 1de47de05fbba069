/*
 * tools/analysis/cpu_split.c - see cpu_split.h.
 */
#include "analysis/cpu_split.h"

#include <stdlib.h>

#include "base/diag.h"

/*
 * Of a node's time no more than all of it.  A call that was open at the end counts up to its thread's last event, but
 * the thread may have waited after that; and the cost of probes that was taken out was time in which it ran.
 */
static void trim(const struct prof_node *node, struct prof_off_cpu *off) {
  if (off->blocked > node->self_ticks)
    off->blocked = node->self_ticks;
  if (off->preempted > node->self_ticks - off->blocked)
    off->preempted = node->self_ticks - off->blocked;
}

prof_status prof_cpu_split_find(const struct prof_profile *profile, const struct prof_samples *samples,
                                struct prof_diag *diag, struct prof_cpu_split *out) {
  *out = (struct prof_cpu_split){0};
  if (!samples->has_pauses)
    return PROF_OK;
  out->total = calloc(profile->node_count, sizeof *out->total);
  out->self = calloc(profile->node_count, sizeof *out->self);
  if (!out->total || !out->self) {
    prof_cpu_split_free(out);
    return prof_diag_memory(diag);
  }
  for (size_t i = 0; i < samples->pause_count; i++) {
    const struct prof_pause *pause = &samples->pauses[i];
    if (pause->node == PROF_NONE || pause->stalled || (!pause->waits && profile->nodes[pause->node].sampled))
      continue;
    uint64_t *ticks = pause->waits ? &out->self[pause->node].blocked : &out->self[pause->node].preempted;
    *ticks += pause->end - pause->begin;
  }
  for (uint32_t i = 0; i < profile->node_count; i++)
    if (profile->nodes[i].parent != PROF_NONE && profile->nodes[i].parent != 0) /* no thread's own node */
      trim(&profile->nodes[i], &out->self[i]);
  for (uint32_t i = profile->node_count; i-- > 0;) { /* children stand behind their parents */
    out->total[i].blocked += out->self[i].blocked;
    out->total[i].preempted += out->self[i].preempted;
    uint32_t parent = profile->nodes[i].parent;
    if (parent != PROF_NONE) {
      out->total[parent].blocked += out->total[i].blocked;
      out->total[parent].preempted += out->total[i].preempted;
    }
  }
  return PROF_OK;
}

void prof_cpu_split_free(struct prof_cpu_split *split) {
  free(split->total);
  free(split->self);
  *split = (struct prof_cpu_split){0};
}
