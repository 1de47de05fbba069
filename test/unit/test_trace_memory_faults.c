/*
 * test/unit/test_trace_memory_faults.c - reader, writer and encoder when the Nth allocation fails, for every N.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "match/matcher.h"
#include "trace_folder.h"
#include "trace_touch.h"
#include "tracetext.h"

#define ENOUGH 100000

static void opening(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  static const char text[] = "setting command x\nthread a\nthread b\na +1 enter main\na +2 enter work\na flush\n"
                             "b +1 enter main\na +2 exit work\nnote hello\nend\n";
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, NULL), PROF_OK);
  long n = 0;
  for (; n < ENOUGH; n++) {
    struct prof_diag diag = {0};
    prof_trace *trace;
    fail_from(n);
    prof_status status = prof_trace_open(folder.path, &diag, &trace);
    bool failed = failures > 0;
    allocations_left = -1;
    if (!failed)
      assert_int_equal(status, PROF_OK);
    else
      assert_int_equal(status, PROF_NO_MEMORY);
    assert_true((status == PROF_OK) == (trace != NULL));
    prof_trace_close(trace);
    if (!failed)
      break;
    assert_string_equal(diag.what, "out of memory");
  }
  assert_in_range(n, 20, ENOUGH - 1);
  trace_folder_remove(&folder);
}

/* The n-th allocation fails, or is not needed: prof_chunk_load, or only the frames. */
static prof_status load_failing(const prof_trace *trace, long n, bool events, struct prof_chunk *chunk) {
  fail_from(n);
  prof_status status = events ? prof_chunk_load(trace, 1, NULL, chunk) : prof_chunk_load_frames(trace, 1, NULL, chunk);
  allocations_left = -1;
  return status;
}

