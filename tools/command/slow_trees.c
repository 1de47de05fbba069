/*
 * tools/command/slow_trees.c - see slow_trees.h.
 */
#include "slow_trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "view/table.h"
#include "view/tree_text.h"
#include "view/units.h"

const char *prof_slow_thread(const struct prof_reader *reader, const struct prof_slow_tree *call) {
  return prof_thread_name(reader->recording.trace, call->thread);
}

uint32_t prof_slow_tid(const struct prof_reader *reader, const struct prof_slow_tree *call) {
  return prof_trace_threads(reader->recording.trace, NULL)[call->thread].tid;
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

static bool add_row(struct prof_table *table, const struct prof_slow_view *view, const struct prof_slow_tree *call,
                    size_t at, const char *branch) {
  const struct prof_slow_node *node = &call->nodes.items[at];
  const char *name =
      at == 0 && view->title ? view->title : prof_names_apart(view->reader->recording.names, node->function);
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

/* A node under the least share hides what is beneath it.  False: no memory. */
static bool show_tree(struct prof_slow_view *view, const struct prof_slow_tree *call) {
  static const struct prof_column columns[] = {{NULL, "TOTAL", PROF_CELL_NS},
                                               {NULL, "SHARE", PROF_CELL_SHARE},
                                               {NULL, "CALLS", PROF_CELL_COUNT},
                                               {NULL, "WHAT RAN IN IT", PROF_CELL_TEXT, PROF_CUT_NAME}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  struct prof_tree_text branches;
  char branch[PROF_TREE_TEXT_BYTES];
  double least = view->min_share * (double)call->duration_ns;
  uint32_t hidden_below = UINT32_MAX; /* nodes deeper than this are hidden */
  bool done = table != NULL;
  prof_tree_text_init(&branches, view->output->style.utf8);
  for (size_t i = 0; done && i < call->nodes.count; i++) {
    const struct prof_slow_node *node = &call->nodes.items[i];
    if (node->depth > hidden_below || (i > 0 && (double)node->total_ns < least)) {
      hidden_below = node->depth < hidden_below ? node->depth : hidden_below;
      view->hidden++;
      continue;
    }
    hidden_below = UINT32_MAX;
    prof_tree_text_branch(&branches, node->depth, is_last(call, i, (uint64_t)least), branch, sizeof branch);
    done = add_row(table, view, call, i, branch);
  }
  done = done && !prof_table_failed(table);
  if (done)
    prof_table_print(table, view->output->file, &view->output->style);
  prof_table_free(table);
  return done;
}

/* Functions of one name in the tree are told apart; without memory they are not. */
static void view_functions(const struct prof_recording *recording, const struct prof_slow_tree *call) {
  size_t count;
  prof_trace_functions(recording->trace, &count);
  uint8_t *shown = calloc(count + 1, sizeof *shown);
  for (size_t i = 0; shown && i < call->nodes.count; i++)
    if (call->nodes.items[i].function < count)
      shown[call->nodes.items[i].function] = 1;
  if (shown)
    prof_names_view(recording->names, shown, count);
  free(shown);
}

bool prof_slow_tree_show(struct prof_slow_view *view, const struct prof_slow_tree *call, size_t number) {
  char took[PROF_UNITS_BYTES], at[PROF_UNITS_BYTES], line[512], thread[256];
  const char *name = prof_slow_thread(view->reader, call);
  prof_text_escape(thread, sizeof thread, name, strlen(name));
  snprintf(line, sizeof line, "%s%zu. %s%s, %s after the start, in %s %u", number > 1 ? "\n" : "", number,
           prof_units_duration(took, call->duration_ns), call->cut ? " or more" : "",
           prof_units_duration(at, call->begin_ns), thread, prof_slow_tid(view->reader, call));
  prof_output_wrap(view->output, line, 3);
  view->omitted += call->omitted;
  view_functions(&view->reader->recording, call);
  return show_tree(view, call);
}

void prof_slow_view_end(const struct prof_slow_view *view, const char *what) {
  char number[PROF_UNITS_BYTES];
  FILE *file = view->output->file;
  if (view->hidden)
    fprintf(file, "... and %s more %s: --min-share=0 shows all\n", prof_units_count(number, view->hidden),
            view->hidden == 1 ? "path" : "paths");
  if (view->omitted)
    fprintf(file, "%s calls are in no row: these %s have over %u paths\n", prof_units_count(number, view->omitted),
            what, PROF_SLOW_NODES);
}

/* ---- JSON ---- */

static void put_name(struct prof_json *json, const struct prof_reader *reader, uint32_t function) {
  prof_json_text(json, "name", prof_names_plain(reader->recording.names, function));
  if (prof_names_is_zone(reader->recording.names, function))
    prof_json_text(json, "kind", prof_names_kind(reader->recording.names, function));
  if (prof_frame_loop(reader->recording.trace, function) != PROF_NONE)
    prof_json_bool(json, "loop", true);
}

void prof_slow_tree_json(const struct prof_reader *reader, const struct prof_slow_tree *call, const char *title,
                         struct prof_json *json) {
  prof_json_count(json, "tid", prof_slow_tid(reader, call));
  prof_json_text(json, "thread", prof_slow_thread(reader, call));
  prof_json_count(json, "begin_ns", call->begin_ns);
  prof_json_count(json, "duration_ns", call->duration_ns);
  prof_json_bool(json, "cut", call->cut);
  prof_json_count(json, "omitted_calls", call->omitted);
  prof_json_array(json, "tree");
  for (size_t i = 0; i < call->nodes.count; i++) {
    const struct prof_slow_node *node = &call->nodes.items[i];
    prof_json_object(json, NULL);
    prof_json_count(json, "depth", node->depth);
    if (i == 0 && title)
      prof_json_text(json, "name", title);
    else
      put_name(json, reader, node->function);
    prof_json_count(json, "calls", node->calls);
    prof_json_count(json, "total_ns", node->total_ns);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}
