/*
 * tools/export/text_table.h - numbers for texts, for formats that write each text once.
 *
 * A zeroed table is empty.  Texts are copied; the first has number 0, the next new one 1, and so on.
 */
#ifndef PROF_EXPORT_TEXT_TABLE_H
#define PROF_EXPORT_TEXT_TABLE_H

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"

struct prof_text_table {
  struct prof_arena arena;
  struct prof_index_map map;
  PROF_VEC(const char *) texts; /* by number */
};

/* The text's number, a new one if it isn't there.  UINT32_MAX: no memory. */
uint32_t prof_text_table_number(struct prof_text_table *, const char *text);
/* The same of the text as prof_plain_text_put writes it: valid UTF-8 without control characters. */
uint32_t prof_text_table_plain(struct prof_text_table *, const char *text);
void prof_text_table_fini(struct prof_text_table *);

#endif
