/*
 * tools/estimate/burst/loop_times.c - see loop_times.h.
 */
#include "estimate/burst/loop_times.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "base/whole.h"
#include "estimate/burst/loop_code.h"
#include "estimate/interval.h"
#include "estimate/profile_build.h"
#include "names/loop_frames.h"

struct frame { /* samples of a function or loop, by its number, in its own time */
  struct prof_weighted located;
  double elsewhere; /* weight of those in uninstrumented code that it called */
};

struct part { /* of a frame's samples, those in a loop's code */
  uint32_t frame, loop;
  struct prof_weighted met;
};

struct study {
  struct prof_profile *profile;
  struct prof_estimated_loop *loops; /* the profile's */
  struct prof_loop_code code;
  struct frame *frames;
  PROF_VEC(struct part) parts;
  struct prof_index_map known;
};

/* The function around a node, loops apart; PROF_NONE: not known. */
static uint32_t function_of(const struct prof_profile *profile, uint32_t node) {
  while (profile->nodes[node].function != PROF_NONE && profile->nodes[node].function >= profile->function_count)
    node = profile->nodes[node].parent;
  return profile->nodes[node].function;
}

/* Whether `loop` is inside of the loop `around`, or it itself; in a function (PROF_NONE) all are. */
static bool is_within(const prof_trace *trace, uint32_t loop, uint32_t around) {
  const struct prof_loop *loops = prof_trace_loops(trace, NULL);
  while (loop != PROF_NONE && loop != around)
    loop = loops[loop].parent;
  return loop == around;
}

/* The loop in bursts whose time the sample shows; PROF_NONE: none, it is the frame's own. */
static uint32_t loop_of(const struct study *study, const struct prof_sample *sample, uint32_t frame) {
  const prof_trace *trace = study->profile->trace;
  uint32_t function = function_of(study->profile, sample->node);
  uint32_t loop = prof_loop_code_at(&study->code, function, sample->module, sample->address);
  uint32_t around = prof_frame_loop(trace, frame);
  while (loop != PROF_NONE && loop != around && !study->loops[loop].in_bursts)
    loop = prof_trace_loops(trace, NULL)[loop].parent;
  return loop != PROF_NONE && loop != around && is_within(trace, loop, around) ? loop : PROF_NONE;
}

static struct prof_weighted *part_of(struct study *study, uint32_t frame, uint32_t loop) {
  uint32_t at = prof_index_meet(&study->known, &study->parts, prof_index_hash(frame, loop), i,
                                study->parts.items[i].frame == frame && study->parts.items[i].loop == loop,
                                ((struct part){.frame = frame, .loop = loop}));
  return at != UINT32_MAX ? &study->parts.items[at].met : NULL;
}

/* False, here and below: no memory. */
static bool add(struct study *study, const struct prof_sample *sample) {
  const struct prof_profile *profile = study->profile;
  if (sample->node == PROF_NONE || profile->nodes[sample->node].parent == 0 || !prof_sample_is_counted(sample))
    return true;
  uint32_t frame = profile->nodes[sample->node].function;
  double weight = sample->weight_ticks > 0 ? sample->weight_ticks : 1;
  if (frame == PROF_NONE)
    return true;
  if (sample->where != PROF_WHERE_PROBED || sample->module == PROF_NONE) {
    study->frames[frame].elsewhere += weight;
    return true;
  }
  prof_weighted_add(&study->frames[frame].located, 1, weight);
  uint32_t loop = loop_of(study, sample, frame);
  struct prof_weighted *met = loop != PROF_NONE ? part_of(study, frame, loop) : NULL;
  if (met)
    prof_weighted_add(met, 1, weight);
  return met || loop == PROF_NONE;
}

/* Loops that no sample met have a part of their functions, too: how much it may be is known. */
static bool add_unmet(struct study *study, size_t count) {
  const struct prof_loop *loops = prof_trace_loops(study->profile->trace, NULL);
  for (uint32_t i = 0; i < count; i++)
    if (study->loops[i].in_bursts && loops[i].function != PROF_NONE && !part_of(study, loops[i].function, i))
      return false;
  return true;
}

static const struct prof_function_figures *figures_of(const struct prof_profile *profile, uint32_t frame) {
  uint32_t loop = prof_frame_loop(profile->trace, frame);
  return loop != PROF_NONE ? &profile->loops[loop] : &profile->functions[frame];
}

