/*
 * test_match_zones.c - zones in the matcher: ends by name and by line, landings, loops whose exit comes before the
 * zone's, pauses.
 *
 * Each case goes through a matcher twice in a row: the first time edges are new, the second time the fast path has
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace_folder.h"

enum {
  ENTER_F = 1,
  EXIT_F,
  LAND_F,
  ENTER_G,
  EXIT_G,
  ENTER_A,
  EXIT_A,
  ENTER_B,
  EXIT_B,
  EXIT_LINE,
  LOOP,
  END_LOOP,
  BEGIN_I,
  END_I,
  ENTER_C,
  EXIT_C,
  SITES
};
enum { F = 1, G, A, B, L, I, C, LINE_A = 7, LINE_B = 9, LINE_C = 11 };
static const uint32_t functions[SITES] = {PROF_MATCHER_NO_FUNCTION, F, F, F, G, G, A, A, B, B,
                                          PROF_MATCHER_NO_FUNCTION, L, L, I, I, C, C};
static const uint32_t addresses[SITES] = {0,   100, 900, 800, 1100, 1200, 200,  400, 300,
                                          350, 380, 150, 600, 160,  500,  1150, 1160};
static const uint32_t zones[SITES] = {[ENTER_A] = PROF_MATCHER_ZONE | LINE_A,
                                      [ENTER_B] = PROF_MATCHER_ZONE | PROF_MATCHER_BY_NAME | LINE_B,
                                      [ENTER_C] =
                                          PROF_MATCHER_ZONE | PROF_MATCHER_APART | PROF_MATCHER_BY_NAME | LINE_C,
                                      [EXIT_LINE] = PROF_MATCHER_ZONE,
                                      [BEGIN_I] = PROF_MATCHER_ITERATION};
static const struct prof_site_map map = {functions, SITES, addresses, zones};
static const uint8_t kinds[SITES] = {
    [ENTER_F] = PROF_EVENT_ENTRY,  [EXIT_F] = PROF_EVENT_EXIT,     [LAND_F] = PROF_EVENT_LANDED,
    [ENTER_G] = PROF_EVENT_ENTRY,  [EXIT_G] = PROF_EVENT_EXIT,     [ENTER_A] = PROF_EVENT_ENTRY,
    [EXIT_A] = PROF_EVENT_EXIT,    [ENTER_B] = PROF_EVENT_ENTRY,   [EXIT_B] = PROF_EVENT_EXIT,
    [EXIT_LINE] = PROF_EVENT_EXIT, [LOOP] = PROF_EVENT_LOOP_ENTRY, [END_LOOP] = PROF_EVENT_LOOP_EXIT,
    [BEGIN_I] = PROF_EVENT_ENTRY,  [END_I] = PROF_EVENT_EXIT,      [ENTER_C] = PROF_EVENT_ENTRY,
    [EXIT_C] = PROF_EVENT_EXIT,
};

enum { MOST = 16 };
struct fed {
  uint32_t site, aux; /* site 0: the end; kind: its own, but for */
  uint32_t kind;      /* VALUE and STOP */
};
struct expected {
  enum prof_op op;
  uint64_t count;
};
struct scene {
  struct fed fed[MOST];
  struct expected steps[MOST];
  size_t step_count;
  uint64_t unmatched, skipped;
};

static size_t feed(const struct scene *scene, struct prof_event *slots, uint64_t *time) {
  size_t count = 0;
  for (const struct fed *fed = scene->fed; fed->site || fed->kind; fed++) {
    uint32_t kind = fed->kind ? fed->kind : kinds[fed->site];
    uint64_t word = kind == PROF_EVENT_VALUE ? PROF_EVENT_VALUE_BIT | fed->aux : ++*time;
    slots[count++] =
        (struct prof_event){word, prof_event_what(fed->site, kind), kind == PROF_EVENT_VALUE ? 0 : fed->aux};
  }
  return count;
}

