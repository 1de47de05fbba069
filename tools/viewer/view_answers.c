/*
 * tools/viewer/view_answers.c - see view_answers.h.
 */
#include "viewer/view_answers.h"

#include <stdlib.h>

#include "base/diag.h"
#include "viewer/sections.h"
#include "viewer/view_code.h"
#include "viewer/view_rows.h"
#include "viewer/view_sources.h"
#include "viewer/view_tree.h"
#include "viewer/view_values.h"

#define MOST_PATHS 60000
#define MOST_FUNCTIONS 20000
#define MOST_LINES 40000
#define MOST_SOURCE_BYTES (8u << 20)

struct answer {
  struct prof_sections *sections;
  struct prof_view_frames *frames;
  struct prof_json json;
  struct prof_diag *diag;
};

/* false: no memory. */
static bool begin_section(struct answer *answer, const char *name) {
  FILE *file = answer->sections ? prof_sections_begin(answer->sections, name) : NULL;
  if (!file)
    return false;
  prof_json_init(&answer->json, file, 1);
  prof_json_object(&answer->json, NULL);
  return true;
}

static void end_section(struct answer *answer) {
  prof_json_object_end(&answer->json);
  prof_sections_end(answer->sections);
}

/* Hands over the bytes, if all went well. */
static prof_status finish(struct answer *answer, prof_status status, struct prof_view_data *out) {
  bool failed = !answer->sections || (answer->frames && answer->frames->failed) || status == PROF_NO_MEMORY;
  *out = (struct prof_view_data){.bytes = NULL};
  if (!failed && status == PROF_OK)
    failed = !prof_sections_take(answer->sections, &out->bytes, &out->count);
  prof_sections_free(answer->sections);
  return failed ? prof_diag_memory(answer->diag) : status;
}

static prof_status write_frames(struct answer *answer, const struct prof_view_known *known) {
  if (!begin_section(answer, "frames"))
    return PROF_NO_MEMORY;
  prof_json_count(&answer->json, "first", known->frames);
  prof_json_count(&answer->json, "first_file", known->files);
  prof_json_count(&answer->json, "first_module", known->modules);
  prof_view_frames_write(answer->frames, known, &answer->json);
  end_section(answer);
  return PROF_OK;
}

prof_status prof_view_span_answer(const struct prof_lanes *lanes, struct prof_view_frames *frames,
                                  const struct prof_view_known *known, struct prof_diag *diag,
                                  struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .frames = frames, .diag = diag};
  size_t count = 0;
  uint8_t *bytes = prof_lanes_bytes(lanes, &count);
  prof_status status = bytes && answer.sections ? PROF_OK : PROF_NO_MEMORY;
  if (status == PROF_OK) {
    prof_sections_add(answer.sections, "lanes", bytes, count);
    status = write_frames(&answer, known);
  }
  free(bytes);
  return finish(&answer, status, out);
}

/* ---- a range ---- */

static prof_status write_functions(struct answer *answer, const struct prof_view_range *range, uint64_t *left_out) {
  const struct prof_function_rows *rows = &range->ranks->functions;
  if (!begin_section(answer, "functions"))
    return PROF_NO_MEMORY;
  prof_view_functions_write(answer->frames, range->figures, rows, MOST_FUNCTIONS, &answer->json);
  prof_view_counters_write(&range->ranks->counters, rows, MOST_FUNCTIONS, &answer->json);
  end_section(answer);
  *left_out = rows->count > MOST_FUNCTIONS ? rows->count - MOST_FUNCTIONS : 0;
  return PROF_OK;
}

static prof_status write_tree(struct answer *answer, const struct prof_view_range *range, bool by_thread,
                              uint64_t *left_out) {
  if (!begin_section(answer, by_thread ? "thread_tree" : "tree"))
    return PROF_NO_MEMORY;
  prof_status status =
      prof_view_tree_write(answer->frames, range->tree, by_thread, MOST_PATHS, answer->diag, &answer->json, left_out);
  if (status == PROF_OK)
    end_section(answer);
  return status;
}

static prof_status write_loops(struct answer *answer, const struct prof_view_range *range) {
  if (!begin_section(answer, "loops"))
    return PROF_NO_MEMORY;
  prof_view_loops_write(answer->frames, &range->ranks->loops, &answer->json);
  end_section(answer);
  return PROF_OK;
}

static prof_status write_lines(struct answer *answer, const struct prof_view_range *range, uint64_t *left_out) {
  struct prof_line_rows rows = {.rows = NULL};
  struct prof_line_source source = prof_symbols_source(range->symbols);
  const struct prof_line_options options = {
      .within = range->recording->filter.has_only, .time = range->recording->time, .raw = range->raw};
  prof_status status =
      prof_lines_rank(range->paths, range->samples, range->recording->names, &source, &options, answer->diag, &rows);
  if (status == PROF_OK && !begin_section(answer, "lines"))
    status = PROF_NO_MEMORY;
  if (status == PROF_OK) {
    prof_view_lines_write(answer->frames, &rows, MOST_LINES, &answer->json);
    end_section(answer);
  }
  *left_out = rows.count > MOST_LINES ? rows.count - MOST_LINES : 0;
  prof_lines_free(&rows);
  return status;
}

static prof_status write_slowest(struct answer *answer, const struct prof_view_range *range) {
  if (!begin_section(answer, "slowest"))
    return PROF_NO_MEMORY;
  prof_view_slowest_write(answer->frames, range->slowest, &answer->json);
  end_section(answer);
  return PROF_OK;
}

