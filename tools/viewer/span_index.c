/*
 * tools/viewer/span_index.c - see span_index.h: parts of threads shared out among workers, then joined in time.
 *
 * A part is some chunks of a thread, one after another; each chunk begins with the open frames, so that a part stands
 * alone.  A part has lanes of its own.  When it is done and there are too many records in all, every finished part
 * takes the next step.  All parts begin with the same one, and take one step after another, so that the result does not
 * depend on the order in which they are done.  With a filter, or if a chunk is damaged, one worker walks through each
 * thread as a whole, which is slower.
 *
 * Threads: workers share `job`; what changes there is behind its lock, but for the number of the next part.
 */
#include "viewer/span_index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/diag.h"
#include "base/hands.h"
#include "fold/walk_stream.h"
#include "names/loop_frames.h"
#include "viewer/span_scan.h"
#include "viewer/walk_calls.h"

#define PART_EVENTS 1500000u
#define COUNTED 0x10000u /* events between two counts of what is done */

struct part {
  struct prof_span_part of;
  struct prof_lanes lanes; /* by depth; of depths that had a call */
  bool made;
};

struct job {
  const struct prof_recording *recording;
  PROF_VEC(struct part) parts;
  atomic_size_t next;
  atomic_bool damaged, failed;
  uint64_t most;
  _Atomic uint64_t *done;
  uint32_t first_shift; /* of each part when it begins */
  pthread_mutex_t lock;
  uint32_t shift;   /* of all parts that are made */
  uint64_t records; /* of these */
};

struct hand {
  struct job *job;
  struct prof_slowest slowest;
  uint64_t deep_calls;
  struct prof_span_scan *scan;
  struct prof_walk_calls calls; /* of the part */
};

static void take(struct hand *hand, struct part *part, const struct prof_walk_event *event) {
  struct prof_lane_call call;
  if (!prof_walk_calls_take(&hand->calls, event, &call)) {
    hand->deep_calls += event->kind == PROF_WALK_LEAVE;
    return;
  }
  const struct prof_slow_call slow = {call.begin, event->duration_ns, event->thread, event->depth};
  uint32_t lane = prof_walk_calls_lane(&hand->calls, event, &part->lanes);
  if (lane != PROF_NONE)
    prof_lanes_add(&part->lanes, lane, &call);
  if (call.frame < hand->slowest.frames && !event->goes_on)
    prof_slowest_add(&hand->slowest, call.frame, &slow);
}

/* false: no memory. */
static bool walk(struct hand *hand, struct part *part) {
  struct job *job = hand->job;
  const struct prof_recording *recording = job->recording;
  struct prof_walk_stream stream;
  struct prof_walk_event event;
  uint64_t first_time = 0, events = 0;
  prof_walk_calls_begin(&hand->calls);
  prof_walk_stream_begin(&stream, recording->trace, &recording->filter, part->of.thread, &first_time);
  while (first_time != UINT64_MAX && !part->lanes.failed && prof_walk_stream_next(&stream, &event)) {
    take(hand, part, &event);
    if (job->done && ++events % COUNTED == 0)
      atomic_fetch_add_explicit(job->done, COUNTED, memory_order_relaxed);
  }
  bool done = !stream.failed && !part->lanes.failed;
  prof_walk_stream_end(&stream);
  return done;
}

/* The same, of a part; where it is damaged, all will be walked.  false: no memory. */
static bool scan(struct hand *hand, struct part *part) {
  struct job *job = hand->job;
  prof_status status = prof_span_scan_run(hand->scan, &part->of, &part->lanes, &hand->deep_calls);
  if (status == PROF_CORRUPT)
    atomic_store(&job->damaged, true);
  if (job->done)
    atomic_fetch_add_explicit(job->done, PART_EVENTS, memory_order_relaxed);
  return status != PROF_NO_MEMORY;
}

/* All finished parts take that step. */
static void take_step(struct job *job, uint32_t shift) {
  job->shift = shift;
  job->records = 0;
  for (size_t i = 0; i < job->parts.count; i++) {
    struct part *part = &job->parts.items[i];
    if (!part->made)
      continue;
    prof_lanes_coarsen(&part->lanes, shift);
    prof_lanes_trim(&part->lanes); /* a step leaves half of the records, or fewer */
    job->records += part->lanes.records;
    if (part->lanes.failed)
      atomic_store(&job->failed, true);
  }
}