static void compare(const char *path, const struct scene *scene) {
  prof_trace *trace;
  struct prof_chunk chunk = {0};
  struct prof_cursor cursor;
  struct prof_step step;
  size_t chunk_count, at = 0;
  assert_int_equal(prof_trace_open(path, NULL, &trace), PROF_OK);
  prof_trace_chunks(trace, &chunk_count);
  for (size_t i = 0; i < chunk_count; i++) {
    assert_int_equal(prof_chunk_load(trace, i, NULL, &chunk), PROF_OK);
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &step)) {
      const struct expected *wanted = &scene->steps[at++ % scene->step_count];
      assert_int_equal(step.op, wanted->op);
      assert_int_equal(step.count, wanted->count);
    }
  }
  assert_int_equal(at, 2 * scene->step_count);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void play(const struct scene *scene) {
  struct trace_folder folder;
  struct prof_event slots[2 * MOST];
  struct prof_matcher_figures figures;
  prof_writer *writer;
  uint64_t time = 1000;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  size_t count = feed(scene, slots, &time);
  count += feed(scene, slots + count, &time);
  size_t done = 0;
  while (done < count)
    done += prof_matcher_drain(matcher, slots + done, count - done, &map, false);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.unmatched, 2 * scene->unmatched);
  assert_int_equal(figures.skipped, 2 * scene->skipped);
  assert_int_equal(figures.dropped + figures.depth, 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  compare(folder.path, scene);
  trace_folder_remove(&folder);
}

#define IN                                                                                                             \
  { PROF_OP_ENTRY, 0 }
#define OUT                                                                                                            \
  { PROF_OP_EXIT, 0 }

#define AROUND(n)                                                                                                      \
  { PROF_OP_EXIT_AROUND, n }

static void nested_by_name_and_line(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_A},
                                             {.site = ENTER_B},
                                             {.site = EXIT_LINE, .aux = LINE_B},
                                             {.site = EXIT_A},
                                             {.site = ENTER_A},
                                             {.site = ENTER_A},
                                             {.site = EXIT_LINE, .aux = LINE_A},
                                             {.site = EXIT_LINE, .aux = LINE_A},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, OUT, OUT, IN, IN, OUT, OUT, OUT},
                                     .step_count = 10};
  play(&scene);
}

static void an_outer_end_ends_the_inner(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_B},
              {.site = ENTER_A},
              {.site = EXIT_LINE, .aux = LINE_B},
              {.site = EXIT_A},
              {.site = EXIT_LINE, .aux = LINE_A},
              {.site = EXIT_LINE, .aux = 8}},
      .steps = {IN, IN, {PROF_OP_EXIT, 1}, {PROF_OP_UNMATCHED, 0}, {PROF_OP_UNMATCHED, 0}, {PROF_OP_UNMATCHED, 0}},
      .step_count = 6,
      .unmatched = 3,
      .skipped = 1};
  play(&scene);
}

/* B has an end by name, so it may overlap with A. */
static void zones_overlap(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_A},
                                             {.site = LOOP},
                                             {.site = ENTER_B},
                                             {.site = ENTER_A},
                                             {.site = EXIT_LINE, .aux = LINE_A},
                                             {.site = EXIT_A},
                                             {.site = EXIT_B},
                                             {.site = END_LOOP},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, IN, IN, OUT, AROUND(2), OUT, OUT, OUT},
                                     .step_count = 10};
  play(&scene);
}

/* C begins in G, in the middle, and ends in another G; F returns before. */
static void a_zone_goes_on_behind_its_function(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_F},
              {.site = ENTER_G},
              {.site = ENTER_C},
              {.site = ENTER_A},
              {.site = EXIT_A},
              {.site = EXIT_G},
              {.site = EXIT_F},
              {.site = ENTER_F},
              {.site = ENTER_G},
              {.site = EXIT_C},
              {.site = ENTER_A},
              {.site = EXIT_A},
              {.site = EXIT_G},
              {.site = EXIT_F}},
      .steps = {IN, IN, IN, IN, OUT, AROUND(1), AROUND(1), IN, IN, AROUND(2), IN, OUT, OUT, OUT},
      .step_count = 14};
  play(&scene);
}

/* The loop's exit doesn't wait for C, but for B in it; A, which has no end by name, ends with G. */
static void what_stays_and_what_not(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_G},
              {.site = LOOP},
              {.site = ENTER_C},
              {.site = END_LOOP},
              {.site = LOOP},
              {.site = ENTER_B},
              {.site = END_LOOP},
              {.site = ENTER_C},
              {.site = EXIT_B},
              {.site = ENTER_A},
              {.site = EXIT_G},
              {.site = EXIT_C},
              {.site = EXIT_C}},
      .steps = {IN, IN, IN, AROUND(1), IN, IN, IN, AROUND(1), AROUND(1), IN, {PROF_OP_LANDED, 1}, AROUND(2), OUT, OUT},
      .step_count = 14,
      .skipped = 1};
  play(&scene);
}

