/*
 * tools/fold/walk.c - see walk.h: streams of threads, one after the other or merged by time.
 *
 * Merging keeps a binary heap of threads by the time of their next event.  A thread's first chunk is loaded when its
 * time has come, and given back when the thread is over.
 */
#include "fold/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "fold/summary/summary.h"
#include "fold/walk_stream.h"

struct walker {
  const prof_trace *trace;
  const struct prof_filter *filter;
  prof_walk_visit *visit;
  void *context;
  bool points;   /* are wanted */
  uint64_t told; /* events */
  bool stopped;  /* by the visitor */
};

static void tell(struct walker *walker, const struct prof_walk_event *event) {
  walker->told++;
  walker->stopped = !walker->visit(walker->context, event);
}

static bool shown(const struct walker *walker, size_t thread) {
  return !walker->filter->threads || walker->filter->threads[thread];
}

static prof_status walk_by_thread(struct walker *walker, size_t thread_count) {
  prof_status status = PROF_OK;
  for (size_t i = 0; i < thread_count && !walker->stopped && status == PROF_OK; i++) {
    struct prof_walk_stream stream;
    struct prof_walk_event event;
    uint64_t first_time;
    if (!shown(walker, i))
      continue;
    prof_walk_stream_begin(&stream, walker->trace, walker->filter, (uint32_t)i, &first_time);
    stream.wants_points = walker->points;
    while (first_time != UINT64_MAX && !walker->stopped && prof_walk_stream_next(&stream, &event))
      tell(walker, &event);
    status = stream.failed ? PROF_NO_MEMORY : PROF_OK;
    prof_walk_stream_end(&stream);
  }
  return status;
}

struct head { /* of a thread's queue */
  uint64_t time_ns;
  struct prof_walk_stream *stream;
  struct prof_walk_event event;
  bool has_event; /* false: time_ns is only a lower bound */
};

static bool before(const struct head *a, const struct head *b) {
  if (a->time_ns != b->time_ns)
    return a->time_ns < b->time_ns;
  return a->stream->thread < b->stream->thread;
}

static void sift_down(struct head *heap, size_t count, size_t at) {
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= count)
      return;
    if (child + 1 < count && before(&heap[child + 1], &heap[child]))
      child++;
    if (!before(&heap[child], &heap[at]))
      return;
    struct head swapped = heap[at];
    heap[at] = heap[child];
    heap[child] = swapped;
    at = child;
  }
}

/* Threads that have something to show, as a heap. */
static size_t fill_heap(const struct walker *walker, struct head *heap, struct prof_walk_stream *streams,
                        size_t thread_count) {
  uint64_t start = prof_trace_info(walker->trace)->start_ticks, first_time;
  size_t count = 0;
  for (size_t i = 0; i < thread_count; i++) {
    if (!shown(walker, i))
      continue;
    prof_walk_stream_begin(&streams[i], walker->trace, walker->filter, (uint32_t)i, &first_time);
    streams[i].wants_points = walker->points;
    if (first_time == UINT64_MAX)
      continue;
    uint64_t time_ns = first_time > start ? prof_trace_ns(walker->trace, first_time - start) : 0;
    heap[count++] = (struct head){.time_ns = time_ns, .stream = &streams[i]};
  }
  for (size_t i = count; i > 0; i--)
    sift_down(heap, count, i - 1);
  return count;
}

static prof_status walk_by_time(struct walker *walker, size_t thread_count) {
  struct head *heap = malloc((thread_count + 1) * sizeof *heap);
  struct prof_walk_stream *streams = calloc(thread_count + 1, sizeof *streams);
  prof_status status = heap && streams ? PROF_OK : PROF_NO_MEMORY;
  size_t count = status == PROF_OK ? fill_heap(walker, heap, streams, thread_count) : 0;
  while (count > 0 && !walker->stopped) {
    struct head *first = &heap[0];
    if (first->has_event)
      tell(walker, &first->event);
    first->has_event = !walker->stopped && prof_walk_stream_next(first->stream, &first->event);
    if (first->has_event) {
      first->time_ns = first->event.time_ns;
    } else {
      if (first->stream->failed)
        status = PROF_NO_MEMORY;
      prof_walk_stream_end(first->stream);
      heap[0] = heap[--count];
    }
    sift_down(heap, count, 0);
  }
  for (size_t i = 0; i < count; i++)
    prof_walk_stream_end(heap[i].stream);
  free(heap);
  free(streams);
  return status;
}

static prof_status walk(struct walker *walker, const struct prof_filter *filter, enum prof_walk_order order,
                        struct prof_diag *diag) {
  static const struct prof_filter everything = {.end_ticks = UINT64_MAX};
  size_t thread_count;
  walker->filter = filter ? filter : &everything;
  prof_trace_threads(walker->trace, &thread_count);
  prof_status status = prof_summary_refuse(walker->trace, diag);
  if (status != PROF_OK)
    return status;
  status = order == PROF_WALK_BY_THREAD ? walk_by_thread(walker, thread_count) : walk_by_time(walker, thread_count);
  if (status != PROF_OK)
    return prof_diag_memory(diag);
  return walker->told ? PROF_OK : prof_filter_empty(walker->trace, filter, diag);
}

prof_status prof_walk(const prof_trace *trace, const struct prof_filter *filter, enum prof_walk_order order,
                      prof_walk_visit *visit, void *context, struct prof_diag *diag) {
  struct walker walker = {.trace = trace, .visit = visit, .context = context};
  return walk(&walker, filter, order, diag);
}

prof_status prof_walk_points(const prof_trace *trace, const struct prof_filter *filter, enum prof_walk_order order,
                             prof_walk_visit *visit, void *context, struct prof_diag *diag) {
  size_t point_count;
  prof_trace_points(trace, &point_count);
  struct walker walker = {.trace = trace, .visit = visit, .context = context, .points = point_count > 0};
  return walk(&walker, filter, order, diag);
}
