/*
 * tools/fold/caller_scan.c - see caller_scan.h.
 *
 * Chunks are read in any order; their depths are then put together, thread by thread: forwards for what was called
 * before, backwards for what is called later.
 */
#include "fold/caller_scan.h"

#include <stdlib.h>

#include "base/hands.h"
#include "fold/core.h"
#include "fold/steps.h"
#include "names/loop_frames.h"

void prof_caller_scan_fini(struct prof_caller_scan *scan) {
  prof_vec_fini(&scan->edges);
  prof_vec_fini(&scan->stack);
  prof_vec_fini(&scan->leads);
  *scan = (struct prof_caller_scan){0};
}

/* ---- one chunk ---- */

static bool find_edges(struct prof_caller_scan *scan, const prof_trace *trace, const struct prof_filter *filter,
                       const struct prof_chunk *chunk) {
  size_t function_count;
  prof_trace_functions(trace, &function_count);
  scan->edges.count = 0;
  if (!prof_vec_reserve(&scan->edges, chunk->edge_count + 1))
    return false;
  for (uint32_t i = 0; i < chunk->edge_count; i++) {
    const struct prof_site_frame of = prof_frame_of_site(trace, chunk->edges[i].site, true);
    uint32_t function = of.number < function_count ? of.number : (uint32_t)function_count;
    bool is_one = !of.is_loop && !of.is_quiet && (filter->flags[function] & PROF_FILTER_CALLER);
    scan->edges.items[scan->edges.count++] = is_one;
  }
  return true;
}

static uint64_t depth_of(const struct prof_caller_scan *scan) {
  return scan->stack.count + scan->beyond;
}

/* The `depth` outermost frames lead to a call of the functions. */
static void hit(struct prof_caller_scan *scan, uint64_t depth) {
  uint64_t listed = depth < scan->low ? depth : scan->low;
  listed += listed ? scan->gone : 0;
  scan->first = scan->first > listed ? scan->first : listed;
  scan->last = scan->last > depth ? scan->last : depth;
  for (; scan->known < scan->stack.count && scan->known < depth; scan->known++) {
    uint32_t entry = scan->stack.items[scan->known].entry;
    if (entry != PROF_NONE)
      scan->leads.items[entry] = 1;
  }
}

static bool is_one(const struct prof_caller_scan *scan, uint32_t edge) {
  return edge < scan->edges.count && scan->edges.items[edge];
}

static bool enter(struct prof_caller_scan *scan, uint32_t edge, uint32_t entry) {
  const struct prof_caller_frame frame = {entry, is_one(scan, edge)};
  if (scan->beyond || scan->stack.count == PROF_FOLD_DEPTH) {
    scan->beyond++;
    return true;
  }
  return prof_vec_push(&scan->stack, frame);
}

static void leave(struct prof_caller_scan *scan, uint64_t count) {
  count = prof_leave_beyond(&scan->beyond, count);
  scan->stack.count -= count < scan->stack.count ? (size_t)count : scan->stack.count;
  uint64_t depth = depth_of(scan);
  scan->known = scan->known < scan->stack.count ? scan->known : scan->stack.count;
  scan->low = scan->low < depth ? scan->low : depth;
  scan->last = scan->last < depth ? scan->last : depth;
}

/* Frames that are numbered by how many are open then: too many may seem to lead to a call, by those that are gone. */
static void leave_around(struct prof_caller_scan *scan, const struct prof_step *step) {
  const size_t count = scan->stack.count;
  const uint64_t inside = prof_step_around(step, count, &scan->beyond);
  if (inside == UINT64_MAX)
    return;
  const size_t at = count - 1 - (size_t)inside;
  const bool listed = scan->stack.items[at].entry == PROF_NONE;
  for (size_t i = at; i + 1 < count; i++)
    scan->stack.items[i] = scan->stack.items[i + 1];
  scan->stack.count--;
  scan->known -= scan->known > at;
  scan->low -= listed;
  scan->gone += listed;
  scan->last -= scan->last > at;
}

/* The range begins: calls of the functions that are open now count. */
static void begin_range(struct prof_caller_scan *scan) {
  size_t at = scan->stack.count;
  while (at > 0 && !scan->stack.items[at - 1].is_one)
    at--;
  if (at > 0)
    hit(scan, at);
}

