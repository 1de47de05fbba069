/*
 * test/unit/model_reference.h - a slow second statement of what a profile of a trace must be.
 *
 * Calls are collected one by one as intervals of time with the functions around them, waits likewise; then every figure
 * is computed from these lists by its definition.  Shares no code with tools/model; reads events by the library's
 * cursor.
 */
#ifndef PROF_TEST_MODEL_REFERENCE_H
#define PROF_TEST_MODEL_REFERENCE_H

#include "estimate/profile_build.h"
#include "model_case.h"

#define REFERENCE_MOST 20000
#define REFERENCE_LEVELS 64

struct reference_call {
  uint32_t thread, outer, function; /* outer: call index, UINT32_MAX none */
  uint64_t entry, exit;
  bool counted_before; /* a piece of a call that was counted before a hole */
  bool cut;            /* begin or end not seen */
  bool untimed;        /* recording went on after it was cut: how long it took isn't known */
  bool leads;          /* to a call of a function of --caller within the range, or is one */
};
struct reference_wait {
  uint32_t thread;
  uint64_t begin, end;
};
struct reference {
  struct reference_call calls[REFERENCE_MOST];
  size_t call_count;
  struct reference_wait waits[REFERENCE_MOST];
  size_t wait_count;
  uint64_t lost, unmatched;
};

struct reference_stack {
  uint32_t calls[REFERENCE_LEVELS * 64];
  size_t depth;
};

static inline void reference_push(struct reference *to, struct reference_stack *stack, struct reference_call call) {
  call.outer = stack->depth ? stack->calls[stack->depth - 1] : UINT32_MAX;
  stack->calls[stack->depth++] = (uint32_t)to->call_count;
  to->calls[to->call_count++] = call;
}

static inline void reference_pop(struct reference *to, struct reference_stack *stack, uint64_t count, uint64_t time,
                                 bool cut) {
  for (; count && stack->depth; count--) {
    struct reference_call *call = &to->calls[stack->calls[--stack->depth]];
    call->exit = time;
    call->cut |= cut;
  }
}

static inline void reference_stop(struct reference *to, struct reference_stack *stack, uint64_t time, bool last) {
  for (size_t i = 0; i < stack->depth; i++)
    to->calls[stack->calls[i]].untimed = !last;
  reference_pop(to, stack, UINT64_MAX, time, true);
}

static inline void reference_step(const prof_trace *trace, struct reference *to, struct reference_stack *stack,
                                  const struct prof_chunk *chunk, const struct prof_step *step, uint32_t thread,
                                  bool last) {
  if (step->op == PROF_OP_ENTRY)
    reference_push(to, stack,
                   (struct reference_call){.thread = thread,
                                           .function = prof_trace_site(trace, chunk->edges[step->value].site).function,
                                           .entry = step->time});
  else if (step->op == PROF_OP_EXIT)
    reference_pop(to, stack, step->count + 1, step->time, false);
  else if (step->op == PROF_OP_LANDED)
    reference_pop(to, stack, step->count, step->time, false);
  else if (step->op == PROF_OP_STOP)
    reference_stop(to, stack, step->time, last);
  else if (step->op == PROF_OP_STALL_BEGIN)
    to->waits[to->wait_count++] = (struct reference_wait){thread, step->time, UINT64_MAX};
  else if (step->op == PROF_OP_STALL_END) {
    if (to->wait_count && to->waits[to->wait_count - 1].end == UINT64_MAX)
      to->waits[to->wait_count - 1].end = step->time;
  } else if (step->op == PROF_OP_GAP)
    to->lost += step->count;
  else if (step->op == PROF_OP_UNMATCHED)
    to->unmatched++;
}

