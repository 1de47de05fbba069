/*
 * tools/viewer/columns.h - rows of structs as columns of JSON: one array per key.
 *
 * In: an array of structs, and a table of their members.  Out: members of the open object.
 */
#ifndef PROF_VIEWER_COLUMNS_H
#define PROF_VIEWER_COLUMNS_H

#include <stddef.h>

#include "base/json.h"

enum prof_column_kind {
  PROF_COLUMN_U64,
  PROF_COLUMN_U32,
  PROF_COLUMN_INDEX, /* uint32_t; PROF_NONE is -1 */
  PROF_COLUMN_DOUBLE,
  PROF_COLUMN_BOOL, /* 1 or 0 */
  PROF_COLUMN_TEXT, /* const char *; NULL is "" */
};

#define PROF_COLUMN_ALWAYS SIZE_MAX

struct prof_column_row {
  const char *key;
  enum prof_column_kind kind;
  size_t offset;
  size_t known; /* offset of a bool: false writes -1; PROF_COLUMN_ALWAYS: no such member */
};

/* All rows of `bytes` each, from `first` on; ends at the first column without a key. */
void prof_columns_write(struct prof_json *, const struct prof_column_row *, const void *first, size_t count,
                        size_t bytes);

/* An array of numbers; PROF_NONE is -1. */
void prof_columns_indices(struct prof_json *, const char *key, const uint32_t *, size_t count);
void prof_columns_minus(struct prof_json *); /* -1, in an array */

#endif
