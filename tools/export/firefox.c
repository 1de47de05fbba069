/*
 * tools/export/firefox.c - the Firefox Profiler's format: per thread a tree of stacks, and a sample per call path.
 *
 * A sample's weight is the path's self time.  Its time is the sum of those before it: the order is that of the tree, as
 * sums have no moments.  Tables are columns, so the tree is walked once for each.  Memory: functions of a thread,
 * depth. Source: the processed profile format, version 47 (docs-developer/CHANGELOG-formats.md and src/types/profile.js
 * of https://github.com/firefox-devtools/profiler), which later versions of the viewer convert.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/json.h"
#include "call_path.h"
#include "command_text.h"
#include "exporters.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "text_table.h"
#include "ticks_out.h"

#define PROCESSED_VERSION 47
#define GECKO_VERSION 27
#define LIBRARY 1 /* type of a resource */

enum { CATEGORY_OTHER, CATEGORY_CODE, CATEGORY_LOOP }; /* in meta.categories */

struct writer {
  FILE *file;
  const struct prof_export_source *source;
  struct prof_json json;
  struct prof_call_path path;
  uint32_t unknown;          /* number of functions that aren't known */
  uint32_t *local;           /* by number: index in `frames` + 1; 0: none yet */
  PROF_VEC(uint32_t) frames; /* of the thread: numbers of functions and loops */
  struct prof_text_table texts, modules;
  bool failed; /* no memory */
};

static uint32_t number_of(const struct writer *writer, uint32_t function) {
  return function == PROF_NONE ? writer->unknown : function;
}

static uint32_t text_of(struct writer *writer, const char *text) {
  uint32_t number = prof_text_table_plain(&writer->texts, text);
  writer->failed |= number == UINT32_MAX;
  return number;
}

/* The thread's frame of a function or loop. */
static uint32_t frame_of(struct writer *writer, uint32_t number) {
  if (writer->local[number] == 0) {
    writer->failed |= !prof_vec_push(&writer->frames, number);
    writer->local[number] = (uint32_t)writer->frames.count;
  }
  return writer->local[number] - 1;
}

/* Milliseconds. */
static void put_ms(struct writer *writer, uint64_t ns) {
  prof_digits_put(writer->file, ns / 1000000);
  putc('.', writer->file);
  prof_digits_three(writer->file, ns / 1000);
  prof_digits_three(writer->file, ns);
}

/* ---- columns of a thread's stacks: one per call path ---- */

enum column { STACK_FRAME, STACK_PREFIX, STACK_CATEGORY, SAMPLE_STACK, SAMPLE_TIME, SAMPLE_WEIGHT };

struct position {            /* while the tree is walked */
  PROF_VEC(uint32_t) stacks; /* of the open path, by depth */
  uint32_t count;
  struct prof_ticks_out ticks;
};

static uint32_t category_of(const struct writer *writer, uint32_t number) {
  return prof_frame_loop(writer->source->trace, number) != PROF_NONE ? CATEGORY_LOOP : CATEGORY_CODE;
}

static void put_cell(struct writer *writer, enum column column, const struct position *at, size_t depth,
                     uint64_t self_ns) {
  const uint32_t number = number_of(writer, writer->path.functions[writer->path.count - 1]);
  if (at->count > 0)
    putc(',', writer->file);
  if (column == STACK_FRAME)
    prof_digits_put(writer->file, frame_of(writer, number));
  else if (column == STACK_CATEGORY)
    prof_digits_put(writer->file, category_of(writer, number));
  else if (column == SAMPLE_STACK)
    prof_digits_put(writer->file, at->count);
  else if (column == SAMPLE_TIME)
    put_ms(writer, at->ticks.ns - self_ns);
  else if (column == SAMPLE_WEIGHT)
    put_ms(writer, self_ns);
  else if (depth == 0)
    fputs("null", writer->file);
  else
    prof_digits_put(writer->file, at->stacks.items[depth - 1]);
}

/* Writes a column; returns its length.  A sample stands for each stack, with 0 if its function had no time of its own.
 */
