/*
 * tools/viewer/span_sketch.c - see span_sketch.h: lists of open frames, compared from chunk to chunk.
 *
 *    open where chunk 3 begins:  main  run   step      entered at  0  10  70
 *    open where chunk 4 begins:  main  run   step                  0  10  95     step of 70 is left; main, run go on
 *
 * Threads: workers take threads of the recording in turn; each has lanes of its own, which are joined in the end.
 */
#include "viewer/span_sketch.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/diag.h"
#include "base/hands.h"
#include "fold/piece.h"
#include "names/loop_frames.h"
#include "viewer/walk_calls.h"

#define COLUMNS 4096u /* of the whole recording: what is finer is decoded */

struct open_call {
  uint64_t entry;       /* ticks, as listed */
  uint64_t begin, last; /* the first and last moment at which it is known to be open */
  uint32_t number;
  bool cut; /* it was entered before `begin` */
};

struct job {
  const struct prof_recording *recording;
  size_t thread_count;
  atomic_size_t next;
  pthread_mutex_t lock; /* guards `lanes` */
  struct prof_lanes *lanes;
};

struct hand {
  struct job *job;
  struct prof_chunk chunk;
  struct open_call open[PROF_SPAN_DEPTH];
  uint32_t count;
  uint32_t thread;
  struct prof_lanes lanes; /* of the thread */
  uint32_t of_depth[PROF_SPAN_DEPTH];
  uint64_t ends_ns[PROF_SPAN_DEPTH]; /* of the last call of each */
};

static uint64_t ns_of(const prof_trace *trace, uint64_t time) {
  uint64_t start = prof_trace_info(trace)->start_ticks;
  return time > start ? prof_trace_ns(trace, time - start) : 0;
}

/* The innermost call is left: when is not known. */
static void leave(struct hand *hand) {
  const prof_trace *trace = hand->job->recording->trace;
  const uint32_t depth = --hand->count;
  const struct open_call *open = &hand->open[depth];
  uint64_t begin = ns_of(trace, open->begin), end = ns_of(trace, open->last);
  if (begin < hand->ends_ns[depth])
    begin = hand->ends_ns[depth];
  if (hand->of_depth[depth] == PROF_NONE)
    hand->of_depth[depth] = prof_lanes_add_lane(&hand->lanes, PROF_LANE_CALLS, hand->thread, depth);
  const struct prof_lane_call call = {.begin = begin,
                                      .length = end > begin ? end - begin : 0,
                                      .frame = open->number,
                                      .flags = PROF_LANE_CUT_END | (open->cut ? PROF_LANE_CUT_BEGIN : 0)};
  if (hand->of_depth[depth] != PROF_NONE)
    prof_lanes_add(&hand->lanes, hand->of_depth[depth], &call);
  hand->ends_ns[depth] = begin + call.length;
}

/* Compares the chunk's list with what was open before. */
static void take_list(struct hand *hand, bool after_hole, uint64_t fork_time) {
  const struct prof_recording *recording = hand->job->recording;
  const struct prof_chunk *chunk = &hand->chunk;
  size_t functions;
  prof_trace_functions(recording->trace, &functions);
  uint32_t depth = 0;
  for (uint32_t i = 0; i < chunk->frame_count && depth < PROF_SPAN_DEPTH; i++) {
    const struct prof_frame *frame = &chunk->frames[i];
    const struct prof_site_frame of =
        prof_frame_of_site(recording->trace, chunk->edges[frame->edge].site, recording->filter.loops);
    if (of.is_quiet)
      continue;
    const struct open_call call = {.entry = frame->entry,
                                   .begin = after_hole ? chunk->base_time : frame->entry,
                                   .last = chunk->base_time,
                                   .number = of.number == PROF_NONE ? (uint32_t)functions : of.number,
                                   .cut = after_hole || frame->entry <= fork_time};
    bool goes_on =
        depth < hand->count && hand->open[depth].entry == call.entry && hand->open[depth].number == call.number;
    while (!goes_on && hand->count > depth)
      leave(hand);
    if (!goes_on)
      hand->open[hand->count++] = call;
    hand->open[depth++].last = chunk->base_time;
  }
  while (hand->count > depth)
    leave(hand);
}

