/*
 * tools/record/tables/path_table.c - see path_table.h.
 */
#include "record/tables/path_table.h"

#include <string.h>

#include "trace/format.h"

#define SLOTS_AT_FIRST 1024u
#define PATH_BYTES 14u /* at most: a number of 21 bits, a difference of 64 */
#define HEAD_BYTES 72u /* of a chunk, with its fixed part */

static uint32_t *find(const struct prof_path_table *table, uint32_t parent, uint64_t address) {
  uint64_t hash = (address ^ (uint64_t)parent * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  for (size_t at = (size_t)(hash >> 32);; at++) {
    uint32_t *slot = &table->slots[at & (table->slot_count - 1)];
    if (*slot == 0)
      return slot;
    const struct prof_path *path = &table->paths.items[*slot - 1];
    if (path->address == address && path->parent == parent)
      return slot;
  }
}

/* At most half of the slots are used. */
static bool reserve_slot(struct prof_path_table *table) {
  if (table->slots != NULL && (table->paths.count + 1) * 2 <= table->slot_count)
    return true;
  size_t before = table->slot_count, count = before == 0 ? SLOTS_AT_FIRST : before * 2;
  uint32_t *slots = calloc(count, sizeof *slots);
  if (slots == NULL)
    return false;
  free(table->slots);
  table->slots = slots;
  table->slot_count = count;
  for (uint32_t i = 0; i < table->paths.count; i++)
    *find(table, table->paths.items[i].parent, table->paths.items[i].address) = i + 1;
  return true;
}

uint32_t prof_paths_add(struct prof_path_table *table, uint32_t parent, uint64_t address) {
  const struct prof_path path = {.address = address, .parent = parent};
  if (!reserve_slot(table))
    return 0;
  uint32_t *slot = find(table, parent, address);
  bool has_room =
      table->paths.count < PROF_PATHS_MAX && table->forgotten + table->paths.count + 1 < PROF_FORMAT_PATHS_LIMIT;
  if (*slot == 0 && has_room && prof_vec_push(&table->paths, path))
    *slot = (uint32_t)table->paths.count;
  return *slot == 0 ? 0 : table->forgotten + *slot;
}

static void forget(struct prof_path_table *table) {
  table->forgotten += (uint32_t)table->paths.count;
  table->paths.count = table->written = 0;
  memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

void prof_paths_write(struct prof_path_table *table, prof_writer *writer) {
  size_t count = table->paths.count - table->written;
  if (count > 0)
    (void)prof_writer_paths(writer, table->forgotten + (uint32_t)table->written + 1,
                            table->paths.items + table->written, count);
  table->written = table->paths.count;
  if (table->written >= PROF_PATHS_MAX / 2)
    forget(table);
}

void prof_paths_renew(struct prof_path_table *table) {
  forget(table);
  table->forgotten = 0;
}

uint64_t prof_paths_waiting_bytes(const struct prof_path_table *table) {
  uint64_t count = table->paths.count - table->written;
  return count == 0 ? 0 : HEAD_BYTES + count * PATH_BYTES;
}

void prof_paths_fini(struct prof_path_table *table) {
  prof_vec_fini(&table->paths);
  free(table->slots);
  *table = (struct prof_path_table){0};
}
