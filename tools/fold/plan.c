/*
 * tools/fold/plan.c - see piece.h: stretches, holes and the range, thread by thread.
 *
 * Only chunk headers are read, and besides the first chunk after each hole and, with a range, the chunk of each thread
 * in which it begins.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/piece.h"
#include "fold/steps.h"

struct planner {
  const prof_trace *trace;
  const struct prof_chunk_ref *refs;
  const uint8_t *damaged;
  uint64_t begin, end;        /* of the range */
  bool is_stretch;            /* open frames go on beyond both ends of the trace */
  const uint64_t *open_times; /* by thread, of stretches before; NULL: none */
  struct prof_chunk loaded;
  struct prof_fold_plan *plan;
};

struct stretch { /* what holds for the chunks from some point on */
  uint64_t floor_time, floor_net, counted_until;
};

uint64_t prof_fold_fork_time(const prof_trace *trace, uint32_t thread) {
  size_t process_count;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  return info->process < process_count && processes[info->process].forked ? info->start_ticks : 0;
}

static bool usable(const struct planner *planner, uint32_t chunk) {
  return !planner->damaged || !planner->damaged[chunk];
}

/* Stretch from the beginning of the range on, which lies in or before this chunk but after the one before. */
static void begin_at_range(struct planner *planner, uint32_t chunk, struct stretch *stretch) {
  if (prof_chunk_load(planner->trace, chunk, NULL, &planner->loaded) != PROF_OK)
    return;
  struct prof_wait_clock clock;
  prof_wait_clock_begin(&clock, &planner->loaded);
  struct prof_cursor cursor;
  struct prof_step step;
  prof_cursor_begin(&cursor, &planner->loaded);
  bool more;
  while ((more = prof_cursor_next(&cursor, &step)) && step.time < planner->begin)
    prof_wait_clock_take(&clock, &step);
  *stretch = (struct stretch){.floor_time = planner->begin,
                              .floor_net = more ? prof_wait_clock_net_before(&clock, &step, planner->begin)
                                                : prof_wait_clock_net(&clock, planner->begin)};
}

static void begin_after_hole(struct planner *planner, uint32_t chunk, uint64_t counted_until, struct stretch *stretch) {
  if (prof_chunk_load(planner->trace, chunk, NULL, &planner->loaded) != PROF_OK)
    return;
  *stretch = (struct stretch){.floor_time = planner->loaded.base_time,
                              .floor_net = planner->loaded.base_time - planner->loaded.stalled_before,
                              .counted_until = counted_until};
}

/* What the recording forgot lies in stretches before (prof_clear): frames that are open since count from there. */
static void begin_forgotten(struct planner *planner, uint32_t number, struct stretch *stretch) {
  const struct prof_part *part = prof_trace_part(planner->trace);
  *stretch = (struct stretch){.floor_time = planner->begin, .floor_net = planner->begin};
  for (uint32_t i = 0; part != NULL && i < part->thread_count; i++)
    if (part->threads[i].thread == number && part->threads[i].stalled_ticks < planner->begin)
      stretch->floor_net = planner->begin - part->threads[i].stalled_ticks;
}

/*
 * One thread.  A chunk that can't be loaded here is left as it is: the fold meets it again, counts it as damaged and
 * plans anew without it.
 */