/* begin: of the range; it decides which calls before a hole were counted. */
static inline void reference_thread(const prof_trace *trace, struct reference *to, uint32_t thread, uint64_t begin) {
  size_t count;
  const struct prof_thread_info *info = &prof_trace_threads(trace, &count)[thread];
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &count);
  struct reference_stack *stack = calloc(1, sizeof *stack);
  struct prof_chunk chunk = {0};
  uint64_t last = 0;
  uint32_t next = 0; /* sequence */
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    uint32_t index = prof_trace_thread_chunks(trace)[info->first_chunk + i];
    if (prof_chunk_load(trace, index, NULL, &chunk) != PROF_OK)
      continue;
    if (refs[index].sequence != next) { /* a hole */
      reference_pop(to, stack, UINT64_MAX, last, true);
      if (to->wait_count && to->waits[to->wait_count - 1].end == UINT64_MAX)
        to->waits[to->wait_count - 1].end = last;
      for (uint32_t j = 0; j < chunk.frame_count; j++)
        reference_push(
            to, stack,
            (struct reference_call){.thread = thread,
                                    .function = prof_trace_site(trace, chunk.edges[chunk.frames[j].edge].site).function,
                                    .entry = chunk.base_time,
                                    .counted_before = last >= begin && chunk.frames[j].entry <= last,
                                    .cut = chunk.frames[j].entry < chunk.base_time});
    }
    next = refs[index].sequence + 1;
    struct prof_cursor cursor;
    struct prof_step step;
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &step))
      reference_step(trace, to, stack, &chunk, &step, thread,
                     i + 1 == info->chunk_count && step.time >= refs[index].last_time);
    last = cursor.time;
  }
  reference_pop(to, stack, UINT64_MAX, last, true);
  if (to->wait_count && to->waits[to->wait_count - 1].end == UINT64_MAX)
    to->waits[to->wait_count - 1].end = last;
  prof_chunk_free(&chunk);
  free(stack);
}

/* Length of [a, b) without the thread's waits. */
static inline uint64_t reference_net(const struct reference *from, uint32_t thread, uint64_t a, uint64_t b) {
  uint64_t length = b > a ? b - a : 0;
  for (size_t i = 0; i < from->wait_count; i++) {
    const struct reference_wait *wait = &from->waits[i];
    uint64_t begin = wait->begin > a ? wait->begin : a, end = wait->end < b ? wait->end : b;
    if (wait->thread == thread && end > begin)
      length -= end - begin;
  }
  return length;
}

static inline void reference_find_leads(struct reference *to, const struct prof_filter *filter) {
  for (uint32_t i = 0; i < to->call_count; i++) {
    const struct reference_call *call = &to->calls[i];
    uint32_t function = call->function < CASE_FUNCTIONS ? call->function : CASE_FUNCTIONS;
    if (!(filter->flags[function] & PROF_FILTER_CALLER) || call->exit < filter->begin_ticks ||
        call->entry >= filter->end_ticks)
      continue;
    for (uint32_t at = i; at != UINT32_MAX; at = to->calls[at].outer)
      to->calls[at].leads = true;
  }
}

/* What of a call is shown: false nothing.  path: the shown functions around it and itself, outermost first. */
static inline bool reference_shown(const struct reference *from, const struct reference_call *call,
                                   const struct prof_filter *filter, uint32_t *path, size_t *length) {
  uint32_t all[REFERENCE_LEVELS * 64];
  size_t count = 0, first = 0;
  if (filter->by_caller && !call->leads)
    return false;
  for (const struct reference_call *at = call;; at = &from->calls[at->outer]) {
    all[count++] = at->function;
    if (at->outer == UINT32_MAX)
      break;
  }
  for (size_t i = 0; i < count / 2; i++) {
    uint32_t swapped = all[i];
    all[i] = all[count - 1 - i];
    all[count - 1 - i] = swapped;
  }
#define FLAGS(f) filter->flags[(f) < CASE_FUNCTIONS ? (f) : CASE_FUNCTIONS]
  for (size_t i = 0; i < count; i++)
    if (FLAGS(all[i]) & PROF_FILTER_WITHOUT)
      return false;
  while (filter->has_only && first < count && !(FLAGS(all[first]) & PROF_FILTER_ONLY))
    first++;
#undef FLAGS
  *length = count - first;
  if (*length == 0 || (filter->depth && *length > filter->depth) || !filter->threads[call->thread])
    return false;
  memcpy(path, all + first, *length * sizeof *path);
  return call->exit >= filter->begin_ticks && call->entry < filter->end_ticks;
}