/* Counts a part that is done; the steps grow until there are few enough records. */
static void account(struct job *job, struct part *part) {
  pthread_mutex_lock(&job->lock);
  part->made = true;
  prof_lanes_trim(&part->lanes);
  job->records += part->lanes.records;
  if (part->lanes.shift != job->shift)
    take_step(job, part->lanes.shift > job->shift ? part->lanes.shift : job->shift);
  while (job->records > job->most && job->shift < 62 && !atomic_load(&job->failed))
    take_step(job, job->shift + 1);
  pthread_mutex_unlock(&job->lock);
}

/* A step that is rarely too coarse: an eighth of the one that leaves a record in each for a thread that is always busy.
 */
static uint32_t first_shift(const struct job *job) {
  const prof_trace *trace = job->recording->trace;
  size_t count;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  uint64_t busy = 0, step;
  for (size_t i = 0; i < count; i++)
    if (chunks[i].last_time > chunks[i].first_time)
      busy += prof_trace_ns(trace, chunks[i].last_time - chunks[i].first_time);
  uint32_t shift = 0;
  for (step = busy / job->most / 8; step > 1 && shift < 40 && prof_trace_info(trace)->events > job->most; step >>= 1)
    shift++;
  return shift;
}

static bool is_divided(const struct job *job) {
  return !atomic_load(&job->damaged) && !job->recording->filter.active;
}

static void *work(void *argument) {
  struct hand *hand = argument;
  struct job *job = hand->job;
  bool whole = !is_divided(job);
  for (;;) {
    size_t next = atomic_fetch_add(&job->next, 1);
    if (next >= job->parts.count || atomic_load(&job->failed) || (!whole && atomic_load(&job->damaged)))
      return NULL;
    struct part *part = &job->parts.items[next];
    prof_lanes_init(&part->lanes, job->most);
    part->lanes.shift = job->first_shift;
    if (!(whole ? walk(hand, part) : scan(hand, part))) {
      atomic_store(&job->failed, true);
      return NULL;
    }
    account(job, part);
  }
}

static void forget_parts(struct job *job) {
  for (size_t i = 0; i < job->parts.count; i++)
    prof_lanes_fini(&job->parts.items[i].lanes);
  prof_vec_fini(&job->parts);
}

/* Parts of PART_EVENTS, or each thread as a whole; of threads that are shown.  false: no memory. */
static bool plan(struct job *job) {
  const prof_trace *trace = job->recording->trace;
  const struct prof_filter *filter = &job->recording->filter;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, NULL);
  const uint32_t *order = prof_trace_thread_chunks(trace);
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  uint64_t most = is_divided(job) ? PART_EVENTS : UINT64_MAX;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t events = 0;
    uint32_t first = 0;
    for (uint32_t at = 0; at < threads[i].chunk_count && (!filter->threads || filter->threads[i]); at++) {
      events += chunks[order[threads[i].first_chunk + at]].events;
      if (events < most && at + 1 < threads[i].chunk_count)
        continue;
      if (!prof_vec_push(&job->parts, (struct part){.of = {i, first, at + 1 - first, false}}))
        return false;
      events = 0;
      first = at + 1;
    }
  }
  return true;
}

/* Parts are in the order of threads and time.  false: no memory. */
static bool join(struct job *job, struct prof_span_index *out) {
  uint32_t lanes[PROF_SPAN_DEPTH], thread = PROF_NONE;
  prof_lanes_init(&out->lanes, PROF_LANES_NO_LIMIT);
  out->lanes.shift = job->shift;
  for (size_t i = 0; i < job->parts.count && !out->lanes.failed; i++) {
    struct part *part = &job->parts.items[i];
    for (unsigned depth = 0; part->of.thread != thread && depth < PROF_SPAN_DEPTH; depth++)
      lanes[depth] = PROF_NONE;
    thread = part->of.thread;
    for (size_t j = 0; j < part->lanes.items.count && !out->lanes.failed; j++) {
      struct prof_lane *lane = &part->lanes.items.items[j];
      if (lanes[lane->depth] == PROF_NONE)
        lanes[lane->depth] = prof_lanes_add_lane(&out->lanes, PROF_LANE_CALLS, thread, lane->depth);
      if (!out->lanes.failed)
        prof_lanes_append(&out->lanes, lanes[lane->depth], lane);
    }
  }
  return !out->lanes.failed;
}

