/*
 * tools/view/table.c - typed rows, shown as a table, as JSON or as CSV.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "units.h"
#include "width.h"

#define GAP 2 /* columns between two cells */

struct cell {
  union {
    uint64_t count;
    double share;
    size_t text; /* offset into texts */
  };
  bool unknown;
};

struct prof_table {
  const struct prof_column *columns;
  size_t column_count;
  struct cell *cells;
  size_t cell_count, cell_room;
  char *texts; /* each ends in NUL */
  size_t text_bytes, text_room;
  bool failed;
};

struct prof_table *prof_table_new(const struct prof_column *columns, size_t column_count) {
  struct prof_table *table = calloc(1, sizeof *table);
  if (table) {
    table->columns = columns;
    table->column_count = column_count;
  }
  return table;
}

void prof_table_free(struct prof_table *table) {
  if (!table)
    return;
  free(table->cells);
  free(table->texts);
  free(table);
}

static bool grow(void **items, size_t *room, size_t need, size_t bytes) {
  if (need <= *room)
    return true;
  size_t more = *room ? *room * 2 : 256;
  while (more < need)
    more *= 2;
  void *bigger = realloc(*items, more * bytes);
  if (!bigger)
    return false;
  *items = bigger;
  *room = more;
  return true;
}

static void add(struct prof_table *table, struct cell cell) {
  void *cells = table->cells;
  if (!grow(&cells, &table->cell_room, table->cell_count + 1, sizeof cell))
    table->failed = true;
  else
    ((struct cell *)cells)[table->cell_count++] = cell;
  table->cells = cells;
}

void prof_table_text(struct prof_table *table, const char *text) {
  size_t bytes = strlen(text) + 1;
  void *texts = table->texts;
  if (!grow(&texts, &table->text_room, table->text_bytes + bytes, 1)) {
    table->failed = true;
    return;
  }
  table->texts = texts;
  memcpy(table->texts + table->text_bytes, text, bytes);
  add(table, (struct cell){.text = table->text_bytes});
  table->text_bytes += bytes;
}

void prof_table_count(struct prof_table *table, uint64_t count) {
  add(table, (struct cell){.count = count});
}
void prof_table_share(struct prof_table *table, double share) {
  add(table, (struct cell){.share = share});
}
void prof_table_unknown(struct prof_table *table) {
  add(table, (struct cell){.unknown = true});
}
bool prof_table_failed(const struct prof_table *table) {
  return table->failed;
}

static size_t row_count(const struct prof_table *table) {
  return table->cell_count / table->column_count;
}

static const struct cell *cell_at(const struct prof_table *table, size_t row, size_t column) {
  return &table->cells[row * table->column_count + column];
}

/* Shown form of a number. */
static const char *number(char out[PROF_UNITS_BYTES], enum prof_cell_kind kind, const struct cell *cell) {
  if (cell->unknown)
    return strcpy(out, "-");
  switch (kind) {
  case PROF_CELL_NS:
    return prof_units_duration(out, cell->count);
  case PROF_CELL_SHARE:
    return prof_units_share(out, cell->share);
  case PROF_CELL_MEAN:
    return prof_units_mean(out, cell->share);
  case PROF_CELL_PART:
    return prof_units_part(out, cell->share);
  case PROF_CELL_COUNT:
  case PROF_CELL_TEXT:
    break;
  }
  return prof_units_count(out, cell->count);
}

static bool is_double(enum prof_cell_kind kind) {
  return kind == PROF_CELL_SHARE || kind == PROF_CELL_MEAN || kind == PROF_CELL_PART;
}

static size_t cell_width(const struct prof_table *table, size_t row, size_t column) {
  enum prof_cell_kind kind = table->columns[column].kind;
  const struct cell *cell = cell_at(table, row, column);
  char buffer[PROF_UNITS_BYTES];
  if (kind != PROF_CELL_TEXT)
    return strlen(number(buffer, kind, cell));
  char *escaped = prof_text_escaped(table->texts + cell->text);
  size_t width = escaped ? prof_text_width(escaped) : 0;
  free(escaped);
  return width;
}

static void pad(FILE *file, size_t count) {
  while (count-- > 0)
    putc(' ', file);
}

static void print_text(FILE *file, const char *text, size_t width, bool last, bool utf8) {
  char *escaped = prof_text_escaped(text);
  if (!escaped)
    return;
  if (width)
    prof_text_cut(escaped, width, utf8);
  fputs(escaped, file);
  size_t used = prof_text_width(escaped);
  if (!last && used < width)
    pad(file, width - used);
  free(escaped);
}

