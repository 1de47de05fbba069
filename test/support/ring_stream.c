/*
 * test/support/ring_stream.c - see ring_stream.h.
 */
#include "ring_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/matcher.h"
#include "synthetic.h"
#include "trace/read/cursor_inline.h"

static void need(int fine, const char *what) {
  if (!fine) {
    fprintf(stderr, "ring_stream: %s\n", what);
    exit(1);
  }
}

struct prof_ring_stream prof_ring_stream_made_up(size_t count, uint32_t functions, uint32_t jitter) {
  struct prof_synthetic *synthetic =
      prof_synthetic_new(&(struct prof_synthetic_options){functions, jitter, 1, 1000000000});
  struct prof_ring_stream stream = {malloc(count * sizeof *stream.events),
                                    count,
                                    count,
                                    calloc(2 * (size_t)functions + 1, sizeof *stream.functions),
                                    2 * functions + 1,
                                    1};
  need(synthetic && stream.events && stream.functions, "out of memory");
  for (uint32_t i = 0; i < functions; i++)
    stream.functions[1 + 2 * i] = stream.functions[2 + 2 * i] = i;
  prof_synthetic_fill(synthetic, stream.events, count);
  prof_synthetic_free(synthetic);
  return stream;
}

/* ---- a recorded trace as ring events again: its busiest thread ---- */

static void put(struct prof_ring_stream *stream, uint64_t time, uint32_t what, uint32_t aux) {
  if (stream->count == stream->capacity) {
    stream->capacity = stream->capacity ? stream->capacity * 2 : 1 << 20;
    stream->events = realloc(stream->events, stream->capacity * sizeof *stream->events);
    need(stream->events != NULL, "out of memory");
  }
  stream->events[stream->count++] = (struct prof_event){time, what, aux};
}

struct replayed {
  const prof_trace *trace;
  struct prof_ring_stream stream;
  uint32_t *exits, *landings; /* by entry site: a site of that kind in the same function; 0 none */
  uint32_t *stack;            /* entry sites */
  uint32_t depth;
};
#define STACK_LIMIT (1u << 20)

static void find_sites(struct replayed *replayed) {
  struct prof_ring_stream *stream = &replayed->stream;
  size_t functions, loads;
  prof_trace_functions(replayed->trace, &functions);
  const struct prof_load *load = prof_trace_loads(replayed->trace, &loads);
  for (size_t i = 0; i < loads; i++)
    if (load[i].first_site + load[i].site_count > stream->site_count)
      stream->site_count = load[i].first_site + load[i].site_count;
  stream->functions = calloc(stream->site_count + 1, sizeof *stream->functions);
  replayed->exits = calloc(stream->site_count + 1, sizeof *replayed->exits);
  replayed->landings = calloc(stream->site_count + 1, sizeof *replayed->landings);
  replayed->stack = calloc(STACK_LIMIT, sizeof *replayed->stack);
  uint32_t(*of_kind)[4] = calloc(functions + 1, sizeof *of_kind);
  need(stream->functions && replayed->exits && replayed->landings && replayed->stack && of_kind, "out of memory");
  for (uint32_t site = 1; site < stream->site_count; site++) {
    struct prof_site_info info = prof_trace_site(replayed->trace, site);
    stream->functions[site] = info.function == PROF_NONE ? PROF_MATCHER_NO_FUNCTION : info.function;
    if (info.function != PROF_NONE)
      of_kind[info.function][info.kind & 3] = site;
  }
  for (uint32_t site = 1; site < stream->site_count; site++)
    if (stream->functions[site] != PROF_MATCHER_NO_FUNCTION) {
      replayed->exits[site] = of_kind[stream->functions[site]][PROF_EVENT_EXIT];
      replayed->landings[site] = of_kind[stream->functions[site]][PROF_EVENT_LANDED];
    }
  free(of_kind);
}

/* The event that made this step; a frame's address is its depth. */
static void take_step(struct replayed *replayed, const struct prof_chunk *chunk, const struct prof_step *step) {
  struct prof_ring_stream *stream = &replayed->stream;
  if (step->op == PROF_OP_ENTRY && replayed->depth < STACK_LIMIT) {
    const struct prof_edge *edge = &chunk->edges[step->value];
    replayed->stack[replayed->depth++] = edge->site;
    put(stream, step->time, prof_event_what(edge->site, PROF_EVENT_ENTRY), edge->caller);
    if (replayed->landings[edge->site])
      put(stream, step->time, prof_event_what(edge->site, PROF_EVENT_FRAME), replayed->depth);
  } else if (step->op == PROF_OP_EXIT && step->count < replayed->depth) {
    replayed->depth -= (uint32_t)step->count + 1;
    put(stream, step->time, prof_event_what(replayed->exits[replayed->stack[replayed->depth]], PROF_EVENT_EXIT), 0);
  } else if (step->op == PROF_OP_LANDED && step->count < replayed->depth) {
    replayed->depth -= (uint32_t)step->count;
    uint32_t site = replayed->landings[replayed->stack[replayed->depth - 1]];
    put(stream, step->time, prof_event_what(site, PROF_EVENT_LANDED), replayed->depth);
  }
}

struct prof_ring_stream prof_ring_stream_recorded(const char *path, size_t limit) {
  struct replayed replayed = {0};
  struct prof_diag diag;
  prof_trace *trace;
  need(prof_trace_open(path, &diag, &trace) == PROF_OK, "cannot open the trace");
  replayed.trace = trace;
  size_t busiest = 0, threads;
  const struct prof_thread_info *thread = prof_trace_threads(trace, &threads);
  for (size_t i = 0; i < threads; i++)
    if (thread[i].events > thread[busiest].events)
      busiest = i;
  need(threads > 0, "there are no threads in the trace");
  replayed.stream.thread = thread[busiest].number;
  find_sites(&replayed);
  const uint32_t *order = prof_trace_thread_chunks(trace) + thread[busiest].first_chunk;
  struct prof_chunk chunk = {0};
  for (uint32_t i = 0; i < thread[busiest].chunk_count && replayed.stream.count < limit; i++) {
    if (prof_chunk_load(trace, order[i], NULL, &chunk) != PROF_OK)
      continue;
    struct prof_cursor cursor;
    struct prof_step step;
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &step))
      take_step(&replayed, &chunk, &step);
  }
  prof_chunk_free(&chunk);
  free(replayed.exits);
  free(replayed.landings);
  free(replayed.stack);
  prof_trace_close(trace);
  return replayed.stream;
}

void prof_ring_stream_jitter(struct prof_ring_stream *stream, unsigned ticks) {
  uint64_t last = 0, state = 88172645463325252ull;
  for (size_t i = 0; i < stream->count; i++) {
    state ^= state << 13; /* xorshift64, G. Marsaglia 2003 */
    state ^= state >> 7;
    state ^= state << 17;
    uint64_t time = stream->events[i].time + (state >> 20) % (2 * ticks + 1) - ticks;
    last = stream->events[i].time = time < last ? last : time;
  }
}

void prof_ring_stream_free(struct prof_ring_stream *stream) {
  free(stream->events);
  free(stream->functions);
  *stream = (struct prof_ring_stream){0};
}
