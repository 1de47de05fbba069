/*
 * tools/base/arena.h - memory that is freed all at once.
 *
 * A block has at least 64 KiB; a larger request gets its own block.  A zeroed struct is an empty arena.  One thread at
 * a time.
 */
#ifndef PROF_BASE_ARENA_H
#define PROF_BASE_ARENA_H

#include <stddef.h>

struct prof_arena_block;
struct prof_arena {
  struct prof_arena_block *block;
  size_t used, size; /* of the newest block, in bytes */
};

/* Uninitialised, aligned to 16; NULL: no memory.  Zero bytes give a valid pointer. */
void *prof_arena_alloc(struct prof_arena *, size_t bytes);
/* count * item_bytes zeroed bytes; NULL also when the product overflows. */
void *prof_arena_array(struct prof_arena *, size_t count, size_t item_bytes);
/* A copy with a NUL behind it. */
char *prof_arena_copy(struct prof_arena *, const void *from, size_t bytes);
void prof_arena_fini(struct prof_arena *);

#endif
