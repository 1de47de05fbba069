/*
 * tools/command/page/generation.c - see generation.h.
 */
#include "command/page/generation.h"

#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "viewer/span_sketch.h"
#include "viewer/view_extra.h"

#define MOST_RECORDS 1000000 /* of the index: 32 MB */
#define LEAST_NS 1000000000u /* between two readings of a live recording */
#define EARLY_EVENTS 3000000 /* a recording with fewer is read at once */
#define COST_FACTOR 4        /* and so many times what the last one took */

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const struct prof_trace_info *info_of(const struct prof_generation *generation) {
  return prof_trace_info(generation->recording.reader.recording.trace);
}

static void free_generation(struct prof_generation *generation) {
  if (!generation)
    return;
  free(generation->overview.bytes);
  prof_lanes_fini(&generation->extra);
  prof_span_index_fini(&generation->sketch);
  prof_view_frames_fini(&generation->frames);
  prof_page_recording_close(&generation->recording);
  pthread_mutex_destroy(&generation->naming);
  free(generation);
}

static void put_index(void *context, struct prof_json *json) {
  const struct prof_page_recording *recording = context;
  prof_json_count(json, "index_shift", recording->index.lanes.shift);
}

/* What is known at a stage replaces what was known before.  Behind the lock `naming`. */
static prof_status make_overview(struct prof_generation *generation, enum prof_reading_stage stage,
                                 struct prof_diag *diag) {
  struct prof_view_input input = prof_page_recording_input(&generation->recording);
  struct prof_view_data made;
  input.frames = &generation->frames;
  input.extra = &generation->extra;
  input.plain = true;
  if (stage < PROF_READING_WHOLE) /* a fold may be writing there */
    input.figures = NULL;
  if (stage == PROF_READING_SKETCH)
    input.index = &generation->sketch;
  else
    input.put_more = put_index;
  prof_status status = prof_view_data_make(&input, SIZE_MAX, diag, &made);
  if (status != PROF_OK)
    return status;
  free(generation->overview.bytes);
  generation->overview = made;
  generation->stage = stage;
  return PROF_OK;
}

static prof_status finish(struct prof_generation *generation, struct prof_diag *diag) {
  struct prof_page_recording *recording = &generation->recording;
  pthread_mutex_lock(&generation->naming);
  prof_status status = prof_page_recording_explain(recording, diag);
  if (status == PROF_OK)
    prof_view_extra_add(&recording->reader.recording, recording->samples, recording->gpu, &generation->frames,
                        &generation->extra);
  if (status == PROF_OK)
    status = generation->extra.failed ? prof_diag_memory(diag) : make_overview(generation, PROF_READING_WHOLE, diag);
  if (status == PROF_OK)
    prof_page_recording_forget_figures(recording);
  pthread_mutex_unlock(&generation->naming);
  return status;
}

/* An open recording, not read.  *out is NULL after a failure. */
static prof_status open_recording(const struct prof_generations *all, struct prof_diag *diag,
                                  struct prof_generation **out) {
  struct prof_generation *generation = calloc(1, sizeof *generation);
  *out = NULL;
  if (!generation)
    return prof_diag_memory(diag);
  pthread_mutex_init(&generation->naming, NULL);
  prof_lanes_init(&generation->extra, MOST_RECORDS);
  prof_status status = prof_page_recording_open(&generation->recording, all->common, all->against, diag);
  generation->read_ns = now_ns();
  if (status == PROF_OK)
    *out = generation;
  else
    free_generation(generation);
  return status;
}

/* A stage before the last one is there: others may use it.  all: NULL: nobody waits for it. */
static prof_status publish(struct prof_generation *generation, enum prof_reading_stage stage,
                           struct prof_generations *all, struct prof_diag *diag) {
  pthread_mutex_lock(&generation->naming);
  prof_status status = make_overview(generation, stage, diag);
  pthread_mutex_unlock(&generation->naming);
  if (status == PROF_OK && !all->now) {
    pthread_mutex_lock(&all->lock);
    generation->number = 1;
    all->now = generation;
    all->first = NULL;
    pthread_cond_broadcast(&all->read);
    pthread_mutex_unlock(&all->lock);
  }
  return status;
}

static prof_status read_events(struct prof_generation *generation, struct prof_generations *all,
                               struct prof_diag *diag) {
  struct prof_page_recording *recording = &generation->recording;
  const struct prof_recording *of = &recording->reader.recording;
  const bool early = all && info_of(generation)->events >= EARLY_EVENTS;
  prof_status status = PROF_OK;
  if (early && !of->filter.active)
    status = prof_span_sketch_make(of, diag, &generation->sketch);
  if (status == PROF_OK && generation->sketch.lanes.items.count)
    status = publish(generation, PROF_READING_SKETCH, all, diag);
  if (status == PROF_OK)
    status = prof_page_recording_index(recording, MOST_RECORDS, diag);
  if (status == PROF_OK && early && recording->index.lanes.items.count)
    status = publish(generation, PROF_READING_TIMELINE, all, diag);
  return status == PROF_OK ? prof_page_recording_fold(recording, &generation->naming, diag) : status;
}

