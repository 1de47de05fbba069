/*
 * pieces.c - see pieces.h.
 *
 * Threads that map one piece at once take its address space several times, and all but one give theirs back.  So one
 * that gets none looks again while others are at it.
 */
#include "pieces.h"

#include "arch.h"
#include "ranges.h"
#include "system.h"

#define OTHERS_LOOKS 100 /* one of a process that was forked meanwhile waits in vain, once */
#define OTHERS_LOOK_NS 1000000

static uint32_t mapping; /* threads that map a piece now */

struct prof_pieces prof_pieces_of(uint64_t all, uint32_t each, uint64_t thing_bytes) {
  uint64_t count = all > 0 ? (all + each - 1) / each : 1;
  return (struct prof_pieces){
      .count = (uint32_t)count, .bytes = each * thing_bytes, .last_bytes = (all - (count - 1) * each) * thing_bytes};
}

size_t prof_piece_bytes(const struct prof_pieces *pieces, uint32_t number) {
  return number + 1 < pieces->count ? pieces->bytes + PROF_PAGE_BYTES : pieces->last_bytes;
}

bool prof_pieces_begin(struct prof_pieces *pieces, char *first) {
  pieces->at = prof_memory_map(pieces->count * sizeof *pieces->at);
  if (pieces->at)
    pieces->at[0] = first;
  return pieces->at != NULL;
}

/* The piece after one that is mapped; another thread may do the same.  *others: do so, if it fails. */
static bool map_next(struct prof_pieces *pieces, uint32_t number, uint32_t *others) {
  if (prof_piece_at(pieces, number))
    return true;
  size_t bytes = prof_piece_bytes(pieces, number);
  __atomic_fetch_add(&mapping, 1, __ATOMIC_SEQ_CST);
  char *got = prof_range_map_again(prof_piece_at(pieces, number - 1) + pieces->bytes, bytes), *none = NULL;
  if (got && !__atomic_compare_exchange_n(&pieces->at[number], &none, got, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    prof_range_give(got, bytes);
  *others = __atomic_sub_fetch(&mapping, 1, __ATOMIC_SEQ_CST);
  return got || prof_piece_at(pieces, number);
}

static bool map_among_others(struct prof_pieces *pieces, uint32_t number, bool patient) {
  uint32_t others;
  for (int looks = 0; !map_next(pieces, number, &others); looks++) {
    if (!patient || others == 0 || looks == OTHERS_LOOKS)
      return false;
    prof_futex_wait(&mapping, others, OTHERS_LOOK_NS);
  }
  return true;
}

bool prof_pieces_map(struct prof_pieces *pieces, uint32_t number, bool patient) {
  uint32_t from = number;
  while (!prof_piece_at(pieces, from))
    from--;
  while (from < number && map_among_others(pieces, from + 1, patient))
    from++;
  return from == number;
}

void prof_pieces_end(struct prof_pieces *pieces, uint32_t first) {
  for (uint32_t i = first; pieces->at && i < pieces->count; i++)
    if (pieces->at[i])
      prof_range_give(pieces->at[i], prof_piece_bytes(pieces, i));
  if (pieces->at)
    prof_syscall(SYS_munmap, (long)pieces->at, (long)(pieces->count * sizeof *pieces->at), 0, 0, 0, 0);
  *pieces = (struct prof_pieces){0};
}
