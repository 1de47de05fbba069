/*
 * tools/export/text_table.c - see text_table.h.
 */
#include "text_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MOST_PER_BYTE 4 /* \xNN */

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

uint32_t prof_text_table_plain(struct prof_text_table *table, const char *text) {
  const size_t bytes = strlen(text);
  char *plain = malloc(bytes * MOST_PER_BYTE + 1);
  if (!plain)
    return UINT32_MAX;
  prof_text_escape(plain, bytes * MOST_PER_BYTE + 1, text, bytes);
  uint32_t number = prof_text_table_number(table, plain);
  free(plain);
  return number;
}

void prof_text_table_fini(struct prof_text_table *table) {
  prof_arena_fini(&table->arena);
  prof_index_fini(&table->map);
  prof_vec_fini(&table->texts);
}