static bool take_step(struct prof_caller_scan *scan, const struct prof_step *step, bool within) {
  if (!prof_effects[step->op].enters) {
    leave(scan, prof_step_frames(step));
    if (prof_effects[step->op].around)
      leave_around(scan, step);
    return true;
  }
  uint32_t edge = (uint32_t)step->value;
  if (!prof_vec_push(&scan->leads, 0) || !enter(scan, edge, (uint32_t)scan->leads.count - 1))
    return false;
  if (within && is_one(scan, edge))
    hit(scan, depth_of(scan));
  return true;
}

bool prof_caller_scan_chunk(struct prof_caller_scan *scan, const prof_trace *trace, const struct prof_filter *filter,
                            const struct prof_chunk *chunk, uint64_t after) {
  struct prof_cursor cursor;
  struct prof_step step = {.time = chunk->base_time};
  scan->stack.count = scan->leads.count = scan->known = scan->next = 0;
  scan->beyond = scan->first = scan->last = scan->gone = 0;
  if (!find_edges(scan, trace, filter, chunk))
    return false;
  for (uint32_t i = 0; i < chunk->frame_count; i++)
    if (!enter(scan, chunk->frames[i].edge, PROF_NONE))
      return false;
  scan->beyond += chunk->frames_omitted;
  scan->low = depth_of(scan);
  bool within = chunk->base_time >= filter->begin_ticks;
  if (within)
    begin_range(scan);
  prof_cursor_begin(&cursor, chunk);
  while (prof_cursor_next(&cursor, &step) && step.time < filter->end_ticks) {
    if (!within && step.time >= filter->begin_ticks) {
      begin_range(scan);
      within = true;
    }
    if (!take_step(scan, &step, within))
      return false;
  }
  if (!within) /* it begins behind the chunk's last step, or there is none within it */
    begin_range(scan);
  uint64_t first = scan->first, last = scan->last;
  hit(scan, after < depth_of(scan) ? after : depth_of(scan));
  scan->first = first;
  scan->last = last;
  return true;
}

/* ---- the chunks of a thread ---- */

struct depths { /* of a chunk; see struct prof_caller_scan */
  uint64_t low, gone, first, last, listed;
  bool read;
};

struct job { /* shared by all hands */
  const prof_trace *trace;
  const struct prof_filter *filter;
  const uint32_t *chunks; /* to be read */
  size_t count;
  struct depths *depths; /* as `chunks` */
  _Atomic size_t next;
  _Atomic bool failed;
};

struct hand {
  struct job *job;
  struct prof_caller_scan scan;
  struct prof_chunk chunk;
};

/* Do the frames that are open at the end of one chunk go on in the next one? */
static bool go_on(const struct prof_chunk_ref *next) {
  return !(next->flags & (PROF_CHUNK_RUN_BEGIN | PROF_CHUNK_RESUMED));
}

/* Does the range touch the chunk, or begin before the next one of its thread? */
static bool is_in_range(const struct job *job, size_t at) {
  const struct prof_chunk_ref *refs = prof_trace_chunks(job->trace, NULL), *ref = &refs[job->chunks[at]];
  const struct prof_chunk_ref *next = at + 1 < job->count ? &refs[job->chunks[at + 1]] : NULL;
  bool within = next != NULL && next->thread == ref->thread && go_on(next);
  return (!job->filter->threads || job->filter->threads[ref->thread]) && ref->first_time < job->filter->end_ticks &&
         (within ? next->first_time : ref->last_time) >= job->filter->begin_ticks;
}

/* Others lead nowhere. */
static void read_chunk(struct hand *hand, size_t at) {
  struct job *job = hand->job;
  struct depths *depths = &job->depths[at];
  *depths = (struct depths){.read = false};
  if (!is_in_range(job, at) || prof_chunk_load(job->trace, job->chunks[at], NULL, &hand->chunk) != PROF_OK)
    return;
  if (!prof_caller_scan_chunk(&hand->scan, job->trace, job->filter, &hand->chunk, 0)) {
    job->failed = true;
    return;
  }
  *depths = (struct depths){.low = hand->scan.low,
                            .gone = hand->scan.gone,
                            .first = hand->scan.first,
                            .last = hand->scan.last,
                            .listed = hand->chunk.frame_count + hand->chunk.frames_omitted,
                            .read = true};
}

