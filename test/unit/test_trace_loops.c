/*
 * test/unit/test_trace_loops.c - loops in the encoder against a second, slow and simple statement of their rules.
 *
 * Random calls, loops in them, values, exits that may come from outside, missed exits and landings go through encoder,
 * file and reader, with chunks ended anywhere; the model below says what must come out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "row.h"
#include "trace_folder.h"

enum {
  FUNCTIONS = 5,
  LOOPS = 4, /* of each function */
  ENTRY = 0,
  EXIT,
  MAYBE,
  COUNT,
  LANDED,
  KINDS,
  FIRST_LOOP = 100, /* identity */
  EVENTS = 30000,
};

/* Item: function f is f, loop l of it FUNCTIONS + LOOPS f + l. */
static uint32_t site_of(uint32_t item, uint32_t kind) {
  return 1 + KINDS * item + kind;
}
static uint32_t loop_item(uint32_t function, uint32_t loop) {
  return FUNCTIONS + LOOPS * function + loop;
}

struct expected {
  enum prof_op op;
  uint32_t site;
  uint64_t count, time;
};

struct model {
  uint32_t stack[EVENTS];
  size_t depth;
  struct expected out[2 * EVENTS];
  size_t count;
  uint64_t time, last; /* last: of the last event that has one and came out */
  uint64_t unmatched, skipped, calls;
};
static struct model model;

static void expect(enum prof_op op, uint32_t site, uint64_t count) {
  if (op != PROF_OP_VALUE)
    model.last = model.time;
  model.out[model.count++] = (struct expected){op, site, count, model.last};
}

static bool is_loop(size_t at) {
  return model.stack[at] >= FUNCTIONS;
}

static uint64_t functions_above(size_t depth) {
  uint64_t count = 0;
  for (size_t at = depth; at < model.depth; at++)
    count += !is_loop(at);
  return count;
}

/* Where an item is open, from 1; 0: nowhere. near: among the loops on top only. */
static size_t find(uint32_t item, bool near) {
  for (size_t at = model.depth; at > 0; at--) {
    if (model.stack[at - 1] == item)
      return at;
    if (near && !is_loop(at - 1))
      return 0;
  }
  return 0;
}

static void model_enter(uint32_t item) {
  size_t open = item >= FUNCTIONS ? find(item, true) : 0;
  if (open) { /* its exit was missed */
    expect(PROF_OP_EXIT, 0, model.depth - open);
    model.skipped += model.depth - open + 1;
    model.depth = open - 1;
  }
  expect(PROF_OP_ENTRY, site_of(item, ENTRY), 0);
  model.calls += item < FUNCTIONS;
  model.stack[model.depth++] = item;
}

/* Whether it left something. */
static bool model_leave(uint32_t item, uint32_t kind) {
  size_t open = find(item, kind == MAYBE);
  if (open) {
    model.skipped += functions_above(open);
    expect(PROF_OP_EXIT, 0, model.depth - open);
    model.depth = open - 1;
  } else if (kind != MAYBE) {
    model.unmatched++;
    expect(PROF_OP_UNMATCHED, site_of(item, kind), 0);
  }
  return open > 0;
}

static void model_land(uint32_t function) {
  size_t open = find(function, false);
  if (!open) {
    model.unmatched++;
    expect(PROF_OP_UNMATCHED, site_of(function, LANDED), 0);
    return;
  }
  while (open < model.depth && is_loop(open))
    open++;
  model.skipped += functions_above(open);
  expect(PROF_OP_LANDED, 0, model.depth - open);
  model.depth = open;
}

/* ---- made-up streams ---- */

static uint64_t random_state;
static uint32_t below(uint32_t limit) { /* xorshift64, G. Marsaglia 2003 */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 20) % limit);
}

static struct prof_event event(uint32_t item, uint32_t kind, uint32_t event_kind) {
  return (struct prof_event){model.time, prof_event_what(site_of(item, kind), event_kind), 0};
}

/* The value, as it is read: negative ones are none. */
static uint64_t make_value(struct prof_event *slot, uint32_t item, uint32_t kind) {
  static const uint64_t values[] = {0, 1, 127, 128, 1u << 20, (uint64_t)1 << 61, (uint64_t)-3};
  uint64_t value = values[below(7)];
  *slot = event(item, kind, PROF_EVENT_VALUE);
  slot->time = value | PROF_EVENT_VALUE_BIT;
  return value == (uint64_t)-3 ? 0 : value;
}