static int by_thread(const void *a, const void *b) {
  const struct prof_lane *left = a, *right = b;
  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->depth < right->depth ? -1 : left->depth > right->depth;
}

void prof_span_index_sort(struct prof_span_index *index) {
  prof_vec_sort(&index->lanes.items, by_thread);
}

static bool run(struct job *job, struct prof_span_index *out) {
  unsigned most = prof_hands_most(), count = most < job->parts.count ? most : (unsigned)job->parts.count;
  struct hand *hands = calloc(count + 1, sizeof *hands);
  const prof_trace *trace = job->recording->trace;
  bool done = hands != NULL && prof_slowest_init(&out->slowest, prof_frame_count(trace));
  for (unsigned i = 0; done && i < count; i++) {
    hands[i].job = job;
    prof_walk_calls_init(&hands[i].calls, trace);
    done = prof_slowest_init(&hands[i].slowest, prof_frame_count(trace));
    if (done)
      hands[i].scan = prof_span_scan_new(trace, job->recording->filter.loops, &hands[i].slowest);
    done = done && hands[i].scan;
  }
  if (done && count)
    prof_hands_run(hands, count, sizeof *hands, work);
  out->deep_calls = 0;
  for (unsigned i = 0; hands && i < count; i++) {
    if (done)
      prof_slowest_join_all(&out->slowest, &hands[i].slowest);
    out->deep_calls += hands[i].deep_calls;
    prof_span_scan_free(hands[i].scan);
    prof_slowest_fini(&hands[i].slowest);
  }
  free(hands);
  return done && !atomic_load(&job->failed);
}

prof_status prof_span_index_make(const struct prof_recording *recording, uint64_t most_records, _Atomic uint64_t *done,
                                 struct prof_diag *diag, struct prof_span_index *out) {
  struct job job = {.recording = recording, .most = most_records, .done = done};
  *out = (struct prof_span_index){.deep_calls = 0};
  pthread_mutex_init(&job.lock, NULL);
  job.shift = job.first_shift = first_shift(&job);
  bool made = plan(&job) && run(&job, out);
  if (made && atomic_load(&job.damaged)) { /* again, each thread as a whole */
    forget_parts(&job);
    prof_slowest_fini(&out->slowest);
    job.shift = job.first_shift;
    job.records = 0;
    atomic_store(&job.next, 0);
    made = plan(&job) && run(&job, out);
  }
  made = made && join(&job, out);
  forget_parts(&job);
  pthread_mutex_destroy(&job.lock);
  if (made) {
    prof_span_index_sort(out);
    return PROF_OK;
  }
  prof_span_index_fini(out);
  return prof_diag_memory(diag);
}

void prof_span_index_fini(struct prof_span_index *index) {
  prof_lanes_fini(&index->lanes);
  prof_slowest_fini(&index->slowest);
  *index = (struct prof_span_index){.deep_calls = 0};
}

const struct prof_lane_call *prof_span_index_call(const struct prof_span_index *index, uint32_t thread, uint32_t depth,
                                                  uint64_t time) {
  const struct prof_lane wanted = {.thread = thread, .depth = depth};
  const struct prof_lane *lane = index->lanes.items.count ? bsearch(&wanted, index->lanes.items.items,
                                                                    index->lanes.items.count, sizeof wanted, by_thread)
                                                          : NULL;
  size_t low = 0, high = lane ? lane->calls.count : 0; /* the first call that begins after `time` */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lane->calls.items[middle].begin > time)
      high = middle;
    else
      low = middle + 1;
  }
  const struct prof_lane_call *call = low ? &lane->calls.items[low - 1] : NULL;
  return call && call->begin + call->length >= time ? call : NULL;
}
