/*
 * tools/command/counter_rows.c - see counter_rows.h.
 */
#include "counter_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "command.h"
#include "export/unfinished.h"
#include "field.h"
#include "ranked.h"
#include "view/spark.h"
#include "view/units.h"

enum { MOST_PARTS = 120, LEAST_PARTS = 16, GAP = 2, TITLE_BYTES = 2 * PROF_UNITS_BYTES + 8 };

/* ---- cells ---- */

static void put_value(struct prof_table *table, const struct prof_counter_track *row, double value) {
  char text[PROF_UNITS_VALUE_BYTES];
  prof_table_text(table, row->has_values ? prof_units_value(text, value, row->unit) : "-");
}

static void put_last(struct prof_table *table, const void *row) {
  put_value(table, row, ((const struct prof_counter_track *)row)->values.last);
}

static void put_min(struct prof_table *table, const void *row) {
  put_value(table, row, ((const struct prof_counter_track *)row)->values.min);
}

static void put_max(struct prof_table *table, const void *row) {
  put_value(table, row, ((const struct prof_counter_track *)row)->values.max);
}

static void put_mean(struct prof_table *table, const void *of) {
  const struct prof_counter_track *row = of;
  if (row->values.has_mean)
    put_value(table, row, row->values.mean);
  else
    prof_table_text(table, "-");
}

static void put_owner(struct prof_table *table, const void *of) {
  const struct prof_counter_track *row = of;
  char text[16];
  snprintf(text, sizeof text, "%u", row->pid);
  prof_table_text(table, row->track->process == PROF_NONE ? "machine" : text);
}

#define MEMBER(name) PROF_MEMBER(struct prof_counter_track, name)
#define KNOWN(name) offsetof(struct prof_counter_track, name)
/* Figures have a unit in tables, and are numbers in JSON and CSV. */
static const struct prof_field fields[] = {
    {{"name", "COUNTER", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, MEMBER(name), 0, NULL},
    {{NULL, "PID", PROF_CELL_TEXT}, {0}, 0, put_owner},
    {{"pid", NULL, PROF_CELL_COUNT}, MEMBER(pid), 0, NULL},
    {{"unit", NULL, PROF_CELL_TEXT}, MEMBER(unit), 0, NULL},
    {{"values", "VALUES", PROF_CELL_COUNT, .spare = 3}, MEMBER(values.count), 0, NULL},
    {{NULL, "LAST", PROF_CELL_TEXT}, {0}, 0, put_last},
    {{NULL, "MIN", PROF_CELL_TEXT, .spare = 2}, {0}, 0, put_min},
    {{NULL, "MEAN", PROF_CELL_TEXT, .spare = 1}, {0}, 0, put_mean},
    {{NULL, "MAX", PROF_CELL_TEXT}, {0}, 0, put_max},
    {{"last", NULL, PROF_CELL_MEAN}, MEMBER(values.last), KNOWN(has_values), NULL},
    {{"min", NULL, PROF_CELL_MEAN}, MEMBER(values.min), KNOWN(has_values), NULL},
    {{"mean", NULL, PROF_CELL_MEAN}, MEMBER(values.mean), KNOWN(values.has_mean), NULL},
    {{"max", NULL, PROF_CELL_MEAN}, MEMBER(values.max), KNOWN(has_values), NULL},
};
enum { FIELDS = sizeof fields / sizeof *fields, MOST_SPARE = 4 /* more than any of them has */ };
_Static_assert((int)FIELDS == (int)PROF_COUNTER_ROWS_COLUMNS, "room for widths");

/* ---- the table, with a plot ---- */

static void put_plot(struct prof_table *table, const struct prof_counter_tracks *all,
                     const struct prof_counter_track *row, size_t parts, bool utf8) {
  double numbers[MOST_PARTS];
  char text[MOST_PARTS * PROF_SPARK_BYTES + 1];
  prof_counter_track_parts(all, row, parts, numbers);
  while (parts > 0 && isnan(numbers[parts - 1]))
    parts--;
  prof_spark(numbers, parts, row->values.min, row->values.max, utf8, text);
  prof_table_text(table, text);
}

struct shape {
  struct prof_column columns[FIELDS + 1];
  size_t shown[FIELDS]; /* of `fields` */
  size_t count;         /* the plot is one more, if `parts` is not 0 */
  size_t parts;
  char title[TITLE_BYTES]; /* of the plot: the time that it shows */
};

static struct prof_table *table_of(const struct shape *shape, const struct prof_counter_tracks *all,
                                   const struct prof_counter_track *rows, size_t count, bool utf8) {
  struct prof_table *table = prof_table_new(shape->columns, shape->count + (shape->parts > 0));
  for (size_t i = 0; table && i < count; i++) {
    for (size_t at = 0; at < shape->count; at++)
      prof_field_cell(table, &fields[shape->shown[at]], &rows[i]);
    if (shape->parts)
      put_plot(table, all, &rows[i], shape->parts, utf8);
  }
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    return NULL;
  }
  return table;
}

/* Columns with less than `spare`. */
static void choose(struct shape *shape, unsigned spare) {
  shape->count = 0;
  for (size_t i = 0; i < FIELDS; i++)
    if (fields[i].column.title && fields[i].column.spare < spare) {
      shape->shown[shape->count] = i;
      shape->columns[shape->count++] = fields[i].column;
    }
}