static uint32_t put_column(struct writer *writer, uint32_t thread_node, const char *key, enum column column) {
  struct prof_call_path *path = &writer->path;
  struct position at = {.ticks = {.trace = writer->source->trace}};
  prof_json_array(&writer->json, key);
  for (bool more = prof_call_path_begin(path, thread_node); more && !writer->failed; more = prof_call_path_next(path)) {
    const size_t depth = path->count - 1;
    const uint64_t self_ns = prof_ticks_out_ns(&at.ticks, prof_call_path_self_ticks(path));
    put_cell(writer, column, &at, depth, self_ns);
    at.stacks.count = depth;
    writer->failed |= !prof_vec_push(&at.stacks, at.count);
    at.count++;
  }
  writer->failed |= path->failed;
  writer->json.first = at.count == 0;
  prof_json_array_end(&writer->json);
  prof_vec_fini(&at.stacks);
  return at.count;
}

static void put_same(struct writer *writer, const char *key, size_t count, const char *value) {
  prof_json_array(&writer->json, key);
  for (size_t i = 0; i < count; i++)
    fprintf(writer->file, "%s%s", i ? "," : "", value);
  writer->json.first = count == 0;
  prof_json_array_end(&writer->json);
}

static void put_stacks(struct writer *writer, uint32_t thread_node) {
  prof_json_object(&writer->json, "stackTable");
  const uint32_t count = put_column(writer, thread_node, "frame", STACK_FRAME);
  put_column(writer, thread_node, "prefix", STACK_PREFIX);
  put_column(writer, thread_node, "category", STACK_CATEGORY);
  put_same(writer, "subcategory", count, "0");
  prof_json_count(&writer->json, "length", count);
  prof_json_object_end(&writer->json);
  prof_json_object(&writer->json, "samples");
  put_column(writer, thread_node, "stack", SAMPLE_STACK);
  put_column(writer, thread_node, "time", SAMPLE_TIME);
  put_column(writer, thread_node, "weight", SAMPLE_WEIGHT);
  prof_json_text(&writer->json, "weightType", "tracing-ms");
  prof_json_count(&writer->json, "length", count);
  prof_json_object_end(&writer->json);
}

/* ---- tables of a thread's functions ---- */

static uint32_t name_text(struct writer *writer, uint32_t number) {
  return text_of(writer, prof_names_function(writer->source->names, number));
}

static uint32_t resource_of(struct writer *writer, uint32_t number) {
  const char *module = prof_names_module(writer->source->names, number);
  uint32_t resource = module[0] ? prof_text_table_plain(&writer->modules, module) : PROF_NONE;
  writer->failed |= module[0] && resource == UINT32_MAX;
  return resource;
}

static uint32_t file_text(struct writer *writer, uint32_t number) {
  const char *file = prof_names_file(writer->source->names, number);
  return file[0] ? text_of(writer, file) : PROF_NONE;
}

static uint32_t line_of(struct writer *writer, uint32_t number) {
  uint32_t line = prof_names_line(writer->source->names, number);
  return line ? line : PROF_NONE;
}

static uint32_t index_of(struct writer *writer, uint32_t number) {
  return frame_of(writer, number);
}

static uint32_t category(struct writer *writer, uint32_t number) {
  return category_of(writer, number);
}

/* A column of a number per frame; PROF_NONE becomes `none`. */
static void put_facts(struct writer *writer, const char *key, uint32_t (*fact)(struct writer *, uint32_t),
                      const char *none) {
  prof_json_array(&writer->json, key);
  for (size_t i = 0; i < writer->frames.count; i++) {
    uint32_t value = fact(writer, writer->frames.items[i]);
    if (i)
      putc(',', writer->file);
    if (value == PROF_NONE)
      fputs(none, writer->file);
    else
      prof_digits_put(writer->file, value);
  }
  writer->json.first = writer->frames.count == 0;
  prof_json_array_end(&writer->json);
}

