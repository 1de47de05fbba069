/*
 * tools/trace/read/number_map.c - see number_map.h.
 */
#include "number_map.h"

#include <stdlib.h>
#include <string.h>

static size_t place(const struct prof_number_slot *slots, size_t capacity, uint32_t number) {
  size_t at = (size_t)(number * 0x9e3779b9u) & (capacity - 1);
  while (slots[at].index_plus_1 && slots[at].number != number)
    at = (at + 1) & (capacity - 1);
  return at;
}

uint32_t prof_number_find(const struct prof_number_map *map, uint32_t number) {
  if (!map->count)
    return UINT32_MAX;
  return map->slots[place(map->slots, map->capacity, number)].index_plus_1 - 1;
}

bool prof_number_add(struct prof_number_map *map, uint32_t number, uint32_t index) {
  if (2 * (map->count + 1) > map->capacity) {
    size_t capacity = map->capacity ? map->capacity * 2 : 16;
    struct prof_number_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
      return false;
    for (size_t i = 0; i < map->capacity; i++)
      if (map->slots[i].index_plus_1)
        slots[place(slots, capacity, map->slots[i].number)] = map->slots[i];
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
  }
  map->slots[place(map->slots, map->capacity, number)] = (struct prof_number_slot){number, index + 1};
  map->count++;
  return true;
}

void prof_number_fini(struct prof_number_map *map) {
  free(map->slots);
  memset(map, 0, sizeof *map);
}
