/*
 * tools/viewer/next_call.c - see next_call.h: thread by thread, chunk by chunk, until none can hold a nearer call.
 */
#include "viewer/next_call.h"

#include "base/diag.h"
#include "fold/walk_stream.h"
#include "names/loop_frames.h"

struct search {
  const struct prof_recording *recording;
  const struct prof_next_call_wish *wish;
  uint32_t thread;
  struct prof_chunk head; /* edges of the chunk at hand */
  struct prof_next_call *best;
};

static uint64_t ns_of(const prof_trace *trace, uint64_t time) {
  uint64_t start = prof_trace_info(trace)->start_ticks;
  return time > start ? prof_trace_ns(trace, time - start) : 0;
}

/* Whether a begin at that time is what is looked for, and nearer than what was found. */
static bool is_nearer(const struct search *search, uint64_t time_ns) {
  const struct prof_next_call *best = search->best;
  if (search->wish->back)
    return time_ns < search->wish->time_ns && (!best->found || time_ns > best->begin_ns);
  return time_ns > search->wish->time_ns && (!best->found || time_ns < best->begin_ns);
}

/* Whether a chunk may hold such a begin: it has times from `first` to `last`. */
static bool may_hold(const struct search *search, const struct prof_chunk_ref *ref) {
  const prof_trace *trace = search->recording->trace;
  uint64_t first = ns_of(trace, ref->first_time), last = ns_of(trace, ref->last_time);
  if (search->wish->back)
    return first < search->wish->time_ns && (!search->best->found || last > search->best->begin_ns);
  return last > search->wish->time_ns && (!search->best->found || first < search->best->begin_ns);
}

/* Chunks from here on lie beyond what was found. */
static bool is_beyond(const struct search *search, const struct prof_chunk_ref *ref) {
  const prof_trace *trace = search->recording->trace;
  if (!search->best->found)
    return false;
  return search->wish->back ? ns_of(trace, ref->last_time) < search->best->begin_ns
                            : ns_of(trace, ref->first_time) > search->best->begin_ns;
}

/* Whether the function is called in the chunk; one that can't be read has none. */
static bool has_function(struct search *search, uint32_t chunk) {
  const struct prof_recording *recording = search->recording;
  if (prof_chunk_load_frames(recording->trace, chunk, NULL, &search->head) != PROF_OK)
    return false;
  size_t functions;
  prof_trace_functions(recording->trace, &functions);
  for (uint32_t i = 0; i < search->head.edge_count; i++) {
    const struct prof_site_frame of =
        prof_frame_of_site(recording->trace, search->head.edges[i].site, recording->filter.loops);
    if (!of.is_quiet && (of.number == PROF_NONE ? functions : of.number) == search->wish->frame)
      return true;
  }
  return false;
}

/* Takes the call that the event begins or ends, if it is the one; true: the search in this chunk is over. */
static bool take(struct search *search, const struct prof_walk_event *event, bool *open) {
  struct prof_next_call *best = search->best;
  size_t functions;
  prof_trace_functions(search->recording->trace, &functions);
  uint32_t frame = event->function == PROF_NONE ? (uint32_t)functions : event->function;
  if (event->kind == PROF_WALK_LEAVE && *open && best->depth == event->depth) {
    best->end_ns = event->time_ns;
    *open = false;
    return !search->wish->back;
  }
  if (event->kind != PROF_WALK_ENTER || event->cut || frame != search->wish->frame ||
      !is_nearer(search, event->time_ns))
    return false;
  *best = (struct prof_next_call){true, search->thread, event->depth, event->time_ns, event->time_ns};
  *open = true;
  return false;
}

/* false: no memory. */
static bool look_through(struct search *search, const struct prof_chunk_ref *ref) {
  const struct prof_recording *recording = search->recording;
  struct prof_filter within = recording->filter;
  struct prof_walk_stream stream;
  struct prof_walk_event event;
  uint64_t first_time;
  bool open = false, over = false;
  within.active = true;
  if (within.begin_ticks < ref->first_time)
    within.begin_ticks = ref->first_time;
  if (within.end_ticks > ref->last_time)
    within.end_ticks = ref->last_time + 1;
  prof_walk_stream_begin(&stream, recording->trace, &within, search->thread, &first_time);
  while (first_time != UINT64_MAX && !over && prof_walk_stream_next(&stream, &event))
    over = take(search, &event, &open);
  bool failed = stream.failed;
  prof_walk_stream_end(&stream);
  return !failed;
}

static prof_status search_thread(struct search *search, const struct prof_stop *stop, struct prof_diag *diag) {
  const prof_trace *trace = search->recording->trace;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[search->thread];
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, NULL);
  const uint32_t *chunks = prof_trace_thread_chunks(trace) + info->first_chunk;
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    uint32_t chunk = chunks[search->wish->back ? info->chunk_count - 1 - i : i];
    if (is_beyond(search, &refs[chunk]))
      break;
    if (!may_hold(search, &refs[chunk]))
      continue;
    if (prof_stop_wanted(stop))
      return prof_diag_fill(diag, PROF_STOPPED, NULL, PROF_NO_OFFSET, NULL, "stopped");
    if (has_function(search, chunk) && !look_through(search, &refs[chunk]))
      return prof_diag_memory(diag);
  }
  return PROF_OK;
}

prof_status prof_next_call_find(const struct prof_recording *recording, const struct prof_next_call_wish *wish,
                                const struct prof_stop *stop, struct prof_diag *diag, struct prof_next_call *out) {
  struct search search = {.recording = recording, .wish = wish, .best = out};
  size_t count;
  prof_trace_threads(recording->trace, &count);
  *out = (struct prof_next_call){.found = false};
  prof_status status = PROF_OK;
  for (search.thread = 0; search.thread < count && status == PROF_OK; search.thread++)
    if (!recording->filter.threads || recording->filter.threads[search.thread])
      status = search_thread(&search, stop, diag);
  prof_chunk_free(&search.head);
  return status;
}
