/*
 * tools/decide/diff.c - see diff.h.
 *
 * Matched rows (diff_table.h) are tested in families: running time, and waiting time, of each kind of row.
 */
#include "decide/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "decide/diff_memory.h"
#include "decide/diff_table.h"
#include "decide/diff_test.h"
#include "statistics/median.h"

#define FEWEST_RUNS 3u    /* a side, for a verdict on times */
#define ENOUGH_ROWS 6u    /* to tell what all rows have in common from what one has */
#define MARGIN_TURNS 0.01 /* between runs that took turns, the same build differs by less */
#define MARGIN_APART 0.02 /* between runs at different times */

const char *const prof_verdict_words[] = {"unknown", "same", "faster", "slower", NULL};
const char *const prof_diff_metric_words[] = {"running", "waiting", "allocations", "bytes", "peak", NULL};
const char *const prof_guess_words[] = {"", "renamed", "inlined", "outlined", NULL};

/* ---- facts of the groups ---- */

struct moment {
  uint64_t begin_ns;
  int side;
};

static int by_time(const void *left, const void *right) {
  return prof_order(((const struct moment *)left)->begin_ns, ((const struct moment *)right)->begin_ns);
}

/* Runs take turns if the side changes at least as often as the smaller group has runs; false also without memory. */
static bool take_turns(const struct prof_run_group groups[2]) {
  const size_t count = groups[0].count + groups[1].count;
  const size_t smaller = groups[0].count < groups[1].count ? groups[0].count : groups[1].count;
  struct moment *moments = malloc(count * sizeof *moments);
  size_t used = 0, changes = 0;
  for (int side = 0; moments && side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++)
      moments[used++] = (struct moment){groups[side].runs[i].begin_ns, side};
  if (moments)
    qsort(moments, used, sizeof *moments, by_time);
  for (size_t i = 1; i < used; i++)
    changes += moments[i].side != moments[i - 1].side;
  free(moments);
  return changes >= smaller && smaller > 1;
}

static void compare_groups(const struct prof_run_group groups[2], struct prof_diff *out) {
  const struct prof_run *first = &groups[PROF_OLD].runs[0];
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++) {
      const struct prof_run *run = &groups[side].runs[i];
      out->modes_differ |= !prof_run_same_way(run, first);
      out->machines_differ |= strcmp(run->machine, first->machine) != 0;
      out->incomplete |= run->incomplete;
    }
  out->commands_differ = strcmp(first->command, groups[PROF_NEW].runs[0].command) != 0;
}

/* ---- figures of a row, tested or not ---- */

static void take_percentiles(const struct prof_diff_table *table, uint32_t entry, int side, double *room,
                             struct prof_diff_row *row) {
  double *const outs[] = {&row->p50_ns[side], &row->p95_ns[side], &row->p99_ns[side]};
  for (int which = 0; which < 3; which++) {
    size_t count = 0;
    for (size_t i = 0; i < table->groups[side].count; i++) {
      const struct prof_run_row *of = prof_diff_row_at(table, entry, side, i);
      const uint64_t values[] = {of ? of->p50_ns : 0, of ? of->p95_ns : 0, of ? of->p99_ns : 0};
      if (values[which])
        room[count++] = (double)values[which];
    }
    *outs[which] = prof_median(room, count);
  }
}

static void take_side(const struct prof_diff_table *table, uint32_t entry, int side, double *room,
                      struct prof_diff_row *row) {
  const struct prof_run_group *group = &table->groups[side];
  double calls = 0, self_ns = 0;
  uint64_t first = 0;
  bool constant = true;
  for (size_t i = 0; i < group->count; i++) {
    const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, i);
    if (!cell.present)
      continue;
    first = row->runs[side]++ ? first : cell.calls;
    constant = constant && cell.calls == first && !(group->runs[i].has_budget && cell.noise > 0);
    calls += (double)cell.calls;
    self_ns += row->metric == PROF_DIFF_WAITING ? cell.waiting_ns : cell.self_ns;
  }
  const double runs = row->runs[side] ? (double)row->runs[side] : 1;
  row->calls[side] = calls / runs;
  row->self_ns[side] = self_ns / runs;
  row->calls_constant[side] = row->runs[side] == group->count && constant && !group->runs[0].incomplete;
  take_percentiles(table, entry, side, room, row);
}

