/*
 * tools/command/slowest.c - `prof slowest`: the longest calls of a function or zone, and what ran in each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slow_calls.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "command.h"
#include "exact_only.h"
#include "export/unfinished.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "view/table.h"
#include "view/tree_text.h"
#include "view/units.h"

#define DEFAULT_COUNT 10
#define MOST_COUNT 10000
#define DEFAULT_MIN_SHARE 0.05 /* of the call, in tables */

struct settings {
  struct prof_common common;
  bool has_count, has_min_share;
  uint64_t count;
  double min_share;
};

static const char *thread_name(const struct prof_reader *reader, const struct prof_slow_tree *call) {
  return prof_thread_name(reader->recording.trace, call->thread);
}

static uint32_t tid_of(const struct prof_reader *reader, const struct prof_slow_tree *call) {
  size_t count;
  return prof_trace_threads(reader->recording.trace, &count)[call->thread].tid;
}

/* ---- table ---- */

/* Is no later sibling of a node shown? */
static bool is_last(const struct prof_slow_tree *call, size_t at, uint64_t least_ns) {
  const struct prof_slow_node *nodes = call->nodes.items;
  size_t next = at + 1;
  while (next < call->nodes.count && nodes[next].depth > nodes[at].depth)
    next++;
  return next == call->nodes.count || nodes[next].depth < nodes[at].depth || nodes[next].total_ns < least_ns;
}

static bool add_row(struct prof_table *table, const struct prof_reader *reader, const struct prof_slow_tree *call,
                    size_t at, const char *branch) {
  const struct prof_slow_node *node = &call->nodes.items[at];
  const char *name = prof_names_function(reader->recording.names, node->function);
  char *text = malloc(strlen(branch) + strlen(name) + 1);
  if (!text)
    return false;
  strcpy(stpcpy(text, branch), name);
  prof_table_count(table, node->total_ns);
  prof_table_share(table, call->duration_ns ? (double)node->total_ns / (double)call->duration_ns : 0);
  prof_table_count(table, node->calls);
  prof_table_text_after(table, text, strlen(branch));
  free(text);
  return true;
}