static size_t make_entry(struct prof_event *slots, uint32_t item) {
  bool loop = item >= FUNCTIONS;
  slots[0] = event(item, ENTRY, loop ? PROF_EVENT_LOOP_ENTRY : PROF_EVENT_ENTRY);
  model_enter(item);
  if (!loop || item % 2)
    return 1;
  expect(PROF_OP_VALUE, site_of(item, ENTRY), make_value(&slots[1], item, ENTRY));
  return 2;
}

static size_t make_exit(struct prof_event *slots, uint32_t item, uint32_t kind) {
  bool loop = item >= FUNCTIONS, has_value = loop && item % 3;
  slots[0] = event(item, kind, loop ? PROF_EVENT_LOOP_EXIT : PROF_EVENT_EXIT);
  bool left = model_leave(item, kind);
  uint64_t value = has_value ? make_value(&slots[1], item, kind) : 0;
  if (left && has_value)
    expect(PROF_OP_VALUE, site_of(item, kind), value);
  return 1 + has_value;
}

/* One or two slots.  odd: of a hundred events, those that fit nothing. */
static size_t make(struct prof_event *slots, uint32_t odd) {
  model.time += below(9);
  uint32_t any = below(FUNCTIONS + FUNCTIONS * LOOPS);
  size_t owner = model.depth;
  while (owner > 0 && is_loop(owner - 1))
    owner--;
  if (below(100) < odd) {
    if (below(3) == 0) {
      slots[0] = event(any % FUNCTIONS, LANDED, PROF_EVENT_LANDED);
      model_land(any % FUNCTIONS);
      return 1;
    }
    return below(2) ? make_entry(slots, any) : make_exit(slots, any, any < FUNCTIONS ? EXIT : EXIT + below(2));
  }
  uint32_t choice = below(100);
  if (owner == 0 || choice < 20)
    return make_entry(slots, any % FUNCTIONS);
  if (choice < 45)
    return make_entry(slots, loop_item(model.stack[owner - 1], below(LOOPS)));
  if (choice < 55) {
    uint32_t item = loop_item(model.stack[owner - 1], below(LOOPS));
    expect(PROF_OP_VALUE, site_of(item, COUNT), make_value(&slots[0], item, COUNT));
    return 1;
  }
  uint32_t top = model.stack[model.depth - 1];
  return make_exit(slots, choice < 60 ? model.stack[owner - 1] : top, EXIT);
}

/* ---- comparison ---- */

static void compare(const struct trace_folder *folder) {
  prof_trace *trace;
  size_t count, at = 0;
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  prof_trace_chunks(trace, &count);
  struct prof_chunk chunk = {0};
  for (size_t i = 0; i < count; i++) {
    struct prof_cursor cursor;
    struct prof_step step;
    assert_int_equal(prof_chunk_load(trace, prof_trace_thread_chunks(trace)[i], NULL, &chunk), PROF_OK);
    prof_cursor_begin(&cursor, &chunk);
    for (; prof_cursor_next(&cursor, &step); at++) {
      const struct expected *expected = &model.out[at];
      assert_true(at < model.count);
      assert_int_equal(step.op, expected->op);
      assert_int_equal(step.time, expected->time);
      assert_int_equal(step.count, expected->count);
      if (step.op == PROF_OP_ENTRY)
        assert_int_equal(chunk.edges[step.value].site, expected->site);
      else
        assert_int_equal(step.value, expected->site);
    }
  }
  assert_int_equal(at, model.count);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void make_map(uint32_t *functions) {
  for (uint32_t item = 0; item < FUNCTIONS + FUNCTIONS * LOOPS; item++)
    for (uint32_t kind = 0; kind < KINDS; kind++)
      functions[site_of(item, kind)] =
          (item < FUNCTIONS ? item : FIRST_LOOP + item) | (kind == MAYBE ? PROF_MATCHER_MAYBE : 0);
}

static void run(uint64_t seed, uint32_t odd, uint32_t flush_every) {
  struct trace_folder folder;
  prof_writer *writer;
  static uint32_t functions[1 + KINDS * (FUNCTIONS + FUNCTIONS * LOOPS)];
  struct prof_clock_record clock = {.ticks = 1, .frequency_hz = 1000000000, .step_ticks = 1, .source = 1};
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  assert_true(packer && matcher);
  make_map(functions);
  struct prof_site_map map = {functions, sizeof functions / sizeof *functions};
  struct prof_event slots[64];
  memset(&model, 0, sizeof model);
  random_state = seed * 0x9e3779b97f4a7c15ull + 1;
  model.time = 1000;
  for (size_t i = 0; i < EVENTS / 20; i++) {
    size_t count = 0;
    for (uint32_t most = 1 + below(20); count < most;)
      count += make(&slots[count], odd);
    assert_int_equal(prof_matcher_drain(matcher, slots, count, &map, false), count);
    if (!below(flush_every))
      assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), false), PROF_OK);
  }
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.unmatched, model.unmatched);
  assert_int_equal(figures.skipped, model.skipped);
  assert_int_equal(figures.calls, model.calls);
  assert_int_equal(figures.events, model.count);
  assert_int_equal(figures.depth, model.depth);
  assert_int_equal(figures.dropped, 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  compare(&folder);
  trace_folder_remove(&folder);
}

