/*
 * test/unit/test_sampling_cut.c - a thread that waits while a recording goes on in its next file waits in both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "record/sampling/sampling_write.h"
#include "trace_folder.h"

enum { OFF = PROF_SWITCH_WAITS, CUT = 1000 };

struct state {
  struct trace_folder folder;
  struct prof_slices slices;
  struct prof_sampling sampling;
  struct prof_sampling_strand *strand;
};

static void begin(struct state *state) {
  *state = (struct state){0};
  trace_folder_make(&state->folder);
  state->sampling.slices = &state->slices;
  assert_int_equal(prof_writer_open(state->folder.path, NULL, NULL, &state->sampling.writer), PROF_OK);
  assert_true(prof_vec_push(&state->sampling.images, ((struct prof_sampling_image){.process = 1, .used = true})));
  assert_true(prof_vec_push(&state->sampling.strands, ((struct prof_sampling_strand){.thread = 1, .used = true})));
  state->strand = &state->sampling.strands.items[0];
}

static void end(struct state *state) {
  assert_int_equal(prof_writer_close(state->sampling.writer, NULL), PROF_OK);
  prof_vec_fini(&state->strand->switches);
  prof_vec_fini(&state->sampling.strands);
  prof_vec_fini(&state->sampling.images);
  trace_folder_remove(&state->folder);
}

static void cut(struct state *state) {
  prof_sampling_cut_end(&state->sampling, 0, CUT, NULL, 0);
  prof_sampling_cut_begin(&state->sampling);
}

static void add(struct state *state, uint64_t time, uint8_t flags) {
  assert_true(prof_vec_push(&state->strand->switches, ((struct prof_sample_record){.time = time, .flags = flags})));
}

/* What the next file begins with. */
static void expect(struct state *state, size_t count, uint64_t time, uint8_t flags) {
  assert_int_equal(state->strand->switches.count, count);
  if (count == 0)
    return;
  const struct prof_sample_record *last = &state->strand->switches.items[count - 1];
  assert_int_equal(last->time, time);
  assert_int_equal(last->flags, flags);
}

static void went_off_before(void **unused) {
  (void)unused;
  struct state state;
  begin(&state);
  add(&state, CUT - 300, PROF_SWITCH_ON);
  add(&state, CUT - 200, OFF);
  cut(&state);
  expect(&state, 1, CUT, OFF);
  assert_int_equal(state.strand->written_switch.time, CUT - 1); /* the first file's wait ends there */
  assert_int_equal(state.strand->written_switch.flags, PROF_SWITCH_ON);
  end(&state);
}

static void runs(void **unused) {
  (void)unused;
  struct state state;
  begin(&state);
  add(&state, CUT - 300, OFF);
  add(&state, CUT - 200, PROF_SWITCH_ON);
  cut(&state);
  expect(&state, 0, 0, 0);
  end(&state);
}

static void goes_off_after(void **unused) {
  (void)unused;
  struct state state;
  begin(&state);
  add(&state, CUT - 300, PROF_SWITCH_ON);
  add(&state, CUT + 100, OFF);
  cut(&state);
  expect(&state, 1, CUT + 100, OFF);
  end(&state);
}

/* The first file has its switch off, although it is after the cut. */
static void was_written_already(void **unused) {
  (void)unused;
  struct state state;
  begin(&state);
  state.strand->written_switch = (struct prof_sample_record){.time = CUT + 100, .flags = OFF};
  cut(&state);
  expect(&state, 1, CUT + 100, OFF);
  end(&state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(went_off_before), cmocka_unit_test(runs),
                                     cmocka_unit_test(goes_off_after), cmocka_unit_test(was_written_already)};
  return cmocka_run_group_tests_name("sampling_cut", tests, NULL, NULL);
}
