/*
 * tools/record/governor/window_book.h - windows whose counts aren't written yet.
 *
 * In: windows as they open and close, the calls of each thread in them.  Out: WINDOWS chunks.  A window waits until all
 * that threads wrote in it has been read.  Used by the pump only.
 */
#ifndef PROF_RECORD_WINDOW_BOOK_H
#define PROF_RECORD_WINDOW_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/write/write_bursts.h"

struct prof_booked {
  struct prof_window window;                   /* end 0: it is open */
  bool interrupted;                            /* longer than wanted: not written */
  PROF_VEC(struct prof_window_thread) threads; /* first_row: in `rows` */
  PROF_VEC(struct prof_window_row) rows;
};

struct prof_window_book {
  PROF_VEC(struct prof_booked) windows; /* by begin; none overlap */
  uint64_t first;                       /* number of windows.items[0] */
  uint64_t written, rows_written;
  uint64_t counted; /* calls, in windows that count */
};

/* Calls of one thread in one window. */
struct prof_tally {
  uint64_t events;
  PROF_VEC(struct prof_window_row) rows; /* one for each site and caller */
  uint32_t *slots;                       /* hash table of the rows; 2^bits */
  uint32_t bits;                         /* 0: no table yet */
};
/* Adds to the row of the same site and caller.  Without memory it is left out. */
void prof_tally_add(struct prof_tally *, const struct prof_window_row *);
void prof_tally_clear(struct prof_tally *);
void prof_tally_fini(struct prof_tally *);

void prof_window_book_fini(struct prof_window_book *);

/* false: no memory. */
bool prof_window_book_open(struct prof_window_book *, uint64_t begin, uint64_t seed, uint32_t part);
void prof_window_book_end(struct prof_window_book *, uint64_t number, uint64_t end, bool interrupted);

static inline uint64_t prof_window_book_count(const struct prof_window_book *book) {
  return book->first + book->windows.count;
}
/* NULL: it was written, or isn't known. */
static inline struct prof_booked *prof_window_book_at(const struct prof_window_book *book, uint64_t number) {
  return number >= book->first && number - book->first < book->windows.count
             ? &book->windows.items[number - book->first]
             : NULL;
}

/* Adds what a thread counted, and empties the tally.  thread: its number in the trace. */
void prof_window_book_add(struct prof_window_book *, uint64_t number, uint32_t thread, struct prof_tally *);

/* Writes the first `count` windows and forgets them. */
void prof_window_book_write(struct prof_window_book *, prof_writer *, size_t count);

/* At most so many bytes would be written. */
uint64_t prof_window_book_waiting_bytes(const struct prof_window_book *);

#endif
