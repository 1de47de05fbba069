/*
 * tools/command/field.c - see field.h.
 */
#include "field.h"

#include <inttypes.h>

#include "view/units.h"

static void add_number(struct prof_table *table, const struct prof_field *field, const void *value) {
  uint32_t number = *(const uint32_t *)value;
  char text[16];
  snprintf(text, sizeof text, "%" PRIu32, number);
  if (field->column.kind == PROF_CELL_TEXT)
    prof_table_text(table, text);
  else
    prof_table_count(table, number);
}

void prof_field_cell(struct prof_table *table, const struct prof_field *field, const void *row) {
  const void *value = (const char *)row + field->member.offset;
  enum prof_cell_kind kind = field->column.kind;
  if (field->cell)
    field->cell(table, value);
  else if (field->known && !*(const bool *)((const char *)row + field->known))
    prof_table_unknown(table);
  else if (field->member.bytes == sizeof(uint32_t))
    add_number(table, field, value);
  else if (kind == PROF_CELL_TEXT)
    prof_table_text(table, *(const char *const *)value);
  else if (kind == PROF_CELL_FLAG)
    prof_table_count(table, *(const bool *)value);
  else if (kind == PROF_CELL_COUNT || kind == PROF_CELL_BYTES || kind == PROF_CELL_NS)
    prof_table_count(table, *(const uint64_t *)value);
  else
    prof_table_share(table, *(const double *)value);
}

struct prof_table *prof_field_table(const struct prof_field *fields, size_t field_count, const void *rows,
                                    size_t row_bytes, size_t count, struct prof_column *columns) {
  for (size_t i = 0; i < field_count; i++)
    columns[i] = fields[i].column;
  struct prof_table *table = prof_table_new(columns, field_count);
  for (size_t i = 0; table && i < count * field_count; i++)
    prof_field_cell(table, &fields[i % field_count], (const char *)rows + i / field_count * row_bytes);
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    table = NULL;
  }
  return table;
}

void prof_field_bytes(struct prof_table *table, const void *bytes) {
  char text[PROF_UNITS_BYTES];
  prof_table_text(table, prof_units_bytes(text, *(const uint64_t *)bytes));
}