/* longjmp leaves G, and C with it, which was F's; a zone right inside of the frame where control lands stays. */
static void a_landing_ends_zones_further_in(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_F},
              {.site = ENTER_C},
              {.site = ENTER_G},
              {.site = ENTER_C},
              {.site = ENTER_A},
              {.site = LAND_F},
              {.site = EXIT_F},
              {.site = EXIT_C},
              {.site = EXIT_C}},
      .steps = {IN, IN, IN, IN, IN, {PROF_OP_LANDED, 3}, AROUND(1), OUT, {PROF_OP_UNMATCHED, 0}},
      .step_count = 9,
      .unmatched = 1,
      .skipped = 3};
  play(&scene);
}

static void a_function_ends_its_zones(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_F}, {.site = ENTER_A}, {.site = ENTER_G}, {.site = EXIT_G}, {.site = EXIT_F}},
      .steps = {IN, IN, IN, OUT, {PROF_OP_EXIT, 1}},
      .step_count = 5,
      .skipped = 1};
  play(&scene);
}

/* G only begins the zone, and only ends it, for F: a constructor and a destructor. */
static void a_function_for_its_caller(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_G},
                                             {.site = ENTER_A},
                                             {.site = EXIT_G},
                                             {.site = ENTER_G},
                                             {.site = EXIT_LINE, .aux = LINE_A},
                                             {.site = EXIT_G},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, OUT, IN, IN, OUT, OUT, OUT},
                                     .step_count = 8};
  play(&scene);
}

/* A wrapper in a wrapper, around a loop of F that ends with the zone. */
/* Also where it began inside of another zone before, so that the fast path knows its edge. */
static void a_function_for_its_caller_again(void **state) {
  (void)state;
  play(&(struct scene){{{ENTER_F}, {ENTER_A}, {ENTER_C}, {EXIT_C}, {EXIT_A}, {ENTER_C}, {EXIT_F}, {EXIT_C}},
                       {{PROF_OP_ENTRY},
                        {PROF_OP_ENTRY},
                        {PROF_OP_ENTRY},
                        {PROF_OP_EXIT},
                        {PROF_OP_EXIT},
                        {PROF_OP_EXIT},
                        {PROF_OP_ENTRY},
                        {PROF_OP_EXIT}},
                       8,
                       0,
                       0});
}

static void a_wrapper_in_a_wrapper(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = LOOP},
                                             {.site = ENTER_G},
                                             {.site = ENTER_G},
                                             {.site = ENTER_A},
                                             {.site = EXIT_G},
                                             {.site = EXIT_G},
                                             {.site = END_LOOP},
                                             {.site = ENTER_G},
                                             {.site = ENTER_G},
                                             {.site = EXIT_A},
                                             {.site = EXIT_G},
                                             {.site = EXIT_G},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, IN, OUT, OUT, IN, IN, IN, OUT, OUT, OUT, OUT, OUT},
                                     .step_count = 14};
  play(&scene);
}

/* G goes on after the end, so the zone ends where it says, and takes G with it. */
static void an_end_in_the_middle(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_A},
                                             {.site = ENTER_G},
                                             {.site = EXIT_A},
                                             {.site = ENTER_B},
                                             {.site = EXIT_B},
                                             {.site = EXIT_G},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, {PROF_OP_EXIT, 1}, IN, OUT, {PROF_OP_UNMATCHED, 0}, OUT},
                                     .step_count = 8,
                                     .unmatched = 1,
                                     .skipped = 1};
  play(&scene);
}

static void a_landing_keeps_zones(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_A},
                                             {.site = LOOP},
                                             {.site = ENTER_B},
                                             {.site = ENTER_G},
                                             {.site = LAND_F},
                                             {.site = EXIT_B},
                                             {.site = END_LOOP},
                                             {.site = EXIT_A},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, IN, IN, {PROF_OP_LANDED, 1}, OUT, OUT, OUT, OUT},
                                     .step_count = 10,
                                     .skipped = 1};
  play(&scene);
}

static void a_loop_waits_for_its_zones(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = LOOP},
                                             {.site = ENTER_A},
                                             {.site = END_LOOP},
                                             {.site = END_LOOP, .aux = 5, .kind = PROF_EVENT_VALUE},
                                             {.site = ENTER_G},
                                             {.site = EXIT_G},
                                             {.site = EXIT_A},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, IN, OUT, OUT, OUT, {PROF_OP_VALUE, 5}, OUT},
                                     .step_count = 9};
  play(&scene);
}

