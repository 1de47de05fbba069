/*
 * tools/base/arena.c - see arena.h.
 */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 << 10)
#define ALIGNMENT ((size_t)16)

struct prof_arena_block {
  struct prof_arena_block *before;
  _Alignas(16) unsigned char bytes[];
};

void *prof_arena_alloc(struct prof_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    return NULL;
  bytes = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  if (!arena->block || bytes > arena->size - arena->used) {
    size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
    struct prof_arena_block *block = malloc(sizeof *block + size);
    if (!block)
      return NULL;
    if (size == bytes && arena->block) { /* a large request's own block goes behind the one that still has room */
      block->before = arena->block->before;
      arena->block->before = block;
      return block->bytes;
    }
    block->before = arena->block;
    arena->block = block;
    arena->size = size;
    arena->used = 0;
  }
  void *result = arena->block->bytes + arena->used;
  arena->used += bytes;
  return result;
}

void *prof_arena_array(struct prof_arena *arena, size_t count, size_t item_bytes) {
  size_t bytes;
  if (__builtin_mul_overflow(count, item_bytes, &bytes))
    return NULL;
  void *result = prof_arena_alloc(arena, bytes);
  if (result)
    memset(result, 0, bytes);
  return result;
}

char *prof_arena_copy(struct prof_arena *arena, const void *from, size_t bytes) {
  char *result = bytes < SIZE_MAX ? prof_arena_alloc(arena, bytes + 1) : NULL;
  if (result) {
    if (bytes)
      memcpy(result, from, bytes);
    result[bytes] = 0;
  }
  return result;
}

void prof_arena_fini(struct prof_arena *arena) {
  for (struct prof_arena_block *block = arena->block, *before; block; block = before) {
    before = block->before;
    free(block);
  }
  memset(arena, 0, sizeof *arena);
}
