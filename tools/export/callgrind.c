/*
 * tools/export/callgrind.c - the profile format of Valgrind's callgrind, for callgrind_annotate and KCachegrind.
 *
 * A block per function: its self time, then a call line per function that it calls, with calls and inclusive time.  The
 * format has pairs of functions instead of call paths.  A call within a call of the same function has no inclusive time
 * (analysis/call_graph.h), so that the times of a function's callers add up to its total.  Each thread is a function
 * that calls the thread's outermost functions.  Source: Callgrind Format Specification, version 1 (Valgrind manual).
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/call_graph.h"
#include "base/diag.h"
#include "base/digits.h"
#include "base/order.h"
#include "export/command_text.h"
#include "exporters.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "plain_text.h"
#include "text_table.h"
#include "ticks_out.h"

#define NO_FILE "???" /* as callgrind itself writes it */

struct writer {
  FILE *file;
  const struct prof_export_source *source;
  struct prof_call_graph graph;
  struct prof_text_table files, objects;
  size_t files_written, objects_written; /* those with lower numbers were defined */
  bool *defined;                         /* by number of a function or root: its name was written */
  struct prof_time_ns *totals;           /* by pair: inclusive */
  bool by_parts;                         /* running, waiting and preempted time; else one kind */
  struct prof_time_ns all;               /* self times of all functions */
  bool failed;                           /* no memory */
};

/* ---- names: "(number) text" at first, then "(number)" ---- */

static void put_text(struct writer *writer, const char *key, struct prof_text_table *table, size_t *written,
                     const char *text) {
  uint32_t number = prof_text_table_number(table, text[0] ? text : NO_FILE);
  if (number == UINT32_MAX) {
    writer->failed = true;
    return;
  }
  fprintf(writer->file, "%s=(%u)", key, number + 1);
  if (number >= *written) {
    *written = (size_t)number + 1;
    putc(' ', writer->file);
    prof_plain_text_put(writer->file, table->texts.items[number]);
  }
  putc('\n', writer->file);
}

/* "main (1000)"; with groups "app [1000]". */
static void put_root_name(struct writer *writer, uint32_t root) {
  const struct prof_process_groups *groups = writer->source->groups;
  const prof_trace *trace = writer->source->trace;
  if (groups && groups->count) {
    prof_plain_text_put(writer->file, groups->items[root].title);
    return;
  }
  fputs("thread ", writer->file);
  prof_plain_text_put(writer->file, prof_thread_name(trace, root));
  fprintf(writer->file, " (%u)", prof_trace_threads(trace, NULL)[root].tid);
}

/* Object, file and name of a function, loop or root. */
static void put_function(struct writer *writer, const char *const keys[3], uint32_t number) {
  struct prof_names *names = writer->source->names;
  const bool root = number >= writer->graph.first_root;
  put_text(writer, keys[0], &writer->objects, &writer->objects_written, root ? "" : prof_names_module(names, number));
  put_text(writer, keys[1], &writer->files, &writer->files_written, root ? "" : prof_names_file(names, number));
  fprintf(writer->file, "%s=(%u)", keys[2], number + 1);
  if (!writer->defined[number]) {
    writer->defined[number] = true;
    putc(' ', writer->file);
    if (root)
      put_root_name(writer, number - writer->graph.first_root);
    else
      prof_plain_text_put(writer->file, prof_names_function(names, number));
  }
  putc('\n', writer->file);
}

/* ---- costs ---- */

static void put_cost(struct writer *writer, uint32_t line, const struct prof_time_ns *time) {
  prof_digits_put(writer->file, line);
  const uint64_t parts[] = {writer->by_parts ? time->running : time->elapsed, time->waiting, time->preempted};
  for (size_t i = 0; i < (writer->by_parts ? 3 : 1); i++) {
    putc(' ', writer->file);
    prof_digits_put(writer->file, parts[i]);
  }
  putc('\n', writer->file);
}

static uint64_t pair_ticks(const struct writer *writer, const struct prof_call_pair *pair) {
  return writer->by_parts ? pair->total_ticks : prof_time_part(writer->source->time, pair->total_ticks, &pair->off);
}

static int by_callee(const void *a, const void *b, void *context) {
  const struct prof_call_pair *pairs = context, *left = &pairs[*(const uint32_t *)a],
                              *right = &pairs[*(const uint32_t *)b];
  return prof_order(left->callee, right->callee) ?: prof_order(left->caller, right->caller);
}

/* Rounds so that the times of each callee's callers add up to its rounded total. */
static bool round_totals(struct writer *writer) {
  static const struct prof_off_ticks none = {0};
  const struct prof_call_pair *pairs = writer->graph.pairs.items;
  const size_t count = writer->graph.pairs.count;
  uint32_t *order = malloc((count + 1) * sizeof *order);
  writer->totals = calloc(count + 1, sizeof *writer->totals);
  if (!order || !writer->totals) {
    free(order);
    return false;
  }
  for (size_t i = 0; i < count; i++)
    order[i] = (uint32_t)i;
  if (count)
    qsort_r(order, count, sizeof *order, by_callee, writer->graph.pairs.items);
  struct prof_parts_out out = {.trace = writer->source->trace};
  for (size_t i = 0; i < count; i++) {
    const struct prof_call_pair *pair = &pairs[order[i]];
    if (i == 0 || pairs[order[i - 1]].callee != pair->callee)
      out = (struct prof_parts_out){.trace = writer->source->trace};
    writer->totals[order[i]] = prof_parts_out_ns(&out, pair_ticks(writer, pair), writer->by_parts ? &pair->off : &none);
  }
  free(order);
  return true;
}