/* The tree of a call; a node under the least share hides what is beneath it.  Returns how many were left out. */
static bool show_tree(const struct settings *settings, const struct prof_reader *reader,
                      const struct prof_slow_tree *call, const struct prof_output *output, uint64_t *hidden) {
  static const struct prof_column columns[] = {{NULL, "TOTAL", PROF_CELL_NS},
                                               {NULL, "SHARE", PROF_CELL_SHARE},
                                               {NULL, "CALLS", PROF_CELL_COUNT},
                                               {NULL, "WHAT RAN IN IT", PROF_CELL_TEXT, PROF_CUT_NAME}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  struct prof_tree_text branches;
  char branch[PROF_TREE_TEXT_BYTES];
  double least = (settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE) * (double)call->duration_ns;
  uint32_t hidden_below = UINT32_MAX; /* nodes deeper than this are hidden */
  bool done = table != NULL;
  prof_tree_text_init(&branches, output->style.utf8);
  for (size_t i = 0; done && i < call->nodes.count; i++) {
    const struct prof_slow_node *node = &call->nodes.items[i];
    if (node->depth > hidden_below || (i > 0 && (double)node->total_ns < least)) {
      hidden_below = node->depth < hidden_below ? node->depth : hidden_below;
      (*hidden)++;
      continue;
    }
    hidden_below = UINT32_MAX;
    prof_tree_text_branch(&branches, node->depth, is_last(call, i, (uint64_t)least), branch, sizeof branch);
    done = add_row(table, reader, call, i, branch);
  }
  done = done && !prof_table_failed(table);
  if (done)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  return done;
}

static prof_status show_table(const struct settings *settings, const struct prof_reader *reader,
                              const struct prof_slow_calls *calls, const struct prof_output *output,
                              struct prof_diag *diag) {
  char took[PROF_UNITS_BYTES], at[PROF_UNITS_BYTES], number[PROF_UNITS_BYTES], line[512], thread[256];
  uint64_t hidden = 0, omitted = 0;
  prof_exact_only(reader->recording.trace, output);
  for (size_t i = 0; i < calls->count; i++) {
    const struct prof_slow_tree *call = &calls->items[i];
    prof_text_escape(thread, sizeof thread, thread_name(reader, call), strlen(thread_name(reader, call)));
    snprintf(line, sizeof line, "%s%zu. %s%s, %s after the start, in %s %u", i ? "\n" : "", i + 1,
             prof_units_duration(took, call->duration_ns), call->cut ? " or more" : "",
             prof_units_duration(at, call->begin_ns), thread, tid_of(reader, call));
    prof_output_wrap(output, line, 3);
    if (!show_tree(settings, reader, call, output, &hidden))
      return prof_diag_memory(diag);
    omitted += call->omitted;
  }
  if (hidden)
    fprintf(output->file, "... and %s more %s: --min-share=0 shows all\n", prof_units_count(number, hidden),
            hidden == 1 ? "path" : "paths");
  if (omitted)
    fprintf(output->file, "%s calls are in no row: these calls have over %u paths\n", prof_units_count(number, omitted),
            PROF_SLOW_NODES);
  if (calls->all > calls->count)
    fprintf(output->file, "the longest %zu of %s calls\n", calls->count, prof_units_count(number, calls->all));
  return PROF_OK;
}

/* ---- JSON, CSV ---- */

static void put_name(struct prof_json *json, const struct prof_reader *reader, uint32_t function) {
  prof_json_text(json, "name", prof_names_plain(reader->recording.names, function));
  if (prof_names_is_zone(reader->recording.names, function))
    prof_json_text(json, "kind", "zone");
  if (prof_frame_loop(reader->recording.trace, function) != PROF_NONE)
    prof_json_bool(json, "loop", true);
}

static void show_json(const struct prof_reader *reader, const struct prof_slow_calls *calls, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  prof_json_count(&json, "compared", calls->all);
  prof_json_array(&json, "calls");
  for (size_t i = 0; i < calls->count; i++) {
    const struct prof_slow_tree *call = &calls->items[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "name", prof_names_plain(reader->recording.names, call->function));
    prof_json_count(&json, "tid", tid_of(reader, call));
    prof_json_text(&json, "thread", thread_name(reader, call));
    prof_json_count(&json, "begin_ns", call->begin_ns);
    prof_json_count(&json, "duration_ns", call->duration_ns);
    prof_json_bool(&json, "cut", call->cut);
    prof_json_count(&json, "omitted_calls", call->omitted);
    prof_json_array(&json, "tree");
    for (size_t j = 0; j < call->nodes.count; j++) {
      const struct prof_slow_node *node = &call->nodes.items[j];
      prof_json_object(&json, NULL);
      prof_json_count(&json, "depth", node->depth);
      put_name(&json, reader, node->function);
      prof_json_count(&json, "calls", node->calls);
      prof_json_count(&json, "total_ns", node->total_ns);
      prof_json_object_end(&json);
    }
    prof_json_array_end(&json);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static prof_status show_csv(const struct prof_reader *reader, const struct prof_slow_calls *calls, FILE *file,
                            struct prof_diag *diag) {
  static const struct prof_column columns[] = {{"name", NULL, PROF_CELL_TEXT},      {"tid", NULL, PROF_CELL_COUNT},
                                               {"thread", NULL, PROF_CELL_TEXT},    {"begin_ns", NULL, PROF_CELL_NS},
                                               {"duration_ns", NULL, PROF_CELL_NS}, {"cut", NULL, PROF_CELL_FLAG}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < calls->count; i++) {
    const struct prof_slow_tree *call = &calls->items[i];
    prof_table_text(table, prof_names_function(reader->recording.names, call->function));
    prof_table_count(table, tid_of(reader, call));
    prof_table_text(table, thread_name(reader, call));
    prof_table_count(table, call->begin_ns);
    prof_table_count(table, call->duration_ns);
    prof_table_count(table, call->cut);
  }
  bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_csv(table, file);
  prof_table_free(table);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* ---- the command ---- */

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  struct prof_slow_calls calls;
  struct prof_output output;
  prof_status status = prof_slow_calls_find(reader->recording.trace, &reader->recording.filter,
                                            settings->has_count ? settings->count : DEFAULT_COUNT, diag, &calls);
  if (status != PROF_OK)
    return status;
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  if (settings->common.format == PROF_FORMAT_TABLE)
    status = show_table(settings, reader, &calls, &output, diag);
  else if (settings->common.format == PROF_FORMAT_JSON)
    show_json(reader, &calls, output.file);
  else
    status = show_csv(reader, &calls, output.file, diag);
  *result = prof_output_end(&output);
  prof_slow_calls_free(&calls);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_LOOPS,
    {"rows", 'n', "N", "show the N longest calls (default: 10)", PROF_OPTION_COUNT, IN(count), GIVEN(has_count),
     .low = 1, .high = MOST_COUNT},
    {"min-share", 0, "PCT", "hide what took less than this share of the call (default for tables: 5%)",
     PROF_OPTION_SHARE, IN(min_share), GIVEN(has_min_share)},
    {0},
};

const struct prof_command prof_command_slowest = {
    .name = "slowest",
    .instead = "of which function or zone: -F NAME",
    .summary = "Show the longest calls of a function or zone, and what ran in each",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
