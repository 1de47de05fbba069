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
#define REFERENCE_MOST_PIECES 60000
#define REFERENCE_LEVELS 64
#define REFERENCE_NONE UINT32_MAX

struct reference_call {
  uint32_t thread, function, first, last; /* pieces */
  uint64_t entry, exit;
  bool counted_before;  /* a piece of a call that was counted before a hole */
  bool cut_in, cut_out; /* begin or end not seen */
  bool untimed;         /* recording went on after it was cut: how long it took isn't known */
  bool leads;           /* to a call of a function of --caller within the range, or is one */
};
struct reference_piece {      /* of a call: while it stood at one place; most calls have one */
  uint32_t call, outer, next; /* outer: piece of the call around it; next: of the same call */
  uint64_t begin, end;
};
struct reference_wait {
  uint32_t thread;
  uint64_t begin, end;
};
struct reference {
  struct reference_call calls[REFERENCE_MOST];
  size_t call_count;
  struct reference_piece pieces[REFERENCE_MOST_PIECES];
  size_t piece_count;
  struct reference_wait waits[REFERENCE_MOST];
  size_t wait_count;
  uint64_t lost, unmatched, around;
};

struct reference_stack {
  uint32_t pieces[REFERENCE_LEVELS * 64];
  size_t depth;
};

static inline uint32_t reference_piece_add(struct reference *to, struct reference_stack *stack, uint32_t call,
                                           uint64_t time) {
  if (to->piece_count == REFERENCE_MOST_PIECES || stack->depth == REFERENCE_LEVELS * 64)
    abort();
  uint32_t outer = stack->depth ? stack->pieces[stack->depth - 1] : REFERENCE_NONE;
  to->pieces[to->piece_count] = (struct reference_piece){call, outer, REFERENCE_NONE, time, UINT64_MAX};
  return stack->pieces[stack->depth++] = (uint32_t)to->piece_count++;
}

static inline void reference_push(struct reference *to, struct reference_stack *stack, struct reference_call call) {
  if (to->call_count == REFERENCE_MOST)
    abort();
  call.first = call.last = reference_piece_add(to, stack, (uint32_t)to->call_count, call.entry);
  to->calls[to->call_count++] = call;
}

static inline void reference_pop(struct reference *to, struct reference_stack *stack, uint64_t count, uint64_t time,
                                 bool cut) {
  for (; count && stack->depth; count--) {
    struct reference_piece *piece = &to->pieces[stack->pieces[--stack->depth]];
    struct reference_call *call = &to->calls[piece->call];
    piece->end = call->exit = time;
    call->cut_out |= cut;
  }
}

/* All `inside` innermost calls stand at another place from now on, without the call around them. */
static inline void reference_around(struct reference *to, struct reference_stack *stack, uint64_t inside,
                                    uint64_t time) {
  uint32_t staying[REFERENCE_LEVELS * 64];
  if (inside >= stack->depth)
    return;
  memcpy(staying, stack->pieces + stack->depth - inside, inside * sizeof *staying);
  stack->depth -= inside;
  reference_pop(to, stack, 1, time, false);
  for (uint64_t i = 0; i < inside; i++) {
    uint32_t call = to->pieces[staying[i]].call;
    to->pieces[staying[i]].end = time;
    to->calls[call].last = to->pieces[staying[i]].next = reference_piece_add(to, stack, call, time);
  }
  to->around++;
}

static inline void reference_stop(struct reference *to, struct reference_stack *stack, uint64_t time, bool last) {
  for (size_t i = 0; i < stack->depth; i++)
    to->calls[to->pieces[stack->pieces[i]].call].untimed = !last;
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
  else if (step->op == PROF_OP_EXIT_AROUND)
    reference_around(to, stack, step->count, step->time);
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
                                    .cut_in = chunk.frames[j].entry < chunk.base_time});
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
    for (uint32_t at = call->last; at != REFERENCE_NONE; at = to->pieces[at].outer)
      to->calls[to->pieces[at].call].leads = true;
  }
}