/* A frame for each function. */
static void put_functions(struct writer *writer) {
  const size_t count = writer->frames.count;
  prof_json_object(&writer->json, "frameTable");
  put_same(writer, "address", count, "-1");
  put_same(writer, "inlineDepth", count, "0");
  put_facts(writer, "category", category, "null");
  put_same(writer, "subcategory", count, "0");
  put_facts(writer, "func", index_of, "null");
  put_same(writer, "nativeSymbol", count, "null");
  put_same(writer, "innerWindowID", count, "null");
  put_same(writer, "implementation", count, "null");
  put_facts(writer, "line", line_of, "null");
  put_same(writer, "column", count, "null");
  prof_json_count(&writer->json, "length", count);
  prof_json_object_end(&writer->json);
  prof_json_object(&writer->json, "funcTable");
  put_facts(writer, "name", name_text, "null");
  put_same(writer, "isJS", count, "false");
  put_same(writer, "relevantForJS", count, "false");
  put_facts(writer, "resource", resource_of, "-1");
  put_facts(writer, "fileName", file_text, "null");
  put_facts(writer, "lineNumber", line_of, "null");
  put_same(writer, "columnNumber", count, "null");
  prof_json_count(&writer->json, "length", count);
  prof_json_object_end(&writer->json);
}

/* Modules, then the texts of all tables. */
static void put_texts(struct writer *writer) {
  static const char *const symbol_columns[] = {"libIndex", "address", "name", "functionSize"};
  const size_t count = writer->modules.texts.count;
  char library[8];
  snprintf(library, sizeof library, "%d", LIBRARY);
  prof_json_object(&writer->json, "resourceTable");
  put_same(writer, "lib", count, "null");
  prof_json_array(&writer->json, "name");
  for (size_t i = 0; i < count; i++)
    prof_json_count(&writer->json, NULL, text_of(writer, writer->modules.texts.items[i]));
  prof_json_array_end(&writer->json);
  put_same(writer, "host", count, "null");
  put_same(writer, "type", count, library);
  prof_json_count(&writer->json, "length", count);
  prof_json_object_end(&writer->json);
  prof_json_object(&writer->json, "nativeSymbols");
  for (size_t i = 0; i < sizeof symbol_columns / sizeof *symbol_columns; i++)
    put_same(writer, symbol_columns[i], 0, "");
  prof_json_count(&writer->json, "length", 0);
  prof_json_object_end(&writer->json);
  prof_json_array(&writer->json, "stringArray");
  for (size_t i = 0; i < writer->texts.texts.count; i++)
    prof_json_text(&writer->json, NULL, writer->texts.texts.items[i]);
  prof_json_array_end(&writer->json);
}

/* ---- threads ---- */

/* "1234"; after an exec "1234.1": each process has an id of its own. */
static void put_pid(struct writer *writer, uint32_t process) {
  const struct prof_process *processes = prof_trace_processes(writer->source->trace, NULL);
  uint32_t before = 0;
  char text[32];
  for (uint32_t i = 0; i < process; i++)
    before += processes[i].pid == processes[process].pid;
  if (before)
    snprintf(text, sizeof text, "%" PRIu32 ".%" PRIu32, processes[process].pid, before);
  else
    snprintf(text, sizeof text, "%" PRIu32, processes[process].pid);
  prof_json_text(&writer->json, "pid", text);
}

static void put_thread_facts(struct writer *writer, uint32_t thread) {
  static const char *const marker_columns[] = {"data", "name", "startTime", "endTime", "phase", "category"};
  const prof_trace *trace = writer->source->trace;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  struct prof_json *json = &writer->json;
  prof_json_text(json, "processType", "default");
  prof_json_text(json, "processName", prof_process_title(trace, info->process));
  prof_json_count(json, "processStartupTime", 0);
  prof_json_text(json, "processShutdownTime", NULL);
  prof_json_count(json, "registerTime", 0);
  prof_json_text(json, "unregisterTime", NULL);
  prof_json_array(json, "pausedRanges");
  prof_json_array_end(json);
  prof_json_text(json, "name", prof_thread_name(trace, thread));
  prof_json_bool(json, "isMainThread", info->tid == prof_trace_processes(trace, NULL)[info->process].pid);
  put_pid(writer, info->process);
  prof_json_count(json, "tid", info->tid);
  prof_json_object(json, "markers");
  for (size_t i = 0; i < sizeof marker_columns / sizeof *marker_columns; i++)
    put_same(writer, marker_columns[i], 0, "");
  prof_json_count(json, "length", 0);
  prof_json_object_end(json);
}