struct reference_node { /* what nodes of a profile are compared with */
  uint32_t thread;
  size_t length;
  uint32_t path[REFERENCE_LEVELS];
  uint64_t calls, total;
};
struct reference_figures {
  uint64_t calls, total, sum, self, min, max; /* sum: of all calls, recursion counted each time */
};
struct reference_result {
  struct reference_node *nodes;
  size_t node_count;
  struct reference_figures functions[CASE_FUNCTIONS + 1];
  uint64_t *durations[CASE_FUNCTIONS + 1]; /* of each call */
  size_t duration_count[CASE_FUNCTIONS + 1];
  uint64_t frames_cut;
};

static inline struct reference_node *reference_node(struct reference_result *result, uint32_t thread,
                                                    const uint32_t *path, size_t length) {
  for (size_t i = 0; i < result->node_count; i++) {
    struct reference_node *node = &result->nodes[i];
    if (node->thread == thread && node->length == length && memcmp(node->path, path, length * sizeof *path) == 0)
      return node;
  }
  if (length > REFERENCE_LEVELS)
    abort();
  struct reference_node *node = &result->nodes[result->node_count++];
  *node = (struct reference_node){.thread = thread, .length = length};
  memcpy(node->path, path, length * sizeof *path);
  return node;
}

static inline void reference_count(struct reference_result *result, const struct reference_call *call,
                                   const uint32_t *path, size_t length, uint64_t net, bool timed) {
  struct reference_node *node = reference_node(result, call->thread, path, length);
  uint32_t own = path[length - 1] < CASE_FUNCTIONS ? path[length - 1] : CASE_FUNCTIONS;
  struct reference_figures *figures = &result->functions[own];
  node->total += net;
  node->calls += !call->counted_before;
  figures->calls += !call->counted_before;
  bool outermost = true;
  for (size_t i = 0; i + 1 < length; i++)
    outermost &= path[i] != path[length - 1];
  figures->total += outermost ? net : 0;
  figures->sum += net;
  figures->self += net;
  if (length > 1)
    result->functions[path[length - 2] < CASE_FUNCTIONS ? path[length - 2] : CASE_FUNCTIONS].self -= net;
  if (!timed)
    return;
  figures->min = result->duration_count[own] == 0 || net < figures->min ? net : figures->min;
  figures->max = net > figures->max ? net : figures->max;
  result->durations[own][result->duration_count[own]++] = net;
}

static inline void reference_make(const prof_trace *trace, const struct prof_filter *filter, struct reference *calls,
                                  struct reference_result *result) {
  size_t thread_count;
  memset(calls, 0, sizeof *calls);
  memset(result, 0, sizeof *result);
  prof_trace_threads(trace, &thread_count);
  for (uint32_t i = 0; i < thread_count; i++)
    if (filter->threads[i])
      reference_thread(trace, calls, i, filter->begin_ticks);
  reference_find_leads(calls, filter);
  result->nodes = calloc(calls->call_count + 1, sizeof *result->nodes);
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++)
    result->durations[i] = calloc(calls->call_count + 1, sizeof(uint64_t));
  for (size_t i = 0; i < calls->call_count; i++) {
    const struct reference_call *call = &calls->calls[i];
    uint32_t path[REFERENCE_LEVELS * 64];
    size_t length;
    if (!reference_shown(calls, call, filter, path, &length))
      continue;
    uint64_t begin = call->entry > filter->begin_ticks ? call->entry : filter->begin_ticks;
    uint64_t end = call->exit < filter->end_ticks ? call->exit : filter->end_ticks;
    uint64_t net = reference_net(calls, call->thread, begin, end);
    if (net < filter->min_ticks)
      continue;
    result->frames_cut += call->cut || call->entry < filter->begin_ticks || call->exit >= filter->end_ticks;
    reference_count(result, call, path, length, net, !call->untimed || call->exit >= filter->end_ticks);
  }
}

static inline void reference_free(struct reference_result *result) {
  free(result->nodes);
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++)
    free(result->durations[i]);
}

#endif
