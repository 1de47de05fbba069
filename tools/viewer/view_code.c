/*
 * tools/viewer/view_code.c - see view_code.h.
 */
#include "viewer/view_code.h"

#include <string.h>

#include "base/diag.h"
#include "viewer/columns.h"

#define MOST_FUNCTIONS 24 /* of a file: each needs a run of objdump */
#define LEAST_SHARE 0.005 /* of self time */
#define MOST_ROWS 60000   /* instructions of a function */
#define BYTES_EACH 24     /* of an instruction, without its text */

/* ---- reading ---- */

static uint32_t place_of(struct prof_view_code *code, uint32_t outer, const struct prof_line_frame *frame) {
  const struct prof_view_place place = {outer, frame->function ? frame->function : "", frame->file, frame->line};
  return prof_index_meet(&code->known_places, &code->places, prof_index_hash(outer, place.line), i,
                         code->places.items[i].outer == outer && code->places.items[i].line == place.line &&
                             !strcmp(code->places.items[i].function, place.function) &&
                             !strcmp(code->places.items[i].file ?: "", place.file ?: ""),
                         place);
}

/* false: no memory. */
static bool find_places(struct prof_view_code *code, struct prof_symbols *symbols, uint32_t module,
                        struct prof_view_code_function *function) {
  const struct prof_line_source source = prof_symbols_source(symbols);
  for (size_t i = 0; i < function->rows.list.count; i++) {
    const struct prof_line_frame *frames = NULL;
    uint32_t count = 0, place = PROF_NONE;
    prof_status status = source.find(source.context, module, function->rows.list.items[i].address, &frames, &count);
    if (status == PROF_NO_MEMORY)
      return false;
    for (uint32_t j = status == PROF_OK ? count : 0; j > 0; j--) {
      place = place_of(code, place, &frames[j - 1]);
      if (place == UINT32_MAX)
        return false;
    }
    function->places[i] = place;
    function->bytes += strlen(function->rows.list.items[i].text) + BYTES_EACH;
  }
  return true;
}

static void function_fini(struct prof_view_code_function *function) {
  prof_code_rows_fini(&function->rows);
  free(function->places);
}

prof_status prof_view_code_add(struct prof_view_code *code, struct prof_code_costs *costs, uint32_t function,
                               struct prof_diag *diag) {
  struct prof_view_code_function fresh = {.function = function};
  struct prof_function_extent extent;
  if (!prof_symbols_extent(costs->symbols, function, &extent))
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET,
                          "compile with -g, and keep the file that was recorded",
                          "the instructions of this function are not known");
  prof_status status = prof_code_costs_read(costs, extent.module, extent.address, diag, &fresh.rows);
  if (status == PROF_OK && fresh.rows.list.count > MOST_ROWS)
    status = prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, "prof annotate FUNCTION --asm shows them",
                            "this function has more than %d instructions", MOST_ROWS);
  if (status == PROF_OK) {
    fresh.places = malloc((fresh.rows.list.count + 1) * sizeof *fresh.places);
    if (!fresh.places || !find_places(code, costs->symbols, extent.module, &fresh) ||
        !prof_vec_push(&code->functions, fresh))
      status = prof_diag_memory(diag);
  }
  if (status != PROF_OK)
    function_fini(&fresh);
  return status;
}

prof_status prof_view_code_add_hottest(struct prof_view_code *code, struct prof_code_costs *costs,
                                       const struct prof_function_rows *rows, struct prof_diag *diag) {
  size_t functions;
  prof_trace_functions(prof_symbols_recording(costs->symbols)->trace, &functions);
  for (size_t i = 0; i < rows->count && i < MOST_FUNCTIONS && rows->rows[i].self_share >= LEAST_SHARE; i++) {
    prof_status status =
        rows->rows[i].index < functions ? prof_view_code_add(code, costs, rows->rows[i].index, diag) : PROF_OK;
    if (status == PROF_NO_MEMORY)
      return status;
  }
  return PROF_OK;
}

