/*
 * tools/command/loops/work_cells.c - see work_cells.h.
 */
#include "work_cells.h"

#include <inttypes.h>
#include <stdio.h>

#include "view/units.h"

static const struct prof_column for_people[] = {
    {NULL, "FLOPS", PROF_CELL_COUNT},
    {NULL, "LOADED B", PROF_CELL_COUNT, .spare = 3},
    {NULL, "STORED B", PROF_CELL_COUNT, .spare = 4},
    {NULL, "FLOP/B", PROF_CELL_TEXT, .spare = 1},
    {NULL, "GFLOP/S", PROF_CELL_TEXT, .spare = 2},
};
static const struct prof_column for_programs[PROF_WORK_COLUMNS] = {
    {"flops", NULL, PROF_CELL_COUNT},         {"flops_high", NULL, PROF_CELL_COUNT},
    {"bytes_loaded", NULL, PROF_CELL_COUNT},  {"bytes_loaded_high", NULL, PROF_CELL_COUNT},
    {"bytes_stored", NULL, PROF_CELL_COUNT},  {"bytes_stored_high", NULL, PROF_CELL_COUNT},
    {"flops_per_byte", NULL, PROF_CELL_MEAN}, {"gflops_per_second", NULL, PROF_CELL_MEAN},
};

size_t prof_work_columns(struct prof_column columns[PROF_WORK_COLUMNS], bool people) {
  const struct prof_column *from = people ? for_people : for_programs;
  size_t count = people ? sizeof for_people / sizeof *for_people : PROF_WORK_COLUMNS;
  for (size_t i = 0; i < count; i++)
    columns[i] = from[i];
  return count;
}

static void add_count(struct prof_table *table, bool known, uint64_t count) {
  if (known)
    prof_table_count(table, count);
  else
    prof_table_unknown(table);
}

/* For people with three digits: most values are small. */
static void add_mean(struct prof_table *table, bool known, double value, bool people) {
  char text[PROF_UNITS_BYTES] = "-";
  if (people && known)
    snprintf(text, sizeof text, value < 100 ? "%.3g" : "%.0f", value);
  if (people)
    prof_table_text(table, text);
  else if (known)
    prof_table_share(table, value);
  else
    prof_table_unknown(table);
}

static void add_range(struct prof_table *table, bool known, const struct prof_work_range *range, bool open,
                      bool people) {
  add_count(table, known, range->low);
  if (people && known && !prof_work_is_exact(range, open))
    prof_table_estimated(table);
  if (!people)
    add_count(table, known && !open, range->high);
}

void prof_work_cells(struct prof_table *table, const struct prof_loop_work *work, bool people) {
  const struct prof_work_sum *all = &work->all;
  add_range(table, work->known, &all->flops, all->flops_open, people);
  add_range(table, work->known, &all->loaded, all->bytes_open, people);
  add_range(table, work->known, &all->stored, all->bytes_open, people);
  add_mean(table, work->has_intensity, work->intensity, people);
  add_mean(table, work->has_rate, work->rate, people);
}

/* Adds "flops 1,003 to 2,006", or "flops at least 1,003", unless the figure is exact. */
static size_t add_bounds(char *out, size_t used, const char *what, const struct prof_work_range *range, bool open) {
  char low[PROF_UNITS_BYTES], high[PROF_UNITS_BYTES];
  if (prof_work_is_exact(range, open) || used >= PROF_WORK_TEXT_BYTES)
    return used;
  prof_units_count(low, range->low);
  prof_units_count(high, range->high);
  return used + (size_t)snprintf(out + used, PROF_WORK_TEXT_BYTES - used, open ? "%s%s at least %s" : "%s%s %s to %s",
                                 used ? ", " : "", what, low, high);
}

const char *prof_work_text(const struct prof_loop_work *work, char out[PROF_WORK_TEXT_BYTES]) {
  const struct prof_work_sum *all = &work->all;
  out[0] = 0;
  if (!work->known)
    return out;
  size_t used = add_bounds(out, 0, "flops", &all->flops, all->flops_open);
  used = add_bounds(out, used, "loaded", &all->loaded, all->bytes_open);
  add_bounds(out, used, "stored", &all->stored, all->bytes_open);
  return out;
}

bool prof_work_functions_json(const struct prof_loop_works *works, const struct prof_reader *reader,
                              struct prof_json *json) {
  struct prof_column columns[1 + PROF_WORK_COLUMNS] = {{"function", NULL, PROF_CELL_TEXT}};
  struct prof_table *table = prof_table_new(columns, 1 + prof_work_columns(columns + 1, false));
  for (uint32_t i = 0; i < works->function_count && table; i++) {
    if (!works->of[i].known)
      continue;
    prof_table_text(table, prof_names_function(reader->recording.names, i));
    prof_work_cells(table, &works->of[i], false);
  }
  bool good = table && !prof_table_failed(table);
  if (good)
    prof_table_json(table, json, "functions");
  prof_table_free(table);
  return good;
}