/* A call's duration up to `end`, within the range. */
static inline uint64_t reference_age(const struct reference *from, const struct reference_call *call,
                                     const struct prof_filter *filter, uint64_t end) {
  uint64_t begin = call->entry > filter->begin_ticks ? call->entry : filter->begin_ticks;
  return reference_net(from, call->thread, begin, end < filter->end_ticks ? end : filter->end_ticks);
}

/* Is a piece of a call shown?  path: the shown functions around it and itself, outermost first. */
static inline bool reference_shown(const struct reference *from, uint32_t piece, const struct prof_filter *filter,
                                   uint32_t *path, size_t *length) {
  uint32_t all[REFERENCE_LEVELS * 64];
  const struct reference_call *call = &from->calls[from->pieces[piece].call];
  size_t count = 0, first = 0;
  if (filter->by_caller && !call->leads)
    return false;
  for (uint32_t at = piece; at != REFERENCE_NONE; at = from->pieces[at].outer, count++)
    ;
  for (uint32_t at = piece, i = (uint32_t)count; at != REFERENCE_NONE; at = from->pieces[at].outer)
    all[--i] = from->calls[from->pieces[at].call].function;
#define FLAGS(f) filter->flags[(f) < CASE_FUNCTIONS ? (f) : CASE_FUNCTIONS]
  for (size_t i = 0; i < count; i++)
    if (FLAGS(all[i]) & PROF_FILTER_WITHOUT)
      return false;
  while (filter->has_only && first < count && !(FLAGS(all[first]) & PROF_FILTER_ONLY))
    first++;
#undef FLAGS
  if (first == count || (filter->depth && count - first > filter->depth) || !filter->threads[call->thread])
    return false;
  *length = count - first;
  memcpy(path, all + first, *length * sizeof *path);
  return from->pieces[piece].end >= filter->begin_ticks && from->pieces[piece].begin < filter->end_ticks;
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
  bool *bare; /* of each */
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

static inline uint32_t reference_number(uint32_t function) {
  return function < CASE_FUNCTIONS ? function : CASE_FUNCTIONS;
}

/* Is it within a call that -t leaves out?  Then so is the time of the piece. */
static inline bool reference_is_in_short(const struct reference *from, uint32_t piece,
                                         const struct prof_filter *filter) {
  while ((piece = from->pieces[piece].outer) != REFERENCE_NONE) {
    const struct reference_call *call = &from->calls[from->pieces[piece].call];
    if (reference_age(from, call, filter, call->exit) < filter->min_ticks)
      return true;
  }
  return false;
}

/* The time of a piece, which is that of its place. */
static inline struct reference_node *reference_time(struct reference_result *result, uint32_t thread,
                                                    const uint32_t *path, size_t length, uint64_t net) {
  struct reference_node *node = reference_node(result, thread, path, length);
  struct reference_figures *figures = &result->functions[reference_number(path[length - 1])];
  bool outermost = true;
  for (size_t i = 0; i + 1 < length; i++)
    outermost &= path[i] != path[length - 1];
  node->total += net;
  figures->total += outermost ? net : 0;
  figures->sum += net;
  figures->self += net;
  if (length > 1)
    result->functions[reference_number(path[length - 2])].self -= net;
  return node;
}

/* A call, or what is shown of one: it counts where it ends, with its whole duration. */
static inline void reference_count(struct reference_result *result, const struct reference_call *call,
                                   struct reference_node *node, uint64_t net, bool timed) {
  uint32_t own = reference_number(call->function);
  struct reference_figures *figures = &result->functions[own];
  node->calls += !call->counted_before;
  figures->calls += !call->counted_before;
  if (!timed)
    return;
  figures->min = result->duration_count[own] == 0 || net < figures->min ? net : figures->min;
  figures->max = net > figures->max ? net : figures->max;
  result->durations[own][result->duration_count[own]++] = net;
}

/* The pieces [from, to] of a call follow each other, all shown, and the next one isn't. */
static inline void reference_run(const struct reference *calls, const struct prof_filter *filter, uint32_t from,
                                 uint32_t to, bool last, struct reference_result *result) {
  const struct reference_call *call = &calls->calls[calls->pieces[from].call];
  const uint64_t age = reference_age(calls, call, filter, calls->pieces[to].end);
  const bool whole = call->exit < filter->end_ticks;
  struct reference_node *node = NULL;
  if (age < filter->min_ticks)
    return;
  for (uint32_t at = from;; at = calls->pieces[at].next) {
    const struct reference_piece *piece = &calls->pieces[at];
    uint32_t path[REFERENCE_LEVELS * 64];
    size_t length;
    (void)reference_shown(calls, at, filter, path, &length);
    uint64_t begin = piece->begin > filter->begin_ticks ? piece->begin : filter->begin_ticks;
    uint64_t end = piece->end < filter->end_ticks ? piece->end : filter->end_ticks;
    if (!reference_is_in_short(calls, at, filter))
      node = reference_time(result, call->thread, path, length, reference_net(calls, call->thread, begin, end));
    if (at == to)
      break;
  }
  reference_count(result, call, node, age, !last || !call->untimed || !whole);
}

static inline void reference_take(const struct reference *calls, const struct prof_filter *filter, uint32_t number,
                                  struct reference_result *result) {
  const struct reference_call *call = &calls->calls[number];
  const bool cut_in = call->cut_in || call->entry < filter->begin_ticks;
  uint32_t from = REFERENCE_NONE, before = REFERENCE_NONE;
  bool any = false, shown = false;
  for (uint32_t at = call->first; at != REFERENCE_NONE; at = calls->pieces[at].next) {
    uint32_t path[REFERENCE_LEVELS * 64];
    size_t length;
    if (calls->pieces[at].end < filter->begin_ticks)
      continue;
    if (calls->pieces[at].begin >= filter->end_ticks)
      break;
    shown = reference_shown(calls, at, filter, path, &length);
    result->frames_cut +=
        !any && cut_in && shown && reference_age(calls, call, filter, call->exit) >= filter->min_ticks;
    any = true;
    if (!shown && from != REFERENCE_NONE)
      reference_run(calls, filter, from, before, false, result);
    from = !shown ? REFERENCE_NONE : from == REFERENCE_NONE ? at : from;
    before = at;
  }
  if (from == REFERENCE_NONE)
    return;
  reference_run(calls, filter, from, before, true, result);
  result->frames_cut += !cut_in && (call->cut_out || call->exit >= filter->end_ticks) &&
                        reference_age(calls, call, filter, call->exit) >= filter->min_ticks;
}

/* Without those that have neither calls nor time, nor any inside of them. */
static inline void reference_drop_bare(struct reference_result *result) {
  size_t kept = 0;
  for (size_t i = 0; i < result->node_count; i++) {
    const struct reference_node *node = &result->nodes[i];
    bool full = false;
    for (size_t j = 0; j < result->node_count && !full; j++) {
      const struct reference_node *other = &result->nodes[j];
      full = other->thread == node->thread && other->length >= node->length && (other->calls || other->total) &&
             memcmp(other->path, node->path, node->length * sizeof *node->path) == 0;
    }
    result->bare[i] = !full;
  }
  for (size_t i = 0; i < result->node_count; i++)
    if (!result->bare[i])
      result->nodes[kept++] = result->nodes[i];
  result->node_count = kept;
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
  result->nodes = calloc(calls->piece_count + 1, sizeof *result->nodes);
  result->bare = calloc(calls->piece_count + 1, 1);
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++)
    result->durations[i] = calloc(calls->piece_count + 1, sizeof(uint64_t));
  for (uint32_t i = 0; i < calls->call_count; i++)
    reference_take(calls, filter, i, result);
  reference_drop_bare(result);
}

static inline void reference_free(struct reference_result *result) {
  free(result->nodes);
  free(result->bare);
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++)
    free(result->durations[i]);
}

#endif