static void loops_that_fit(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++)
    run(seed, 0, 1000000);
}
static void loops_that_do_not(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++)
    run(seed, 30, 50);
}
static void chunks_that_end_anywhere(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++)
    run(seed, 5, 2);
}

/* A value before any event, and the values of exits that leave nothing, are none; chunks don't begin with them. */
static void values_of_nothing(void **state) {
  (void)state;
  struct prof_event slots[] = {
      {PROF_EVENT_VALUE_BIT | 5, prof_event_what(site_of(0, COUNT), PROF_EVENT_VALUE), 0},
      {900, prof_event_what(site_of(5, MAYBE), PROF_EVENT_LOOP_EXIT), 0},
      {PROF_EVENT_VALUE_BIT | 5, prof_event_what(site_of(5, MAYBE), PROF_EVENT_VALUE), 0},
      {1000, prof_event_what(site_of(0, ENTRY), PROF_EVENT_ENTRY), 0},
  };
  struct trace_folder folder;
  prof_writer *writer;
  static uint32_t functions[1 + KINDS * (FUNCTIONS + FUNCTIONS * LOOPS)];
  trace_folder_make(&folder);
  make_map(functions);
  struct prof_site_map map = {functions, sizeof functions / sizeof *functions};
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  assert_int_equal(prof_matcher_drain(matcher, slots, 4, &map, false), 4);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.events, 1);
  assert_int_equal(figures.dropped, 1);
  assert_int_equal(figures.first_ticks, 1000);
  assert_int_equal(figures.unmatched, 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  trace_folder_remove(&folder);
}

/* Without facts (stripped of them) nobody knows which exits are of which loop: neither is there, nor begins a chunk. */
static void loops_that_nobody_knows(void **state) {
  (void)state;
  struct prof_event slots[] = {
      {900, prof_event_what(site_of(5, ENTRY), PROF_EVENT_LOOP_ENTRY), 0},
      {PROF_EVENT_VALUE_BIT | 5, prof_event_what(site_of(5, ENTRY), PROF_EVENT_VALUE), 0},
      {1000, prof_event_what(site_of(0, ENTRY), PROF_EVENT_ENTRY), 0},
      {1001, prof_event_what(site_of(5, ENTRY), PROF_EVENT_LOOP_ENTRY), 0},
      {PROF_EVENT_VALUE_BIT | 5, prof_event_what(site_of(5, ENTRY), PROF_EVENT_VALUE), 0},
      {1002, prof_event_what(site_of(5, EXIT), PROF_EVENT_LOOP_EXIT), 0},
      {PROF_EVENT_VALUE_BIT | 5, prof_event_what(site_of(5, EXIT), PROF_EVENT_VALUE), 0},
      {1003, prof_event_what(site_of(5, MAYBE), PROF_EVENT_LOOP_EXIT), 0},
      {1004, prof_event_what(site_of(0, EXIT), PROF_EVENT_EXIT), 0},
  };
  struct trace_folder folder;
  prof_writer *writer;
  static uint32_t functions[1 + KINDS * (FUNCTIONS + FUNCTIONS * LOOPS)];
  struct prof_site_map map = {functions, sizeof functions / sizeof *functions};
  enum { COUNT_OF_SLOTS = sizeof slots / sizeof *slots };
  trace_folder_make(&folder);
  make_map(functions);
  for (uint32_t kind = 0; kind < KINDS; kind++)
    functions[site_of(5, kind)] = PROF_MATCHER_NO_FUNCTION;
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  assert_int_equal(prof_matcher_drain(matcher, slots, COUNT_OF_SLOTS, &map, false), COUNT_OF_SLOTS);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.events, 2);
  assert_int_equal(figures.calls, 1);
  assert_int_equal(figures.first_ticks, 1000);
  assert_int_equal(figures.unmatched, 0);
  assert_int_equal(figures.skipped, 0);
  assert_int_equal(figures.dropped, 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_that_fit),           cmocka_unit_test(loops_that_do_not),
      cmocka_unit_test(chunks_that_end_anywhere), cmocka_unit_test(values_of_nothing),
      cmocka_unit_test(loops_that_nobody_knows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
