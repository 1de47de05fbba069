/*
 * tools/fold/measured.c - see measured.h.
 *
 * Each thread is a stream, which is driven up to its next measured event; a binary heap has the threads by the time of
 * that event.  Entries and exits of calls change only their thread's node.
 */
#include "fold/measured.h"

#include <stdlib.h>

#include "base/diag.h"
#include "fold/walk_stream.h"

struct source { /* a thread */
  struct prof_walk_stream stream;
  struct prof_walk_event event; /* the one to be given out */
  uint32_t node, process;
};

struct merge {
  const prof_trace *trace;
  const struct prof_filter *filter; /* the user's */
  struct prof_filter wide;          /* the same for all times and durations */
  struct prof_measured_paths *paths;
  struct source **heap;
  size_t count;
};

void prof_measured_paths_fini(struct prof_measured_paths *paths) {
  prof_vec_fini(&paths->nodes);
  prof_index_fini(&paths->known);
}

static uint32_t node_below(struct prof_measured_paths *paths, uint32_t parent, uint32_t function) {
  const struct prof_measured_node node = {parent, function, paths->nodes.items[parent].depth + 1};
  return prof_index_meet(&paths->known, &paths->nodes, prof_index_hash(parent, function), i,
                         paths->nodes.items[i].parent == parent && paths->nodes.items[i].function == function && i > 0,
                         node);
}

/* Drives a thread to its next measured event; false: it has none, or there is no memory (`stream.failed`). */
static bool advance(struct merge *merge, struct source *source) {
  while (prof_walk_stream_next(&source->stream, &source->event)) {
    if (source->event.kind == PROF_WALK_MEASURE)
      return true;
    if (source->event.kind == PROF_WALK_ENTER)
      source->node = node_below(merge->paths, source->node, source->event.function);
    else if (source->event.kind == PROF_WALK_LEAVE)
      source->node = merge->paths->nodes.items[source->node].parent;
    if (source->node == UINT32_MAX) {
      source->stream.failed = true;
      return false;
    }
  }
  return false;
}

static uint64_t time_of(const struct source *source) {
  return source->stream.step.time;
}

static bool before(const struct source *a, const struct source *b) {
  return time_of(a) != time_of(b) ? time_of(a) < time_of(b) : a->stream.thread < b->stream.thread;
}

static void sift_down(struct merge *merge, size_t at) {
  struct source **heap = merge->heap;
  for (size_t child; (child = 2 * at + 1) < merge->count; at = child) {
    child += child + 1 < merge->count && before(heap[child + 1], heap[child]);
    if (!before(heap[child], heap[at]))
      return;
    struct source *swapped = heap[at];
    heap[at] = heap[child];
    heap[child] = swapped;
  }
}

/* False: no memory. */
static bool begin(struct merge *merge, struct source *sources, size_t thread_count) {
  const struct prof_thread_info *threads = prof_trace_threads(merge->trace, NULL);
  bool good = true;
  for (size_t i = 0; i < thread_count && good; i++) {
    uint64_t first_time;
    prof_walk_stream_begin(&sources[i].stream, merge->trace, &merge->wide, (uint32_t)i, &first_time);
    sources[i].stream.measures = true;
    sources[i].process = threads[i].process;
    if (first_time != UINT64_MAX && advance(merge, &sources[i]))
      merge->heap[merge->count++] = &sources[i];
    good = !sources[i].stream.failed;
  }
  for (size_t i = merge->count; i > 0; i--)
    sift_down(merge, i - 1);
  return good;
}

static struct prof_measured measured(const struct merge *merge, const struct source *source) {
  const struct prof_step *step = &source->stream.step;
  const struct prof_filter *filter = merge->filter;
  const uint32_t thread = source->stream.thread;
  bool in_time = step->time >= filter->begin_ticks && step->time < filter->end_ticks;
  return (struct prof_measured){.thread = thread,
                                .process = source->process,
                                .node = source->node,
                                .function = source->event.function,
                                .operation = step->value,
                                .shown =
                                    source->event.within && in_time && (!filter->threads || filter->threads[thread]),
                                .time_ticks = step->time,
                                .caller = step->count,
                                .first = step->operands[0],
                                .second = step->operands[1]};
}

/* False: no memory. */
static bool run(struct merge *merge, prof_measured_visit *visit, void *context) {
  while (merge->count > 0) {
    struct source *first = merge->heap[0];
    const struct prof_measured event = measured(merge, first);
    if (!visit(context, &event))
      return false;
    if (!advance(merge, first)) {
      if (first->stream.failed)
        return false;
      prof_walk_stream_end(&first->stream);
      merge->heap[0] = merge->heap[--merge->count];
    }
    sift_down(merge, 0);
  }
  return true;
}

prof_status prof_measured_walk(const prof_trace *trace, const struct prof_filter *filter, prof_measured_visit *visit,
                               void *context, struct prof_measured_paths *paths, struct prof_diag *diag) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  struct source *sources = calloc(thread_count + 1, sizeof *sources);
  struct merge merge = {.trace = trace, .filter = filter, .wide = *filter, .paths = paths};
  merge.wide.begin_ticks = merge.wide.min_ticks = 0;
  merge.wide.end_ticks = UINT64_MAX;
  merge.heap = calloc(thread_count + 1, sizeof *merge.heap);
  *paths = (struct prof_measured_paths){0};
  const struct prof_measured_node root = {.function = PROF_NONE};
  bool good = sources && merge.heap && prof_vec_push(&paths->nodes, root) && begin(&merge, sources, thread_count) &&
              run(&merge, visit, context);
  for (size_t i = 0; sources && i < thread_count; i++)
    prof_walk_stream_end(&sources[i].stream);
  free(sources);
  free(merge.heap);
  return good ? PROF_OK : prof_diag_memory(diag);
}
