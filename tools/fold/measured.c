/*
 * tools/fold/measured.c - see measured.h.
 *
 * Each thread is a stream, which is driven up to its next measured event; a binary heap has the threads by the time of
 * that event.  Entries and exits of calls change only their thread's node.
 */
#include "fold/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "fold/tail_calls.h"
#include "measure.h"

struct request { /* that a thread works for */
  uint64_t id;
  uint32_t depth; /* of its zone */
};

struct source { /* a thread */
  struct prof_walk_stream stream;
  struct prof_walk_event event; /* the one to be given out */
  uint32_t node, process;
  PROF_VEC(struct request) requests; /* the innermost one last */
  PROF_VEC(struct request) staying;  /* of zones that go on, the innermost first; depth UINT32_MAX: of other frames */
  PROF_VEC(uint64_t) regions;        /* of OpenMP, that it works in: their callers; likewise */
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

uint32_t prof_measured_path_below(struct prof_measured_paths *paths, uint32_t parent, uint32_t function) {
  const struct prof_measured_node node = {parent, function, paths->nodes.items[parent].depth + 1};
  return prof_index_meet(&paths->known, &paths->nodes, prof_index_hash(parent, function), i,
                         paths->nodes.items[i].parent == parent && paths->nodes.items[i].function == function && i > 0,
                         node);
}

/* Requests whose zones are left end, also those that filters hide. */
static void end_requests(struct source *source, uint32_t depth) {
  while (source->requests.count && source->requests.items[source->requests.count - 1].depth >= depth)
    source->requests.count--;
}

/* A frame stays open when one around it is left; both events are `goes_on`.  False: no memory. */
static bool keep_request(struct source *source, uint32_t depth) {
  const size_t count = source->requests.count;
  const bool is_one = count > 0 && source->requests.items[count - 1].depth == depth;
  const struct request request = is_one ? source->requests.items[count - 1] : (struct request){0, UINT32_MAX};
  source->requests.count -= is_one;
  return prof_vec_push(&source->staying, request);
}
static bool resume_request(struct source *source, uint32_t depth) {
  if (source->staying.count == 0)
    return true;
  const uint32_t was = source->staying.items[--source->staying.count].depth;
  const struct request request = {source->staying.items[source->staying.count].id, depth};
  return was == UINT32_MAX || prof_vec_push(&source->requests, request);
}

static bool begin_request(const struct merge *merge, struct source *source) {
  const struct prof_walk_event *event = &source->event;
  const struct prof_site_info site = prof_trace_site(merge->trace, event->site);
  const struct request request = {event->value, event->depth - 1};
  return prof_trace_points(merge->trace, NULL)[site.point].kind != PROF_POINT_IS_REQUEST || event->depth == 0 ||
         prof_vec_push(&source->requests, request);
}

/* Drives a thread to its next measured event; false: it has none, or there is no memory (`stream.failed`). */
static bool advance(struct merge *merge, struct source *source) {
  while (prof_walk_stream_next(&source->stream, &source->event)) {
    if (source->event.kind == PROF_WALK_MEASURE)
      return true;
    if (source->event.kind == PROF_WALK_ENTER)
      source->node = prof_measured_path_below(merge->paths, source->node, source->event.function);
    else if (source->event.kind == PROF_WALK_LEAVE)
      source->node = merge->paths->nodes.items[source->node].parent;
    bool good = source->event.kind != PROF_WALK_POINT || begin_request(merge, source);
    if (source->event.goes_on && source->event.kind == PROF_WALK_ENTER)
      good = resume_request(source, source->event.depth);
    else if (source->event.goes_on)
      good = keep_request(source, source->event.depth);
    else if (source->event.kind == PROF_WALK_LEAVE)
      end_requests(source, source->event.depth);
    if (source->node == UINT32_MAX || !good) {
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

static bool has_requests(const prof_trace *trace) {
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  while (count > 0 && points[count - 1].kind != PROF_POINT_IS_REQUEST)
    count--;
  return count > 0;
}

/* False: no memory. */
static bool begin(struct merge *merge, struct source *sources, size_t thread_count) {
  const struct prof_thread_info *threads = prof_trace_threads(merge->trace, NULL);
  const bool wants_points = has_requests(merge->trace);
  bool good = true;
  for (size_t i = 0; i < thread_count && good; i++) {
    uint64_t first_time;
    prof_walk_stream_begin(&sources[i].stream, merge->trace, &merge->wide, (uint32_t)i, &first_time);
    sources[i].stream.measures = true;
    sources[i].stream.wants_points = wants_points;
    sources[i].process = threads[i].process;
    if (first_time != UINT64_MAX && advance(merge, &sources[i]))
      merge->heap[merge->count++] = &sources[i];
    good = !sources[i].stream.failed;
  }
  for (size_t i = merge->count; i > 0; i--)
    sift_down(merge, i - 1);
  return good;
}

/* Does the filter show the time and the thread? */
static bool in_range(const struct merge *merge, const struct source *source) {
  const struct prof_filter *filter = merge->filter;
  const uint64_t time = source->stream.step.time;
  return time >= filter->begin_ticks && time < filter->end_ticks &&
         (!filter->threads || filter->threads[source->stream.thread]);
}

static struct prof_measured measured(const struct merge *merge, const struct source *source) {
  const struct prof_step *step = &source->stream.step;
  const uint32_t thread = source->stream.thread;
  const size_t requests = source->requests.count;
  const uint64_t ended = prof_trace_threads(merge->trace, NULL)[thread].end_ticks;
  return (struct prof_measured){.thread = thread,
                                .process = source->process,
                                .node = source->node,
                                .function = source->event.function,
                                .operation = step->value,
                                .shown = source->event.within && in_range(merge, source),
                                .time_ticks = step->time,
                                .ends_ticks = ended > step->time ? ended : prof_trace_info(merge->trace)->last_ticks,
                                .caller = step->count,
                                .first = step->operands[0],
                                .second = step->operands[1],
                                .has_request = requests > 0,
                                .request = requests > 0 ? source->requests.items[requests - 1].id : 0};
}

/* The call of what was measured stands at `caller`.  A wait without an address of its own has the caller's. */
static void set_caller(struct prof_measured *event, uint64_t caller) {
  const bool waits = event->operation >= PROF_MEASURE_WAITS && event->operation <= PROF_MEASURE_GOES_ON;
  if (caller != 0 && waits && event->second == event->caller)
    event->second = caller;
  event->caller = caller ? caller : event->caller;
}

/* Finds the place of an event whose return address lies outside of the program.  False: no memory. */
static bool place(const struct merge *merge, const struct source *source, struct prof_measured *event) {
  const struct prof_walk_left *left = &source->stream.left;
  const bool is_tail = prof_tail_call_is(left, event->caller);
  const enum prof_return_code code =
      is_tail || source->regions.count
          ? prof_return_code_of(merge->trace, event->process, event->caller, event->time_ticks)
          : PROF_RETURN_PROBED;
  if (is_tail && code != PROF_RETURN_PROBED && left->function != PROF_NONE) {
    const struct prof_filter_state *state = &left->state;
    const bool within = !state->within_without && (state->within_only || !merge->filter->has_only);
    event->shown = within && in_range(merge, source);
    event->function = left->function;
    if (state->shown)
      event->node = prof_measured_path_below(merge->paths, event->node, left->function);
    set_caller(event, prof_tail_call_place(merge->trace, left));
  } else if (code == PROF_RETURN_OWN) {
    set_caller(event, source->regions.items[source->regions.count - 1]);
  }
  return event->node != UINT32_MAX;
}

/* Begins and ends of parts of OpenMP regions.  False: no memory. */
static bool note_region(struct source *source, const struct prof_measured *event) {
  if (event->operation == PROF_MEASURE_WORK_ENDS && source->regions.count > 0)
    source->regions.count--;
  return event->operation != PROF_MEASURE_WORK_BEGINS || prof_vec_push(&source->regions, event->caller);
}

/* False: no memory. */
static bool run(struct merge *merge, prof_measured_visit *visit, void *context) {
  while (merge->count > 0) {
    struct source *first = merge->heap[0];
    struct prof_measured event = measured(merge, first);
    if (!place(merge, first, &event) || !note_region(first, &event) || !visit(context, &event))
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
  for (size_t i = 0; sources && i < thread_count; i++) {
    prof_walk_stream_end(&sources[i].stream);
    prof_vec_fini(&sources[i].requests);
    prof_vec_fini(&sources[i].staying);
    prof_vec_fini(&sources[i].regions);
  }
  free(sources);
  free(merge.heap);
  return good ? PROF_OK : prof_diag_memory(diag);
}

bool prof_measured_asked(const prof_trace *trace, const char *option) {
  size_t bytes = 0, length = strlen(option);
  const char *word = prof_trace_setting(trace, "options", &bytes); /* words that end with a 0 */
  for (const char *end = word ? word + bytes : NULL; word && word < end;
       word += strnlen(word, (size_t)(end - word)) + 1)
    if ((size_t)(end - word) > length && !strncmp(word, option, length) && word[length] == '=')
      return true;
  return false;
}
