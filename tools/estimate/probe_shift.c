/*
 * tools/estimate/probe_shift.c - see probe_shift.h.
 */
#include "estimate/probe_shift.h"

#include <stdlib.h>
#include <string.h>

#include "estimate/correct.h"
#include "names/loop_frames.h"

#define SHIFTED_PART (1.0 / 12) /* of an event's cost among work, for each call */
#define MOVED_MOST 0.25         /* of what samples saw of a function: a short one can lose no more than it has */

struct shift {                /* of one thread, by function; the last one: unknown ones */
  double *calls, *seen_ticks; /* calls: of it, less those that it makes; what samples saw of it, then the factor */
  size_t function_count;      /* with the last one */
};

/* The function that a node is in: itself, or that of the call that a loop belongs to.  PROF_NONE: it is a thread's. */
static uint32_t function_of(const struct prof_profile *profile, const struct shift *shift, uint32_t node) {
  while (profile->nodes[node].parent != 0 && profile->nodes[node].function != PROF_NONE &&
         prof_frame_loop(profile->trace, profile->nodes[node].function) != PROF_NONE)
    node = profile->nodes[node].parent;
  if (profile->nodes[node].parent == 0 || profile->nodes[node].forker)
    return PROF_NONE;
  uint32_t function = profile->nodes[node].function;
  return function < shift->function_count ? function : (uint32_t)shift->function_count - 1;
}

static void count_calls(const struct prof_profile *profile, uint32_t thread_node, struct shift *shift) {
  uint32_t end = profile->nodes[thread_node].next_sibling;
  end = end != PROF_NONE ? end : profile->node_count;
  for (uint32_t i = thread_node + 1; i < end; i++) {
    const struct prof_node *node = &profile->nodes[i];
    bool is_loop = node->function != PROF_NONE && prof_frame_loop(profile->trace, node->function) != PROF_NONE;
    uint32_t callee = function_of(profile, shift, i), caller = function_of(profile, shift, node->parent);
    if (is_loop || callee == PROF_NONE)
      continue;
    shift->calls[callee] += (double)node->calls;
    if (caller != PROF_NONE) /* else the filter hides it, or it has no probes */
      shift->calls[caller] -= (double)node->calls;
  }
}

/* Samples of the program's own code in slices; PROF_NONE: another one. */
static uint32_t function_seen(const struct prof_profile *profile, const struct shift *shift,
                              const struct prof_sample *sample) {
  bool own = sample->flags & PROF_SAMPLED_EXTRA && prof_sample_is_counted(sample) && sample->node != PROF_NONE;
  return own && sample->node != 0 && profile->nodes[sample->node].parent != PROF_NONE
             ? function_of(profile, shift, sample->node)
             : PROF_NONE;
}

static void put_back(const struct prof_profile *profile, struct shift *shift, double each_ticks,
                     struct prof_sample *samples, size_t count) {
  double before_ticks = 0, after_ticks = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t function = function_seen(profile, shift, &samples[i]);
    if (function != PROF_NONE)
      shift->seen_ticks[function] += samples[i].weight_ticks;
  }
  for (size_t i = 0; i < shift->function_count; i++) {
    double seen = shift->seen_ticks[i], moved = each_ticks * shift->calls[i], most = MOVED_MOST * seen;
    moved = moved > most ? most : moved < -most ? -most : moved;
    before_ticks += seen;
    after_ticks += seen + moved;
    shift->seen_ticks[i] = seen > 0 ? 1 + moved / seen : 1;
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t function = function_seen(profile, shift, &samples[i]);
    if (function != PROF_NONE)
      samples[i].weight_ticks *= shift->seen_ticks[function] * before_ticks / after_ticks;
  }
}

prof_status prof_probe_shift_undo(const struct prof_profile *profile, struct prof_sample *samples, size_t count,
                                  const struct prof_sliced *sliced) {
  struct shift shift = {.function_count = profile->function_count};
  shift.calls = calloc(shift.function_count, sizeof *shift.calls);
  shift.seen_ticks = calloc(shift.function_count, sizeof *shift.seen_ticks);
  bool ready = shift.calls && shift.seen_ticks;
  size_t begin = 0, end;
  for (uint32_t i = profile->nodes[0].first_child; ready && i != PROF_NONE; i = profile->nodes[i].next_sibling) {
    uint32_t thread = profile->nodes[i].thread;
    while (begin < count && samples[begin].thread < thread)
      begin++;
    for (end = begin; end < count && samples[end].thread == thread;)
      end++;
    if (sliced[thread].weight_ticks <= 0)
      continue;
    memset(shift.calls, 0, shift.function_count * sizeof *shift.calls);
    memset(shift.seen_ticks, 0, shift.function_count * sizeof *shift.seen_ticks);
    count_calls(profile, i, &shift);
    struct prof_correction correction = prof_correction_of(profile->trace, thread);
    put_back(profile, &shift, SHIFTED_PART * correction.cost_ticks, samples + begin, end - begin);
    begin = end;
  }
  free(shift.calls);
  free(shift.seen_ticks);
  return ready ? PROF_OK : PROF_NO_MEMORY;
}