/* live: a recording in progress may be empty.  all: those that wait for its stages; NULL: nobody does. */
static prof_status read_recording(struct prof_generation *generation, struct prof_generations *all, bool live,
                                  struct prof_diag *diag) {
  if (!prof_view_frames_init(&generation->frames, &generation->recording.reader.recording))
    return prof_diag_memory(diag);
  prof_status status = read_events(generation, all, diag);
  if (status == PROF_OK)
    status = finish(generation, diag);
  if (status != PROF_EMPTY || !live || !info_of(generation)->in_progress)
    return status;
  generation->empty = true;
  generation->stage = PROF_READING_WHOLE;
  return PROF_OK;
}

prof_status prof_generations_open(struct prof_generations *all, struct prof_common *common,
                                  const struct prof_page_against *against, bool live, struct prof_diag *diag) {
  *all = (struct prof_generations){.common = common, .against = against, .live = live};
  prof_status status = open_recording(all, diag, &all->first);
  if (status != PROF_OK)
    return status;
  pthread_mutex_init(&all->lock, NULL);
  pthread_mutex_init(&all->reading, NULL);
  pthread_cond_init(&all->read, NULL);
  all->open = true;
  prof_page_recording_title(&all->first->recording, all->title);
  const struct prof_recording *recording = &all->first->recording.reader.recording;
  bool may_be_empty = live && info_of(all->first)->in_progress;
  if (info_of(all->first)->events == 0 && !may_be_empty)
    return prof_filter_empty(recording->trace, &recording->filter, diag);
  return PROF_OK;
}

prof_status prof_generations_read(struct prof_generations *all, struct prof_diag *diag) {
  uint64_t begin = now_ns();
  pthread_mutex_lock(&all->reading);
  prof_status status = read_recording(all->first, all, all->live, diag);
  all->read_ns = now_ns();
  all->cost_ns = all->read_ns - begin;
  pthread_mutex_lock(&all->lock);
  if (status == PROF_OK && !all->now) {
    all->first->number = 1;
    all->now = all->first;
    all->first = NULL;
  }
  all->failed = status != PROF_OK;
  pthread_cond_broadcast(&all->read);
  pthread_mutex_unlock(&all->lock);
  pthread_mutex_unlock(&all->reading);
  return status;
}

void prof_generations_close(struct prof_generations *all) {
  if (!all->open)
    return;
  free_generation(all->first);
  free_generation(all->now);
  pthread_cond_destroy(&all->read);
  pthread_mutex_destroy(&all->lock);
  pthread_mutex_destroy(&all->reading);
  all->open = false;
}

struct prof_generation *prof_generation_take(struct prof_generations *all) {
  pthread_mutex_lock(&all->lock);
  while (!all->now && !all->failed)
    pthread_cond_wait(&all->read, &all->lock);
  struct prof_generation *generation = all->now;
  if (generation)
    generation->users++;
  pthread_mutex_unlock(&all->lock);
  return generation;
}

void prof_generation_give(struct prof_generations *all, struct prof_generation *generation) {
  pthread_mutex_lock(&all->lock);
  bool unused = --generation->users == 0 && generation != all->now;
  pthread_mutex_unlock(&all->lock);
  if (unused)
    free_generation(generation);
}

struct prof_view_span_source prof_generation_timeline(struct prof_generation *generation) {
  static const struct prof_lanes none;
  struct prof_view_span_source source = {&generation->recording.reader.recording, &generation->recording.index,
                                         &generation->extra};
  pthread_mutex_lock(&generation->naming);
  if (generation->stage == PROF_READING_SKETCH)
    source.index = &generation->sketch;
  if (generation->stage < PROF_READING_WHOLE)
    source.extra = &none;
  pthread_mutex_unlock(&generation->naming);
  return source;
}

uint64_t prof_generation_age_ns(const struct prof_generation *generation) {
  const struct prof_trace_info *info = info_of(generation);
  return info->in_progress ? info->age_ns + (now_ns() - generation->read_ns) : 0;
}

static void replace(struct prof_generations *all, struct prof_generation *by) {
  pthread_mutex_lock(&all->lock);
  struct prof_generation *before = all->now;
  by->number = before->number + 1;
  all->now = by;
  bool unused = before->users == 0;
  pthread_mutex_unlock(&all->lock);
  if (unused)
    free_generation(before);
}

/* The next reading; NULL: it could not be made, which may be otherwise the next time. */
static struct prof_generation *read_again(struct prof_generations *all) {
  struct prof_generation *next;
  struct prof_diag diag;
  if (open_recording(all, &diag, &next) != PROF_OK)
    return NULL;
  next->recording.warned = true;
  if (read_recording(next, NULL, true, &diag) == PROF_OK)
    return next;
  free_generation(next);
  return NULL;
}

void prof_generations_refresh(struct prof_generations *all) {
  if (!all->live || pthread_mutex_trylock(&all->reading)) /* another one does it */
    return;
  uint64_t begin = now_ns(), least = COST_FACTOR * all->cost_ns;
  if (all->now && info_of(all->now)->in_progress && /* nobody else replaces it */
      begin - all->read_ns >= (least > LEAST_NS ? least : LEAST_NS)) {
    struct prof_generation *next = read_again(all);
    if (next)
      replace(all, next);
    all->read_ns = now_ns();
    all->cost_ns = all->read_ns - begin;
  }
  pthread_mutex_unlock(&all->reading);
}