static void begin_thread(struct hand *hand, uint32_t thread) {
  prof_lanes_init(&hand->lanes, PROF_LANES_NO_LIMIT);
  hand->thread = thread;
  hand->count = 0;
  for (unsigned i = 0; i < PROF_SPAN_DEPTH; i++) {
    hand->of_depth[i] = PROF_NONE;
    hand->ends_ns[i] = 0;
  }
}

static void take_thread(struct hand *hand, uint32_t thread) {
  const prof_trace *trace = hand->job->recording->trace;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, NULL);
  const uint32_t *chunks = prof_trace_thread_chunks(trace) + info->first_chunk;
  uint64_t fork_time = prof_fold_fork_time(trace, thread);
  bool hole = false;
  begin_thread(hand, thread);
  for (uint32_t i = 0; i < info->chunk_count && !hand->lanes.failed; i++) {
    const struct prof_chunk_ref *ref = &refs[chunks[i]];
    if (prof_chunk_load_frames(trace, chunks[i], NULL, &hand->chunk) != PROF_OK) {
      hole = true;
      continue;
    }
    if (ref->flags & PROF_CHUNK_RESUMED)
      fork_time = ref->first_time;
    hole |= (ref->flags & PROF_CHUNK_RUN_BEGIN) && (i > 0 || ref->sequence > 0);
    while (hole && hand->count)
      leave(hand);
    take_list(hand, hole, fork_time);
    hole = false;
  }
  while (hand->count)
    leave(hand);
}

static void *work(void *argument) {
  struct hand *hand = argument;
  struct job *job = hand->job;
  for (size_t next; (next = atomic_fetch_add(&job->next, 1)) < job->thread_count;) {
    take_thread(hand, (uint32_t)next);
    pthread_mutex_lock(&job->lock);
    for (size_t i = 0; i < hand->lanes.items.count && !job->lanes->failed; i++) {
      struct prof_lane *lane = &hand->lanes.items.items[i];
      uint32_t into = prof_lanes_add_lane(job->lanes, PROF_LANE_CALLS, lane->thread, lane->depth);
      if (into != PROF_NONE)
        prof_lanes_append(job->lanes, into, lane);
    }
    job->lanes->failed |= hand->lanes.failed;
    pthread_mutex_unlock(&job->lock);
    prof_lanes_fini(&hand->lanes);
  }
  prof_chunk_free(&hand->chunk);
  return NULL;
}

static uint32_t coarse_shift(const prof_trace *trace) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t all = info->last_ticks > info->start_ticks ? info->last_ticks - info->start_ticks : 0;
  uint32_t shift = 0;
  while (shift < 40 && prof_trace_ns(trace, all) >> shift > COLUMNS)
    shift++;
  return shift;
}

prof_status prof_span_sketch_make(const struct prof_recording *recording, struct prof_diag *diag,
                                  struct prof_span_index *out) {
  struct job job = {.recording = recording, .lanes = &out->lanes};
  *out = (struct prof_span_index){.deep_calls = 0};
  prof_trace_threads(recording->trace, &job.thread_count);
  unsigned most = prof_hands_most(), count = most < job.thread_count ? most : (unsigned)job.thread_count;
  struct hand *hands = calloc(count + 1, sizeof *hands);
  if (!hands)
    return prof_diag_memory(diag);
  prof_lanes_init(&out->lanes, PROF_LANES_NO_LIMIT);
  pthread_mutex_init(&job.lock, NULL);
  for (unsigned i = 0; i < count; i++)
    hands[i].job = &job;
  if (count)
    prof_hands_run(hands, count, sizeof *hands, work);
  pthread_mutex_destroy(&job.lock);
  free(hands);
  out->lanes.shift = coarse_shift(recording->trace);
  if (!out->lanes.failed) {
    prof_span_index_sort(out);
    return PROF_OK;
  }
  prof_span_index_fini(out);
  return prof_diag_memory(diag);
}
