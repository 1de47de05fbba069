/*
 * tools/decide/diff_table.c - see diff_table.h.
 */
#include "decide/diff_table.h"

#include <string.h>

#define NONE UINT32_MAX

const struct prof_run_row *prof_diff_row_at(const struct prof_diff_table *table, uint32_t entry, int side, size_t run) {
  const struct prof_run *of = &table->groups[side].runs[run];
  const uint32_t at = prof_run_find(of, &table->all.rows.items[entry]);
  return at == NONE ? NULL : &of->rows.items[at];
}

static void add(struct prof_diff_cell *cell, const struct prof_run_row *row) {
  cell->events += row->events;
  cell->raw_ns += (double)row->raw_ns;
  cell->self_ns += (double)row->self_ns;
  cell->waiting_ns += (double)row->waiting_ns;
  cell->preempted_ns += (double)row->preempted_ns;
}

struct prof_diff_cell prof_diff_cell(const struct prof_diff_table *table, uint32_t entry, int side, size_t run) {
  const struct prof_diff_entry *of = &table->entries.items[entry];
  const struct prof_run_row *own = prof_diff_row_at(table, entry, side, run), *other = NULL;
  struct prof_diff_cell cell = {0};
  if (of->joined[side] != NONE)
    other = prof_diff_row_at(table, of->joined[side], side, run);
  const struct prof_run_row *row = own ? own : other;
  if (!row)
    return cell;
  const bool of_two = of->guess == PROF_GUESS_INLINED || of->guess == PROF_GUESS_OUTLINED;
  cell = (struct prof_diff_cell){.present = true,
                                 .calls = of->calls_unknown ? 0 : row->calls,
                                 .median_ns = of_two ? 0 : row->median_ns, /* it is of another function's calls */
                                 .noise = row->noise};
  add(&cell, row);
  if (own && other)
    add(&cell, other);
  return cell;
}

static bool add_rows(struct prof_diff_table *table, int side, const struct prof_run *run) {
  const double runs = (double)table->groups[side].count;
  const double all_ns = (double)(run->self_ns + run->waiting_ns);
  for (size_t i = 0; i < run->rows.count; i++) {
    const struct prof_run_row *row = &run->rows.items[i];
    if (!prof_run_add(&table->all, row))
      return false;
    const uint32_t at = prof_run_find(&table->all, row);
    const struct prof_diff_entry fresh = {.joined = {NONE, NONE}, .guess_entry = NONE};
    if (at == table->entries.count && !prof_vec_push(&table->entries, fresh))
      return false;
    struct prof_diff_entry *entry = &table->entries.items[at];
    entry->runs[side]++;
    if (prof_run_is_memory(row->kind))
      continue;
    entry->calls_unknown |= row->calls == 0;
    entry->share[side] += run->raw_ns ? (double)row->raw_ns / (double)run->raw_ns / runs : 0;
    entry->waiting_share[side] += all_ns > 0 ? (double)row->waiting_ns / all_ns / runs : 0;
  }
  return true;
}

bool prof_diff_table_make(struct prof_diff_table *table, const struct prof_run_group groups[2]) {
  *table = (struct prof_diff_table){.groups = groups};
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++)
      if (!add_rows(table, side, &groups[side].runs[i]))
        return false;
  return true;
}

void prof_diff_table_fini(struct prof_diff_table *table) {
  prof_vec_fini(&table->entries);
  prof_run_fini(&table->all);
}
