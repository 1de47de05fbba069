/*
 * tools/export/text_table.c - see text_table.h.
 */
#include "text_table.h"

#include <string.h>

/* FNV-1a (Fowler, Noll and Vo). */
static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

uint32_t prof_text_table_number(struct prof_text_table *table, const char *text) {
  const uint32_t hash = hash_of(text);
  uint32_t at = prof_index_find(&table->map, hash, i, strcmp(table->texts.items[i], text) == 0);
  if (at != UINT32_MAX)
    return at;
  const char *copy = prof_arena_copy(&table->arena, text, strlen(text));
  return copy ? prof_index_meet(&table->map, &table->texts, hash, i, false, copy) : UINT32_MAX;
}

void prof_text_table_fini(struct prof_text_table *table) {
  prof_arena_fini(&table->arena);
  prof_index_fini(&table->map);
  prof_vec_fini(&table->texts);
}