/* Its function ends first: the iterations have no exit to belong to. */
static void a_zone_left_open_in_a_loop(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = LOOP},
                                             {.site = ENTER_A},
                                             {.site = END_LOOP},
                                             {.site = END_LOOP, .aux = 5, .kind = PROF_EVENT_VALUE},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, {PROF_OP_EXIT, 2}},
                                     .step_count = 4,
                                     .skipped = 1};
  play(&scene);
}

/* The zone's end shows that it is open still. */
static void a_pause_inside(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = ENTER_A},
                                             {.aux = PROF_EVENT_STOP_PAUSE, .kind = PROF_EVENT_STOP},
                                             {.site = EXIT_LINE, .aux = LINE_A},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, {PROF_OP_STOP, 0}, {PROF_OP_NOTHING, 0}, OUT, OUT},
                                     .step_count = 6};
  play(&scene);
}

/* Of a loop without events, and of one with them: its exit may come before the last iteration's. */
static void iterations(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_F},
              {.site = BEGIN_I},
              {.site = ENTER_G},
              {.site = EXIT_G},
              {.site = END_I},
              {.site = LOOP},
              {.site = BEGIN_I},
              {.site = END_I},
              {.site = BEGIN_I},
              {.site = END_LOOP},
              {.site = END_LOOP, .aux = 2, .kind = PROF_EVENT_VALUE},
              {.site = END_I},
              {.site = EXIT_F}},
      .steps = {IN, IN, IN, OUT, OUT, IN, IN, OUT, IN, OUT, OUT, {PROF_OP_VALUE, 2}, OUT},
      .step_count = 13};
  play(&scene);
}

/* longjmp left both, and the loop begins again: its exit waits no longer. */
static void a_loop_begun_again(void **state) {
  (void)state;
  static const struct scene scene = {
      .fed = {{.site = ENTER_F},
              {.site = LOOP},
              {.site = BEGIN_I},
              {.site = END_LOOP},
              {.site = END_LOOP, .aux = 1, .kind = PROF_EVENT_VALUE},
              {.site = LOOP},
              {.site = BEGIN_I},
              {.site = END_I},
              {.site = END_LOOP},
              {.site = END_LOOP, .aux = 4, .kind = PROF_EVENT_VALUE},
              {.site = EXIT_F}},
      .steps = {IN, IN, IN, {PROF_OP_EXIT, 1}, {PROF_OP_VALUE, 1}, IN, IN, OUT, OUT, {PROF_OP_VALUE, 4}, OUT},
      .step_count = 11,
      .skipped = 1};
  play(&scene);
}

/* longjmp left the first one: what is in it ends with it, before the next one begins.  A call of F itself has its own.
 */
static void an_iteration_left_by_a_jump(void **state) {
  (void)state;
  static const struct scene scene = {.fed = {{.site = ENTER_F},
                                             {.site = BEGIN_I},
                                             {.site = ENTER_A},
                                             {.site = BEGIN_I},
                                             {.site = ENTER_F},
                                             {.site = BEGIN_I},
                                             {.site = END_I},
                                             {.site = EXIT_F},
                                             {.site = END_I},
                                             {.site = EXIT_F}},
                                     .steps = {IN, IN, IN, {PROF_OP_EXIT, 1}, IN, IN, IN, OUT, OUT, OUT, OUT},
                                     .step_count = 11,
                                     .skipped = 2};
  play(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_by_name_and_line),
      cmocka_unit_test(an_outer_end_ends_the_inner),
      cmocka_unit_test(zones_overlap),
      cmocka_unit_test(a_zone_goes_on_behind_its_function),
      cmocka_unit_test(what_stays_and_what_not),
      cmocka_unit_test(a_landing_ends_zones_further_in),
      cmocka_unit_test(a_function_ends_its_zones),
      cmocka_unit_test(a_function_for_its_caller),
      cmocka_unit_test(a_function_for_its_caller_again),
      cmocka_unit_test(a_wrapper_in_a_wrapper),
      cmocka_unit_test(an_end_in_the_middle),
      cmocka_unit_test(a_landing_keeps_zones),
      cmocka_unit_test(a_loop_waits_for_its_zones),
      cmocka_unit_test(a_zone_left_open_in_a_loop),
      cmocka_unit_test(a_pause_inside),
      cmocka_unit_test(iterations),
      cmocka_unit_test(a_loop_begun_again),
      cmocka_unit_test(an_iteration_left_by_a_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
