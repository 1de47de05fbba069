/*
 * running.c - see running.h.
 *
 * Open addressing in static memory; removed entries are used again, but never become empty, so that a search without a
 * lock misses nothing.  Who adds holds a lock, for which nobody waits long (files.c).
 */
#include "running.h"

#include <sched.h>
#include <stddef.h>

#define SLOTS 16384u /* a power of two */
#define MOST (SLOTS / 4 * 3)
#define REMOVED 1u
#define PATIENCE 200 /* turns */

static struct prof_running slots[SLOTS];
static unsigned used; /* slots that are not empty */
static uint32_t locked;

uint64_t prof_running_key(const void *of, const char *name) {
  uint64_t key = (uintptr_t)of * 0x9e3779b97f4a7c15ull;
  for (; name && *name; name++)
    key = (key ^ (unsigned char)*name) * 1099511628211ull;
  return key > REMOVED ? key : key + 2;
}

static unsigned first_slot(uint64_t key) {
  return (unsigned)(key >> 32) & (SLOTS - 1);
}

struct prof_running *prof_running_find(uint64_t key) {
  for (unsigned at = first_slot(key);; at = (at + 1) & (SLOTS - 1)) {
    const uint64_t found = __atomic_load_n(&slots[at].key, __ATOMIC_ACQUIRE);
    if (found == key)
      return &slots[at];
    if (found == 0)
      return NULL;
  }
}

static bool lock(void) {
  uint32_t free = 0;
  for (int turn = 0; turn < PATIENCE; turn++, free = 0) {
    if (__atomic_compare_exchange_n(&locked, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    sched_yield();
  }
  return false;
}

/* Under the lock. */
static struct prof_running *free_slot(uint64_t key) {
  unsigned at = first_slot(key);
  while (slots[at].key > REMOVED)
    at = (at + 1) & (SLOTS - 1);
  if (slots[at].key == 0 && used == MOST)
    return NULL;
  used += slots[at].key == 0;
  return &slots[at];
}

struct prof_running *prof_running_add(uint64_t key, uint32_t text) {
  struct prof_running *slot = prof_running_find(key);
  if (!slot && lock()) {
    slot = free_slot(key);
    if (slot)
      __atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
    __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  }
  if (slot) {
    slot->text = text;
    slot->active = false;
    slot->took = slot->rows = 0;
  }
  return slot;
}

void prof_running_remove(uint64_t key) {
  struct prof_running *slot = prof_running_find(key);
  if (slot)
    __atomic_store_n(&slot->key, REMOVED, __ATOMIC_RELEASE);
}
