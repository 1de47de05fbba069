/*
 * tools/decide/diff_memory.c - see diff_memory.h.
 *
 * Allocations, bytes and the peak are a family each, of the program, of functions and of lines.  What never varies
 * within a side is exact and needs no test: it would make what varies look too quiet.
 */
#include "decide/diff_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "decide/diff_test.h"

#define FEWEST_RUNS 3u /* a side, for a verdict */
#define PROGRAM UINT32_MAX

struct family {
  const struct prof_diff_table *table;
  enum prof_diff_metric metric;
  struct {
    uint32_t *items;
    size_t count, capacity;
  } entries, rows; /* those to be tested, and their rows */
};

/* row: NULL: it allocated nothing. */
static uint64_t figure_of(const struct prof_run_row *row, enum prof_diff_metric metric) {
  return !row                              ? 0
         : metric == PROF_DIFF_ALLOCATIONS ? row->calls
         : metric == PROF_DIFF_BYTES       ? row->bytes
                                           : row->peak_bytes;
}

static uint64_t figure_of_run(const struct prof_run *run, enum prof_diff_metric metric) {
  return metric == PROF_DIFF_ALLOCATIONS ? run->allocations
         : metric == PROF_DIFF_BYTES     ? run->allocated_bytes
                                         : run->peak_bytes;
}

static uint64_t value_of(const struct prof_diff_table *table, uint32_t entry, enum prof_diff_metric metric, int side,
                         size_t run) {
  return entry == PROGRAM ? figure_of_run(&table->groups[side].runs[run], metric)
                          : figure_of(prof_diff_row_at(table, entry, side, run), metric);
}

/* ---- a row ---- */

static void take_side(const struct family *family, uint32_t entry, int side, struct prof_diff_row *row) {
  const struct prof_run_group *group = &family->table->groups[side];
  const uint64_t first = value_of(family->table, entry, family->metric, side, 0);
  double share = 0;
  row->calls_constant[side] = true;
  for (size_t i = 0; i < group->count; i++) {
    const struct prof_run_row *there = entry == PROGRAM ? NULL : prof_diff_row_at(family->table, entry, side, i);
    const uint64_t value = value_of(family->table, entry, family->metric, side, i),
                   all = figure_of_run(&group->runs[i], family->metric);
    row->runs[side] += entry == PROGRAM || there;
    row->line[side] = row->line[side] ? row->line[side] : there ? there->line : 0;
    row->calls_constant[side] &= value == first && !group->runs[i].incomplete;
    row->amount[side] += (double)value / (double)group->count;
    share += all ? (double)value / (double)all / (double)group->count : 0;
  }
  row->share = fmax(row->share, share);
}

static struct prof_diff_row row_of(const struct family *family, uint32_t entry) {
  const struct prof_run_row *any = entry == PROGRAM ? NULL : &family->table->all.rows.items[entry];
  struct prof_diff_row row = {.kind = any ? prof_run_kind_words[any->kind] : "program",
                              .metric = family->metric,
                              .name = any ? any->name : family->table->groups[PROF_NEW].runs[0].command,
                              .file = any ? any->file : "",
                              .guess_name = ""};
  take_side(family, entry, PROF_OLD, &row);
  take_side(family, entry, PROF_NEW, &row);
  row.other_work = row.calls_constant[0] && row.calls_constant[1] && row.amount[0] != row.amount[1];
  return row;
}

static void judge_exact(struct prof_diff_row *row, const struct prof_diff_options *options, double margin) {
  const double was = row->amount[PROF_OLD], is = row->amount[PROF_NEW];
  row->has_ratio = was > 0;
  row->ratio = row->low = row->high = was > 0 ? is / was : 0;
  row->verdict = is > was * (1 + margin) || was <= 0     ? PROF_VERDICT_SLOWER
                 : is < was * (1 - margin)               ? PROF_VERDICT_FASTER
                 : fabs(is - was) <= options->same * was ? PROF_VERDICT_SAME
                                                         : PROF_VERDICT_UNKNOWN;
}

/* Judges what needs no test; true: it needs one. */
static bool needs_test(const struct family *family, uint32_t entry, const struct prof_diff_options *options,
                       double margin, struct prof_diff_row *row) {
  const struct prof_run_group *groups = family->table->groups;
  const bool few = groups[0].count < FEWEST_RUNS || groups[1].count < FEWEST_RUNS;
  bool always = true;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++)
      always &= value_of(family->table, entry, family->metric, side, i) > 0;
  row->why = !row->runs[0] || !row->runs[1] ? PROF_WHY_ONE_SIDE
             : few                          ? PROF_WHY_FEW_RUNS
             : !always                      ? PROF_WHY_SOME_RUNS
                                            : PROF_WHY_NOISE;
  const bool exact = row->calls_constant[0] && row->calls_constant[1];
  if (exact && row->why != PROF_WHY_ONE_SIDE && !few)
    judge_exact(row, options, margin);
  return !exact && row->why == PROF_WHY_NOISE;
}

