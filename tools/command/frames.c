/*
 * tools/command/frames.c - `prof frames`: how long the program's frames lasted, and what ran in the longest ones.
 */
#include <stdio.h>

#include "analysis/frames.h"
#include "base/diag.h"
#include "base/text.h"
#include "command.h"
#include "exact_only.h"
#include "export/unfinished.h"
#include "frame_rows.h"
#include "options/common.h"
#include "slow_trees.h"

#define DEFAULT_COUNT 1

static prof_status show_table(const struct prof_slow_settings *settings, const struct prof_reader *reader,
                              const struct prof_frames *frames, const struct prof_output *output,
                              struct prof_diag *diag) {
  struct prof_slow_view view = prof_slow_view_of(settings, reader, output);
  struct prof_table *table = prof_frame_table(frames, frames->count);
  if (!table)
    return prof_diag_memory(diag);
  prof_exact_only(reader->recording.trace, output);
  prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  for (size_t i = 0; i < frames->count; i++) {
    const struct prof_frame_name *row = &frames->rows[i];
    for (size_t at = 0; at < row->slowest_count; at++) {
      view.title = row->name;
      fputs(at == 0 ? "\n" : "", output->file);
      if (!prof_slow_tree_show(&view, &row->slowest[at], at + 1))
        return prof_diag_memory(diag);
    }
  }
  prof_slow_view_end(&view, "frames");
  return PROF_OK;
}

static void show_json(const struct prof_reader *reader, const struct prof_frames *frames, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  prof_json_array(&json, "frames");
  for (size_t i = 0; i < frames->count; i++) {
    const struct prof_frame_name *row = &frames->rows[i];
    prof_json_object(&json, NULL);
    prof_frame_json(row, &json);
    prof_json_array(&json, "slowest");
    for (size_t at = 0; at < row->slowest_count; at++) {
      prof_json_object(&json, NULL);
      prof_slow_tree_json(reader, &row->slowest[at], row->name, &json);
      prof_json_object_end(&json);
    }
    prof_json_array_end(&json);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static prof_status show_csv(const struct prof_frames *frames, FILE *file, struct prof_diag *diag) {
  struct prof_table *table = prof_frame_table(frames, frames->count);
  if (!table)
    return prof_diag_memory(diag);
  prof_table_csv(table, file);
  prof_table_free(table);
  return PROF_OK;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct prof_slow_settings *settings = argument;
  struct prof_frames frames;
  struct prof_output output;
  prof_status status = prof_frames_find(reader->recording.trace, &reader->recording.filter,
                                        settings->has_count ? settings->count : DEFAULT_COUNT, diag, &frames);
  if (status != PROF_OK)
    return status;
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  if (settings->common.format == PROF_FORMAT_TABLE)
    status = show_table(settings, reader, &frames, &output, diag);
  else if (settings->common.format == PROF_FORMAT_JSON)
    show_json(reader, &frames, output.file);
  else
    status = show_csv(&frames, output.file, diag);
  *result = prof_output_end(&output);
  prof_frames_free(&frames);
  return status;
}

static const struct prof_option options[] = {
    PROF_SLOW_ROWS("show what ran in the N longest frames of each name (default: 1)", 0), {0}};

const struct prof_command prof_command_frames = {
    .name = "frames",
    .instead = "only in one thread: --tid",
    .summary = "Show how long the program's frames lasted, and what ran in the longest",
    .group = "Look",
    .options = options,
    .filters = true,
    .needs_events = true,
    .settings_bytes = sizeof(struct prof_slow_settings),
    .show = show,
};