static void loading_frames(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  assert_int_equal(
      prof_tracetext_write("thread a\na +1 enter main\na flush\na +1 exit main\n", "text", folder.path, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  for (long n = 0, failed = 1; failed; n++) {
    struct prof_chunk chunk = {0};
    prof_status status = load_failing(trace, n, false, &chunk);
    failed = failures > 0;
    assert_int_equal(status, failed ? PROF_NO_MEMORY : PROF_OK);
    assert_int_equal(chunk.frame_count, failed ? 0 : 1);
    prof_chunk_free(&chunk);
  }
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void loading_a_chunk(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  assert_int_equal(
      prof_tracetext_write("thread a\na +1 enter main\na flush\na +1 exit main\n", "text", folder.path, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  for (long n = 0, failed = 1; failed; n++) {
    struct prof_chunk chunk = {0};
    prof_status status = load_failing(trace, n, true, &chunk);
    failed = failures > 0;
    assert_int_equal(status, failed ? PROF_NO_MEMORY : PROF_OK);
    assert_int_equal(chunk.event_count, failed ? 0 : 1);
    assert_int_equal(prof_chunk_load(trace, 1, NULL, &chunk), PROF_OK); /* the same object serves again */
    prof_chunk_free(&chunk);
  }
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, 0); /* a lack of memory is no damage */
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Calls to the depth of 200 and back, by changing edges; then the encoder's figures. */
static struct prof_matcher_figures feed(prof_writer *writer, long n) {
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  const struct prof_site_map map = {functions, 3};
  struct prof_matcher_figures figures = {0};
  fail_from(n);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = packer ? prof_matcher_new(packer, 1) : NULL;
  for (uint32_t i = 0; matcher && i < 9000; i++) {
    bool deeper = i / 200 % 2 == 0;
    struct prof_event event = {1000 + i, prof_event_what(deeper ? 1 : 2, deeper ? 1 : 2), deeper ? i % 600 : 0};
    assert_int_equal(prof_matcher_drain(matcher, &event, 1, &map, false), 1);
    assert_int_equal(event.time | event.what, 0);
    if (i % 1000 == 500)
      (void)prof_encoder_flush(prof_matcher_encoder(matcher), false);
  }
  if (matcher) {
    (void)prof_encoder_flush(prof_matcher_encoder(matcher), true);
    prof_matcher_figures(matcher, &figures);
  }
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  return figures;
}

static bool record(long n) {
  struct trace_folder folder;
  struct prof_diag diag = {0};
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  struct prof_matcher_figures figures = feed(writer, n);
  bool failed = failures > 0;
  allocations_left = -1;
  uint64_t written = prof_writer_events(writer);
  prof_status status = prof_writer_close(writer, &diag);
  assert_true(status == PROF_OK || (failed && status == PROF_NO_MEMORY));
  if (!failed) {
    assert_int_equal(figures.events, 9000);
    assert_int_equal(figures.dropped, 0);
  }
  assert_in_range(figures.events + figures.dropped, failed ? 0 : 9000, 9000 + figures.unmatched);
  struct trace_touched touched;
  assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, written);
  assert_int_equal(touched.chunks_refused + touched.damage.bytes_skipped + touched.damage.chunks_damaged, 0);
  trace_folder_remove(&folder);
  return failed;
}

static void recording_when_one_fails(void **state) {
  (void)state;
  all_fail = false;
  long n = 0;
  while (record(n))
    n++;
  assert_in_range(n, 10, ENOUGH);
}

static void recording_when_all_fail_from_one_on(void **state) {
  (void)state;
  all_fail = true;
  long n = 0;
  while (record(n))
    n++;
  assert_in_range(n, 10, ENOUGH);
  all_fail = false;
}

enum { FORK_DEPTH = 100 };

static void take(prof_matcher *matcher, uint64_t time, uint32_t site, uint32_t kind, uint32_t aux) {
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  const struct prof_site_map map = {functions, 3};
  struct prof_event event = {time, prof_event_what(site, kind), aux};
  assert_int_equal(prof_matcher_drain(matcher, &event, 1, &map, false), 1);
}

/* A fork at some depth, and a child that returns from all of it: it begins with all of its parent's frames or with
 * none. */
static bool fork_once(long n) {
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *parent = prof_matcher_new(packer, 1), *child = prof_matcher_new(packer, 2);
  for (uint32_t i = 0; i < FORK_DEPTH; i++)
    take(parent, 1000 + i, 1, PROF_EVENT_ENTRY, i);
  fail_from(n);
  prof_fork_stacks *stacks = prof_fork_stacks_new(1 << 20);
  prof_matcher_keep_forks(parent, stacks);
  if (stacks)
    take(parent, 2000, 0, PROF_EVENT_FORK, 1);
  const struct prof_fork_stack *stack = stacks ? prof_fork_stacks_find(stacks, 1) : NULL;
  bool inherits = stack && prof_matcher_inherit(child, stack);
  bool failed = failures > 0;
  allocations_left = -1;
  assert_int_equal(inherits, !failed);
  for (uint32_t i = 0; i < FORK_DEPTH; i++)
    take(child, 3000 + i, 2, PROF_EVENT_EXIT, 0);
  struct prof_matcher_figures figures;
  prof_matcher_figures(child, &figures);
  assert_int_equal(figures.unmatched, inherits ? 0 : FORK_DEPTH);
  assert_int_equal(figures.events, FORK_DEPTH + inherits);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(child), true), PROF_OK);
  prof_matcher_free(parent);
  prof_matcher_free(child);
  prof_fork_stacks_free(stacks);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  struct trace_touched touched;
  assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.chunks_refused + touched.damage.bytes_skipped + touched.damage.chunks_damaged, 0);
  trace_folder_remove(&folder);
  return failed;
}

static void a_fork_when_one_fails(void **state) {
  (void)state;
  long n = 0;
  while (fork_once(n))
    n++;
  assert_in_range(n, 5, ENOUGH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opening),
      cmocka_unit_test(loading_a_chunk),
      cmocka_unit_test(loading_frames),
      cmocka_unit_test(recording_when_one_fails),
      cmocka_unit_test(recording_when_all_fail_from_one_on),
      cmocka_unit_test(a_fork_when_one_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
