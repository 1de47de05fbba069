/*
 * tools/analysis/compare/key_table.c - see key_table.h.
 */
#include "analysis/compare/key_table.h"

#include <string.h>

#include "import/path_sums.h"
#include "names/function_key.h"

static const char *key_of(struct prof_key_table *table, const char *name) {
  const size_t bytes = strlen(name) + 1;
  char *grown = prof_vec_grow(table->scratch, &table->scratch_bytes, bytes, 1);
  if (!grown)
    return NULL;
  table->scratch = grown;
  memcpy(grown, name, bytes);
  prof_function_key(grown);
  return grown[0] ? grown : name;
}

static uint32_t find(const struct prof_key_table *table, const char *key, uint32_t hash) {
  return prof_index_find(&table->known, hash, i, !strcmp(table->keys.items[i], key));
}

uint32_t prof_key_table_find(struct prof_key_table *table, const char *name) {
  const char *key = key_of(table, name);
  return key ? find(table, key, prof_path_sums_hash(key)) : UINT32_MAX;
}

uint32_t prof_key_table_add(struct prof_key_table *table, const char *name) {
  const char *key = key_of(table, name);
  if (!key)
    return UINT32_MAX;
  const uint32_t hash = prof_path_sums_hash(key), found = find(table, key, hash);
  if (found != UINT32_MAX)
    return found;
  const char *copy = prof_arena_copy(&table->texts, key, strlen(key));
  return copy ? prof_index_meet(&table->known, &table->keys, hash, i, false, copy) : UINT32_MAX;
}

void prof_key_table_fini(struct prof_key_table *table) {
  prof_vec_fini(&table->keys);
  prof_index_fini(&table->known);
  prof_arena_fini(&table->texts);
  free(table->scratch);
  *table = (struct prof_key_table){0};
}
