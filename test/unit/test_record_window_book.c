/*
 * test_record_window_book.c - windows that wait: tallies of threads, chunks that a reader finds again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "proftrace.h"
#include "record/governor/window_book.h"
#include "trace_folder.h"

enum { PLACES = 3000 };

static void places_are_added_up(void **state) {
  (void)state;
  struct prof_tally tally = {0};
  for (int round = 0; round < 3; round++)
    for (uint32_t i = 0; i < PLACES; i++)
      prof_tally_add(&tally, &(struct prof_window_row){.site = i % 7 + 1, .caller = i, .calls = 1, .iterations = 2});
  assert_int_equal(tally.rows.count, PLACES);
  for (uint32_t i = 0; i < PLACES; i++) {
    assert_int_equal(tally.rows.items[i].calls, 3);
    assert_int_equal(tally.rows.items[i].iterations, 6);
  }
  prof_tally_clear(&tally);
  prof_tally_add(&tally, &(struct prof_window_row){.site = 1, .caller = 0, .calls = 1});
  assert_int_equal(tally.rows.count, 1);
  assert_int_equal(tally.rows.items[0].calls, 1);
  prof_tally_fini(&tally);
}

static void add(struct prof_window_book *book, uint64_t window, uint32_t thread, uint32_t site) {
  struct prof_tally tally = {.events = site};
  prof_tally_add(&tally, &(struct prof_window_row){.site = site, .caller = 9, .calls = 2});
  prof_window_book_add(book, window, thread, &tally);
  assert_int_equal(tally.rows.count + tally.events, 0);
  prof_tally_fini(&tally);
}

static void windows_are_written_in_order(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_window_book book = {0};
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_process(writer, &(struct prof_process_record){.process = 1, .pid = 10}), PROF_OK);
  for (uint32_t i = 1; i <= 2; i++)
    assert_int_equal(prof_writer_thread(writer, &(struct prof_thread_record){.thread = i, .process = 1, .tid = 9 + i}),
                     PROF_OK);
  for (uint64_t i = 0; i < 4; i++) {
    assert_true(prof_window_book_open(&book, 1000 + 100 * i, i, UINT32_MAX));
    prof_window_book_end(&book, i, 1050 + 100 * i, i == 1); /* the second was interrupted */
  }
  add(&book, 0, 1, 11);
  add(&book, 0, 2, 12);
  add(&book, 1, 1, 13);
  add(&book, 2, 1, 14);
  assert_true(prof_window_book_waiting_bytes(&book) > 4 * 24);
  prof_window_book_write(&book, writer, 3);
  assert_int_equal(book.first, 3);
  assert_int_equal(book.written, 2);
  add(&book, 0, 1, 15); /* too late: it is gone */
  prof_window_book_write(&book, writer, 1);
  assert_int_equal(prof_window_book_count(&book), 4);
  prof_window_book_fini(&book);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  prof_trace *trace;
  size_t count;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  trace_folder_remove(&folder);
  (void)prof_trace_window_chunks(trace, &count);
  assert_int_equal(count, 2);
  struct prof_window_chunk chunk = {0};
  assert_int_equal(prof_window_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.count, 2);
  assert_int_equal(chunk.windows[0].thread_count, 2);
  assert_int_equal(chunk.windows[1].begin, 1200);
  assert_int_equal(chunk.windows[1].seed, 2);
  assert_int_equal(chunk.rows[chunk.threads[chunk.windows[1].first_thread].first_row].site, 14);
  prof_window_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void ends_are_after_begins(void **state) {
  (void)state;
  struct prof_window_book book = {0};
  assert_true(prof_window_book_open(&book, 1000, 1, 5));
  prof_window_book_end(&book, 0, 900, false);
  assert_true(book.windows.items[0].window.end > 1000);
  assert_true(book.windows.items[0].interrupted);
  prof_window_book_end(&book, 7, 900, false); /* unknown */
  prof_window_book_fini(&book);
}

/* Of a window that counts, the rows of a thread and its number of events come apart, in any order. */
static void counts_and_events_of_a_thread_meet(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    struct prof_window_book book = {0};
    struct prof_tally rows = {0}, events = {.events = 5};
    assert_true(prof_window_book_open(&book, 1000, 1, UINT32_MAX));
    book.windows.items[0].window.flags = PROF_WINDOW_COUNTED;
    prof_tally_add(&rows, &(struct prof_window_row){.site = 7, .calls = 40});
    prof_tally_add(&rows, &(struct prof_window_row){.site = 9, .calls = 2});
    prof_window_book_add(&book, 0, 3, order ? &events : &rows);
    prof_window_book_add(&book, 0, 4, &(struct prof_tally){.events = 1});
    prof_window_book_add(&book, 0, 3, order ? &rows : &events);
    const struct prof_booked *booked = &book.windows.items[0];
    assert_int_equal(booked->threads.count, 2);
    assert_int_equal(booked->threads.items[0].thread, 3);
    assert_int_equal(booked->threads.items[0].events, 5);
    assert_int_equal(booked->threads.items[0].row_count, 2);
    assert_int_equal(booked->rows.items[booked->threads.items[0].first_row].calls, 40);
    assert_int_equal(booked->threads.items[1].events, 1);
    assert_int_equal(book.counted, 42);
    prof_tally_fini(&rows);
    prof_tally_fini(&events);
    prof_window_book_fini(&book);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_and_events_of_a_thread_meet),
      cmocka_unit_test(places_are_added_up),
      cmocka_unit_test(windows_are_written_in_order),
      cmocka_unit_test(ends_are_after_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
