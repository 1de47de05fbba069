/*
 * test_match_plain.c - the loop for plain calls gives what the rest of the matcher gives.
 *
 * Random calls go through two matchers: one gets its slots one by one, so that none is taken by that loop, the other
 * many at a time.  Functions have several exits, calls more edges than an op of one byte can name, some exits are
 * missing, some calls repeat, and the clock stands still, jumps and steps back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace_folder.h"

enum { FUNCTIONS = 90, CALLERS = 7, EXITS = 3, SITES = 1 + FUNCTIONS * (1 + EXITS), EVENTS = 300000, MOST_DEPTH = 900 };

static uint32_t functions[SITES];
static uint64_t random_state = 88172645463325252ull;

static uint32_t below(uint32_t limit) {
  random_state ^= random_state << 13; /* xorshift64, G. Marsaglia 2003 */
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 32) % limit;
}

static uint64_t next_time(uint64_t time) {
  switch (below(400)) {
  case 0:
    return time + (1ull << 32) + below(9);
  case 1:
    return time - below(50);
  case 2:
    return time;
  default:
    return time + below(300);
  }
}

/* A call that calls nothing, some times in a row; often one of them ends by another exit.  The number of events. */
static size_t repeat_call(struct prof_event *to, size_t room, uint64_t *time) {
  uint32_t site = 1 + below(FUNCTIONS) * (1 + EXITS), caller = 100 + below(CALLERS);
  size_t count = 2 * (size_t)below(25);
  count = count < room ? count : room;
  for (size_t i = 0; i < count; i++) {
    *time = next_time(*time);
    to[i] = i % 2 ? (struct prof_event){*time, prof_event_what(site + 1 + (below(20) == 0), PROF_EVENT_EXIT), 0}
                  : (struct prof_event){*time, prof_event_what(site, PROF_EVENT_ENTRY), caller};
  }
  return count;
}

/* deep: goes down more often than up, to where the stack's limits are. */
static void make_events(struct prof_event *events, bool deep) {
  static uint32_t stack[MOST_DEPTH];
  uint32_t depth = 0;
  uint64_t time = 1000000;
  for (size_t i = 0; i < EVENTS; i++) {
    if (below(20) == 0)
      i += repeat_call(events + i, (EVENTS - 1 - i) & ~(size_t)1, &time);
    time = next_time(time);
    bool enters = depth == 0 || (depth < MOST_DEPTH && below(10) < (deep ? 6u : 5u));
    uint32_t function = enters ? below(FUNCTIONS) : stack[depth - 1], site = 1 + function * (1 + EXITS);
    if (enters) {
      stack[depth++] = function;
      events[i] = (struct prof_event){time, prof_event_what(site, PROF_EVENT_ENTRY), 100 + below(CALLERS)};
      continue;
    }
    depth -= below(500) == 0 && depth > 1 ? 2 : 1; /* two: the exit of the outer one is missing, and shows later */
    events[i] = (struct prof_event){time, prof_event_what(site + 1 + below(EXITS), PROF_EVENT_EXIT), 0};
  }
}

/* All at once, or at most so many. */
static unsigned char *match(const struct prof_event *events, uint32_t most, size_t *bytes,
                            struct prof_matcher_figures *figures) {
  static struct prof_event slots[4096];
  static const struct prof_writer_options options = {.start_realtime_ns = 1, .id = {1}};
  const struct prof_site_map map = {.functions = functions, .count = SITES};
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, &options, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  assert_non_null(matcher);
  for (size_t at = 0; at < EVENTS;) {
    size_t count = most == 1 ? 1 : 1 + below(most);
    count = count < EVENTS - at ? count : EVENTS - at;
    memcpy(slots, events + at, count * sizeof *slots);
    slots[count] = events[at + count < EVENTS ? at + count : 0];
    slots[count].time = 0; /* not finished */
    assert_int_equal(prof_matcher_drain(matcher, slots, count + (most > 1), &map, false), count);
    for (size_t i = 0; i < count; i++)
      assert_true(slots[i].time == 0 && slots[i].what == 0 && slots[i].aux == 0);
    assert_int_not_equal(slots[count].what, 0);
    at += count;
  }
  prof_matcher_figures(matcher, figures);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  unsigned char *data = trace_folder_read(&folder, bytes);
  trace_folder_remove(&folder);
  return data;
}

/* The steps of all chunks; chunks themselves may end elsewhere. */
static size_t steps_of(const unsigned char *data, size_t bytes, struct prof_step *steps) {
  struct trace_folder folder;
  prof_trace *trace;
  size_t chunks, count = 0;
  trace_folder_make(&folder);
  trace_folder_write(&folder, data, bytes);
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  prof_trace_chunks(trace, &chunks);
  struct prof_chunk chunk = {0};
  for (size_t i = 0; i < chunks; i++) {
    struct prof_cursor cursor;
    assert_int_equal(prof_chunk_load(trace, i, NULL, &chunk), PROF_OK);
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &steps[count])) {
      if (steps[count].op == PROF_OP_ENTRY) /* by its edge, whose index depends on the chunk */
        steps[count].value = chunk.edges[steps[count].value].site << 8 | chunk.edges[steps[count].value].caller;
      count++;
      assert_true(count < 2 * EVENTS);
    }
  }
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  return count;
}

static void compare(bool deep) {
  static struct prof_event events[EVENTS];
  static struct prof_step steps[2][2 * EVENTS];
  struct prof_matcher_figures figures[2];
  size_t bytes[2], counts[2];
  make_events(events, deep);
  for (int i = 0; i < 2; i++) {
    memset(&figures[i], 0, sizeof figures[i]);
    unsigned char *data = match(events, i == 0 ? 1 : 3000, &bytes[i], &figures[i]);
    counts[i] = steps_of(data, bytes[i], steps[i]);
    free(data);
  }
  assert_int_equal(counts[0], counts[1]);
  for (size_t i = 0; i < counts[0]; i++) {
    const struct prof_step *one = &steps[0][i], *many = &steps[1][i];
    assert_true(one->op == many->op && one->value == many->value && one->count == many->count &&
                one->time == many->time);
  }
  assert_int_equal(figures[0].skipped, figures[1].skipped);
  assert_int_equal(figures[0].unmatched, figures[1].unmatched);
  assert_int_equal(figures[0].inversions, figures[1].inversions);
  assert_int_equal(figures[0].depth, figures[1].depth);
}

static void test_flat(void **unused) {
  (void)unused;
  compare(false);
}

static void test_deep(void **unused) {
  (void)unused;
  compare(true);
}

int main(void) {
  for (uint32_t function = 0; function < FUNCTIONS; function++)
    for (uint32_t i = 0; i <= EXITS; i++)
      functions[1 + function * (1 + EXITS) + i] = function;
  functions[0] = PROF_MATCHER_NO_FUNCTION;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flat), cmocka_unit_test(test_deep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