/* Widths of all columns; the last text column gives way when the terminal is narrow. */
static void measure(const struct prof_table *table, const struct prof_table_style *style, size_t *widths) {
  size_t total = 0, flexible = SIZE_MAX;
  for (size_t c = 0; c < table->column_count; c++) {
    const char *title = table->columns[c].title;
    widths[c] = title ? prof_text_width(title) : 0;
    for (size_t r = 0; title && r < row_count(table); r++) {
      size_t width = cell_width(table, r, c);
      widths[c] = width > widths[c] ? width : widths[c];
    }
    if (!title)
      continue;
    total += widths[c] + GAP;
    if (table->columns[c].kind == PROF_CELL_TEXT)
      flexible = c;
  }
  if (style->width && total > style->width + GAP && flexible != SIZE_MAX) {
    size_t over = total - GAP - style->width, least = 16;
    size_t room = widths[flexible] > over ? widths[flexible] - over : 0;
    widths[flexible] = room < least ? (widths[flexible] < least ? widths[flexible] : least) : room;
  }
}

static size_t last_shown(const struct prof_table *table) {
  size_t last = 0;
  for (size_t c = 0; c < table->column_count; c++)
    if (table->columns[c].title)
      last = c;
  return last;
}

void prof_table_print(const struct prof_table *table, FILE *file, const struct prof_table_style *style) {
  size_t *widths = calloc(table->column_count, sizeof *widths), last = last_shown(table);
  if (!widths)
    return;
  measure(table, style, widths);
  if (style->color)
    fputs("\x1b[1m", file);
  for (size_t c = 0; c < table->column_count; c++) {
    const struct prof_column *column = &table->columns[c];
    if (!column->title)
      continue;
    size_t room = widths[c] > prof_text_width(column->title) ? widths[c] - prof_text_width(column->title) : 0;
    if (column->kind != PROF_CELL_TEXT)
      pad(file, room);
    fputs(column->title, file);
    if (column->kind == PROF_CELL_TEXT && c != last)
      pad(file, room);
    pad(file, c == last ? 0 : GAP);
  }
  fputs(style->color ? "\x1b[0m\n" : "\n", file);
  for (size_t r = 0; r < row_count(table); r++) {
    for (size_t c = 0; c < table->column_count; c++) {
      const struct prof_column *column = &table->columns[c];
      const struct cell *cell = cell_at(table, r, c);
      char buffer[PROF_UNITS_BYTES];
      if (!column->title)
        continue;
      if (column->kind == PROF_CELL_TEXT)
        print_text(file, table->texts + cell->text, widths[c], c == last, style->utf8);
      else
        fprintf(file, "%*s", (int)widths[c], number(buffer, column->kind, cell));
      pad(file, c == last ? 0 : GAP);
    }
    putc('\n', file);
  }
  free(widths);
}

void prof_table_json_row(const struct prof_table *table, size_t row, struct prof_json *json, const char *key) {
  prof_json_object(json, key);
  for (size_t c = 0; c < table->column_count; c++) {
    const struct prof_column *column = &table->columns[c];
    const struct cell *cell = cell_at(table, row, c);
    if (!column->key)
      continue;
    if (cell->unknown)
      prof_json_text(json, column->key, NULL);
    else if (column->kind == PROF_CELL_TEXT)
      prof_json_text(json, column->key, table->texts + cell->text);
    else if (is_double(column->kind))
      prof_json_number(json, column->key, cell->share);
    else
      prof_json_count(json, column->key, cell->count);
  }
  prof_json_object_end(json);
}

void prof_table_json(const struct prof_table *table, struct prof_json *json, const char *key) {
  prof_json_array(json, key);
  for (size_t r = 0; r < row_count(table); r++)
    prof_table_json_row(table, r, json, NULL);
  prof_json_array_end(json);
}

void prof_table_csv(const struct prof_table *table, FILE *file) {
  struct prof_csv csv;
  prof_csv_init(&csv, file);
  for (size_t c = 0; c < table->column_count; c++)
    if (table->columns[c].key)
      prof_csv_text(&csv, table->columns[c].key);
  prof_csv_end(&csv);
  for (size_t r = 0; r < row_count(table); r++) {
    for (size_t c = 0; c < table->column_count; c++) {
      const struct cell *cell = cell_at(table, r, c);
      if (!table->columns[c].key)
        continue;
      if (cell->unknown)
        prof_csv_text(&csv, "");
      else if (table->columns[c].kind == PROF_CELL_TEXT)
        prof_csv_text(&csv, table->texts + cell->text);
      else if (is_double(table->columns[c].kind))
        prof_csv_number(&csv, cell->share);
      else
        prof_csv_count(&csv, cell->count);
    }
    prof_csv_end(&csv);
  }
}
