/*
 * tools/record/summary/summaries.c - see summaries.h.
 */
#include "record/summary/summaries.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "estimate/summarize.h"
#include "trace/read/memory.h"
#include "trace/write/write_tables.h"

bool prof_summaries_due(const struct prof_summaries *summaries, uint64_t bytes, uint64_t age_ns) {
  uint64_t facts = summaries->facts_bytes * PROF_SUMMARIES_FACTS;
  uint64_t nodes = (uint64_t)summaries->nodes * PROF_SUMMARIES_NODE_BYTES;
  uint64_t least = nodes < PROF_SUMMARIES_MOST_BYTES && !summaries->seen ? nodes : PROF_SUMMARIES_MOST_BYTES;
  least = least > facts ? least : facts;
  least = least > PROF_SUMMARIES_STRETCH_BYTES ? least : PROF_SUMMARIES_STRETCH_BYTES;
  return summaries->wanted || bytes >= least || age_ns >= PROF_SUMMARIES_STRETCH_NS || age_ns >= summaries->every_ns;
}

static prof_status fold_measures(struct prof_summaries *summaries, const prof_trace *trace, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  if (!summaries->wants_measures)
    return PROF_OK;
  if (summaries->measures.paths.nodes.count == 0)
    status = prof_tally_sums_init(&summaries->measures);
  else if (summaries->clear)
    status = prof_tally_sums_clear(&summaries->measures);
  if (status == PROF_OK)
    status = prof_tally_sums_add(&summaries->measures, trace, diag);
  if (status == PROF_OK)
    status = prof_tally_sums_prune(&summaries->measures, summaries->max_bytes);
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}

static prof_status fold_tracks(struct prof_summaries *summaries, const prof_trace *trace, struct prof_diag *diag) {
  if (summaries->clear)
    prof_track_tally_clear(&summaries->tracks);
  return prof_track_tally_add(&summaries->tracks, trace, diag);
}

static prof_status fold(struct prof_summaries *summaries, struct prof_diag *diag) {
  prof_trace *trace;
  prof_status status = PROF_OK;
  if (summaries->clear && summaries->has_summary) {
    prof_summary_fini(&summaries->summary);
    summaries->has_summary = false;
  }
  if (!summaries->has_summary)
    status = prof_summary_init(&summaries->summary);
  summaries->has_summary |= status == PROF_OK;
  if (status != PROF_OK)
    return prof_diag_memory(diag);
  status = prof_trace_open_memory(summaries->stretch.bytes, summaries->stretch.count, diag, &trace);
  if (status != PROF_OK)
    return status;
  status = prof_summarize(trace, &summaries->span, diag, &summaries->summary);
  if (status == PROF_OK)
    status = fold_measures(summaries, trace, diag);
  if (status == PROF_OK)
    status = fold_tracks(summaries, trace, diag);
  prof_trace_close(trace);
  if (status == PROF_OK && prof_summary_prune(&summaries->summary, summaries->max_bytes) != PROF_OK)
    status = prof_diag_memory(diag);
  return status;
}

static prof_status write_file(struct prof_summaries *summaries, struct prof_end_record *end, struct prof_diag *diag) {
  struct prof_payload payload = {0}, measures = {0}, tracks = {0}, counted = {0};
  struct prof_stretch_sums sums = {.summary = &payload};
  prof_writer *writer = NULL;
  prof_summary_write(&summaries->summary, &payload);
  if (summaries->wants_measures) {
    prof_tally_sums_write(&summaries->measures, &measures);
    sums.measures = &measures;
  }
  if (summaries->tracks.tracks.count > 0) {
    prof_track_tally_write(&summaries->tracks, &tracks);
    sums.tracks = &tracks;
  }
  if (summaries->summary.counted.count > 0) {
    prof_summary_write_counted(&summaries->summary, &counted);
    sums.pmu_sums = &counted;
  }
  if (payload.failed || measures.failed || tracks.failed || counted.failed) {
    prof_vec_fini(&payload);
    prof_vec_fini(&measures);
    prof_vec_fini(&tracks);
    prof_vec_fini(&counted);
    return prof_diag_memory(diag);
  }
  prof_status status =
      prof_stretch_write(&summaries->stretch, summaries->folder, &sums, end, diag, &writer, &summaries->bytes);
  if (status != PROF_OK)
    return status;
  (void)!prof_writer_close(summaries->held, NULL); /* of a file that is gone */
  summaries->held = writer;
  return PROF_OK;
}

