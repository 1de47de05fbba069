/*
 * tools/base/index_map.c - see index_map.h.
 */
#include "base/index_map.h"

#include <stdlib.h>
#include <string.h>

static void put(struct prof_index_map *map, struct prof_index_slot slot) {
  size_t at = prof_index_place(map, slot.hash);
  while (map->slots[at].index_plus_1)
    at = (at + 1) & (map->capacity - 1);
  map->slots[at] = slot;
}

bool prof_index_add(struct prof_index_map *map, uint32_t hash, uint32_t index) {
  if (2 * (map->count + 1) > map->capacity) {
    struct prof_index_map wider = {.capacity = map->capacity ? map->capacity * 2 : 16};
    wider.slots = calloc(wider.capacity, sizeof *wider.slots);
    if (!wider.slots)
      return false;
    for (size_t i = 0; i < map->capacity; i++)
      if (map->slots[i].index_plus_1)
        put(&wider, map->slots[i]);
    wider.count = map->count;
    free(map->slots);
    *map = wider;
  }
  put(map, (struct prof_index_slot){hash, index + 1});
  map->count++;
  return true;
}

void prof_index_fini(struct prof_index_map *map) {
  free(map->slots);
  memset(map, 0, sizeof *map);
}
