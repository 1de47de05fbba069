/*
 * test/unit/test_trace_measure.c - MEASURE and OPERAND slots become steps with the same numbers, wherever a call of the
 * drain ends, in the fast loop and in the rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "measure.h"
#include "trace_folder.h"

#define ENTRY 1
#define EXIT 2
#define COUNT 3000

static uint64_t random_state = 88172645463325252ull;
static uint64_t below(uint64_t limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 11) % limit;
}

struct wanted {
  uint64_t time, caller, first, second;
  uint32_t operation;
};

/* Numbers of all lengths. */
static uint64_t number(unsigned bits) {
  uint64_t limit = 1ull << below(bits + 1);
  return below(2) ? limit - 1 : below(limit);
}

static struct wanted put(struct prof_event slots[2], uint64_t time) {
  struct wanted wanted = {.time = time,
                          .caller = number(PROF_MEASURE_CALLER_BITS),
                          .first = number(63),
                          .second = number(PROF_MEASURE_SECOND_BITS),
                          .operation = 1 + (uint32_t)below(PROF_MEASURE_OPERATIONS - 1)};
  slots[0] = (struct prof_event){time, prof_measure_what(wanted.operation, wanted.caller), (uint32_t)wanted.caller};
  slots[1] = (struct prof_event){PROF_EVENT_VALUE_BIT | wanted.first,
                                 prof_event_what((uint32_t)(wanted.second >> 32), PROF_EVENT_OPERAND),
                                 (uint32_t)wanted.second};
  return wanted;
}

static void check(const struct trace_folder *folder, const struct wanted *wanted, size_t count) {
  prof_trace *trace;
  struct prof_chunk chunk = {0};
  size_t chunks, seen = 0, untimed = 0;
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &chunks);
  for (size_t i = 0; i < chunks; i++) {
    struct prof_cursor cursor;
    struct prof_step step;
    assert_int_equal(prof_chunk_load(trace, i, NULL, &chunk), PROF_OK);
    prof_cursor_begin(&cursor, &chunk);
    untimed += refs[i].untimed;
    while (prof_cursor_next(&cursor, &step)) {
      untimed -= step.op == PROF_OP_NOTHING;
      if (step.op != PROF_OP_MEASURE)
        continue;
      assert_true(seen < count);
      assert_int_equal(step.time, wanted[seen].time);
      assert_int_equal(step.value, wanted[seen].operation);
      assert_int_equal(step.count, wanted[seen].caller);
      assert_int_equal(step.operands[0], wanted[seen].first);
      assert_int_equal(step.operands[1], wanted[seen].second);
      seen++;
    }
  }
  assert_int_equal(seen, count);
  assert_int_equal(untimed, count);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

/* most: slots for one call of the drain. */
static void run(size_t most) {
  static struct prof_event slots[2 * COUNT];
  static struct wanted wanted[COUNT];
  static uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  struct prof_site_map map = {functions, 3, NULL, NULL};
  struct trace_folder folder;
  prof_writer *writer;
  size_t used = 0, count = 0, depth = 0;
  uint64_t time = 1000;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  while (used + 2 <= 2 * COUNT) {
    time += below(50) ? below(100) : 1ull << 33; /* a TIME comes before it */
    if (below(3)) {
      wanted[count++] = put(&slots[used], time);
      used += 2;
    } else if (depth && below(2)) {
      slots[used++] = (struct prof_event){time, prof_event_what(EXIT, PROF_EVENT_EXIT), 0};
      depth--;
    } else {
      slots[used++] = (struct prof_event){time, prof_event_what(ENTRY, PROF_EVENT_ENTRY), 7};
      depth++;
    }
  }
  for (size_t at = 0; at < used;) {
    size_t part = 1 + below(most);
    part = part < used - at ? part : used - at;
    assert_int_equal(prof_matcher_drain(matcher, slots + at, part, &map, false), part);
    at += part;
  }
  struct prof_matcher_figures figures;
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.dropped, 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  check(&folder, wanted, count);
  trace_folder_remove(&folder);
}

static void drains_of_all_sizes(void **context) {
  (void)context;
  run(1);
  run(2);
  run(5);
  run(1000);
}

/* An OPERAND whose MEASURE was lost is dropped, and counted. */
static void lone_operand(void **context) {
  (void)context;
  static uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  struct prof_site_map map = {functions, 3, NULL, NULL};
  struct trace_folder folder;
  struct prof_event slots[3];
  struct prof_matcher_figures figures;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  (void)put(slots, 1000);
  slots[0] = slots[1];
  const struct wanted wanted = put(slots + 1, 2000);
  assert_int_equal(prof_matcher_drain(matcher, slots, 3, &map, false), 3);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.dropped, 1);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  check(&folder, &wanted, 1);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drains_of_all_sizes), cmocka_unit_test(lone_operand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
