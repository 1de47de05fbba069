/*
 * tools/match/emit.c - steps of a matcher, into its encoder or through its filter (keep.h).
 */
#include "matcher_state.h"

bool prof_matcher_begin(struct prof_matcher *matcher, uint64_t time) {
  uint64_t base = time > matcher->last_time ? time : matcher->last_time;
  const struct prof_open_stack stack = {.frames = matcher->stack,
                                        .depth = matcher->depth,
                                        .omitted = matcher->omitted,
                                        .stalled_ticks = prof_matcher_stalled(matcher, base)};
  if (!prof_encoder_begin(matcher->encoder, base, &stack))
    return false;
  matcher->last_time = base;
  return true;
}

bool prof_matcher_is_begun(struct prof_matcher *matcher, uint64_t time) {
  if (matcher->keep && !matcher->figures.first_ticks)
    matcher->figures.first_ticks = time > matcher->last_time ? time : matcher->last_time;
  if (matcher->keep || matcher->encoder->count) /* a filter begins its chunks itself */
    return true;
  if (!prof_matcher_begin(matcher, time)) {
    matcher->figures.dropped++;
    return false;
  }
  if (!matcher->figures.first_ticks)
    matcher->figures.first_ticks = matcher->last_time;
  return true;
}

static inline uint64_t clamp(struct prof_matcher *matcher, uint64_t time) {
  if (time < matcher->last_time) {
    bool stepped_back = matcher->last_time != matcher->cut_time;
    matcher->figures.inversions += stepped_back;
    matcher->encoder->inversions += stepped_back;
    time = matcher->last_time;
  }
  matcher->last_time = time;
  return time;
}

void prof_matcher_put_step(struct prof_matcher *matcher, struct prof_step *step) {
  step->time = clamp(matcher, step->time);
  if (!matcher->keep)
    prof_encoder_put(matcher->encoder, step);
  else if (!prof_keep_step(matcher->keep, step))
    matcher->figures.dropped++;
}

static inline void put(struct prof_matcher *matcher, uint64_t time, enum prof_op op, uint32_t value, uint64_t count) {
  prof_matcher_put_step(matcher, &(struct prof_step){.op = op, .value = value, .count = count, .time = time});
}

bool prof_matcher_emit(struct prof_matcher *matcher, uint64_t time, enum prof_op op, uint32_t value, uint64_t count) {
  if (!prof_matcher_is_begun(matcher, time))
    return false;
  put(matcher, time, op, value, count);
  return true;
}

bool prof_matcher_emit_nothing(struct prof_matcher *matcher, uint64_t time) {
  return prof_matcher_emit(matcher, time, PROF_OP_NOTHING, 0, 0);
}

/* What the program reports. */
static bool emit_point(struct prof_matcher *matcher, struct prof_step step) {
  if (!matcher->keep)
    return prof_matcher_emit(matcher, step.time, step.op, step.value, step.count);
  (void)prof_matcher_is_begun(matcher, step.time);
  step.time = clamp(matcher, step.time);
  bool good = prof_keep_point(matcher->keep, &step);
  matcher->figures.dropped += !good;
  return good;
}

bool prof_matcher_emit_moment(struct prof_matcher *matcher, uint64_t time) {
  return emit_point(matcher, (struct prof_step){.op = PROF_OP_NOTHING, .time = time});
}

bool prof_matcher_emit_value(struct prof_matcher *matcher, uint64_t time, uint32_t site, uint64_t value) {
  return emit_point(matcher, (struct prof_step){.op = PROF_OP_VALUE, .value = site, .count = value, .time = time});
}

void prof_matcher_emit_iterations(struct prof_matcher *matcher, uint32_t site, uint64_t value) {
  struct prof_step step = {.op = PROF_OP_VALUE, .value = site, .count = value, .time = matcher->last_time};
  if (!matcher->keep)
    prof_matcher_emit(matcher, step.time, PROF_OP_VALUE, site, value);
  else if (!prof_keep_value(matcher->keep, &step, prof_matcher_function(matcher, site)))
    matcher->figures.dropped++;
}

bool prof_matcher_put_entry(struct prof_matcher *matcher, uint64_t time, uint64_t key, uint32_t function,
                            bool is_loop) {
  if (matcher->keep)
    return prof_keep_enter(matcher->keep, clamp(matcher, time), key, function);
  const struct prof_edge_slot *edge = prof_encoder_edge(matcher->encoder, key, function);
  if (!edge)
    return false;
  matcher->encoder->loop_entries += is_loop;
  put(matcher, time, PROF_OP_ENTRY, edge->index, 0);
  return true;
}
