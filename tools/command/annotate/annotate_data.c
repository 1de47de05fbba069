/*
 * tools/command/annotate/annotate_data.c - see annotate_data.h.
 */
#include "annotate_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate_page.h"
#include "command/cover_lines.h"
#include "export/unfinished.h"

void prof_annotate_data_begin(struct prof_annotate_data *data, FILE *file, const struct prof_reader *reader,
                              const struct prof_counter_columns *counters) {
  static const char *const heads[] = {"function",
                                      "file",
                                      "line",
                                      "self_ns",
                                      "self_low_ns",
                                      "self_high_ns",
                                      "samples",
                                      "calls_ns",
                                      "calls",
                                      "count",
                                      "iterations",
                                      "measured_self_ns",
                                      "measured_low_ns",
                                      "measured_high_ns",
                                      "measured_calls_ns",
                                      "visits",
                                      "outside_ns",
                                      "self_share"};
  data->counters = counters;
  data->format = reader->common->format;
  if (data->format == PROF_FORMAT_JSON) {
    prof_unfinished_begin(&data->json, file, 4, reader->recording.trace);
    prof_json_array(&data->json, "sources");
    return;
  }
  prof_csv_init(&data->csv, file);
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    prof_csv_text(&data->csv, heads[i]);
  prof_counter_csv(counters, &data->csv, true, PROF_NONE);
  prof_csv_text(&data->csv, "text");
  prof_csv_end(&data->csv);
}

static void put_instruction(struct prof_json *json, const struct prof_annotate_instruction *instruction,
                            const struct prof_annotate_page *page) {
  char address[24];
  snprintf(address, sizeof address, "0x%" PRIx64, instruction->address);
  prof_json_object(json, NULL);
  prof_json_text(json, "address", address);
  prof_json_text(json, "text", instruction->text);
  prof_json_count(json, "samples", instruction->samples);
  if (page->annotated->has_outside)
    prof_json_count(json, "outside_ns", instruction->outside_ns);
  prof_json_count(json, "calls_ns", instruction->in_calls.elapsed);
  prof_json_count(json, "calls", instruction->calls);
  if (page->has_budget)
    prof_json_bool(json, "estimated", instruction->calls_estimated);
  prof_json_text(json, "probe", instruction->probe ? instruction->probe : "");
  prof_json_text(json, "from_file", instruction->from_file ? instruction->from_file : "");
  prof_json_count(json, "from_line", instruction->from_line);
  prof_json_object_end(json);
}

/* *next: the first instruction that is not written yet. */
static void put_json_line(struct prof_annotate_data *data, const struct prof_annotate_page *page,
                          const struct prof_annotated_line *line, size_t *next) {
  struct prof_json *json = &data->json;
  size_t bytes = 0;
  const char *text = page->text(page->context, line->line, &bytes);
  prof_json_object(json, NULL);
  prof_json_count(json, "line", line->line);
  prof_json_count(json, "self_ns", line->self_ns);
  prof_json_count(json, "self_low_ns", line->self_low_ns);
  prof_json_count(json, "self_high_ns", line->self_high_ns);
  prof_json_count(json, "samples", line->samples);
  if (page->annotated->has_outside)
    prof_json_count(json, "outside_ns", line->outside_ns);
  prof_json_count(json, "calls_ns", line->in_calls.elapsed);
  if (page->has_switches) {
    prof_json_count(json, "calls_running_ns", line->in_calls.running);
    prof_json_count(json, "calls_waiting_ns", line->in_calls.waiting);
    prof_json_count(json, "calls_preempted_ns", line->in_calls.preempted);
  }
  prof_json_count(json, "calls", line->calls);
  if (page->has_budget)
    prof_json_bool(json, "estimated", line->calls_estimated);
  prof_json_count(json, "count", line->count);
  if (line->iterations_unknown)
    prof_json_text(json, "iterations", NULL);
  else
    prof_json_count(json, "iterations", line->iterations);
  if (page->annotated->has_times) {
    prof_json_count(json, "measured_self_ns", line->measured_self_ns);
    prof_json_count(json, "measured_low_ns", line->measured_low_ns);
    prof_json_count(json, "measured_high_ns", line->measured_high_ns);
    prof_json_count(json, "measured_calls_ns", line->measured_calls_ns);
    prof_json_count(json, "visits", line->visits);
  }
  prof_json_number(json, "self_share", line->self_share);
  prof_counter_json(data->counters, json, prof_annotate_counter_key(data->counters, page->annotated->file, line->line));
  prof_json_bytes(json, "text", text ? text : "", bytes);
  if (page->instruction_count) {
    prof_json_array(json, "instructions");
    for (; *next < page->instruction_count && page->instructions[*next].line == line->line; ++*next)
      put_instruction(json, &page->instructions[*next], page);
    prof_json_array_end(json);
  }
  prof_json_object_end(json);
}

