/*
 * tools/record/governor/window_book.c - see window_book.h.
 */
#include "record/governor/window_book.h"

#include <stdlib.h>
#include <string.h>

enum {
  MERGE_ROWS = 4096,
  LEAST_BITS = 8,
  CHUNK_WINDOWS = 1024,
  CHUNK_BYTES = 128,
  WINDOW_BYTES = 40,
  THREAD_BYTES = 16,
  ROW_BYTES = 24
};

static void release(struct prof_booked *booked) {
  prof_vec_fini(&booked->threads);
  prof_vec_fini(&booked->rows);
}

void prof_window_book_fini(struct prof_window_book *book) {
  for (size_t i = 0; i < book->windows.count; i++)
    release(&book->windows.items[i]);
  prof_vec_fini(&book->windows);
}

bool prof_window_book_open(struct prof_window_book *book, uint64_t begin, uint64_t seed, uint32_t part) {
  return prof_vec_push(&book->windows, (struct prof_booked){.window = {.begin = begin, .seed = seed, .part = part}});
}

void prof_window_book_end(struct prof_window_book *book, uint64_t number, uint64_t end, bool interrupted) {
  struct prof_booked *booked = prof_window_book_at(book, number);
  if (booked == NULL)
    return;
  booked->interrupted = interrupted || end <= booked->window.begin;
  booked->window.end = end > booked->window.begin ? end : booked->window.begin + 1;
}

static uint32_t place_of(const struct prof_window_row *row, uint32_t shift) {
  uint64_t key = (uint64_t)row->caller << 32 | row->site;
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> shift);
}

/* The slot of a row's place: it holds 0, or the index + 1 of the row with this place. */
static uint32_t *slot_of(const struct prof_tally *tally, const struct prof_window_row *row) {
  uint32_t mask = (1u << tally->bits) - 1, at = place_of(row, 64 - tally->bits);
  for (;; at = (at + 1) & mask) {
    const struct prof_window_row *there = tally->slots[at] != 0 ? &tally->rows.items[tally->slots[at] - 1] : NULL;
    if (there == NULL || (there->site == row->site && there->caller == row->caller))
      return &tally->slots[at];
  }
}

static bool tally_grow(struct prof_tally *tally) {
  uint32_t bits = tally->bits != 0 ? tally->bits + 1 : LEAST_BITS;
  uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
  if (slots == NULL)
    return false;
  free(tally->slots);
  tally->slots = slots;
  tally->bits = bits;
  for (size_t i = 0; i < tally->rows.count; i++)
    *slot_of(tally, &tally->rows.items[i]) = (uint32_t)i + 1;
  return true;
}

void prof_tally_add(struct prof_tally *tally, const struct prof_window_row *row) {
  if (tally->bits == 0 || tally->rows.count * 2 >= (size_t)1 << tally->bits) {
    if (!tally_grow(tally) && (tally->bits == 0 || tally->rows.count + 1 >= (size_t)1 << tally->bits))
      return; /* no memory, and no room */
  }
  uint32_t *slot = slot_of(tally, row);
  if (*slot == 0) {
    if (prof_vec_push(&tally->rows, *row))
      *slot = (uint32_t)tally->rows.count;
    return;
  }
  tally->rows.items[*slot - 1].calls += row->calls;
  tally->rows.items[*slot - 1].iterations += row->iterations;
}

void prof_tally_clear(struct prof_tally *tally) {
  if (tally->rows.count > 0)
    memset(tally->slots, 0, sizeof *tally->slots << tally->bits);
  tally->rows.count = 0;
  tally->events = 0;
}

void prof_tally_fini(struct prof_tally *tally) {
  free(tally->slots);
  prof_vec_fini(&tally->rows);
  *tally = (struct prof_tally){0};
}

static struct prof_window_thread *thread_in(struct prof_booked *booked, uint32_t thread) {
  for (size_t i = 0; i < booked->threads.count; i++)
    if (booked->threads.items[i].thread == thread)
      return &booked->threads.items[i];
  return NULL;
}

