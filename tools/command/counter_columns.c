/*
 * tools/command/counter_columns.c - see counter_columns.h.
 */
#include "counter_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/text.h"
#include "base/whole.h"
#include "options/values.h"

#define COUNTER_SPARE 100 /* added to `spare` of the other columns, which go first */

#define TITLE_BYTES 256u /* longer names are cut */

/* ---- columns ---- */

void prof_counter_title(char *out, size_t out_bytes, const char *name) {
  char upper[TITLE_BYTES];
  size_t count = 0;
  for (; name[count] && count < sizeof upper; count++)
    upper[count] = (char)toupper((unsigned char)name[count]);
  prof_text_escape(out, out_bytes, upper, count);
}

/* NULL: no memory. */
static const char *text_of(struct prof_counter_columns *columns, const char *name, const char *end) {
  size_t name_bytes = strlen(name), end_bytes = strlen(end);
  char *text = prof_arena_alloc(&columns->texts, name_bytes + end_bytes + 1);
  if (!text)
    return NULL;
  memcpy(text, name, name_bytes);
  memcpy(text + name_bytes, end, end_bytes + 1);
  return text;
}

/* The same for a head line: in capitals, and safe for a terminal. */
static const char *title_of(struct prof_counter_columns *columns, const char *name, const char *end) {
  char title[TITLE_BYTES];
  prof_counter_title(title, sizeof title, name);
  return text_of(columns, title, end);
}

static bool add_counter(struct prof_counter_columns *columns, const struct prof_pmu *pmu, uint32_t counter,
                        bool total) {
  struct prof_counter_column *made = &columns->items[columns->count];
  const char *key = text_of(columns, pmu->name, total ? "_total" : ""),
             *title = title_of(columns, pmu->name, total ? " TOTAL" : ""),
             *word = text_of(columns, pmu->name, total ? "-total" : "");
  if (!key || !title || !word)
    return false;
  *made = (struct prof_counter_column){.column = {.key = key,
                                                  .title = title,
                                                  .kind = pmu->flags & PROF_PMU_NS ? PROF_CELL_NS : PROF_CELL_COUNT,
                                                  .spare = 1 + counter},
                                       .word = word,
                                       .counter = counter,
                                       .total = total};
  columns->count++;
  return true;
}

prof_status prof_counter_columns_init(struct prof_counter_columns *columns, const prof_trace *trace, bool totals,
                                      struct prof_diag *diag) {
  size_t all;
  const struct prof_pmu *counters = prof_trace_pmus(trace, &all);
  *columns = (struct prof_counter_columns){.trace = trace};
  uint32_t count = all < PROF_COUNTER_MOST ? (uint32_t)all : PROF_COUNTER_MOST;
  for (uint32_t i = 0; i < count; i++) {
    if (counters[i].flags & PROF_PMU_REFUSED)
      continue;
    if (!add_counter(columns, &counters[i], i, false) || (totals && !add_counter(columns, &counters[i], i, true)))
      return prof_diag_memory(diag);
  }
  const struct prof_counter_ratio *ratio;
  for (uint32_t i = 0; (ratio = prof_counter_ratio(i)) != NULL; i++)
    if (prof_counter_has_ratio(counters, count, ratio))
      columns->items[columns->count++] =
          (struct prof_counter_column){.column = {.key = ratio->key,
                                                  .title = ratio->title,
                                                  .kind = ratio->is_share ? PROF_CELL_SHARE : PROF_CELL_MEAN,
                                                  .spare = 1 + PROF_COUNTER_MOST + i},
                                       .word = ratio->word,
                                       .counter = PROF_NONE,
                                       .ratio = ratio};
  return PROF_OK;
}

prof_status prof_counter_columns_sum(struct prof_counter_columns *columns, const struct prof_recording *recording,
                                     const struct prof_counter_keys *keys, struct prof_diag *diag) {
  if (columns->count == 0)
    return PROF_OK;
  prof_status status =
      prof_counter_sums_make(recording->trace, &recording->filter, recording->names, keys, diag, &columns->sums);
  return status == PROF_EMPTY ? PROF_OK : status;
}

void prof_counter_columns_free(struct prof_counter_columns *columns) {
  prof_counter_sums_free(&columns->sums);
  prof_arena_fini(&columns->texts);
  columns->count = 0;
}

const struct prof_counter_column *prof_counter_column_find(const struct prof_counter_columns *columns,
                                                           const char *word) {
  for (size_t i = 0; i < columns->count; i++)
    if (strcmp(columns->items[i].word, word) == 0)
      return &columns->items[i];
  return NULL;
}

static bool is_wanted(const struct prof_counter_column *column, bool people) {
  return !people || !column->total;
}

size_t prof_counter_columns_add(const struct prof_counter_columns *columns, bool people, struct prof_column *out,
                                size_t count) {
  for (size_t i = 0; columns->count && i < count; i++)
    out[i].spare += out[i].spare ? COUNTER_SPARE : 0;
  for (size_t i = 0; i < columns->count; i++)
    if (is_wanted(&columns->items[i], people))
      out[count++] = columns->items[i].column;
  return count;
}

/* ---- figures ---- */

/* NAN: none.  Nothing counted at the key is 0. */
static double figure_of(const struct prof_counter_columns *columns, const struct prof_counter_column *column,
                        uint32_t key) {
  const struct prof_counter_sums *sums = &columns->sums;
  const double *figures = column->total ? prof_counter_total(sums, key) : prof_counter_self(sums, key);
  double value = 0;
  if (!column->ratio)
    return figures ? figures[column->counter] : 0;
  return figures && prof_counter_ratio_of(sums->counters, sums->counter_count, column->ratio, figures, &value) ? value
                                                                                                               : NAN;
}