/* ---- a family ---- */

/* False: no memory. */
static bool add(struct family *family, uint32_t entry, const struct prof_diff_options *options, struct prof_diff *out) {
  struct prof_diff_row row = row_of(family, entry);
  if ((row.amount[0] <= 0 && row.amount[1] <= 0) || row.share < options->min_share)
    return true;
  const bool tested = needs_test(family, entry, options, out->margin, &row);
  return prof_vec_push(&out->memory, row) &&
         (!tested ||
          (prof_vec_push(&family->entries, entry) && prof_vec_push(&family->rows, (uint32_t)out->memory.count - 1)));
}

static bool test(const struct family *family, bool single, const struct prof_diff_options *options,
                 struct prof_diff *out) {
  const struct prof_run_group *groups = family->table->groups;
  const size_t rows = family->entries.count;
  double *values[2] = {calloc(rows * groups[0].count, sizeof **values),
                       calloc(rows * groups[1].count, sizeof **values)};
  struct prof_diff_row **of = calloc(rows, sizeof *of);
  bool done = values[0] && values[1] && of;
  for (size_t row = 0; done && row < rows; row++) {
    of[row] = &out->memory.items[family->rows.items[row]];
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < groups[side].count; i++)
        values[side][row * groups[side].count + i] =
            log((double)value_of(family->table, family->entries.items[row], family->metric, side, i));
  }
  const struct prof_two_groups two = {
      .rows = rows, .runs = {groups[0].count, groups[1].count}, .values = {values[0], values[1]}};
  done = done && prof_diff_test_plain(&two, single, options, of, out);
  free(values[0]);
  free(values[1]);
  free(of);
  return done;
}

/* The program's rows, or those of a kind. */
static bool make_family(const struct prof_diff_table *table, bool program, enum prof_run_kind kind,
                        enum prof_diff_metric metric, const struct prof_diff_options *options, struct prof_diff *out) {
  struct family family = {.table = table, .metric = metric};
  bool made = !program || add(&family, PROGRAM, options, out);
  for (uint32_t i = 0; made && !program && i < table->entries.count; i++)
    made = table->all.rows.items[i].kind != kind || add(&family, i, options, out);
  made = made && (!family.entries.count || test(&family, program, options, out));
  prof_vec_fini(&family.entries);
  prof_vec_fini(&family.rows);
  return made;
}

static int by_amount(const void *left, const void *right) {
  const struct prof_diff_row *a = left, *b = right;
  const bool part_a = strcmp(a->kind, "program") != 0, part_b = strcmp(b->kind, "program") != 0;
  const bool same_a = a->verdict < PROF_VERDICT_FASTER && a->why != PROF_WHY_ONE_SIDE && !a->other_work,
             same_b = b->verdict < PROF_VERDICT_FASTER && b->why != PROF_WHY_ONE_SIDE && !b->other_work;
  return prof_order(part_a, part_b)
         ?: (part_a ? prof_order(same_a, same_b) : prof_order(a->metric, b->metric))
         ?: prof_order(b->share, a->share)
         ?: strcmp(a->name, b->name)
         ?: prof_order(a->metric, b->metric);
}

bool prof_diff_memory(const struct prof_diff_table *table, const struct prof_diff_options *options,
                      struct prof_diff *out) {
  size_t having = 0, all = table->groups[0].count + table->groups[1].count;
  bool made = true;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < table->groups[side].count; i++)
      having += (table->groups[side].runs[i].measures & PROF_RUN_HAS_MEMORY) != 0;
  out->memory_differs = having > 0 && having < all;
  for (int metric = PROF_DIFF_ALLOCATIONS; made && having == all && metric <= PROF_DIFF_PEAK; metric++)
    made = make_family(table, true, PROF_RUN_MEMORY, (enum prof_diff_metric)metric, options, out) &&
           make_family(table, false, PROF_RUN_MEMORY, (enum prof_diff_metric)metric, options, out) &&
           make_family(table, false, PROF_RUN_MEMORY_LINE, (enum prof_diff_metric)metric, options, out);
  prof_vec_sort(&out->memory, by_amount);
  return made;
}