/* In a window that counts, a thread's rows come apart from the number of events that it wrote. */
void prof_window_book_add(struct prof_window_book *book, uint64_t number, uint32_t thread, struct prof_tally *tally) {
  struct prof_booked *booked = prof_window_book_at(book, number);
  size_t count = tally->rows.count;
  if (booked != NULL && tally->events + count > 0 && prof_vec_reserve(&booked->rows, count)) {
    bool counts = booked->window.flags & PROF_WINDOW_COUNTED;
    struct prof_window_thread *to = counts ? thread_in(booked, thread) : NULL;
    bool merges = to != NULL && (to->row_count == 0 || count == 0);
    if (merges || prof_vec_push(&booked->threads, (struct prof_window_thread){.thread = thread})) {
      to = merges ? to : &booked->threads.items[booked->threads.count - 1];
      to->events += tally->events;
      if (count > 0) {
        to->first_row = (uint32_t)booked->rows.count;
        to->row_count = (uint32_t)count;
        memcpy(booked->rows.items + booked->rows.count, tally->rows.items, count * sizeof *tally->rows.items);
      }
      for (size_t i = 0; counts && i < count; i++)
        book->counted += tally->rows.items[i].calls;
      booked->rows.count += count;
    }
  }
  prof_tally_clear(tally);
}

struct chunk {
  PROF_VEC(struct prof_window) windows;
  PROF_VEC(struct prof_window_thread) threads;
  PROF_VEC(struct prof_window_row) rows;
};

/* Without memory a window is left out whole. */
static void append(struct chunk *chunk, const struct prof_booked *booked) {
  if (!prof_vec_reserve(&chunk->windows, 1) || !prof_vec_reserve(&chunk->threads, booked->threads.count) ||
      !prof_vec_reserve(&chunk->rows, booked->rows.count))
    return;
  struct prof_window window = booked->window;
  window.first_thread = (uint32_t)chunk->threads.count;
  window.thread_count = (uint32_t)booked->threads.count;
  for (size_t i = 0; i < booked->threads.count; i++) {
    struct prof_window_thread thread = booked->threads.items[i];
    thread.first_row += (uint32_t)chunk->rows.count;
    chunk->threads.items[chunk->threads.count++] = thread;
  }
  for (size_t i = 0; i < booked->rows.count; i++)
    chunk->rows.items[chunk->rows.count++] = booked->rows.items[i];
  chunk->windows.items[chunk->windows.count++] = window;
}

static void chunk_write(struct prof_window_book *book, prof_writer *writer, struct chunk *chunk) {
  if (chunk->windows.count > 0)
    (void)prof_writer_windows(writer, &(struct prof_windows_record){.windows = chunk->windows.items,
                                                                    .count = (uint32_t)chunk->windows.count,
                                                                    .threads = chunk->threads.items,
                                                                    .rows = chunk->rows.items});
  book->written += chunk->windows.count;
  book->rows_written += chunk->rows.count;
  chunk->windows.count = chunk->threads.count = chunk->rows.count = 0;
}

void prof_window_book_write(struct prof_window_book *book, prof_writer *writer, size_t count) {
  struct chunk chunk = {0};
  for (size_t i = 0; i < count; i++) {
    if (!book->windows.items[i].interrupted)
      append(&chunk, &book->windows.items[i]);
    release(&book->windows.items[i]);
    if (chunk.windows.count == CHUNK_WINDOWS)
      chunk_write(book, writer, &chunk);
  }
  chunk_write(book, writer, &chunk);
  prof_vec_fini(&chunk.windows);
  prof_vec_fini(&chunk.threads);
  prof_vec_fini(&chunk.rows);
  if (count > 0)
    memmove(book->windows.items, book->windows.items + count,
            (book->windows.count - count) * sizeof *book->windows.items);
  book->windows.count -= count;
  book->first += count;
}

uint64_t prof_window_book_waiting_bytes(const struct prof_window_book *book) {
  uint64_t bytes = (book->windows.count / CHUNK_WINDOWS + 1) * CHUNK_BYTES;
  for (size_t i = 0; i < book->windows.count; i++)
    bytes += WINDOW_BYTES + book->windows.items[i].threads.count * THREAD_BYTES +
             book->windows.items[i].rows.count * ROW_BYTES;
  return bytes;
}