static bool is_estimated(const struct prof_counter_columns *columns, const struct prof_counter_column *column) {
  size_t count;
  const struct prof_pmu *counters = prof_trace_pmus(columns->trace, &count);
  return column->ratio ? prof_counter_ratio_is_estimated(counters, (uint32_t)count, column->ratio)
                       : prof_counter_takes_turns(&counters[column->counter]);
}

void prof_counter_cell(const struct prof_counter_columns *columns, const struct prof_counter_column *column,
                       struct prof_table *table, uint32_t key) {
  double figure = figure_of(columns, column, key);
  if (isnan(figure)) {
    prof_table_unknown(table);
    return;
  }
  if (column->ratio)
    prof_table_share(table, figure);
  else
    prof_table_count(table, prof_whole(figure + 0.5));
  if (is_estimated(columns, column))
    prof_table_estimated(table);
}

void prof_counter_cells(const struct prof_counter_columns *columns, struct prof_table *table, bool people,
                        uint32_t key) {
  for (size_t i = 0; i < columns->count; i++)
    if (is_wanted(&columns->items[i], people))
      prof_counter_cell(columns, &columns->items[i], table, key);
}

void prof_counter_json(const struct prof_counter_columns *columns, struct prof_json *json, uint32_t key) {
  for (size_t i = 0; i < columns->count; i++) {
    const struct prof_counter_column *column = &columns->items[i];
    double figure = figure_of(columns, column, key);
    if (isnan(figure))
      prof_json_text(json, column->column.key, NULL);
    else if (column->ratio)
      prof_json_number(json, column->column.key, figure);
    else
      prof_json_count(json, column->column.key, prof_whole(figure + 0.5));
  }
}

void prof_counter_csv(const struct prof_counter_columns *columns, struct prof_csv *csv, bool key_line, uint32_t key) {
  for (size_t i = 0; i < columns->count; i++) {
    const struct prof_counter_column *column = &columns->items[i];
    double figure = key_line ? 0 : figure_of(columns, column, key);
    if (key_line)
      prof_csv_text(csv, column->column.key);
    else if (column->ratio)
      prof_csv_number(csv, figure);
    else
      prof_csv_count(csv, prof_whole(figure + 0.5));
  }
}

const char *prof_counter_text(const struct prof_counter_columns *columns, const struct prof_counter_column *column,
                              uint32_t key, char out[PROF_UNITS_BYTES + 1]) {
  double figure = figure_of(columns, column, key);
  out[0] = 0;
  if (isnan(figure) || (!column->ratio && figure < 0.5))
    return out;
  char *text = out;
  if (is_estimated(columns, column))
    *text++ = '~';
  if (!column->ratio && column->column.kind == PROF_CELL_NS)
    prof_units_duration(text, prof_whole(figure + 0.5));
  else if (!column->ratio)
    prof_units_count(text, prof_whole(figure + 0.5));
  else if (column->ratio->is_share)
    prof_units_share(text, figure);
  else
    prof_units_mean(text, figure);
  return out;
}

/* ---- -s ---- */

prof_status prof_counter_sort_find(struct prof_counter_columns *columns, const char *word, const char *const *words,
                                   struct prof_diag *diag, const struct prof_counter_column **out) {
  size_t own = 0;
  int index;
  *out = prof_counter_column_find(columns, word);
  if (*out) {
    columns->items[*out - columns->items].column.spare = 0; /* it stays in a narrow table */
    return PROF_OK;
  }
  while (words[own])
    own++;
  const char **all = calloc(own + columns->count + 1, sizeof *all);
  if (!all)
    return prof_diag_memory(diag);
  memcpy(all, words, own * sizeof *all);
  for (size_t i = 0; i < columns->count; i++)
    all[own + i] = columns->items[i].word;
  prof_status status = prof_value_word("--sort", word, all, &index, diag);
  free(all);
  return status;
}

struct ordered {
  double figure;
  size_t at;
};

static int by_figure(const void *a, const void *b) {
  const struct ordered *left = a, *right = b;
  return prof_order(right->figure, left->figure) ?: prof_order(left->at, right->at);
}

prof_status prof_counter_sort(const struct prof_counter_columns *columns, const struct prof_counter_column *column,
                              const struct prof_counter_rows_of *of, struct prof_diag *diag) {
  struct ordered *order = malloc((of->count + 1) * sizeof *order);
  char *copy = malloc((of->count + 1) * of->row_bytes);
  bool good = order && copy;
  for (size_t i = 0, first = 0; good && i < of->count; i++) {
    const void *row = (char *)of->rows + i * of->row_bytes;
    double figure = figure_of(columns, column, of->key(columns, row));
    order[i] = (struct ordered){isnan(figure) ? -1 : figure, i};
    first = !of->is_first || of->is_first(row) ? i : first;
    double most = order[i].figure > order[first].figure ? order[i].figure : order[first].figure;
    for (size_t j = first; j <= i && of->is_first; j++)
      order[j].figure = most;
  }
  if (good) {
    memcpy(copy, of->rows, of->count * of->row_bytes);
    qsort(order, of->count, sizeof *order, by_figure);
    for (size_t i = 0; i < of->count; i++)
      memcpy((char *)of->rows + i * of->row_bytes, copy + order[i].at * of->row_bytes, of->row_bytes);
  }
  free(order);
  free(copy);
  return good ? PROF_OK : prof_diag_memory(diag);
}
