/*
 * pieces.h - maps a part of the region piece by piece, when one is first needed.
 *
 * There is space for thousands of threads in it, and a program may limit its address space (RLIMIT_AS).
 *
 *    file:      | ... | piece 0            | piece 1            | ...
 *    mappings:  |<------------------------>P|                          P: one page more
 *                                          |<------------------>P|
 *
 * The extra page is the first one of the next piece, which is mapped from it without a descriptor (ranges.h).  Pieces
 * stay mapped until the recording ends; a forked child has those of its parent.
 */
#ifndef PROF_RUNTIME_PIECES_H
#define PROF_RUNTIME_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_pieces {
  char **at;                /* by number; NULL: not mapped yet.  NULL: there are none at all */
  uint32_t count;           /* at least 1 */
  size_t bytes, last_bytes; /* of each, of the last one; without the extra page */
};

/* `all` things of so many bytes, `each` in a piece. */
struct prof_pieces prof_pieces_of(uint64_t all, uint32_t each, uint64_t thing_bytes);
/* What is mapped for it: with the extra page. */
size_t prof_piece_bytes(const struct prof_pieces *, uint32_t number);
/* The first one is mapped.  false: no address space. */
bool prof_pieces_begin(struct prof_pieces *, char *first);
/* Maps that piece, and those before, if they aren't.  Any number of threads may do so at once; patient: one waits for
 * the others' address space.  false: no address space. */
bool prof_pieces_map(struct prof_pieces *, uint32_t number, bool patient);
/* After a recording: pieces from `first` on become zeros. */
void prof_pieces_end(struct prof_pieces *, uint32_t first);

/* One that is mapped; NULL: it isn't. */
static inline char *prof_piece_at(const struct prof_pieces *pieces, uint32_t number) {
  return __atomic_load_n(&pieces->at[number], __ATOMIC_ACQUIRE);
}

#endif
