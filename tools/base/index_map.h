/*
 * tools/base/index_map.h - finds the index of an item in the caller's array, by a number or by a hash of its key.
 *
 *    uint32_t at = prof_index_find(&map, hash, i, items.items[i].key == key);              UINT32_MAX: not there
 *    uint32_t at = prof_index_meet(&map, &items, hash, i, items.items[i].key == key, item);  added if missing
 *
 * A zeroed map is empty.  Open addressing, at most half full.
 */
#ifndef PROF_BASE_INDEX_MAP_H
#define PROF_BASE_INDEX_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_index_slot {
  uint32_t hash, index_plus_1; /* 0: free */
};
struct prof_index_map {
  struct prof_index_slot *slots;
  size_t capacity, count;
};

static inline size_t prof_index_place(const struct prof_index_map *map, uint32_t hash) {
  return (size_t)(hash * 0x9e3779b9u) & (map->capacity - 1);
}

/* Hash of a key of two words. */
static inline uint32_t prof_index_hash(uint64_t first, uint64_t second) {
  return (uint32_t)((first * 0x9e3779b97f4a7c15ull ^ second * 0xd1b54a32d192ed03ull) * 0x94d049bb133111ebull >> 32);
}

/* The index that was added with this hash and for which `same` holds; UINT32_MAX: none. */
#define prof_index_find(map, wanted, index, same)                                                                      \
  ({                                                                                                                   \
    const struct prof_index_map *prof_map_ = (map);                                                                    \
    const uint32_t prof_hash_ = (wanted);                                                                              \
    uint32_t prof_found_ = UINT32_MAX;                                                                                 \
    for (size_t prof_at_ = prof_map_->count ? prof_index_place(prof_map_, prof_hash_) : 0;                             \
         prof_map_->count && prof_map_->slots[prof_at_].index_plus_1;                                                  \
         prof_at_ = (prof_at_ + 1) & (prof_map_->capacity - 1)) {                                                      \
      const uint32_t index = prof_map_->slots[prof_at_].index_plus_1 - 1;                                              \
      (void)index;                                                                                                     \
      if (prof_map_->slots[prof_at_].hash == prof_hash_ && (same)) {                                                   \
        prof_found_ = index;                                                                                           \
        break;                                                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
    prof_found_;                                                                                                       \
  })

/* The same for a PROF_VEC; the last argument is added if no item matches.  UINT32_MAX: no memory. */
#define prof_index_meet(map, vec, wanted, index, same, ...)                                                            \
  ({                                                                                                                   \
    const uint32_t prof_new_hash_ = (wanted);                                                                          \
    uint32_t prof_met_ = prof_index_find(map, prof_new_hash_, index, same);                                            \
    if (prof_met_ == UINT32_MAX && prof_vec_push(vec, __VA_ARGS__)) {                                                  \
      if (prof_index_add(map, prof_new_hash_, (uint32_t)(vec)->count - 1))                                             \
        prof_met_ = (uint32_t)(vec)->count - 1;                                                                        \
      else                                                                                                             \
        (vec)->count--;                                                                                                \
    }                                                                                                                  \
    prof_met_;                                                                                                         \
  })

/* The index of a number that is added at most once; UINT32_MAX: not there. */
static inline uint32_t prof_index_of(const struct prof_index_map *map, uint32_t number) {
  return prof_index_find(map, number, index, true);
}

bool prof_index_add(struct prof_index_map *, uint32_t hash, uint32_t index); /* false: no memory, nothing changed */
void prof_index_fini(struct prof_index_map *);

#endif
