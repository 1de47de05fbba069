/*
 * tools/export/speedscope.c - speedscope's own format: one profile per thread.
 *
 * Sums ("sampled": one sample per call path, weighted by its self time), or with `timeline` every call ("evented").
 * Source: file-format-schema.json of speedscope 1.25 (https://www.speedscope.app/file-format-schema.json).  Timelines
 * of all threads use the recording's one clock; a stall is a frame inside the call that waited.  Frames are numbered in
 * the order of first use and written last.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/json.h"
#include "base/vec.h"
#include "call_path.h"
#include "exporters.h"
#include "fold/walk.h"
#include "names/loop_frames.h"
#include "ticks_out.h"

struct writer {
  FILE *file;
  const struct prof_export_source *source;
  struct prof_json json;
  struct prof_diag *diag;
  prof_status status;
  uint32_t *frame_of; /* function, loop or leaf -> frame + 1; then slots for unknown ones, waits, groups */
  size_t frame_count;
  PROF_VEC(uint32_t) frames; /* frame -> function, loop or leaf */
  bool open;                 /* timeline: a profile is open */
  uint32_t thread;
  uint64_t first_ns, last_ns;
};

/* The function number of stalls. */
static uint32_t wait_number(const struct writer *writer) {
  return (uint32_t)writer->frame_count + 1;
}

static uint32_t frame_number(struct writer *writer, uint32_t function) {
  size_t slot = function <= wait_number(writer) ? function : writer->frame_count;
  if (prof_frame_is_group(function))
    slot = wait_number(writer) + 1 + function - PROF_FRAME_GROUPS;
  if (!writer->frame_of[slot]) {
    if (!prof_vec_push(&writer->frames, function)) {
      writer->status = prof_diag_memory(writer->diag);
      return 0;
    }
    writer->frame_of[slot] = (uint32_t)writer->frames.count;
  }
  return writer->frame_of[slot] - 1;
}

static void begin_profile(struct writer *writer, const char *type, uint32_t thread) {
  const struct prof_thread_info *threads = prof_trace_threads(writer->source->trace, NULL);
  char name[320];
  snprintf(name, sizeof name, "%.280s (%u)", threads[thread].name[0] ? threads[thread].name : "thread",
           threads[thread].tid);
  prof_json_object(&writer->json, NULL);
  prof_json_text(&writer->json, "type", type);
  prof_json_text(&writer->json, "name", name);
  prof_json_text(&writer->json, "unit", "nanoseconds");
}

static void end_profile(struct writer *writer, uint64_t start_ns, uint64_t end_ns) {
  prof_json_count(&writer->json, "startValue", start_ns);
  prof_json_count(&writer->json, "endValue", end_ns);
  prof_json_object_end(&writer->json);
}

/* ---- sums ---- */

static void write_sample(struct writer *writer, const struct prof_call_path *path, const char *comma) {
  fprintf(writer->file, "%s\n   [", comma);
  for (size_t f = 0; f < path->count; f++) {
    if (f)
      putc(',', writer->file);
    prof_digits_put(writer->file, frame_number(writer, path->functions[f]));
  }
  putc(']', writer->file);
}

static void write_sums_of(struct writer *writer, uint32_t thread_node, struct prof_call_path *path) {
  const struct prof_node *nodes = writer->source->profile->nodes;
  struct prof_ticks_out ticks = {.trace = writer->source->trace};
  const char *comma = "";
  begin_profile(writer, "sampled", nodes[thread_node].thread);
  prof_json_array(&writer->json, "samples");
  for (bool more = prof_call_path_begin(path, thread_node); more; more = prof_call_path_next(path)) {
    if (!prof_ticks_out_ns(&ticks, prof_call_path_self_ticks(path)))
      continue;
    write_sample(writer, path, comma);
    comma = ",";
  }
  prof_json_array_end(&writer->json);
  ticks.ticks = ticks.ns = 0;
  prof_json_array(&writer->json, "weights");
  for (bool more = prof_call_path_begin(path, thread_node); more; more = prof_call_path_next(path)) {
    uint64_t self_ns = prof_ticks_out_ns(&ticks, prof_call_path_self_ticks(path));
    if (self_ns)
      prof_json_count(&writer->json, NULL, self_ns);
  }
  prof_json_array_end(&writer->json);
  end_profile(writer, 0, ticks.ns);
}

static void write_sums(struct writer *writer) {
  const struct prof_node *nodes = writer->source->profile->nodes;
  const struct prof_export_source *source = writer->source;
  struct prof_call_path path = {.profile = source->profile,
                                .time = source->time,
                                .leaves = source->leaves,
                                .groups = source->groups,
                                .limit = PROF_CALL_PATH_LIMIT};
  for (uint32_t node = nodes[0].first_child; node != PROF_NONE && !ferror(writer->file) && !path.failed;
       node = nodes[node].next_sibling)
    write_sums_of(writer, node, &path);
  if (path.failed)
    writer->status = prof_diag_memory(writer->diag);
  *writer->source->too_deep = path.too_deep / 2; /* each thread was walked twice */
  prof_call_path_fini(&path);
}