void prof_view_code_fini(struct prof_view_code *code) {
  for (size_t i = 0; i < code->functions.count; i++)
    function_fini(&code->functions.items[i]);
  prof_vec_fini(&code->functions);
  prof_vec_fini(&code->places);
  prof_index_fini(&code->known_places);
}

/* ---- writing ---- */

static void write_functions(const struct prof_view_code *code, struct prof_view_frames *frames, size_t count,
                            struct prof_json *json) {
  prof_json_array(json, "frame");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, prof_view_frame(frames, code->functions.items[i].function));
  prof_json_array_end(json);
  prof_json_array(json, "instructions");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, code->functions.items[i].rows.list.count);
  prof_json_array_end(json);
}

static uint64_t calls_ns_of(const struct prof_recording *recording, const struct prof_code_row *row) {
  const struct prof_time_ns all = prof_time_split(recording->trace, row->total_ticks, &row->off);
  return prof_time_ns_of(recording->time, &all);
}

/* A column of all rows: PUT writes the value of `row`, which is number j of function i. */
#define COLUMN(key, PUT)                                                                                               \
  prof_json_array(json, key);                                                                                          \
  for (size_t i = 0; i < count; i++)                                                                                   \
    for (size_t j = 0; j < code->functions.items[i].rows.list.count; j++) {                                            \
      const struct prof_code_row *row = &code->functions.items[i].rows.list.items[j];                                  \
      PUT;                                                                                                             \
    }                                                                                                                  \
  prof_json_array_end(json)

static void put_place(struct prof_json *json, uint32_t place) {
  if (place == PROF_NONE)
    prof_columns_minus(json);
  else
    prof_json_count(json, NULL, place);
}

static void write_rows(const struct prof_view_code *code, struct prof_view_frames *frames, size_t count,
                       struct prof_json *json) {
  COLUMN("address", prof_json_count(json, NULL, row->address));
  COLUMN("text", prof_view_text(frames, json, NULL, row->text));
  COLUMN("samples", prof_json_count(json, NULL, row->samples));
  COLUMN("share", prof_json_number(json, NULL, row->share));
  COLUMN("calls", prof_json_count(json, NULL, row->calls));
  COLUMN("calls_ns", prof_json_count(json, NULL, calls_ns_of(frames->recording, row)));
  COLUMN("calls_estimated", prof_json_count(json, NULL, row->calls_estimated));
  COLUMN("probe", prof_json_text(json, NULL, row->probe ? row->probe : ""));
  COLUMN("place", (void)row; put_place(json, code->functions.items[i].places[j]));
}

static void write_places(const struct prof_view_code *code, struct prof_view_frames *frames, struct prof_json *json) {
  const struct prof_view_place *places = code->places.items;
  prof_json_array(json, "place_outer");
  for (size_t i = 0; i < code->places.count; i++)
    put_place(json, places[i].outer);
  prof_json_array_end(json);
  prof_json_array(json, "place_function");
  for (size_t i = 0; i < code->places.count; i++)
    prof_view_text(frames, json, NULL, places[i].function);
  prof_json_array_end(json);
  prof_json_array(json, "place_file");
  for (size_t i = 0; i < code->places.count; i++)
    put_place(json, prof_view_file(frames, places[i].file));
  prof_json_array_end(json);
  prof_json_array(json, "place_line");
  for (size_t i = 0; i < code->places.count; i++)
    prof_json_count(json, NULL, places[i].line);
  prof_json_array_end(json);
}

uint64_t prof_view_code_write(const struct prof_view_code *code, struct prof_view_frames *frames, size_t most,
                              struct prof_json *json) {
  size_t count = 0;
  for (size_t bytes = 0; count < code->functions.count; count++) {
    bytes += code->functions.items[count].bytes;
    if (bytes > most)
      break;
  }
  write_functions(code, frames, count, json);
  write_rows(code, frames, count, json);
  write_places(code, frames, json);
  return code->functions.count - count;
}
