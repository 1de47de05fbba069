/*
 * tools/viewer/span_slowest.c - see span_slowest.h: threads shared out among workers.
 *
 * Without a filter and damage each takes the fast way through the chunks of that time (span_scan.h), else all events
 * are walked through.  Threads: workers share `job`; each has longest calls of its own.
 */
#include "viewer/span_slowest.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/hands.h"
#include "fold/walk.h"
#include "viewer/span_scan.h"
#include "viewer/walk_calls.h"

#define PART_CHUNKS 16u /* of a thread, for one worker at a time */
#define ASKED 0x10000u  /* events between two questions whether the caller still waits */

struct job {
  const struct prof_recording *recording;
  struct prof_lane_span span;
  const struct prof_stop *stop;
  PROF_VEC(struct prof_span_part) parts; /* of a thread or a piece of it */
  atomic_size_t next;
  atomic_bool damaged, failed;
};

struct hand {
  struct job *job;
  struct prof_slowest slowest;
  struct prof_span_scan *scan;
};

/* Its calls may be open before it: the stretch of its thread goes on. */
static bool goes_on(const prof_trace *trace, const uint32_t *chunks, uint32_t at) {
  return at > 0 && !(prof_trace_chunks(trace, NULL)[chunks[at]].flags & PROF_CHUNK_RUN_BEGIN);
}

/* Chunks of the span, some at a time.  Of a span between two chunks the second one lists what is open. */
static bool plan_thread(struct job *job, uint32_t thread, const struct prof_filter *within) {
  const prof_trace *trace = job->recording->trace;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, NULL);
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const uint32_t *chunks = prof_trace_thread_chunks(trace) + info->first_chunk;
  uint32_t first = 0, end = info->chunk_count;
  while (first < end && refs[chunks[first]].last_time < within->begin_ticks)
    first++;
  uint32_t least = first < end && goes_on(trace, chunks, first) ? first + 1 : first;
  while (end > least && refs[chunks[end - 1]].first_time >= within->end_ticks)
    end--;
  for (uint32_t at = first; at < end; at += PART_CHUNKS) {
    uint32_t count = end - at < PART_CHUNKS ? end - at : PART_CHUNKS;
    if (!prof_vec_push(&job->parts, (struct prof_span_part){thread, at, count, at + count == end}))
      return false;
  }
  return true;
}

static bool plan(struct job *job) {
  const prof_trace *trace = job->recording->trace;
  const struct prof_filter within = prof_filter_within(&job->recording->filter, trace, job->span.begin, job->span.end);
  size_t count;
  prof_trace_threads(trace, &count);
  bool done = true;
  for (uint32_t thread = 0; thread < count && done; thread++)
    done = plan_thread(job, thread, &within);
  return done;
}

static void *scan_parts(void *argument) {
  struct hand *hand = argument;
  struct job *job = hand->job;
  uint64_t deep_calls = 0;
  for (size_t next; (next = atomic_fetch_add(&job->next, 1)) < job->parts.count;) {
    if (atomic_load(&job->failed) || atomic_load(&job->damaged) || prof_stop_wanted(job->stop))
      return NULL;
    prof_status status = prof_span_scan_run(hand->scan, &job->parts.items[next], NULL, &deep_calls);
    if (status == PROF_NO_MEMORY)
      atomic_store(&job->failed, true);
    else if (status != PROF_OK)
      atomic_store(&job->damaged, true);
  }
  return NULL;
}

static prof_status scan_all(struct job *job, struct prof_diag *diag, struct prof_slowest *out) {
  const prof_trace *trace = job->recording->trace;
  bool done = plan(job);
  unsigned most = prof_hands_most(), count = most < job->parts.count ? most : (unsigned)job->parts.count;
  struct hand *hands = calloc(count + 1, sizeof *hands);
  done = done && hands;
  for (unsigned i = 0; done && i < count; i++) {
    hands[i].job = job;
    done = prof_slowest_init(&hands[i].slowest, prof_frame_count(trace));
    if (done)
      hands[i].scan = prof_span_scan_new(trace, job->recording->filter.loops, &hands[i].slowest);
    done = done && hands[i].scan;
    if (done)
      prof_span_scan_within(hands[i].scan, &job->span);
  }
  if (done && count)
    prof_hands_run(hands, count, sizeof *hands, scan_parts);
  for (unsigned i = 0; hands && i < count; i++) {
    if (done)
      prof_slowest_join_all(out, &hands[i].slowest);
    prof_span_scan_free(hands[i].scan);
    prof_slowest_fini(&hands[i].slowest);
  }
  free(hands);
  prof_vec_fini(&job->parts);
  return done && !atomic_load(&job->failed) ? PROF_OK : prof_diag_memory(diag);
}

/* ---- with a filter, or past damaged chunks ---- */

struct walking {
  const struct prof_stop *stop;
  struct prof_slowest *slowest;
  struct prof_walk_calls calls;
  uint64_t events;
};

static bool visit(void *context, const struct prof_walk_event *event) {
  struct walking *walking = context;
  struct prof_lane_call call;
  if (++walking->events % ASKED == 0 && prof_stop_wanted(walking->stop))
    return false;
  if (prof_walk_calls_take(&walking->calls, event, &call) && call.frame < walking->slowest->frames && !event->goes_on)
    prof_slowest_add(walking->slowest, call.frame,
                     &(struct prof_slow_call){call.begin, event->duration_ns, event->thread, event->depth});
  return true;
}

static prof_status walk_all(struct job *job, struct prof_diag *diag, struct prof_slowest *out) {
  const prof_trace *trace = job->recording->trace;
  const struct prof_filter within = prof_filter_within(&job->recording->filter, trace, job->span.begin, job->span.end);
  struct walking walking = {.stop = job->stop, .slowest = out};
  prof_walk_calls_init(&walking.calls, trace);
  prof_status status = prof_walk(trace, &within, PROF_WALK_BY_THREAD, visit, &walking, diag);
  return status == PROF_EMPTY ? PROF_OK : status;
}

prof_status prof_span_slowest_find(const struct prof_recording *recording, const struct prof_lane_span *span,
                                   const struct prof_stop *stop, struct prof_diag *diag, struct prof_slowest *out) {
  struct job job = {.recording = recording, .span = *span, .stop = stop};
  const uint32_t frames = prof_frame_count(recording->trace);
  if (!prof_slowest_init(out, frames))
    return prof_diag_memory(diag);
  prof_status status = PROF_OK;
  if (!recording->filter.active)
    status = scan_all(&job, diag, out);
  if (status == PROF_OK && atomic_load(&job.damaged)) {
    prof_slowest_fini(out);
    status = prof_slowest_init(out, frames) ? PROF_OK : prof_diag_memory(diag);
  }
  if (status == PROF_OK && (recording->filter.active || atomic_load(&job.damaged)))
    status = walk_all(&job, diag, out);
  if (status == PROF_OK && prof_stop_wanted(stop))
    status = prof_diag_fill(diag, PROF_STOPPED, NULL, PROF_NO_OFFSET, NULL, "stopped");
  return status;
}