static void put_thread(struct writer *writer, uint32_t thread_node) {
  prof_json_object(&writer->json, NULL);
  put_thread_facts(writer, writer->source->profile->nodes[thread_node].thread);
  put_stacks(writer, thread_node);
  put_functions(writer);
  put_texts(writer);
  prof_json_object_end(&writer->json);
  for (size_t i = 0; i < writer->frames.count; i++)
    writer->local[writer->frames.items[i]] = 0;
  writer->frames.count = 0;
  prof_text_table_fini(&writer->texts);
  prof_text_table_fini(&writer->modules);
  writer->texts = writer->modules = (struct prof_text_table){.map = {.slots = NULL}};
}

/* ---- the file ---- */

static void put_meta(struct writer *writer) {
  static const char *const categories[][2] = {{"Other", "grey"}, {"Instrumented code", "blue"}, {"Loop", "green"}};
  const prof_trace *trace = writer->source->trace;
  struct prof_json *json = &writer->json;
  char command[PROF_COMMAND_TEXT_BYTES];
  prof_command_text(command, trace);
  prof_json_object(json, "meta");
  prof_json_count(json, "version", GECKO_VERSION);
  prof_json_count(json, "preprocessedProfileVersion", PROCESSED_VERSION);
  prof_json_count(json, "interval", 1);
  prof_json_count(json, "startTime", prof_trace_info(trace)->start_realtime_ns / 1000000);
  prof_json_count(json, "processType", 0);
  prof_json_count(json, "stackwalk", 0);
  prof_json_text(json, "product", command);
  prof_json_bool(json, "symbolicated", true);
  prof_json_array(json, "categories");
  for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
    prof_json_object(json, NULL);
    prof_json_text(json, "name", categories[i][0]);
    prof_json_text(json, "color", categories[i][1]);
    prof_json_array(json, "subcategories");
    prof_json_text(json, NULL, "Other");
    prof_json_array_end(json);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
  prof_json_array(json, "markerSchema");
  prof_json_array_end(json);
  prof_json_object_end(json);
}

static prof_status write_firefox(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source};
  const struct prof_node *nodes = source->profile->nodes;
  size_t functions;
  prof_trace_functions(source->trace, &functions);
  writer.unknown = (uint32_t)functions;
  writer.path = (struct prof_call_path){.profile = source->profile, .time = source->time};
  writer.local = calloc((size_t)prof_frame_count(source->trace) + 1, sizeof *writer.local);
  if (!writer.local)
    return prof_diag_memory(diag);
  prof_json_init(&writer.json, file, 4);
  prof_json_object(&writer.json, NULL);
  put_meta(&writer);
  prof_json_array(&writer.json, "libs");
  prof_json_array_end(&writer.json);
  prof_json_array(&writer.json, "threads");
  for (uint32_t node = nodes[0].first_child; node != PROF_NONE && !writer.failed && !ferror(file);
       node = nodes[node].next_sibling)
    put_thread(&writer, node);
  prof_json_array_end(&writer.json);
  prof_json_object_end(&writer.json);
  prof_call_path_fini(&writer.path);
  prof_vec_fini(&writer.frames);
  prof_text_table_fini(&writer.texts);
  prof_text_table_fini(&writer.modules);
  free(writer.local);
  return writer.failed ? prof_diag_memory(diag) : PROF_OK;
}

const struct prof_exporter prof_exporter_firefox = {
    .name = "firefox",
    .summary = "call paths with self time, for the Firefox Profiler",
    .write = write_firefox,
};