/* ---- every call ---- */

static void close_timeline(struct writer *writer) {
  if (!writer->open)
    return;
  writer->open = false;
  prof_json_array_end(&writer->json);
  end_profile(writer, writer->first_ns, writer->last_ns);
}

static void put_event(FILE *file, const char *comma, char type, uint32_t frame, uint64_t at_ns) {
  fprintf(file, "%s\n{\"type\":\"%c\",\"frame\":", comma, type);
  prof_digits_put(file, frame);
  fputs(",\"at\":", file);
  prof_digits_put(file, at_ns);
  putc('}', file);
}

static bool write_event(void *context, const struct prof_walk_event *event) {
  struct writer *writer = context;
  FILE *file = writer->file;
  const bool goes_on = prof_export_count(writer->source);
  if (event->kind == PROF_WALK_GAP)
    return goes_on;
  const char *comma = ",";
  if (!writer->open || writer->thread != event->thread) {
    close_timeline(writer);
    begin_profile(writer, "evented", event->thread);
    prof_json_array(&writer->json, "events");
    writer->open = true;
    writer->thread = event->thread;
    writer->first_ns = event->time_ns;
    comma = "";
  }
  writer->json.first = false;
  bool wait = event->kind == PROF_WALK_WAIT;
  uint32_t frame = frame_number(writer, wait ? wait_number(writer) : event->function);
  writer->last_ns = event->time_ns + (wait ? event->duration_ns : 0);
  if (event->kind != PROF_WALK_LEAVE) {
    put_event(file, comma, 'O', frame, event->time_ns);
    comma = ",";
  }
  if (event->kind != PROF_WALK_ENTER)
    put_event(file, comma, 'C', frame, writer->last_ns);
  return writer->status == PROF_OK && !ferror(file) && goes_on;
}

/* ---- the file ---- */

static void write_frame(struct writer *writer, const char *name, const char *path, uint32_t line) {
  prof_json_object(&writer->json, NULL);
  prof_json_text(&writer->json, "name", name);
  if (path[0]) {
    prof_json_text(&writer->json, "file", path);
    prof_json_count(&writer->json, "line", line);
  }
  prof_json_object_end(&writer->json);
}

static void write_frames(struct writer *writer) {
  const struct prof_line_leaves *leaves = writer->source->leaves;
  struct prof_names *names = writer->source->names;
  prof_json_object(&writer->json, "shared");
  prof_json_array(&writer->json, "frames");
  for (size_t i = 0; i < writer->frames.count; i++) {
    uint32_t number = writer->frames.items[i];
    const char *leaf = prof_line_leaf_name(leaves, number);
    const struct prof_line_leaf_place *place = leaf ? &leaves->places[number - leaves->first] : NULL;
    if (number == wait_number(writer))
      write_frame(writer, PROF_EXPORT_WAIT, "", 0);
    else if (place)
      write_frame(writer, leaf, place->line ? place->file : "", place->line);
    else
      write_frame(writer, prof_names_function(names, number), prof_names_file(names, number),
                  prof_names_line(names, number));
  }
  prof_json_array_end(&writer->json);
  prof_json_object_end(&writer->json);
}

static prof_status write_speedscope(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source, .diag = diag};
  writer.frame_count = prof_frame_count(source->trace) + (source->leaves ? source->leaves->count : 0);
  writer.frame_of =
      calloc(writer.frame_count + 2 + (source->groups ? source->groups->count : 0), sizeof *writer.frame_of);
  if (!writer.frame_of)
    return prof_diag_memory(diag);
  prof_json_init(&writer.json, file, 3);
  prof_json_object(&writer.json, NULL);
  prof_json_text(&writer.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
  prof_json_text(&writer.json, "exporter", "prof");
  prof_json_text(&writer.json, "name", prof_trace_info(source->trace)->path);
  prof_json_array(&writer.json, "profiles");
  if (source->timeline) {
    prof_status status = prof_walk(source->trace, source->filter, PROF_WALK_BY_THREAD, write_event, &writer, diag);
    close_timeline(&writer);
    writer.status = writer.status == PROF_OK ? status : writer.status;
  } else {
    write_sums(&writer);
  }
  prof_json_array_end(&writer.json);
  write_frames(&writer);
  prof_json_object_end(&writer.json);
  prof_vec_fini(&writer.frames);
  free(writer.frame_of);
  return writer.status;
}

const struct prof_exporter prof_exporter_speedscope = {
    .name = "speedscope",
    .summary = "call paths, or every call in time, for www.speedscope.app and its command-line program",
    .has_timeline = true,
    .has_lines = true,
    .has_groups = true,
    .has_paths = true,
    .write = write_speedscope,
};
