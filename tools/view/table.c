/*
 * tools/view/table.c - typed rows, shown as a table, as JSON or as CSV.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "units.h"
#include "width.h"

#define GAP 2             /* columns between two cells */
#define LONGEST_TEXT 1000 /* columns of a text, without a limit */
#define GOOD_TEXT 20      /* columns that a text should have before other columns are dropped */
#define LEAST_TEXT 8

struct cell {
  union {
    uint64_t count;
    double share;
    struct {
      size_t text; /* offset into texts */
      size_t lead;
    };
  };
  uint32_t bound_ns; /* the count is below this, and otherwise unknown; 0: it is known */
  bool unknown;
  char mark; /* before the number; 0: none */
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
  prof_table_text_after(table, text, 0);
}

void prof_table_text_after(struct prof_table *table, const char *text, size_t lead) {
  size_t bytes = strlen(text) + 1;
  void *texts = table->texts;
  if (!grow(&texts, &table->text_room, table->text_bytes + bytes, 1)) {
    table->failed = true;
    return;
  }
  table->texts = texts;
  memcpy(table->texts + table->text_bytes, text, bytes);
  add(table, (struct cell){.text = table->text_bytes, .lead = lead});
  table->text_bytes += bytes;
}

void prof_table_count(struct prof_table *table, uint64_t count) {
  add(table, (struct cell){.count = count});
}
void prof_table_below(struct prof_table *table, uint64_t count, uint32_t bound_ns) {
  add(table, (struct cell){.count = count, .bound_ns = bound_ns});
}
void prof_table_share(struct prof_table *table, double share) {
  add(table, (struct cell){.share = share});
}
void prof_table_unknown(struct prof_table *table) {
  add(table, (struct cell){.unknown = true});
}
static void mark(struct prof_table *table, char with) {
  if (table->cell_count)
    table->cells[table->cell_count - 1].mark = with;
}
void prof_table_estimated(struct prof_table *table) {
  mark(table, '~');
}
void prof_table_at_least(struct prof_table *table) {
  mark(table, '>');
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

/* Shown form of a number, without the mark of an estimate. */
static const char *plain_number(char out[PROF_UNITS_BYTES], enum prof_cell_kind kind, const struct cell *cell) {
  if (cell->bound_ns) {
    char bound[PROF_UNITS_BYTES];
    snprintf(out, PROF_UNITS_BYTES, "<%.30s", prof_units_duration(bound, cell->bound_ns));
    return out;
  }
  switch (kind) {
  case PROF_CELL_NS:
    return prof_units_duration(out, cell->count);
  case PROF_CELL_BYTES:
    return prof_units_bytes(out, cell->count);
  case PROF_CELL_SHARE:
    return prof_units_share(out, cell->share);
  case PROF_CELL_MEAN:
    return prof_units_mean(out, cell->share);
  case PROF_CELL_PART:
    return prof_units_part(out, cell->share);
  case PROF_CELL_COUNT:
  case PROF_CELL_FLAG:
  case PROF_CELL_TEXT:
    break;
  }
  return prof_units_count(out, cell->count);
}

static const char *number(char out[PROF_UNITS_BYTES], enum prof_cell_kind kind, const struct cell *cell) {
  char plain[PROF_UNITS_BYTES];
  if (cell->unknown)
    return strcpy(out, "-");
  if (!cell->mark)
    return plain_number(out, kind, cell);
  snprintf(out, PROF_UNITS_BYTES, "%c%.30s", cell->mark, plain_number(plain, kind, cell));
  return out;
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

/* ---- the layout ---- */

struct layout {
  size_t *widths;
  bool *shown;
  struct prof_fit_text **texts; /* per column: the cut texts of its rows; NULL: not cut */
  size_t left_out;              /* dropped columns that are not spare */
};

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static bool is_text(const struct prof_table *table, size_t column) {
  return table->columns[column].kind == PROF_CELL_TEXT;
}

/* Widths that show everything. */
static void measure(const struct prof_table *table, size_t *widths) {
  for (size_t c = 0; c < table->column_count; c++) {
    const char *title = table->columns[c].title;
    widths[c] = title ? prof_text_width(title) : 0;
    for (size_t r = 0; title && r < row_count(table); r++)
      widths[c] = larger(widths[c], smaller(cell_width(table, r, c), LONGEST_TEXT));
  }
}

void prof_table_measure(const struct prof_table *table, size_t *widest) {
  size_t *widths = calloc(table->column_count, sizeof *widths);
  if (widths)
    measure(table, widths);
  for (size_t c = 0; widths && c < table->column_count; c++)
    widest[c] = larger(widths[c], widest[c]);
  free(widths);
}

/* Width of all shown columns, with texts at most `most` wide, but not narrower than their titles. */
static size_t total_width(const struct prof_table *table, const struct layout *layout, size_t most) {
  size_t total = 0;
  for (size_t c = 0; c < table->column_count; c++)
    if (layout->shown[c])
      total +=
          GAP + (is_text(table, c) ? smaller(layout->widths[c], larger(most, prof_text_width(table->columns[c].title)))
                                   : layout->widths[c]);
  return total > GAP ? total - GAP : 0;
}

static bool drop_spare(const struct prof_table *table, struct layout *layout) {
  size_t most = SIZE_MAX;
  for (size_t c = 0; c < table->column_count; c++)
    if (layout->shown[c] && table->columns[c].spare > 0 &&
        (most == SIZE_MAX || table->columns[c].spare >= table->columns[most].spare))
      most = c;
  if (most != SIZE_MAX)
    layout->shown[most] = false;
  return most != SIZE_MAX;
}

/* Drops the last but one: the first columns matter most, and the last names the row. */
static bool drop_more(const struct prof_table *table, struct layout *layout) {
  size_t first = SIZE_MAX, last = SIZE_MAX, before = SIZE_MAX;
  for (size_t c = 0; c < table->column_count; c++) {
    if (!layout->shown[c])
      continue;
    first = first == SIZE_MAX ? c : first;
    before = last;
    last = c;
  }
  if (before == SIZE_MAX || before == first)
    return false;
  layout->shown[before] = false;
  layout->left_out++;
  return true;
}

/* The end of a path tells most of it, so it gives way sooner than a name. */
static size_t burden(const struct prof_table *table, const struct layout *layout, size_t column) {
  return layout->widths[column] * (table->columns[column].cut == PROF_CUT_LEFT ? 3 : 2);
}

/* Narrows the widest text until all fit. */
static void shrink(const struct prof_table *table, struct layout *layout, size_t width) {
  while (total_width(table, layout, SIZE_MAX) > width) {
    size_t widest = SIZE_MAX;
    for (size_t c = 0; c < table->column_count; c++)
      if (layout->shown[c] && is_text(table, c) &&
          layout->widths[c] > larger(LEAST_TEXT, prof_text_width(table->columns[c].title)) &&
          (widest == SIZE_MAX || burden(table, layout, c) >= burden(table, layout, widest)))
        widest = c;
    if (widest == SIZE_MAX)
      return;
    layout->widths[widest]--;
  }
}

/* Cuts the texts of columns that don't fit. */
static void cut_texts(const struct prof_table *table, struct layout *layout, bool utf8) {
  for (size_t c = 0; c < table->column_count; c++) {
    size_t rows = row_count(table);
    bool fits = true;
    if (!layout->shown[c] || !is_text(table, c))
      continue;
    for (size_t r = 0; r < rows && fits; r++)
      fits = cell_width(table, r, c) <= layout->widths[c];
    layout->texts[c] = fits ? NULL : calloc(rows, sizeof *layout->texts[c]);
    if (!layout->texts[c])
      continue;
    for (size_t r = 0; r < rows; r++)
      layout->texts[c][r] =
          (struct prof_fit_text){.text = table->texts + cell_at(table, r, c)->text, .lead = cell_at(table, r, c)->lead};
    prof_fit_texts(layout->texts[c], rows, table->columns[c].cut, layout->widths[c], utf8);
  }
}

static void layout_free(const struct prof_table *table, struct layout *layout) {
  for (size_t c = 0; layout->texts && c < table->column_count; c++) {
    for (size_t r = 0; layout->texts[c] && r < row_count(table); r++)
      free(layout->texts[c][r].shown);
    free(layout->texts[c]);
  }
  free(layout->widths);
  free(layout->shown);
  free(layout->texts);
}

/* false: no memory. */
static bool layout_make(const struct prof_table *table, const struct prof_table_style *style, struct layout *layout) {
  *layout = (struct layout){.widths = calloc(table->column_count, sizeof *layout->widths),
                            .shown = calloc(table->column_count, sizeof *layout->shown),
                            .texts = calloc(table->column_count, sizeof *layout->texts)};
  if (!layout->widths || !layout->shown || !layout->texts)
    return false;
  for (size_t c = 0; c < table->column_count; c++)
    layout->shown[c] = table->columns[c].title != NULL;
  measure(table, layout->widths);
  for (size_t c = 0; style->widest && c < table->column_count; c++)
    style->widest[c] = layout->widths[c] = larger(layout->widths[c], style->widest[c]);
  while (style->width && total_width(table, layout, GOOD_TEXT) > style->width && drop_spare(table, layout))
    ;
  while (style->width && total_width(table, layout, LEAST_TEXT) > style->width && drop_more(table, layout))
    ;
  if (style->width)
    shrink(table, layout, style->width);
  cut_texts(table, layout, style->utf8);
  return true;
}

/* ---- as a table ---- */

/* Returns the columns used; writes `blanks` first if there is a text. */
static size_t print_text(const struct prof_table *table, const struct layout *layout, size_t row, size_t column,
                         size_t blanks, FILE *file) {
  const struct prof_fit_text *cut = layout->texts[column];
  char *whole = cut ? NULL : prof_text_escaped(table->texts + cell_at(table, row, column)->text);
  const char *text = cut ? cut[row].shown : whole;
  size_t used = text ? prof_text_width(text) : 0;
  if (used)
    pad(file, blanks);
  fputs(used ? text : "", file);
  free(whole);
  return used;
}

static void print_titles(const struct prof_table *table, const struct layout *layout, size_t last, bool color,
                         FILE *file) {
  fputs(color ? "\x1b[1m" : "", file);
  for (size_t c = 0; c <= last; c++) {
    const char *title = table->columns[c].title;
    if (!layout->shown[c])
      continue;
    size_t width = prof_text_width(title), room = layout->widths[c] > width ? layout->widths[c] - width : 0;
    pad(file, is_text(table, c) ? 0 : room);
    fputs(title, file);
    pad(file, c == last ? 0 : GAP + (is_text(table, c) ? room : 0));
  }
  fputs(color ? "\x1b[0m\n" : "\n", file);
}

/* Writes no blanks at the end of a line. */
static void print_row(const struct prof_table *table, const struct layout *layout, size_t row, size_t last,
                      FILE *file) {
  size_t blanks = 0;
  for (size_t c = 0; c <= last; c++) {
    char buffer[PROF_UNITS_BYTES];
    if (!layout->shown[c])
      continue;
    size_t width = layout->widths[c];
    if (is_text(table, c)) {
      size_t used = print_text(table, layout, row, c, blanks, file);
      blanks = (used ? 0 : blanks) + GAP + (used < width ? width - used : 0);
    } else {
      pad(file, blanks);
      fprintf(file, "%*s", (int)width, number(buffer, table->columns[c].kind, cell_at(table, row, c)));
      blanks = GAP;
    }
  }
  putc('\n', file);
}

void prof_table_print(const struct prof_table *table, FILE *file, const struct prof_table_style *style) {
  struct layout layout;
  size_t last = 0;
  if (layout_make(table, style, &layout)) {
    for (size_t c = 0; c < table->column_count; c++)
      last = layout.shown[c] ? c : last;
    print_titles(table, &layout, last, style->color, file);
    for (size_t r = 0; r < row_count(table); r++)
      print_row(table, &layout, r, last, file);
    if (layout.left_out)
      fprintf(file, "... and %zu more column%s: --width=0 shows all\n", layout.left_out,
              layout.left_out == 1 ? "" : "s");
  }
  layout_free(table, &layout);
}

/* ---- as data ---- */

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
    else if (column->kind == PROF_CELL_FLAG)
      prof_json_bool(json, column->key, cell->count != 0);
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

static void csv_header(const struct prof_table *table, struct prof_csv *csv, const struct prof_table_lead *leads,
                       size_t lead_count) {
  for (size_t i = 0; i < lead_count; i++)
    prof_csv_text(csv, leads[i].key);
  for (size_t c = 0; c < table->column_count; c++)
    if (table->columns[c].key)
      prof_csv_text(csv, table->columns[c].key);
  prof_csv_end(csv);
}

void prof_table_csv_after(const struct prof_table *table, FILE *file, const struct prof_table_lead *leads,
                          size_t lead_count, bool header) {
  struct prof_csv csv;
  prof_csv_init(&csv, file);
  if (header)
    csv_header(table, &csv, leads, lead_count);
  for (size_t r = 0; r < row_count(table); r++) {
    for (size_t i = 0; i < lead_count; i++)
      prof_csv_text(&csv, leads[i].text);
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
      else if (table->columns[c].kind == PROF_CELL_FLAG)
        prof_csv_text(&csv, cell->count ? "true" : "false");
      else
        prof_csv_count(&csv, cell->count);
    }
    prof_csv_end(&csv);
  }
}

void prof_table_csv(const struct prof_table *table, FILE *file) {
  prof_table_csv_after(table, file, NULL, 0, true);
}
