/*
 * tools/command/replay.c - `prof replay`: every call in the order of time, as C-like text, JSON or CSV.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "exact_only.h"
#include "export/unfinished.h"
#include "fold/walk.h"
#include "gpu/gpu_replay.h"
#include "names/loop_frames.h"
#include "names/point_value.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "study/called.h"
#include "time_replay.h"
#include "view/replay_text.h"

struct settings {
  struct prof_common common;
  uint64_t limit;
};

/* Durations are elapsed time, unless --time names a part of it. */
static prof_status walk(const struct prof_reader *reader, struct prof_gpu_replay *replay, struct prof_diag *diag) {
  struct prof_time_replay *timed = NULL;
  prof_status status = PROF_OK;
  if (reader->common->has_time && reader->recording.time != PROF_TIME_ELAPSED) {
    status = prof_time_replay_new(reader, replay->visit, replay->visit_context, diag, &timed);
    replay->visit = prof_time_replay_visit;
    replay->visit_context = timed;
  }
  if (status == PROF_OK)
    status = prof_gpu_replay_walk(reader, replay, diag);
  prof_time_replay_free(timed);
  return status;
}

/* ---- JSON and CSV: one record per event ---- */

struct records {
  const struct prof_reader *reader;
  const struct prof_thread_info *threads;
  FILE *file;
  struct prof_json json;
  struct prof_csv csv;
  uint64_t count, limit;
};

static const char *const kinds[] = {
    [PROF_WALK_ENTER] = "enter", [PROF_WALK_LEAVE] = "leave", [PROF_WALK_GAP] = "lost", [PROF_WALK_WAIT] = "wait"};

/* The word of an event; *point, of a point. */
static const char *kind_of(const struct records *records, const struct prof_walk_event *event,
                           struct prof_site_info *site, const struct prof_point **point) {
  *point = NULL;
  if (event->kind != PROF_WALK_POINT)
    return kinds[event->kind];
  *site = prof_trace_site(records->reader->recording.trace, event->site);
  *point = prof_point_of(records->reader->recording.trace, site);
  return prof_point_kind(*point);
}

static void write_point(struct prof_json *json, const struct prof_point *point, const struct prof_site_info *site,
                        const struct prof_walk_event *event) {
  prof_json_count(json, "depth", event->depth);
  prof_json_text(json, "name", point->name);
  if (!prof_point_has_value(site))
    return;
  prof_point_json(json, "value", site, event->value, event->text);
  if (*point->unit)
    prof_json_text(json, "unit", point->unit);
}

static bool is_of_call(const struct prof_walk_event *event) {
  return event->kind == PROF_WALK_ENTER || event->kind == PROF_WALK_LEAVE;
}

static bool write_json(void *context, const struct prof_walk_event *event) {
  struct records *records = context;
  struct prof_json *json = &records->json;
  struct prof_site_info site;
  const struct prof_point *point;
  prof_json_object(json, NULL);
  prof_json_text(json, "event", kind_of(records, event, &site, &point));
  prof_json_count(json, "time_ns", event->time_ns);
  prof_json_count(json, "tid", records->threads[event->thread].tid);
  if (event->kind == PROF_WALK_GAP) {
    prof_json_count(json, "lost_events", event->lost);
  } else if (point) {
    write_point(json, point, &site, event);
  } else if (is_of_call(event)) {
    prof_json_count(json, "depth", event->depth);
    prof_json_text(json, "name", prof_names_plain(records->reader->recording.names, event->function));
    if (prof_names_is_zone(records->reader->recording.names, event->function))
      prof_json_text(json, "kind", prof_names_kind(records->reader->recording.names, event->function));
    if (prof_frame_loop(records->reader->recording.trace, event->function) != PROF_NONE)
      prof_json_bool(json, "loop", true);
  }
  if (event->kind == PROF_WALK_LEAVE || event->kind == PROF_WALK_WAIT)
    prof_json_count(json, "duration_ns", event->duration_ns);
  if (event->cut)
    prof_json_bool(json, "cut", true);
  if (event->goes_on)
    prof_json_bool(json, "goes_on", true);
  prof_json_object_end(json);
  return ++records->count != records->limit && !ferror(records->file);
}

enum { GPU_COLUMNS = 3 };

static bool write_csv(void *context, const struct prof_walk_event *event) {
  struct records *records = context;
  struct prof_csv *csv = &records->csv;
  bool is_call = is_of_call(event);
  struct prof_site_info site;
  const struct prof_point *point;
  char value[PROF_POINT_SHOWN_BYTES];
  prof_csv_text(csv, kind_of(records, event, &site, &point));
  prof_csv_count(csv, event->time_ns);
  prof_csv_count(csv, records->threads[event->thread].tid);
  prof_csv_count(csv, event->depth);
  prof_csv_text(csv, is_call ? prof_names_function(records->reader->recording.names, event->function)
                     : point ? point->name
                             : "");
  prof_csv_count(csv, event->kind != PROF_WALK_ENTER ? event->duration_ns : 0);
  prof_csv_count(csv, event->lost);
  prof_csv_count(csv, event->cut);
  for (int i = 0; i < GPU_COLUMNS; i++)
    prof_csv_count(csv, 0);
  bool has_value = point && prof_point_has_value(&site);
  const char *word = has_value ? prof_point_word(&site, event->value, event->text, value) : "";
  if (has_value && !prof_point_is_number(&site))
    prof_csv_text(csv, word);
  else
    prof_csv_digits(csv, word);
  prof_csv_text(csv, point ? point->unit : "");
  prof_csv_end(csv);
  return ++records->count != records->limit && !ferror(records->file);
}