/* Takes over what the pump has. */
static prof_status take_stretch(struct prof_summaries *summaries, prof_writer *writer, uint64_t ticks) {
  prof_status status = prof_writer_take_stretch(writer, ticks, &summaries->stretch);
  summaries->span = (struct prof_stretch_span){.begin = summaries->span.end, .end = ticks};
  summaries->clear = summaries->clear_next;
  summaries->clear_next = false;
  summaries->facts_bytes = summaries->stretch.facts_end;
  summaries->nodes = summaries->has_summary ? summaries->summary.added_nodes : 0;
  snprintf(summaries->folder, sizeof summaries->folder, "%s", summaries->base(summaries->context));
  return status;
}

/* What the thread left. */
static prof_status join(struct prof_summaries *summaries) {
  if (summaries->started)
    pthread_join(summaries->thread, NULL);
  summaries->started = false;
  return summaries->status;
}

enum { END_SNAPSHOT = 6, STATUS_UNKNOWN = -1 };

static void write_look(struct prof_summaries *summaries) {
  struct prof_end_record end = {.reason = END_SNAPSHOT, .wait_status = (uint32_t)STATUS_UNKNOWN};
  summaries->look = false;
  summaries->looked =
      prof_stretch_show(&summaries->stretch, summaries->look_folder, summaries->span.begin, &end, NULL) == PROF_OK;
}

void prof_summaries_look(struct prof_summaries *summaries, const char *folder) {
  (void)join(summaries);
  summaries->look = summaries->seen = true;
  summaries->looked = false;
  snprintf(summaries->look_folder, sizeof summaries->look_folder, "%s", folder);
}

bool prof_summaries_look_back(struct prof_summaries *summaries, const char *folder, uint64_t age_ns) {
  if (age_ns >= summaries->held_ns || summaries->clear_next || join(summaries) != PROF_OK ||
      summaries->stretch.bytes == NULL)
    return false;
  summaries->seen = true;
  snprintf(summaries->look_folder, sizeof summaries->look_folder, "%s", folder);
  write_look(summaries);
  return summaries->looked;
}

static void *run(void *context) {
  struct prof_summaries *summaries = context;
  if (summaries->look)
    write_look(summaries);
  prof_status status = fold(summaries, &summaries->diag);
  if (status == PROF_OK && summaries->write_now)
    status = write_file(summaries, NULL, &summaries->diag);
  summaries->status = status;
  __atomic_store_n(&summaries->written, summaries->taken, __ATOMIC_RELEASE);
  return NULL;
}

bool prof_summaries_writes(const struct prof_summaries *summaries, uint64_t now_ns) {
  return summaries->wanted || now_ns - summaries->written_ns >= summaries->every_ns;
}

uint32_t prof_summaries_ask(struct prof_summaries *summaries) {
  summaries->wanted = true;
  return summaries->taken + 1;
}

bool prof_summaries_answered(const struct prof_summaries *summaries, uint32_t number, bool *written) {
  if ((int32_t)(__atomic_load_n(&summaries->written, __ATOMIC_ACQUIRE) - number) < 0)
    return false;
  *written = summaries->status == PROF_OK;
  return true;
}

const char *prof_summaries_wait(struct prof_summaries *summaries) {
  return join(summaries) == PROF_OK ? summaries->folder : NULL;
}

void prof_summaries_take(struct prof_summaries *summaries, prof_writer *writer, uint64_t ticks, bool asked,
                         uint64_t now_ns) {
  if (join(summaries) != PROF_OK) {
    (void)prof_writer_give_up(writer, &summaries->diag);
    return;
  }
  if (take_stretch(summaries, writer, ticks) != PROF_OK)
    return;
  summaries->write_now = asked || prof_summaries_writes(summaries, now_ns);
  summaries->wanted = false;
  if (summaries->write_now) {
    summaries->written_ns = now_ns;
    summaries->taken++;
  }
  summaries->started = pthread_create(&summaries->thread, NULL, run, summaries) == 0; /* the pump blocks all signals */
  if (!summaries->started)
    (void)run(summaries);
}

prof_status prof_summaries_finish(struct prof_summaries *summaries, prof_writer *writer, struct prof_end_record *end,
                                  struct prof_diag *diag) {
  prof_status status = join(summaries);
  if (status != PROF_OK) {
    *diag = summaries->diag;
    return status;
  }
  status = take_stretch(summaries, writer, UINT64_MAX);
  if (status != PROF_OK)
    return prof_writer_error(writer, diag);
  status = fold(summaries, diag);
  if (status == PROF_OK)
    status = write_file(summaries, end, diag);
  prof_stretch_free(&summaries->stretch);
  return status;
}

void prof_summaries_fini(struct prof_summaries *summaries) {
  (void)join(summaries);
  (void)!prof_writer_close(summaries->held, NULL);
  summaries->held = NULL;
  if (summaries->has_summary)
    prof_summary_fini(&summaries->summary);
  summaries->has_summary = false;
  prof_tally_sums_fini(&summaries->measures);
  prof_track_tally_fini(&summaries->tracks);
  prof_stretch_free(&summaries->stretch);
}
