/*
 * test_trace_fork_stacks.c - frames that no entry or exit tells of: a child's from its fork, those of a thread that
 * ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace_folder.h"

/* Sites of function f: 1 + 3 f entry, + 1 exit, + 2 landed. */
enum { FUNCTIONS = 8, SITES = 1 + 3 * FUNCTIONS, CALLER = 0x1234 };
static uint32_t functions[SITES];
static const struct prof_site_map map = {functions, SITES};

static struct prof_event event(uint64_t time, uint32_t kind, uint32_t function, uint32_t aux) {
  bool is_fork = kind == PROF_EVENT_FORK;
  uint32_t site = is_fork ? 0 : 1 + 3 * function + (kind == PROF_EVENT_FRAME ? 0 : kind - 1);
  return (struct prof_event){time, prof_event_what(site, kind), aux};
}

static void take(prof_matcher *matcher, struct prof_event one) {
  assert_int_equal(prof_matcher_drain(matcher, &one, 1, &map, false), 1);
}

static void the_youngest_are_kept(void **state) {
  (void)state;
  struct prof_open_frame frames[100] = {{.entry = 7}};
  prof_fork_stacks *stacks = prof_fork_stacks_new(10 * sizeof frames);
  for (uint32_t fork = 1; fork <= 1000; fork++) {
    frames[0].function = fork;
    prof_fork_stacks_keep(stacks,
                          &(struct prof_fork_stack){.fork = fork, .depth = 100, .time = fork, .frames = frames});
    const struct prof_fork_stack *found = prof_fork_stacks_find(stacks, fork);
    assert_non_null(found);
    assert_int_equal(found->frames[0].function, fork);
    assert_int_equal(found->time, fork);
    assert_null(prof_fork_stacks_find(stacks, fork + 1));
    if (fork > 8)
      assert_non_null(prof_fork_stacks_find(stacks, fork - 8));
    if (fork > 10)
      assert_null(prof_fork_stacks_find(stacks, fork - 10));
  }
  prof_fork_stacks_free(stacks);
}

static void one_is_kept_however_deep(void **state) {
  (void)state;
  static struct prof_open_frame frames[1000];
  prof_fork_stacks *stacks = prof_fork_stacks_new(1);
  prof_fork_stacks_keep(stacks, &(struct prof_fork_stack){.fork = 1, .depth = 1000, .frames = frames});
  assert_non_null(prof_fork_stacks_find(stacks, 1));
  prof_fork_stacks_keep(stacks, &(struct prof_fork_stack){.fork = 2, .frames = frames});
  assert_null(prof_fork_stacks_find(stacks, 1));
  assert_int_equal(prof_fork_stacks_find(stacks, 2)->depth, 0);
  prof_fork_stacks_free(stacks);
}

/* What a thread wrote, read back: steps in `steps`, and the frames of its first chunk. */
struct told {
  struct prof_chunk chunk;
  struct prof_step steps[32];
  size_t count;
};

static void read_back(const struct trace_folder *folder, uint32_t index, struct told *told) {
  prof_trace *trace;
  struct prof_cursor cursor;
  *told = (struct told){.count = 0};
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  assert_int_equal(prof_chunk_load(trace, prof_trace_thread_chunks(trace)[index], NULL, &told->chunk), PROF_OK);
  prof_cursor_begin(&cursor, &told->chunk);
  while (prof_cursor_next(&cursor, &told->steps[told->count]))
    told->count++;
  prof_trace_close(trace);
}

static void compare_child(const struct trace_folder *folder) {
  struct told told;
  const uint32_t sites[] = {1, 4, 4};
  const struct prof_step expected[] = {{.op = PROF_OP_NOTHING, .time = 1300},
                                       {.op = PROF_OP_ENTRY, .time = 1500},
                                       {.op = PROF_OP_LANDED, .time = 1600, .count = 2},
                                       {.op = PROF_OP_EXIT, .time = 1700},
                                       {.op = PROF_OP_EXIT, .time = 1800}};
  read_back(folder, 1, &told);
  assert_int_equal(told.chunk.base_time, 1300);
  assert_int_equal(told.chunk.frame_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(told.chunk.edges[told.chunk.frames[i].edge].site, sites[i]);
    assert_int_equal(told.chunk.edges[told.chunk.frames[i].edge].caller, CALLER + i);
    assert_int_equal(told.chunk.frames[i].entry, 1300);
  }
  assert_int_equal(told.count, 5);
  for (size_t i = 0; i < told.count; i++) {
    assert_int_equal(told.steps[i].op, expected[i].op);
    assert_int_equal(told.steps[i].time, expected[i].time);
    assert_int_equal(told.steps[i].count, expected[i].count);
  }
  prof_chunk_free(&told.chunk);
}