static bool write_gpu_json(void *context, const struct prof_gpu_event *event) {
  struct records *records = context;
  struct prof_json *json = &records->json;
  prof_json_object(json, NULL);
  prof_json_text(json, "event", "gpu");
  prof_json_count(json, "time_ns", event->time_ns);
  if (event->has_call)
    prof_json_count(json, "tid", event->tid);
  prof_json_text(json, "name", event->name);
  prof_json_count(json, "duration_ns", event->duration_ns);
  prof_json_count(json, "device", event->device);
  prof_json_count(json, "stream", event->stream);
  if (*event->device_called != 0)
    prof_json_text(json, "device_called", event->device_called);
  if (*event->stream_called != 0)
    prof_json_text(json, "stream_called", event->stream_called);
  if (*event->thread_called != 0)
    prof_json_text(json, "thread_called", event->thread_called);
  if (event->has_call)
    prof_json_count(json, "launch_ns", event->launch_ns);
  prof_json_object_end(json);
  return ++records->count != records->limit && !ferror(records->file);
}

static bool write_gpu_csv(void *context, const struct prof_gpu_event *event) {
  struct records *records = context;
  struct prof_csv *csv = &records->csv;
  prof_csv_text(csv, "gpu");
  prof_csv_count(csv, event->time_ns);
  prof_csv_count(csv, event->tid);
  prof_csv_count(csv, 0);
  prof_csv_text(csv, event->name);
  prof_csv_count(csv, event->duration_ns);
  prof_csv_count(csv, 0);
  prof_csv_count(csv, 0);
  prof_csv_count(csv, event->device);
  prof_csv_count(csv, event->stream);
  prof_csv_count(csv, event->launch_ns);
  prof_csv_text(csv, ""); /* of points */
  prof_csv_text(csv, "");
  prof_csv_end(csv);
  return ++records->count != records->limit && !ferror(records->file);
}

static prof_status replay_records(const struct prof_reader *reader, FILE *file, uint64_t limit, uint64_t *count,
                                  struct prof_diag *diag) {
  static const char *const columns[] = {"event",       "time_ns",     "tid", "depth",  "name",
                                        "duration_ns", "lost_events", "cut", "device", "stream",
                                        "launch_ns",   "value",       "unit"};
  size_t threads;
  struct records records = {.reader = reader, .file = file, .limit = limit};
  bool as_json = reader->common->format == PROF_FORMAT_JSON;
  records.threads = prof_trace_threads(reader->recording.trace, &threads);
  prof_json_init(&records.json, file, 2);
  prof_csv_init(&records.csv, file);
  if (as_json) {
    prof_json_object(&records.json, NULL);
    prof_unfinished_json(reader->recording.trace, &records.json);
    prof_json_array(&records.json, "events");
  } else {
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
      prof_csv_text(&records.csv, columns[i]);
    prof_csv_end(&records.csv);
  }
  struct prof_gpu_replay replay = {
      .visit = as_json ? write_json : write_csv, .give = as_json ? write_gpu_json : write_gpu_csv, .context = &records};
  replay.visit_context = &records;
  prof_status status = walk(reader, &replay, diag);
  prof_gpu_replay_fini(&replay);
  if (as_json) {
    prof_json_array_end(&records.json);
    prof_json_object_end(&records.json);
  }
  *count = records.count;
  return status;
}

/* ---- text ---- */

static prof_status replay_text(const struct prof_reader *reader, const struct prof_output *output, uint64_t limit,
                               uint64_t *count, struct prof_diag *diag) {
  struct prof_replay_style style = {
      .color = output->style.color, .utf8 = output->style.utf8, .width = output->style.width, .limit = limit};
  prof_recording_view_called(&reader->recording);
  struct prof_replay_text *text =
      prof_replay_text_new(reader->recording.trace, reader->recording.names, output->file, &style);
  if (!text)
    return prof_diag_memory(diag);
  struct prof_gpu_replay replay = {.visit = prof_replay_text_visit, .give = prof_replay_text_gpu, .context = text};
  replay.visit_context = text;
  prof_status status = walk(reader, &replay, diag);
  *count = prof_replay_text_end(text);
  prof_gpu_replay_fini(&replay);
  prof_replay_text_free(text);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  struct prof_output output;
  uint64_t count = 0;
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  if (settings->common.format == PROF_FORMAT_TABLE)
    prof_exact_only(reader->recording.trace, &output);
  prof_status status = settings->common.format == PROF_FORMAT_TABLE
                           ? replay_text(reader, &output, settings->limit, &count, diag)
                           : replay_records(reader, output.file, settings->limit, &count, diag);
  bool writing = !ferror(output.file);
  *result = prof_output_end(&output);
  if (status == PROF_OK && !count && writing)
    status = prof_diag_fill(diag, PROF_EMPTY, settings->common.input, PROF_NO_OFFSET,
                            "widen the filters (-F -N -D -t --tid --range), or look at prof info", "no calls to show");
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_TIME_AS("show this part of each call's time (default: elapsed)"),
    PROF_COMMON_LOOPS,
    {"limit", 0, "N", "stop after N lines", PROF_OPTION_COUNT, IN(limit), .low = 1},
    {0},
};

const struct prof_command prof_command_replay = {
    .name = "replay",
    .instead = "only one function: -F NAME",
    .summary = "Show every call in the order of time, as C-like text",
    .group = "Look",
    .options = options,
    .filters = true,
    .needs_events = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
