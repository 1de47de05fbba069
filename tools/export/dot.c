/*
 * tools/export/dot.c - the call graph for Graphviz: a node per function, an edge per pair of caller and callee.
 *
 * Functions under the least share of the time become one node, so that a picture stays readable and its times still add
 * up.  Figures stand in labels as shares, and in attributes of their own: calls, self_ns, total_ns.  Only the outermost
 * call of a recursion has time (analysis/call_graph.h).  Source: "DOT Language" (Graphviz documentation).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/call_graph.h"
#include "base/diag.h"
#include "base/text.h"
#include "brief_name.h"
#include "command_text.h"
#include "exporters.h"

#define NAME_BYTES 80 /* of a label; tooltips have full names */
#define TOOLTIP_BYTES 1000
#define MOST_PEN 6.0 /* width of the edge with all time */

struct sums {
  uint64_t calls, self_ticks, total_ticks;
};

struct writer {
  FILE *file;
  const struct prof_export_source *source;
  struct prof_call_graph graph;
  struct sums *functions; /* by number */
  bool *shown;            /* by number */
  struct sums others;     /* of functions that aren't shown; total: their self time */
  uint32_t other_count;
  uint64_t all_ticks;
};

static bool is_root(const struct writer *writer, uint32_t number) {
  return number >= writer->graph.first_root;
}

static double percent(const struct writer *writer, uint64_t ticks) {
  return writer->all_ticks ? 100 * (double)ticks / (double)writer->all_ticks : 0;
}

static uint64_t ns_of(const struct writer *writer, uint64_t ticks) {
  return prof_trace_ns(writer->source->trace, ticks);
}

/* In a quoted string: \ and & would begin escapes, characters of control would break the line. */
static void put_text(FILE *file, const char *text) {
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(file, "\\%c", *text);
    else if (*text == '&')
      fputs("&amp;", file);
    else
      putc(*text, file);
}

/* ---- figures ---- */

static void sum_up(struct writer *writer) {
  const struct prof_call_pair *pairs = writer->graph.pairs.items;
  const struct prof_call_self *selfs = writer->graph.selfs.items;
  const enum prof_time_kind time = writer->source->time;
  for (size_t i = 0; i < writer->graph.pairs.count; i++) {
    writer->functions[pairs[i].callee].calls += pairs[i].calls;
    writer->functions[pairs[i].callee].total_ticks += prof_time_part(time, pairs[i].total_ticks, &pairs[i].off);
  }
  for (size_t i = 0; i < writer->graph.selfs.count; i++) {
    const uint64_t ticks = prof_time_part(time, selfs[i].ticks, &selfs[i].off);
    writer->functions[selfs[i].function].self_ticks += ticks;
    writer->all_ticks += ticks;
  }
}

static void choose(struct writer *writer) {
  for (size_t i = 0; i < writer->graph.selfs.count; i++) { /* one for each function */
    const uint32_t number = writer->graph.selfs.items[i].function;
    const struct sums *sums = &writer->functions[number];
    writer->shown[number] = percent(writer, sums->total_ticks) >= 100 * writer->source->min_share;
    if (writer->shown[number])
      continue;
    writer->others.calls += sums->calls;
    writer->others.self_ticks += sums->self_ticks;
    writer->other_count++;
  }
}

/* ---- the file ---- */

static void put_node(const struct writer *writer, uint32_t number) {
  const struct sums *sums = &writer->functions[number];
  struct prof_names *names = writer->source->names;
  char label[NAME_BYTES + 1], tooltip[TOOLTIP_BYTES + 1];
  char *name = strdup(prof_names_function(names, number));
  if (name)
    prof_brief_name(label, NAME_BYTES, name, number, false);
  free(name);
  prof_text_escape(tooltip, sizeof tooltip, prof_names_function(names, number),
                   strlen(prof_names_function(names, number)));
  const double self = percent(writer, sums->self_ticks);
  fprintf(writer->file, "  f%" PRIu32 " [label=\"", number);
  put_text(writer->file, name ? label : "[no memory]");
  fprintf(writer->file, "\\n%.1f%% (self %.1f%%)\\n%" PRIu64 " call%s\", tooltip=\"",
          percent(writer, sums->total_ticks), self, sums->calls, sums->calls == 1 ? "" : "s");
  put_text(writer->file, tooltip);
  /* From white to red by self time. */
  fprintf(writer->file,
          "\", fillcolor=\"0.02 %.3f 1.000\", calls=%" PRIu64 ", self_ns=%" PRIu64 ", total_ns=%" PRIu64 "];\n",
          self / 100, sums->calls, ns_of(writer, sums->self_ticks), ns_of(writer, sums->total_ticks));
}