prof_status prof_view_range_answer(const struct prof_view_range *range, struct prof_view_frames *frames,
                                   const struct prof_view_known *known, struct prof_diag *diag,
                                   struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .frames = frames, .diag = diag};
  uint64_t functions = 0, paths = 0, thread_paths = 0, lines = 0;
  prof_status status = answer.sections ? PROF_OK : PROF_NO_MEMORY;
  if (status == PROF_OK && range->figures) {
    status = write_functions(&answer, range, &functions);
    if (status == PROF_OK)
      status = write_tree(&answer, range, false, &paths);
    if (status == PROF_OK)
      status = write_tree(&answer, range, true, &thread_paths);
    if (status == PROF_OK)
      status = write_loops(&answer, range);
    if (status == PROF_OK && range->symbols)
      status = write_lines(&answer, range, &lines);
    if (status == PROF_OK)
      status = write_slowest(&answer, range);
  }
  if (status == PROF_OK)
    status = write_frames(&answer, known);
  if (status == PROF_OK && !begin_section(&answer, "range"))
    status = PROF_NO_MEMORY;
  if (status == PROF_OK) {
    prof_json_count(&answer.json, "begin_ns", range->begin_ns);
    prof_json_count(&answer.json, "end_ns", range->end_ns);
    prof_json_bool(&answer.json, "empty", !range->figures);
    if (range->figures)
      range->put_cover(range->context, &answer.json);
    prof_json_object(&answer.json, "left_out");
    prof_json_count(&answer.json, "functions", functions);
    prof_json_count(&answer.json, "tree_paths", paths);
    prof_json_count(&answer.json, "thread_tree_paths", thread_paths);
    prof_json_count(&answer.json, "lines", lines);
    prof_json_object_end(&answer.json);
    end_section(&answer);
  }
  return finish(&answer, status, out);
}

/* ---- the next call ---- */

prof_status prof_view_next_answer(const struct prof_next_call *next, struct prof_diag *diag,
                                  struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .diag = diag};
  if (!begin_section(&answer, "next"))
    return finish(&answer, PROF_NO_MEMORY, out);
  prof_json_bool(&answer.json, "found", next->found);
  if (next->found) {
    prof_json_count(&answer.json, "thread", next->thread);
    prof_json_count(&answer.json, "depth", next->depth);
    prof_json_count(&answer.json, "begin_ns", next->begin_ns);
    prof_json_count(&answer.json, "end_ns", next->end_ns);
  }
  end_section(&answer);
  return finish(&answer, PROF_OK, out);
}

/* ---- what a call was given ---- */

prof_status prof_view_values_answer(const prof_trace *trace, const struct prof_call_values_list *list,
                                    struct prof_diag *diag, struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .diag = diag};
  if (!begin_section(&answer, "values"))
    return finish(&answer, PROF_NO_MEMORY, out);
  prof_view_values_write(trace, list, SIZE_MAX, &answer.json);
  end_section(&answer);
  return finish(&answer, PROF_OK, out);
}

/* ---- sources ---- */

prof_status prof_view_source_answer(struct prof_view_frames *frames, struct prof_symbols *symbols, uint64_t file,
                                    struct prof_diag *diag, struct prof_view_data *out) {
  struct answer answer = {.frames = frames, .diag = diag};
  bool found = false;
  *out = (struct prof_view_data){.bytes = NULL};
  if (file >= frames->paths.count)
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, NULL, "no file has this number");
  answer.sections = prof_sections_new(false);
  if (!begin_section(&answer, "sources"))
    return finish(&answer, PROF_NO_MEMORY, out);
  prof_status status =
      prof_view_source_write(frames, symbols, (uint32_t)file, MOST_SOURCE_BYTES, diag, &answer.json, &found);
  if (status == PROF_OK)
    end_section(&answer);
  if (status == PROF_OK && !found)
    status = prof_diag_fill(diag, PROF_NOT_FOUND, frames->files.items[file], PROF_NO_OFFSET,
                            "--path-map=OLD=NEW, if it lies elsewhere", "this source is not found, or is too large");
  return finish(&answer, status, out);
}

prof_status prof_view_code_answer(struct prof_view_frames *frames, const struct prof_view_code_wish *wish,
                                  const struct prof_view_known *known, struct prof_diag *diag,
                                  struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .frames = frames, .diag = diag};
  struct prof_view_code code = {.functions = {NULL, 0, 0}};
  struct prof_code_costs costs;
  size_t functions;
  prof_trace_functions(frames->recording->trace, &functions);
  const uint32_t number = prof_view_frame_number(frames, wish->frame);
  prof_status status = prof_code_costs_init(&costs, wish->paths, wish->samples, wish->symbols, diag);
  if (status == PROF_OK)
    status = number < functions ? prof_view_code_add(&code, &costs, number, diag)
                                : prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, NULL,
                                                 "frame: the number of an instrumented function");
  if (status == PROF_OK && !begin_section(&answer, "code"))
    status = PROF_NO_MEMORY;
  if (status == PROF_OK) {
    (void)prof_view_code_write(&code, frames, SIZE_MAX, &answer.json);
    end_section(&answer);
    status = write_frames(&answer, known);
  }
  prof_code_costs_fini(&costs);
  prof_view_code_fini(&code);
  return finish(&answer, status, out);
}

prof_status prof_view_progress_answer(void (*put)(void *context, struct prof_json *), void *context,
                                      struct prof_diag *diag, struct prof_view_data *out) {
  struct answer answer = {.sections = prof_sections_new(false), .diag = diag};
  bool begun = begin_section(&answer, "progress");
  if (begun) {
    put(context, &answer.json);
    end_section(&answer);
  }
  return finish(&answer, begun ? PROF_OK : PROF_NO_MEMORY, out);
}