static void put_places(struct prof_json *json, const struct prof_annotate_target *target) {
  prof_json_array(json, "inlined_into");
  for (size_t i = 0; i < target->place_count; i++) {
    prof_json_object(json, NULL);
    prof_json_text(json, "function", target->places[i].into);
    prof_json_text(json, "file", target->places[i].file);
    prof_json_count(json, "line", target->places[i].line);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}

static void put_json(struct prof_annotate_data *data, const struct prof_annotate_page *page,
                     const struct prof_annotate_target *target, bool found, bool changed) {
  struct prof_json *json = &data->json;
  const struct prof_annotated *annotated = page->annotated;
  size_t next = 0;
  prof_json_object(json, NULL);
  prof_json_text(json, "function", annotated->function ? annotated->function : "");
  prof_json_text(json, "file", annotated->file);
  prof_json_bool(json, "found", found);
  prof_json_bool(json, "changed", changed);
  put_places(json, target);
  prof_json_array(json, "lines");
  for (uint32_t i = 0; i < annotated->count; i++)
    put_json_line(data, page, &annotated->lines[i], &next);
  prof_json_array_end(json);
  prof_json_object_end(json);
}

static bool put_csv(struct prof_annotate_data *data, const struct prof_annotate_page *page) {
  struct prof_csv *csv = &data->csv;
  enum { ITERATIONS = 8 }; /* index in `counts` */
  const struct prof_annotated *annotated = page->annotated;
  for (uint32_t i = 0; i < annotated->count; i++) {
    const struct prof_annotated_line *line = &annotated->lines[i];
    const uint64_t counts[] = {line->line,
                               line->self_ns,
                               line->self_low_ns,
                               line->self_high_ns,
                               line->samples,
                               line->in_calls.elapsed,
                               line->calls,
                               line->count,
                               line->iterations,
                               line->measured_self_ns,
                               line->measured_low_ns,
                               line->measured_high_ns,
                               line->measured_calls_ns,
                               line->visits,
                               line->outside_ns};
    size_t bytes = 0;
    const char *text = page->text(page->context, line->line, &bytes);
    char *copy = malloc(bytes + 1);
    if (!copy)
      return false;
    memcpy(copy, text ? text : "", bytes);
    copy[bytes] = 0;
    prof_csv_text(csv, annotated->function ? annotated->function : "");
    prof_csv_text(csv, annotated->file);
    for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
      if (j == ITERATIONS && line->iterations_unknown)
        prof_csv_text(csv, "");
      else
        prof_csv_count(csv, counts[j]);
    prof_csv_number(csv, line->self_share);
    prof_counter_csv(data->counters, csv, false,
                     prof_annotate_counter_key(data->counters, annotated->file, line->line));
    prof_csv_text(csv, copy);
    prof_csv_end(csv);
    free(copy);
  }
  return true;
}

bool prof_annotate_data_add(struct prof_annotate_data *data, const struct prof_annotate_page *page,
                            const struct prof_annotate_target *target, bool found, bool changed) {
  if (data->format != PROF_FORMAT_JSON)
    return put_csv(data, page);
  put_json(data, page, target, found, changed);
  return true;
}

void prof_annotate_data_end(struct prof_annotate_data *data, const struct prof_cover *cover) {
  if (data->format != PROF_FORMAT_JSON)
    return;
  prof_json_array_end(&data->json);
  prof_cover_json(cover, &data->json, "cover");
  prof_json_object_end(&data->json);
}
