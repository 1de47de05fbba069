/*
 * test_record_count_reader.c - the recorder's reading of threads' counters: differences by thread, forked processes,
 * records that change hands, sites of other programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/diag.h"
#include "record/governor/count_reader.h"

enum { PARENT = 1, CHILD = 2, OTHER = 3 };

struct bench {
  struct prof_region region;
  struct prof_count_reader reader;
  struct prof_count_rows rows;
  uint8_t *counters; /* of record 0; as programs see them */
  size_t bytes;
};

static void begin(struct bench *bench) {
  *bench = (struct bench){0};
  assert_int_equal(prof_region_create(&bench->region, PROF_REGION_BUFFER_MIN, PROF_WHEN_FULL_WAIT, NULL), PROF_OK);
  assert_true(prof_region_add_texts(&bench->region));
  const struct prof_control *control = bench->region.control;
  assert_true(control->counters_offset >= control->texts_offset + control->texts_bytes);
  bench->bytes = 4 * control->counters_bytes;
  void *map = mmap(NULL, bench->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bench->region.fd,
                   (off_t)(control->counters_offset + control->counters_bytes));
  assert_true(map != MAP_FAILED);
  bench->counters = map;
  assert_true(prof_count_reader_open(&bench->reader, &bench->region));
  prof_count_reader_parent(&bench->reader, CHILD, PARENT);
}

static void end(struct bench *bench) {
  munmap(bench->counters, bench->bytes);
  prof_vec_fini(&bench->rows.items);
  prof_count_reader_fini(&bench->reader);
  prof_region_destroy(&bench->region);
}

static void thread_lives(struct bench *bench, uint32_t record, uint32_t process, int32_t tid) {
  struct prof_thread *thread = &bench->region.threads[record];
  thread->process = process;
  thread->tid = tid;
  thread->generation++;
  thread->state = PROF_THREAD_LIVE;
  if (bench->region.control->threads_used <= record)
    bench->region.control->threads_used = record + 1;
}

static void count(struct bench *bench, uint32_t record, uint32_t counter, uint64_t calls) {
  uint8_t *block = bench->counters + record * bench->region.control->counters_bytes;
  ((uint64_t *)(void *)block)[counter] += calls;
}

static void source(struct bench *bench, uint32_t process, uint32_t site, uint32_t counter) {
  assert_true(prof_vec_push(&bench->reader.sources, ((struct prof_count_source){process, site, counter})));
}

static void assert_row(const struct bench *bench, size_t at, uint32_t record, int32_t tid, uint32_t site,
                       uint64_t calls) {
  assert_true(at < bench->rows.items.count);
  const struct prof_count_row *row = &bench->rows.items.items[at];
  assert_int_equal(row->window, 7);
  assert_int_equal(row->record, record);
  assert_int_equal(row->tid, tid);
  assert_int_equal(row->site, site);
  assert_int_equal(row->calls, calls);
}

static void differences_by_thread(void **state) {
  (void)state;
  struct bench bench;
  begin(&bench);
  source(&bench, PARENT, 11, 0);
  source(&bench, PARENT, 15, 3);
  thread_lives(&bench, 0, PARENT, 100);
  thread_lives(&bench, 1, PARENT, 101);
  count(&bench, 0, 0, 5000); /* before */
  assert_true(prof_count_reader_begin(&bench.reader));
  count(&bench, 0, 0, 3);
  count(&bench, 1, 3, 4);
  count(&bench, 1, 2, 9); /* nobody asks for it */
  prof_count_reader_end(&bench.reader, 7, &bench.rows);
  assert_int_equal(bench.rows.items.count, 2);
  assert_row(&bench, 0, 0, 100, 11, 3);
  assert_row(&bench, 1, 1, 101, 15, 4);
  end(&bench);
}

/* Numbers of counters mean something in a program and its forked children only. */
static void counters_of_other_programs(void **state) {
  (void)state;
  struct bench bench;
  begin(&bench);
  source(&bench, PARENT, 11, 0);
  source(&bench, OTHER, 91, 0);
  source(&bench, CHILD, 51, 1); /* a library that the child loaded */
  thread_lives(&bench, 0, PARENT, 100);
  thread_lives(&bench, 1, CHILD, 200);
  thread_lives(&bench, 2, OTHER, 300);
  assert_true(prof_count_reader_begin(&bench.reader));
  for (uint32_t record = 0; record < 3; record++)
    for (uint32_t counter = 0; counter < 2; counter++)
      count(&bench, record, counter, 10 * record + counter + 1);
  prof_count_reader_end(&bench.reader, 7, &bench.rows);
  assert_int_equal(bench.rows.items.count, 4);
  assert_row(&bench, 0, 0, 100, 11, 1);
  assert_row(&bench, 1, 1, 200, 11, 11);
  assert_row(&bench, 2, 1, 200, 51, 12);
  assert_row(&bench, 3, 2, 300, 91, 21);
  end(&bench);
}

static void records_change_hands(void **state) {
  (void)state;
  struct bench bench;
  begin(&bench);
  source(&bench, PARENT, 11, 0);
  thread_lives(&bench, 0, PARENT, 100);
  thread_lives(&bench, 1, PARENT, 101);
  bench.region.threads[1].state = PROF_THREAD_FREE;
  assert_true(prof_count_reader_begin(&bench.reader));
  thread_lives(&bench, 0, PARENT, 102); /* another one took it */
  thread_lives(&bench, 1, PARENT, 103); /* began in the window */
  thread_lives(&bench, 2, PARENT, 104);
  for (uint32_t record = 0; record < 3; record++)
    count(&bench, record, 0, 1);
  prof_count_reader_end(&bench.reader, 7, &bench.rows);
  assert_int_equal(bench.rows.items.count, 0);
  end(&bench);
}

static void a_wrong_counter_is_not_read(void **state) {
  (void)state;
  struct bench bench;
  begin(&bench);
  source(&bench, PARENT, 11, UINT32_MAX);
  source(&bench, PARENT, 12, (uint32_t)(bench.region.control->counters_bytes / sizeof(uint64_t)));
  thread_lives(&bench, 0, PARENT, 100);
  assert_true(prof_count_reader_begin(&bench.reader));
  count(&bench, 1, 0, 1); /* right behind the last one of record 0 */
  prof_count_reader_end(&bench.reader, 7, &bench.rows);
  assert_int_equal(bench.rows.items.count, 0);
  end(&bench);
}

static void without_counters(void **state) {
  (void)state;
  struct prof_region region;
  struct prof_count_reader reader;
  assert_int_equal(prof_region_create(&region, PROF_REGION_BUFFER_MIN, PROF_WHEN_FULL_WAIT, NULL), PROF_OK);
  assert_false(prof_count_reader_open(&reader, &region));
  assert_false(prof_count_reader_open(&reader, NULL));
  prof_count_reader_fini(&reader);
  prof_region_destroy(&region);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_by_thread), cmocka_unit_test(counters_of_other_programs),
      cmocka_unit_test(records_change_hands),  cmocka_unit_test(a_wrong_counter_is_not_read),
      cmocka_unit_test(without_counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
