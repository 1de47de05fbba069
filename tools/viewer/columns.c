/*
 * tools/viewer/columns.c - see columns.h.
 */
#include "viewer/columns.h"

#include "proftrace.h"

void prof_columns_minus(struct prof_json *json) {
  prof_json_number(json, NULL, -1);
}

static void put_index(struct prof_json *json, uint32_t index) {
  if (index == PROF_NONE)
    prof_columns_minus(json);
  else
    prof_json_count(json, NULL, index);
}

static void put(struct prof_json *json, enum prof_column_kind kind, const void *at) {
  const char *text;
  switch (kind) {
  case PROF_COLUMN_U64:
    prof_json_count(json, NULL, *(const uint64_t *)at);
    break;
  case PROF_COLUMN_U32:
    prof_json_count(json, NULL, *(const uint32_t *)at);
    break;
  case PROF_COLUMN_INDEX:
    put_index(json, *(const uint32_t *)at);
    break;
  case PROF_COLUMN_DOUBLE:
    prof_json_number(json, NULL, *(const double *)at);
    break;
  case PROF_COLUMN_BOOL:
    prof_json_count(json, NULL, *(const bool *)at);
    break;
  case PROF_COLUMN_TEXT:
    text = *(const char *const *)at;
    prof_json_text(json, NULL, text ? text : "");
    break;
  }
}

void prof_columns_write(struct prof_json *json, const struct prof_column_row *columns, const void *first, size_t count,
                        size_t bytes) {
  for (const struct prof_column_row *column = columns; column->key; column++) {
    prof_json_array(json, column->key);
    for (size_t i = 0; i < count; i++) {
      const char *row = (const char *)first + i * bytes;
      if (column->known != PROF_COLUMN_ALWAYS && !*(const bool *)(const void *)(row + column->known))
        prof_columns_minus(json);
      else
        put(json, column->kind, row + column->offset);
    }
    prof_json_array_end(json);
  }
}

void prof_columns_indices(struct prof_json *json, const char *key, const uint32_t *indices, size_t count) {
  prof_json_array(json, key);
  for (size_t i = 0; i < count; i++)
    put_index(json, indices[i]);
  prof_json_array_end(json);
}