static uint32_t line_of(const struct writer *writer, uint32_t number) {
  return number < writer->graph.first_root ? prof_names_line(writer->source->names, number) : 0;
}

/* Self times of a function, selfs[*at] and those behind it; rounded so that they add up to its rounded self time. */
static void put_selfs(struct writer *writer, uint32_t function, size_t *at) {
  const struct prof_line_leaves *leaves = writer->source->leaves;
  struct prof_parts_out out = {.trace = writer->source->trace};
  for (; *at < writer->graph.selfs.count && writer->graph.selfs.items[*at].function == function; ++*at) {
    const struct prof_call_self *self = &writer->graph.selfs.items[*at];
    const struct prof_line_leaf_place *place =
        leaves && self->leaf != PROF_NONE ? &leaves->places[self->leaf - leaves->first] : NULL;
    const struct prof_time_ns time = prof_parts_out_ns(&out, self->ticks, &self->off);
    const bool has_line = place && place->line > 0;
    if (leaves) /* the file of a line may be another one: inlined code */
      put_text(writer, "fi", &writer->files, &writer->files_written,
               has_line ? place->file : prof_names_file(writer->source->names, function));
    put_cost(writer, has_line ? place->line : line_of(writer, function), &time);
    writer->all.running += time.running;
    writer->all.waiting += time.waiting;
    writer->all.preempted += time.preempted;
    writer->all.elapsed += time.elapsed;
  }
  if (leaves)
    put_text(writer, "fe", &writer->files, &writer->files_written, prof_names_file(writer->source->names, function));
}

/* A block.  callgrind_annotate takes a call line with 0 calls as self time: frames that were open at a fork count 1. */
static void put_block(struct writer *writer, uint32_t number, size_t *self, size_t *pair) {
  static const char *const own[3] = {"ob", "fl", "fn"}, *const called[3] = {"cob", "cfi", "cfn"};
  static const struct prof_time_ns none = {0};
  putc('\n', writer->file);
  put_function(writer, own, number);
  if (number < writer->graph.first_root)
    put_selfs(writer, number, self);
  else
    put_cost(writer, 0, &none);
  for (; *pair < writer->graph.pairs.count && writer->graph.pairs.items[*pair].caller == number; ++*pair) {
    const struct prof_call_pair *it = &writer->graph.pairs.items[*pair];
    put_function(writer, called, it->callee);
    fputs("calls=", writer->file);
    prof_digits_put(writer->file, it->calls ? it->calls : 1);
    putc(' ', writer->file);
    prof_digits_put(writer->file, line_of(writer, it->callee));
    putc('\n', writer->file);
    put_cost(writer, line_of(writer, number), &writer->totals[*pair]);
  }
}

/* ---- the file ---- */

static void put_head(struct writer *writer) {
  static const char *const kinds[PROF_TIME_KINDS] = {"Running", "Waiting", "Elapsed"};
  FILE *file = writer->file;
  fputs("# callgrind format\nversion: 1\ncreator: prof\ncmd: ", file);
  prof_command_text_put(file, writer->source->trace);
  fputs("\npositions: line\n", file);
  if (writer->by_parts)
    fputs("event: Running : Time on a processor (ns)\nevent: Waiting : Blocked time (ns)\n"
          "event: Preempted : Ready, but not on a processor (ns)\nevents: Running Waiting Preempted\n",
          file);
  else
    fprintf(file, "event: %s : %s time (ns)\nevents: %s\n", kinds[writer->source->time], kinds[writer->source->time],
            kinds[writer->source->time]);
}

static void put_totals(struct writer *writer) {
  fputs("\ntotals:", writer->file);
  const uint64_t parts[] = {writer->by_parts ? writer->all.running : writer->all.elapsed, writer->all.waiting,
                            writer->all.preempted};
  for (size_t i = 0; i < (writer->by_parts ? 3 : 1); i++) {
    putc(' ', writer->file);
    prof_digits_put(writer->file, parts[i]);
  }
  putc('\n', writer->file);
}

static prof_status write_callgrind(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source};
  writer.by_parts = source->profile->coverage.has_switches && !source->leaves;
  prof_status status =
      prof_call_graph_make(source->profile, source->leaves, source->time, source->groups, diag, &writer.graph);
  if (status != PROF_OK)
    return status;
  const uint32_t count = writer.graph.first_root + writer.graph.root_count;
  writer.defined = calloc((size_t)count + 1, sizeof *writer.defined);
  writer.failed = !writer.defined || !round_totals(&writer);
  if (!writer.failed)
    put_head(&writer);
  const struct prof_call_self *selfs = writer.graph.selfs.items;
  const struct prof_call_pair *pairs = writer.graph.pairs.items;
  for (size_t self = 0, pair = 0;
       !writer.failed && !ferror(file) && (self < writer.graph.selfs.count || pair < writer.graph.pairs.count);) {
    uint32_t first = self < writer.graph.selfs.count ? selfs[self].function : count;
    if (pair < writer.graph.pairs.count && pairs[pair].caller < first)
      first = pairs[pair].caller;
    put_block(&writer, first, &self, &pair);
  }
  if (!writer.failed)
    put_totals(&writer);
  prof_text_table_fini(&writer.files);
  prof_text_table_fini(&writer.objects);
  prof_call_graph_free(&writer.graph);
  free(writer.defined);
  free(writer.totals);
  return writer.failed ? prof_diag_memory(diag) : PROF_OK;
}

const struct prof_exporter prof_exporter_callgrind = {
    .name = "callgrind",
    .summary = "functions, callers and lines, for callgrind_annotate and KCachegrind",
    .has_lines = true,
    .has_groups = true,
    .write = write_callgrind,
};