static void put_others(const struct writer *writer) {
  if (writer->other_count == 0)
    return;
  fprintf(writer->file,
          "  others [label=\"%" PRIu32 " more function%s\\nself %.1f%%\\n%" PRIu64
          " call%s\", style=\"dashed\", calls=%" PRIu64 ", self_ns=%" PRIu64 "];\n",
          writer->other_count, writer->other_count == 1 ? "" : "s", percent(writer, writer->others.self_ticks),
          writer->others.calls, writer->others.calls == 1 ? "" : "s", writer->others.calls,
          ns_of(writer, writer->others.self_ticks));
}

static void put_edges(const struct writer *writer) {
  for (size_t i = 0; i < writer->graph.pairs.count; i++) {
    const struct prof_call_pair *pair = &writer->graph.pairs.items[i];
    const uint64_t ticks = prof_time_part(writer->source->time, pair->total_ticks, &pair->off);
    const double share = percent(writer, ticks);
    if (is_root(writer, pair->caller) || !writer->shown[pair->caller] || !writer->shown[pair->callee])
      continue;
    fprintf(writer->file,
            "  f%" PRIu32 " -> f%" PRIu32 " [label=\"%.1f%%\\n%" PRIu64 "\", penwidth=%.2f, calls=%" PRIu64
            ", total_ns=%" PRIu64 "];\n",
            pair->caller, pair->callee, share, pair->calls, 1 + (share < 100 ? share : 100) / 100 * (MOST_PEN - 1),
            pair->calls, ns_of(writer, ticks));
  }
}

static void put_head(const struct writer *writer) {
  static const char *const kinds[PROF_TIME_KINDS] = {"running", "waiting", "elapsed"};
  char command[PROF_COMMAND_TEXT_BYTES], plain[PROF_COMMAND_TEXT_BYTES];
  prof_command_text(command, writer->source->trace);
  prof_text_escape(plain, sizeof plain, command, strlen(command));
  fputs("digraph prof {\n  label=\"", writer->file);
  put_text(writer->file, plain);
  fprintf(writer->file, "\\n%s time; functions under %.2g%% of it are one node (--min-share)\";\n",
          kinds[writer->source->time], 100 * writer->source->min_share);
  fputs("  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n",
        writer->file);
}

static prof_status write_dot(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source};
  prof_status status = prof_call_graph_make(source->profile, NULL, source->time, source->groups, diag, &writer.graph);
  if (status != PROF_OK)
    return status;
  const size_t count = (size_t)writer.graph.first_root + 1;
  writer.functions = calloc(count, sizeof *writer.functions);
  writer.shown = calloc(count, sizeof *writer.shown);
  if (writer.functions && writer.shown) {
    sum_up(&writer);
    choose(&writer);
    put_head(&writer);
    for (size_t i = 0; i < writer.graph.selfs.count; i++)
      if (writer.shown[writer.graph.selfs.items[i].function])
        put_node(&writer, writer.graph.selfs.items[i].function);
    put_others(&writer);
    put_edges(&writer);
    fputs("}\n", file);
  } else {
    status = prof_diag_memory(diag);
  }
  free(writer.functions);
  free(writer.shown);
  prof_call_graph_free(&writer.graph);
  return status;
}

const struct prof_exporter prof_exporter_dot = {
    .name = "dot",
    .summary = "the call graph, for Graphviz",
    .has_min_share = true,
    .write = write_dot,
};