/* Parent: a calls b (recursive, with a frame address) calls b, fork; child: leaves the inner b, lands in the outer. */
static void a_child_begins_in_its_parents_frames(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  for (uint32_t site = 1; site < SITES; site++)
    functions[site] = (site - 1) / 3;
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_fork_stacks *stacks = prof_fork_stacks_new(1 << 20);
  prof_matcher *parent = prof_matcher_new(packer, 1), *child = prof_matcher_new(packer, 2);
  prof_matcher_keep_forks(parent, stacks);
  take(parent, event(1000, PROF_EVENT_ENTRY, 0, CALLER));
  take(parent, event(1100, PROF_EVENT_ENTRY, 1, CALLER + 1));
  take(parent, event(1100, PROF_EVENT_FRAME, 1, 0x7000));
  take(parent, event(1200, PROF_EVENT_ENTRY, 1, CALLER + 2));
  take(parent, event(1200, PROF_EVENT_FRAME, 1, 0x6000));
  take(parent, event(1300, PROF_EVENT_FORK, 0, 5));
  take(parent, event(1400, PROF_EVENT_EXIT, 1, 0)); /* the parent goes on before the child is met */
  assert_int_equal(prof_encoder_waiting(prof_matcher_encoder(parent)), 4);
  assert_true(prof_matcher_inherit(child, prof_fork_stacks_find(stacks, 5)));
  take(child, event(1500, PROF_EVENT_ENTRY, 2, CALLER + 3));
  take(child, event(1600, PROF_EVENT_LANDED, 1, 0x7000));
  take(child, event(1700, PROF_EVENT_EXIT, 1, 0));
  take(child, event(1800, PROF_EVENT_EXIT, 0, 0));
  struct prof_matcher_figures figures;
  prof_matcher_figures(child, &figures);
  assert_int_equal(figures.unmatched, 0);
  assert_int_equal(figures.depth, 0);
  assert_int_equal(figures.first_ticks, 1300);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(parent), true), PROF_OK);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(child), true), PROF_OK);
  prof_matcher_free(parent);
  prof_matcher_free(child);
  prof_packer_free(packer);
  prof_fork_stacks_free(stacks);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);

  compare_child(&folder);
  trace_folder_remove(&folder);
}

/* A thread that ends from below leaves its frames; one whose frames are all left writes nothing more. */
static void a_thread_that_ends_from_below(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  take(matcher, (struct prof_event){500, prof_event_what(0, PROF_EVENT_BOTTOM), 0});
  assert_int_equal(prof_encoder_waiting(prof_matcher_encoder(matcher)), 0);
  take(matcher, event(1000, PROF_EVENT_ENTRY, 0, CALLER));
  take(matcher, event(1100, PROF_EVENT_ENTRY, 1, CALLER));
  take(matcher, (struct prof_event){1200, prof_event_what(0, PROF_EVENT_BOTTOM), 0});
  take(matcher, event(1300, PROF_EVENT_ENTRY, 2, CALLER));
  take(matcher, event(1400, PROF_EVENT_EXIT, 2, 0));
  take(matcher, (struct prof_event){1500, prof_event_what(0, PROF_EVENT_BOTTOM), 0});
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.events, 5);
  assert_int_equal(figures.skipped, 2);
  assert_int_equal(figures.depth, 0);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  struct told told;
  read_back(&folder, 0, &told);
  assert_int_equal(told.count, 5);
  assert_int_equal(told.steps[2].op, PROF_OP_LANDED);
  assert_int_equal(told.steps[2].count, 2);
  prof_chunk_free(&told.chunk);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_youngest_are_kept),
      cmocka_unit_test(one_is_kept_however_deep),
      cmocka_unit_test(a_child_begins_in_its_parents_frames),
      cmocka_unit_test(a_thread_that_ends_from_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
