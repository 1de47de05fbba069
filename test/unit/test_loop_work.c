/* test_loop_work.c - analysis/loop_work.c and lines/count_bytes.c: work of loops and functions, and damaged objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/count_bytes.h"
#include "analysis/loop_work.h"
#include "counts.h"
#include "trace_folder.h"
#include "tracetext.h"
#include "work.h"

enum { MUTATIONS = 2000 };

static const char text[] =
    "function main\nfunction solve\nloop rows solve\nloop cells solve parent=rows flags=counted\n"
    "thread main\nmain @0 enter main\nmain +10 enter solve\nmain +10 loop rows iterations=4\n"
    "main +100 endloop rows\nmain +10 exit solve\nmain +10 exit main\n"
    "work solve times=1 flops=3\nwork solve times=4 loop=rows flops=1 stored=8\n"
    "work solve times=40 loop=cells flops=2 more-flops=1 loaded=16 unknown-bytes=1\n"
    "end wall=1000\n";

static void loops_have_those_in_them(void **state) {
  struct prof_loop_row rows[2] = {{.loop = 0, .parent = PROF_NONE, .has_times = true, .self = {.running = 100}},
                                  {.loop = 1, .parent = 0, .level = 1}};
  const struct prof_loop_rows all = {rows, 2, 0};
  struct prof_loop_works works;
  struct trace_folder folder;
  struct prof_diag diag;
  prof_trace *trace = NULL;
  (void)state;
  trace_folder_make(&folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  assert_int_equal(prof_loop_works_make(trace, &all, &diag, &works), PROF_OK);
  assert_int_equal(works.functions, 3); /* the text has an object for each piece */
  assert_int_equal(works.damaged, 0);
  const struct prof_loop_work *outer = &works.items[0], *inner = &works.items[1];
  assert_true(outer->known && inner->known);
  assert_int_equal(inner->all.flops.low, 80);
  assert_int_equal(inner->all.flops.high, 120);
  assert_int_equal(outer->all.flops.low, 84);
  assert_int_equal(outer->own.flops.high, 124); /* the inner loop has no times */
  assert_int_equal(outer->all.stored.low, 32);
  assert_true(outer->is_inexact && outer->all.bytes_open && !outer->all.flops_open);
  assert_false(outer->has_intensity);
  assert_true(outer->has_rate && outer->rate > 0.83 && outer->rate < 0.85);
  assert_true(works.of[1].known && !works.of[0].known);
  assert_int_equal(works.of[1].all.flops.low, 87);
  prof_loop_works_free(&works);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void damage_is_found(void **state) {
  uint64_t words[8] = {PROF_WORK_MAGIC, 1 | (uint64_t)20 << 32, 5};
  struct prof_count_object object;
  uint64_t seed = 5;
  size_t next;
  (void)state;
  for (int i = 0; i < MUTATIONS; i++) {
    uint64_t changed[8];
    memcpy(changed, words, sizeof words);
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    ((uint8_t *)changed)[(seed >> 33) % sizeof changed] ^= (uint8_t)(seed >> 50);
    struct prof_count_block block = {0, 0, (const uint8_t *)changed, sizeof changed};
    prof_status status = prof_count_object_find(&block, PROF_WORK_MAGIC, 0, &object, &next);
    assert_true(status == PROF_OK || status == PROF_NOT_FOUND || status == PROF_CORRUPT);
    assert_true(next <= block.bytes);
    if (status == PROF_OK)
      assert_true(object.bytes.end <= block.objects + block.bytes && object.counters + 8 <= object.bytes.end);
  }
}

/* Objects of lines stand between those of work. */
static void others_are_passed_over(void **state) {
  const uint64_t words[] = {PROF_COUNTS_MAGIC, 1 | (uint64_t)8 << 32, 5, 0, 0, PROF_WORK_MAGIC, 2, 6, 7, 0};
  const struct prof_count_block block = {0, 0, (const uint8_t *)words, sizeof words};
  struct prof_count_object object;
  size_t next;
  (void)state;
  assert_int_equal(prof_count_object_find(&block, PROF_WORK_MAGIC, 0, &object, &next), PROF_OK);
  assert_int_equal(object.counter_count, 2);
  assert_ptr_equal(object.counters, &words[7]);
  assert_int_equal(prof_count_object_find(&block, PROF_WORK_MAGIC, next, &object, &next), PROF_NOT_FOUND);
  assert_int_equal(prof_count_object_find(&block, PROF_COUNTS_MAGIC, 0, &object, &next), PROF_OK);
  assert_ptr_equal(object.counters, &words[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_have_those_in_them),
      cmocka_unit_test(damage_is_found),
      cmocka_unit_test(others_are_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