static struct prof_diff_row row_of(const struct prof_diff_table *table, uint32_t entry, enum prof_diff_metric metric,
                                   double *room) {
  const struct prof_diff_entry *of = &table->entries.items[entry];
  const struct prof_run_row *any = &table->all.rows.items[entry];
  const double *shares = metric == PROF_DIFF_WAITING ? of->waiting_share : of->share;
  struct prof_diff_row row = {.kind = prof_run_kind_words[any->kind],
                              .metric = metric,
                              .name = any->name,
                              .file = any->file,
                              .share = shares[0] > shares[1] ? shares[0] : shares[1],
                              .guess = of->guess,
                              .guess_name = "",
                              .why = PROF_WHY_NOISE};
  if (of->guess_entry != UINT32_MAX)
    row.guess_name = table->all.rows.items[of->guess_entry].name;
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; !row.line[side] && i < table->groups[side].count; i++) {
      const struct prof_run_row *there = prof_diff_row_at(table, entry, side, i);
      row.line[side] = there ? there->line : 0;
    }
    take_side(table, entry, side, room, &row);
  }
  row.other_work =
      metric == PROF_DIFF_RUNNING && row.calls_constant[0] && row.calls_constant[1] && row.calls[0] != row.calls[1];
  row.changed_ns = row.runs[0] && row.runs[1] ? 0 : row.self_ns[PROF_NEW] - row.self_ns[PROF_OLD];
  return row;
}

/* Why a row can't be tested; true: it can. */
static bool may_test(const struct prof_diff_table *table, uint32_t entry, const struct prof_diff *diff,
                     struct prof_diff_row *row) {
  bool complete = true, few = false;
  for (int side = 0; side < 2; side++) {
    few |= table->groups[side].count < FEWEST_RUNS;
    for (size_t i = 0; i < table->groups[side].count; i++)
      complete &= prof_diff_value(table, entry, row->metric, side, i) > 0;
  }
  row->why = !row->runs[0] || !row->runs[1] ? PROF_WHY_ONE_SIDE
             : diff->modes_differ           ? PROF_WHY_MODES
             : few                          ? PROF_WHY_FEW_RUNS
             : !complete                    ? PROF_WHY_SOME_RUNS
                                            : PROF_WHY_NOISE;
  return row->why == PROF_WHY_NOISE;
}

/* Rows of a kind and metric; those that can be tested are noted in `family`. */
static bool add_rows(const struct prof_diff_table *table, const struct prof_diff_options *options,
                     enum prof_run_kind kind, enum prof_diff_metric metric, double *room,
                     struct prof_diff_family *family, struct prof_diff *out) {
  for (uint32_t i = 0; i < table->entries.count; i++) {
    const struct prof_diff_entry *entry = &table->entries.items[i];
    if (table->all.rows.items[i].kind != kind || entry->hidden)
      continue;
    struct prof_diff_row row = row_of(table, i, metric, room);
    if (row.share < options->min_share) {
      out->cold += metric == PROF_DIFF_RUNNING;
      continue;
    }
    const bool tested = may_test(table, i, out, &row);
    if (!prof_vec_push(&out->rows, row) ||
        (tested && !prof_vec_push(family, (struct prof_diff_tested){i, (uint32_t)out->rows.count - 1})))
      return false;
  }
  return true;
}

/* ---- order ---- */

static int rank_of(const struct prof_diff_row *row) {
  return row->verdict >= PROF_VERDICT_FASTER                                   ? 0
         : row->other_work || (row->why == PROF_WHY_ONE_SIDE && !row->verdict) ? 1
                                                                               : 2;
}