/* A plot takes what the width leaves; spare columns go before it does.  widest: of each of `fields`. */
static void make_room(struct shape *shape, const struct prof_counter_tracks *all, const size_t *widest, size_t width) {
  char begin[PROF_UNITS_BYTES], end[PROF_UNITS_BYTES];
  for (unsigned spare = MOST_SPARE; spare > 0 && shape->parts == 0; spare--) {
    size_t used = 0;
    choose(shape, spare);
    for (size_t i = 0; i < shape->count; i++)
      used += widest[shape->shown[i]] + GAP;
    const size_t room = !width ? MOST_PARTS : width > used ? width - used : 0;
    shape->parts = room < LEAST_PARTS ? 0 : room < MOST_PARTS ? room : MOST_PARTS;
  }
  if (!shape->parts)
    choose(shape, MOST_SPARE);
  snprintf(shape->title, sizeof shape->title, "%s to %s", prof_units_duration(begin, all->begin_ns),
           prof_units_duration(end, all->end_ns));
  shape->columns[shape->count] =
      (struct prof_column){.title = shape->title, .kind = PROF_CELL_TEXT, .cut = PROF_CUT_RIGHT};
}

/* Widens the entries of the fields that have a column. */
static bool measure(const struct prof_counter_tracks *all, const struct prof_counter_track *rows, size_t count,
                    size_t *widest) {
  struct shape plain = {.parts = 0};
  size_t columns[FIELDS] = {0};
  choose(&plain, MOST_SPARE);
  struct prof_table *table = table_of(&plain, all, rows, count, false);
  if (!table)
    return false;
  prof_table_measure(table, columns);
  for (size_t i = 0; i < plain.count; i++)
    widest[plain.shown[i]] = columns[i] > widest[plain.shown[i]] ? columns[i] : widest[plain.shown[i]];
  prof_table_free(table);
  return true;
}

bool prof_counter_rows_print(const struct prof_counter_tracks *all, const struct prof_counter_track *rows, size_t count,
                             const struct prof_table_style *style, FILE *file) {
  struct shape shape = {.parts = 0};
  size_t own[PROF_COUNTER_ROWS_COLUMNS] = {0}, *widest = style->widest ? style->widest : own;
  size_t columns[FIELDS + 1] = {0};
  if (!measure(all, rows, count, widest))
    return false;
  make_room(&shape, all, widest, style->width);
  for (size_t i = 0; i < shape.count; i++)
    columns[i] = widest[shape.shown[i]];
  const struct prof_table_style shown = {
      .color = style->color, .utf8 = style->utf8, .width = style->width, .widest = columns};
  struct prof_table *table = table_of(&shape, all, rows, count, style->utf8);
  if (table)
    prof_table_print(table, file, &shown);
  prof_table_free(table);
  return table != NULL;
}

/* ---- the command ---- */

static prof_status show_records(const struct prof_counter_tracks *all, size_t count, enum prof_format format,
                                const struct prof_reader *reader, FILE *file, struct prof_diag *diag) {
  struct prof_column columns[FIELDS];
  struct prof_json json;
  struct prof_table *table = prof_field_table(fields, FIELDS, all->list.items, sizeof *all->list.items, count, columns);
  if (!table)
    return prof_diag_memory(diag);
  if (format == PROF_FORMAT_CSV) {
    prof_table_csv(table, file);
  } else {
    prof_unfinished_begin(&json, file, 2, reader->recording.trace);
    prof_table_json(table, &json, "counters");
    prof_json_count(&json, "left_out", all->tracks.kept.left_out);
    prof_json_object_end(&json);
  }
  prof_table_free(table);
  return PROF_OK;
}

prof_status prof_counter_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                                const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_counter_tracks all;
  struct prof_output output;
  if (limits->count)
    return prof_command_usage(diag, "--slo is for durations", "--slo and --by=counter don't go together");
  prof_status status = prof_counter_tracks_find(reader->recording.trace, &reader->recording.filter, diag, &all);
  if (status != PROF_OK) {
    prof_counter_tracks_free(&all);
    return status;
  }
  const size_t count = prof_ranked_count(ranked, PROF_RANKED_TABLE, all.list.count);
  prof_output_begin(&output, &ranked->common);
  prof_reader_warn(reader, &output);
  if (!prof_ranked_is_table(ranked))
    status = show_records(&all, count, ranked->common.format, reader, output.file, diag);
  else if (!prof_counter_rows_print(&all, all.list.items, count, &output.style, output.file))
    status = prof_diag_memory(diag);
  else if (count < all.list.count)
    fprintf(output.file, "... and %zu more: -n 0 shows all\n", all.list.count - count);
  if (status == PROF_OK && prof_ranked_is_table(ranked) && all.tracks.kept.left_out)
    fprintf(output.file,
            "the summary had no room for more than %u counters: %" PRIu64 " values of others were left out\n",
            PROF_TRACK_ROWS, all.tracks.kept.left_out);
  *result = prof_output_end(&output);
  prof_counter_tracks_free(&all);
  return status;
}
