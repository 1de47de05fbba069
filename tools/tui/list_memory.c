/*
 * tools/tui/list_memory.c - see list_memory.h.
 *
 * A row's hash is that of its name, begun with the hash of the row above it in the tree (FNV-1a, of G. Fowler, L. Noll
 * and K.-P. Vo).  Visible rows stand depth first, so a stack of hashes gives the row above.
 */
#include "list_memory.h"

#include <string.h>

#define FNV_BASIS 14695981039346656037u
#define FNV_PRIME 1099511628211u

struct path {
  PROF_VEC(uint64_t) levels; /* hash of the row at each depth above */
};

/* Hash of the next visible row; 0: no memory. */
static uint64_t next_hash(struct path *path, const struct prof_tui_list *list, const struct prof_tui_row *row) {
  const char *name = list->rows.type->name(list->rows.rows, row->item);
  uint64_t hash = row->depth ? path->levels.items[row->depth - 1] : FNV_BASIS;
  for (const unsigned char *byte = (const unsigned char *)name; *byte; byte++)
    hash = (hash ^ *byte) * FNV_PRIME;
  hash = (hash ^ '\n') * FNV_PRIME;
  path->levels.count = row->depth;
  return prof_vec_push(&path->levels, hash) ? hash : 0;
}

void prof_tui_list_memorise(struct prof_tui_list_memory *memory, const struct prof_tui_list *list) {
  struct path path = {0};
  prof_tui_list_memory_fini(memory);
  memory->known = list->shown.count > 0;
  memory->first = list->cursor == 0;
  memory->below = list->cursor - list->top;
  for (size_t i = 0; i < list->shown.count; i++) {
    const struct prof_tui_row *row = &list->shown.items[i];
    uint64_t hash = next_hash(&path, list, row);
    if (!hash)
      break;
    if (row->open)
      (void)prof_vec_push(&memory->open, hash);
    if (i == list->cursor)
      memory->cursor = hash;
  }
  prof_vec_fini(&path.levels);
}

static bool was_open(const struct prof_tui_list_memory *memory, uint64_t hash) {
  for (size_t i = 0; i < memory->open.count; i++)
    if (memory->open.items[i] == hash)
      return true;
  return false;
}

bool prof_tui_list_recall(struct prof_tui_list_memory *memory, struct prof_tui_list *list) {
  struct path path = {0};
  size_t cursor = SIZE_MAX;
  for (size_t i = 0; memory->known && i < list->shown.count; i++) { /* it grows */
    uint64_t hash = next_hash(&path, list, &list->shown.items[i]);
    if (!hash)
      break;
    if (hash == memory->cursor && cursor == SIZE_MAX)
      cursor = i;
    list->cursor = i;
    if (was_open(memory, hash) && !list->shown.items[i].open && prof_tui_list_can_open(list))
      (void)prof_tui_list_open(list, false); /* without memory it stays closed */
  }
  bool found = memory->known && (memory->first || cursor != SIZE_MAX);
  list->cursor = memory->first || cursor == SIZE_MAX ? 0 : cursor;
  list->top = list->cursor > memory->below ? list->cursor - memory->below : 0;
  prof_vec_fini(&path.levels);
  prof_tui_list_memory_fini(memory);
  return found;
}

void prof_tui_list_memory_fini(struct prof_tui_list_memory *memory) {
  prof_vec_fini(&memory->open);
  *memory = (struct prof_tui_list_memory){0};
}
