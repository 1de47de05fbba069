/*
 * tools/base/vec.h - growing arrays.
 *
 *    PROF_VEC(uint32_t) numbers = {0};
 *    if (!prof_vec_push(&numbers, 7)) ...no memory...
 *    prof_vec_fini(&numbers);
 *
 * A zeroed vector is empty.  Growing moves the items: keep indices, not pointers.
 */
#ifndef PROF_BASE_VEC_H
#define PROF_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define PROF_VEC(type)                                                                                                 \
  struct {                                                                                                             \
    type *items;                                                                                                       \
    size_t count, capacity;                                                                                            \
  }

/* Returns the items, with room for `need` in all; NULL: no memory, nothing changed. */
static inline void *prof_vec_grow(void *items, size_t *capacity, size_t need, size_t item_bytes) {
  if (need <= *capacity && items)
    return items;
  size_t wanted = *capacity ? *capacity : 8, bytes;
  while (wanted < need)
    if (__builtin_mul_overflow(wanted, (size_t)2, &wanted))
      return NULL;
  if (__builtin_mul_overflow(wanted, item_bytes, &bytes))
    return NULL;
  void *grown = realloc(items, bytes);
  if (grown)
    *capacity = wanted;
  return grown;
}

/* Makes room for `more` items beyond count; false: no memory. */
#define prof_vec_reserve(vec, more)                                                                                    \
  ({                                                                                                                   \
    void *prof_vec_grown_ =                                                                                            \
        prof_vec_grow((vec)->items, &(vec)->capacity, (vec)->count + (size_t)(more), sizeof *(vec)->items);            \
    if (prof_vec_grown_)                                                                                               \
      (vec)->items = prof_vec_grown_;                                                                                  \
    prof_vec_grown_ != NULL;                                                                                           \
  })

#define prof_vec_push(vec, ...) (prof_vec_reserve(vec, 1) && ((vec)->items[(vec)->count++] = (__VA_ARGS__), true))

/* Gives back what is reserved beyond the items. */
#define prof_vec_trim(vec)                                                                                             \
  ({                                                                                                                   \
    void *prof_vec_less_ =                                                                                             \
        (vec)->count ? realloc((vec)->items, (vec)->count * sizeof *(vec)->items) : NULL; /* keeps it on failure */    \
    if (prof_vec_less_) {                                                                                              \
      (vec)->items = prof_vec_less_;                                                                                   \
      (vec)->capacity = (vec)->count;                                                                                  \
    }                                                                                                                  \
  })

/* qsort, which must not get NULL. */
#define prof_vec_sort(vec, compare)                                                                                    \
  ((vec)->count ? qsort((vec)->items, (vec)->count, sizeof *(vec)->items, compare) : (void)0)

#define prof_vec_fini(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = (vec)->capacity = 0)

#endif