/* Relative uncertainty of the frame's own time; a loop's is its function's. */
static void uncertainty_of(const struct prof_profile *profile, uint32_t frame, double self, double *below,
                           double *above) {
  uint32_t loop = prof_frame_loop(profile->trace, frame);
  uint32_t function = loop != PROF_NONE ? prof_trace_loops(profile->trace, NULL)[loop].function : frame;
  const struct prof_estimated *of =
      profile->estimated_functions && function != PROF_NONE ? &profile->estimated_functions[function] : NULL;
  *below = of && self > 0 ? fmin((double)of->self_below_ticks / self, 1) : 0;
  *above = of && self > 0 ? (double)of->self_above_ticks / self : 0;
}

/* Sums over frames: bounds are squares of distances. */
struct sums {
  double self, below2, above2, inner;
};

static void divide(const struct study *study, const struct part *part, struct sums *sums) {
  const struct prof_profile *profile = study->profile;
  const struct frame *frame = &study->frames[part->frame];
  const struct prof_function_figures *figures = figures_of(profile, part->frame);
  double self = (double)prof_time_part(PROF_TIME_RUNNING, figures->self_ticks, &figures->self_off);
  double share = prof_weighted_share(&part->met, &frame->located), all = frame->located.sum + frame->elsewhere;
  double known = all > 0 ? frame->located.sum / all : 0; /* part of the time that is located */
  struct prof_interval bounds = prof_interval_weighted(&part->met, &frame->located);
  double low = bounds.low * known, high = bounds.high * known + (1 - known), off_below, off_above;
  uncertainty_of(profile, part->frame, self, &off_below, &off_above);
  double below = self * hypot(share - low, share * off_below), above = self * hypot(high - share, share * off_above);
  sums[part->loop].self += self * share;
  sums[part->loop].below2 += below * below;
  sums[part->loop].above2 += above * above;
  uint32_t around = prof_frame_loop(profile->trace, part->frame);
  if (around == PROF_NONE)
    return;
  sums[around].inner += self * share;
  sums[around].below2 += above * above; /* what the inner one has not, it has */
  sums[around].above2 += below * below;
}

static uint64_t rounded(double ticks) {
  return prof_whole(ticks + 0.5);
}

static void settle(struct study *study, size_t count, const struct sums *sums) {
  for (size_t i = 0; i < count; i++) {
    struct prof_estimated_loop *loop = &study->loops[i];
    const struct prof_function_figures *figures = &study->profile->loops[i];
    double own = (double)prof_time_part(PROF_TIME_RUNNING, figures->self_ticks, &figures->self_off);
    double self = fmax(own - sums[i].inner, 0) + sums[i].self;
    loop->timed = loop->in_bursts || sums[i].inner > 0;
    loop->self_ticks = rounded(self);
    loop->self_below_ticks = rounded(fmin(sqrt(sums[i].below2), self));
    loop->self_above_ticks = rounded(sqrt(sums[i].above2));
  }
}

static bool any_in_bursts(const struct prof_estimated_loop *loops, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count && loops && !any; i++)
    any = loops[i].in_bursts;
  return any;
}

prof_status prof_burst_loop_times(struct prof_profile *profile, const struct prof_samples *samples,
                                  struct prof_diag *diag) {
  size_t count;
  prof_trace_loops(profile->trace, &count);
  struct study study = {.profile = profile, .loops = prof_profile_loops_of(profile)};
  if (samples->ordinary == 0 || !any_in_bursts(study.loops, count))
    return PROF_OK;
  struct sums *sums = calloc(count, sizeof *sums);
  study.frames = calloc(prof_frame_count(profile->trace), sizeof *study.frames);
  bool done = prof_loop_code_init(&study.code, profile->trace) && sums && study.frames;
  for (size_t i = 0; i < samples->count && done; i++)
    done = add(&study, &samples->items[i]);
  done = done && add_unmet(&study, count);
  for (size_t i = 0; i < study.parts.count && done; i++)
    divide(&study, &study.parts.items[i], sums);
  if (done)
    settle(&study, count, sums);
  prof_loop_code_fini(&study.code);
  prof_vec_fini(&study.parts);
  prof_index_fini(&study.known);
  free(study.frames);
  free(sums);
  return done ? PROF_OK : prof_diag_memory(diag);
}