static int by_change(const void *left, const void *right) {
  const struct prof_diff_row *a = left, *b = right;
  const int rank = prof_order(rank_of(a), rank_of(b));
  const int change = rank_of(a) < 2 ? prof_order(fabs(b->changed_ns), fabs(a->changed_ns)) : 0;
  return rank ?: change ?: prof_order(b->share, a->share) ?: strcmp(a->name, b->name) ?: prof_order(a->metric, b->metric);
}

static void sum_strangers(const struct prof_diff_table *table, struct prof_diff *out) {
  for (uint32_t i = 0; i < table->entries.count; i++) {
    const struct prof_diff_entry *entry = &table->entries.items[i];
    const enum prof_run_kind kind = table->all.rows.items[i].kind;
    if (entry->hidden || entry->guess || (kind != PROF_RUN_FUNCTION && kind != PROF_RUN_ZONE))
      continue;
    for (int side = 0; side < 2; side++)
      out->strange[side] += entry->runs[!side] ? 0 : entry->share[side];
  }
}

/* The families; the first is of functions, and gives the factor of each run. */
static bool make_families(const struct prof_diff_table *table, const struct prof_diff_options *options, double *room,
                          struct prof_diff *out) {
  struct prof_diff_factors factors = {0};
  bool made = prof_diff_factors_init(&factors, table);
  for (int i = 0; made && i < PROF_RUN_TIMED_KINDS * PROF_DIFF_TIMES; i++) {
    const enum prof_run_kind kind = (enum prof_run_kind)(i / 2);
    const enum prof_diff_metric metric = i % 2 ? PROF_DIFF_WAITING : PROF_DIFF_RUNNING;
    struct prof_diff_family family = {0};
    made = add_rows(table, options, kind, metric, room, &family, out);
    if (made && i == 0 && family.count >= ENOUGH_ROWS) {
      made = prof_diff_factors_find(&factors, table, &family, options, out);
      out->has_everything = made;
    }
    if (made && family.count)
      made = prof_diff_test(table, &family, metric == PROF_DIFF_RUNNING ? &factors : NULL, options, out);
    prof_vec_fini(&family);
  }
  prof_diff_factors_fini(&factors);
  return made;
}

static bool make(const struct prof_run_group groups[2], struct prof_diff_table *table,
                 const struct prof_diff_options *options, struct prof_diff *out) {
  const size_t most = groups[0].count > groups[1].count ? groups[0].count : groups[1].count;
  double *room = malloc(most * sizeof *room);
  bool made = room && prof_diff_table_make(table, groups);
  if (made) {
    prof_diff_guess(table);
    made = make_families(table, options, room, out) && prof_diff_test_program(table, options, out) &&
           prof_diff_memory(table, options, out);
  }
  free(room);
  if (made)
    sum_strangers(table, out);
  return made;
}

prof_status prof_diff_make(const struct prof_run_group groups[2], const struct prof_diff_options *options,
                           struct prof_diag *diag, struct prof_diff *out) {
  struct prof_diff_table table = {0};
  *out = (struct prof_diff){.interleaved = take_turns(groups)};
  out->margin = options->margin > 0 ? options->margin : out->interleaved ? MARGIN_TURNS : MARGIN_APART;
  compare_groups(groups, out);
  const bool made = make(groups, &table, options, out);
  if (made) {
    out->names = table.all.texts; /* rows point into them */
    table.all.texts = (struct prof_arena){0};
    prof_vec_sort(&out->rows, by_change);
  } else {
    prof_diff_fini(out);
  }
  prof_diff_table_fini(&table);
  return made ? PROF_OK : prof_diag_memory(diag);
}

void prof_diff_fini(struct prof_diff *diff) {
  prof_vec_fini(&diff->rows);
  prof_vec_fini(&diff->memory);
  prof_arena_fini(&diff->names);
  *diff = (struct prof_diff){0};
}