static void plan_thread(struct planner *planner, const struct prof_thread_info *info, uint32_t thread) {
  const uint32_t *chunks = prof_trace_thread_chunks(planner->trace) + info->first_chunk;
  struct stretch stretch = {0};
  uint64_t last_before = 0; /* end of the usable chunk before */
  bool began = false;       /* the range has */
  uint64_t open_time = prof_fold_fork_time(planner->trace, thread);
  if (planner->open_times && planner->open_times[thread] > open_time)
    open_time = planner->open_times[thread];
  if (planner->is_stretch && planner->begin > 0 && info->chunk_count > 0 &&
      planner->refs[chunks[0]].first_time >= planner->begin) {
    begin_forgotten(planner, info->number, &stretch);
    began = true;
  }
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    const struct prof_chunk_ref *ref = &planner->refs[chunks[i]];
    if (!usable(planner, chunks[i]))
      continue;
    bool resumed = ref->flags & PROF_CHUNK_RESUMED;
    open_time = resumed ? ref->first_time : open_time;
    bool hole_before = i == 0 ? ref->sequence > 0 && !planner->is_stretch
                              : ref->flags & PROF_CHUNK_RUN_BEGIN || !usable(planner, chunks[i - 1]);
    bool hole_after = ref->flags & PROF_CHUNK_RUN_END || i + 1 == info->chunk_count || !usable(planner, chunks[i + 1]);
    /* Frames open at the end of the range are left in the first chunk that reaches it. */
    bool over = last_before >= planner->end || ((i == 0 || hole_before || resumed) && ref->first_time >= planner->end);
    if (hole_before) /* frames that were left before the range began were not counted */
      begin_after_hole(planner, chunks[i], last_before >= planner->begin ? last_before : 0, &stretch);
    struct prof_fold_piece piece = {.chunk = chunks[i],
                                    .thread = thread,
                                    .floor_time = stretch.floor_time,
                                    .floor_net = stretch.floor_net,
                                    .counted_until = stretch.counted_until,
                                    .fork_time = open_time,
                                    .end = ref->last_time >= planner->end ? planner->end : UINT64_MAX,
                                    .open = i == 0 || hole_before,
                                    .cut_in = hole_before,
                                    .resumed = resumed,
                                    .close = hole_after && !(planner->is_stretch && i + 1 == info->chunk_count),
                                    .goes_on = planner->is_stretch && i + 1 == info->chunk_count,
                                    .ends = i + 1 == info->chunk_count && (!planner->is_stretch || info->end_ticks)};
    /* After its last event a thread stays where it was; the frames in a hole are not known. */
    piece.marks_begin = i == 0 && ref->sequence == 0 ? 0 : ref->first_time;
    piece.marks_end = i + 1 == info->chunk_count ? UINT64_MAX
                      : hole_after               ? ref->last_time + 1
                                                 : planner->refs[chunks[i + 1]].first_time;
    bool reached = ref->last_time >= planner->begin;
    if (reached && !began) {
      began = true;
      piece.begin = planner->begin;
      if (!hole_before && planner->begin < piece.marks_begin) /* a wait may begin in a chunk that isn't read */
        piece.marks_begin = planner->begin;
      if (planner->begin > stretch.floor_time)
        begin_at_range(planner, chunks[i], &stretch);
    }
    last_before = ref->last_time;
    if (reached && !over)
      planner->plan->pieces[planner->plan->count++] = piece;
  }
}

static void count_events(struct planner *planner, const struct prof_thread_info *info) {
  const uint32_t *chunks = prof_trace_thread_chunks(planner->trace) + info->first_chunk;
  uint64_t events = 0;
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    planner->plan->events_before[chunks[i]] = events;
    events += planner->refs[chunks[i]].events - planner->refs[chunks[i]].untimed;
  }
}

static int by_chunk(const void *a, const void *b) {
  const struct prof_fold_piece *left = a, *right = b;
  return prof_order(left->chunk, right->chunk);
}

prof_status prof_fold_plan_make(const struct prof_fold_plan_of *of, const uint8_t *damaged, struct prof_diag *diag,
                                struct prof_fold_plan *out) {
  const prof_trace *trace = of->trace;
  const struct prof_filter *filter = of->filter;
  size_t chunk_count, thread_count;
  struct planner planner = {.trace = trace,
                            .damaged = damaged,
                            .plan = out,
                            .end = UINT64_MAX,
                            .is_stretch = of->is_stretch,
                            .open_times = of->open_times};
  planner.refs = prof_trace_chunks(trace, &chunk_count);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  if (filter) {
    planner.begin = filter->begin_ticks;
    planner.end = filter->end_ticks;
  }
  out->count = 0;
  out->pieces = malloc((chunk_count ? chunk_count : 1) * sizeof *out->pieces);
  out->events_before = malloc((chunk_count + 1) * sizeof *out->events_before);
  if (!out->pieces || !out->events_before) {
    prof_fold_plan_free(out);
    return prof_diag_memory(diag);
  }
  for (size_t i = 0; i < thread_count; i++)
    count_events(&planner, &threads[i]);
  for (size_t i = 0; i < thread_count; i++)
    if (!filter || filter->threads[i])
      plan_thread(&planner, &threads[i], (uint32_t)i);
  prof_chunk_free(&planner.loaded);
  qsort(out->pieces, out->count, sizeof *out->pieces, by_chunk);
  return PROF_OK;
}

void prof_fold_plan_free(struct prof_fold_plan *plan) {
  free(plan->pieces);
  free(plan->events_before);
  memset(plan, 0, sizeof *plan);
}