static void *work(void *argument) {
  struct hand *hand = argument;
  struct job *job = hand->job;
  for (size_t next; !job->failed && (next = job->next++) < job->count;)
    read_chunk(hand, next);
  return NULL;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static bool is_forked(const prof_trace *trace, uint32_t thread) {
  size_t process_count;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  uint32_t process = prof_trace_threads(trace, NULL)[thread].process;
  return process < process_count && processes[process].forked;
}

/* Frames that a chunk lists and that aren't entered in this stream. */
static bool is_taken_over(const prof_trace *trace, const struct prof_chunk_ref *ref, bool first) {
  return (ref->flags & PROF_CHUNK_RESUMED) || (first && is_forked(trace, ref->thread));
}

/* A thread's chunks from position `first` on, whose depths these are; ends: likewise, or by chunk. */
static void put_together(const prof_trace *trace, uint32_t thread, uint32_t first, const struct depths *depths,
                         bool by_chunk, struct prof_caller_ends *ends) {
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const uint32_t *chunks = prof_trace_thread_chunks(trace) + info->first_chunk;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, NULL);
  uint64_t before = 0, later = 0;
  for (uint32_t i = first; i < info->chunk_count; i++) {
    uint32_t at = by_chunk ? chunks[i] : i - first;
    const struct depths *of = &depths[i - first];
    before = is_taken_over(trace, &refs[chunks[i]], i == 0) ? of->listed : go_on(&refs[chunks[i]]) ? before : 0;
    ends[at].begin = larger(before, of->first);
    before = of->read ? larger(smaller(before, of->low), of->last) : 0;
  }
  for (uint32_t i = info->chunk_count; i > first; i--) {
    uint32_t at = by_chunk ? chunks[i - 1] : i - 1 - first;
    const struct depths *of = &depths[i - 1 - first];
    ends[at].end = later;
    uint64_t listed = smaller(later, of->low);
    later = of->read ? larger(of->first, listed ? listed + of->gone : 0) : 0;
    ends[at].begin = larger(ends[at].begin, later);
    later = go_on(&refs[chunks[i - 1]]) ? later : 0;
  }
}

/* false: no memory. */
static bool run(struct job *job, unsigned workers) {
  struct hand *hands = calloc(workers, sizeof *hands);
  for (unsigned i = 0; hands && i < workers; i++)
    hands[i].job = job;
  if (hands)
    prof_hands_run(hands, workers, sizeof *hands, work);
  for (unsigned i = 0; hands && i < workers; i++) {
    prof_caller_scan_fini(&hands[i].scan);
    prof_chunk_free(&hands[i].chunk);
  }
  free(hands);
  return hands && !job->failed;
}

struct prof_caller_ends *prof_caller_ends_all(const prof_trace *trace, const struct prof_filter *filter,
                                              unsigned workers) {
  size_t count, thread_count;
  prof_trace_chunks(trace, &count);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  struct prof_caller_ends *ends = calloc(count + 1, sizeof *ends);
  struct depths *depths = calloc(count + 1, sizeof *depths);
  struct job job = {
      .trace = trace, .filter = filter, .chunks = prof_trace_thread_chunks(trace), .count = count, .depths = depths};
  bool done = ends && depths && run(&job, workers < count ? workers : count ? (unsigned)count : 1);
  for (uint32_t i = 0; done && i < thread_count; i++)
    put_together(trace, i, 0, depths + threads[i].first_chunk, true, ends);
  free(depths);
  if (!done)
    free(ends);
  return done ? ends : NULL;
}

struct prof_caller_ends *prof_caller_ends_thread(const prof_trace *trace, const struct prof_filter *filter,
                                                 uint32_t thread, uint32_t first) {
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  uint32_t count = first < info->chunk_count ? info->chunk_count - first : 0;
  struct prof_caller_ends *ends = calloc(count + 1, sizeof *ends);
  struct depths *depths = calloc(count + 1, sizeof *depths);
  struct job job = {.trace = trace,
                    .filter = filter,
                    .chunks = prof_trace_thread_chunks(trace) + info->first_chunk + first,
                    .count = count,
                    .depths = depths};
  bool done = ends && depths && run(&job, 1);
  if (done)
    put_together(trace, thread, first, depths, false, ends);
  free(depths);
  if (!done)
    free(ends);
  return done ? ends : NULL;
}
