/*
 * test/unit/test_burst_calls.c - calls of functions in bursts, in a thread that waits for the recorder meanwhile.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "trace_folder.h"
#include "tracetext.h"

#define MS 1000000u
#define EVERY_MS 2u     /* a window */
#define STALL_BEGIN 20u /* ms */
#define STALL_END 60u
#define END 100u
#define HOT 1u /* its number */
#define WARM 2u
#define HOT_SITE 4u /* of its entry: tracetext_write.c gives a function three, from 1 on */
#define WARM_SITE 7u
#define WHOLE_MS 600u

/* Of the text, which it frees. */
static struct prof_profile *folded(char *text) {
  struct trace_folder folder;
  struct prof_diag diag;
  struct prof_profile *profile;
  struct prof_samples *samples;
  prof_trace *trace;
  const struct prof_fold_options options = {.workers = 1};
  trace_folder_make(&folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  assert_int_equal(prof_samples_fold(trace, NULL, &options, &diag, &profile, &samples), PROF_OK);
  prof_samples_free(samples);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  free(text);
  return profile;
}

/* hot is called five times a microsecond while the thread runs; `running`: windows lie in that time too.  costs: of the
 * process. */
static struct prof_profile *estimated(bool running, const char *costs) {
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  assert_non_null(out);
  fprintf(out,
          "clock hz=1000000000\nprocess 1 %s\nsampler method=1 hz=1000 period=1000000 switches=1\nfunction main "
          "line=3\nfunction hot line=9\nthread main tid=10 cpu=%u\nstate hot @0 burst\nmain @0 enter main\n"
          "main @%u stall\nmain @%u waits\nmain @%u on\nmain @%u resume\nmain @%u exit main\n",
          costs, (END - STALL_END + STALL_BEGIN) * MS, STALL_BEGIN * MS, STALL_BEGIN * MS + 1000, STALL_END * MS - 1000,
          STALL_END * MS, END * MS);
  for (unsigned ms = 1; ms < END; ms += EVERY_MS) {
    bool stands = ms > STALL_BEGIN && ms < STALL_END;
    if (running || stands)
      fprintf(out, "window @%u for=20000 counts=1\n", ms * MS);
    if (running && !stands)
      fprintf(out, "in main events=0\ncounted hot calls=100\n");
  }
  fclose(out);
  return folded(text);
}
/* The thread runs for 60 of 100 ms; in the windows of the other 40 it stands still. */
static void windows_in_a_wait_for_the_recorder_dont_count(void **state) {
  (void)state;
  struct prof_profile *profile = estimated(true, "");
  const uint64_t truth = (END - STALL_END + STALL_BEGIN) * 5000;
  assert_in_range(profile->functions[HOT].calls, truth * 95 / 100, truth * 105 / 100);
  prof_profile_free(profile);
}

/* All windows lie in that wait: nothing can be said. */
static void such_windows_alone_tell_nothing(void **state) {
  (void)state;
  struct prof_profile *profile = estimated(false, "");
  assert_true(profile->estimated_functions[HOT].what & PROF_ESTIMATED_UNKNOWN);
  prof_profile_free(profile);
}

/* By the kernel it waited for longer than for the recorder: no time is left in which it could have called. */
static void a_thread_without_time_of_its_own_tells_nothing(void **state) {
  (void)state;
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  assert_non_null(out);
  fprintf(
      out,
      "clock hz=1000000000\nprocess 1\nsampler method=1 hz=1000 period=1000000 switches=1\nfunction main line=3\n"
      "function hot line=9\nthread main tid=10 cpu=%u\nstate hot @%u burst\nmain @0 enter main\nmain @1000 enter hot\n"
      "main @2000 exit hot\nmain @%u waits\nmain @%u stall\nmain @%u resume\nmain @%u on\nmain @%u exit main\n",
      38 * MS, 15 * MS, 19 * MS, 20 * MS, 80 * MS, 81 * MS, END * MS);
  fclose(out);
  struct prof_profile *profile = folded(text);
  assert_true(profile->estimated_functions[HOT].what & PROF_ESTIMATED_UNKNOWN);
  prof_profile_free(profile);
}

/* Other work may hide what counting costs: the interval reaches from that to its cost alone. */
static void a_cost_that_is_hidden_is_in_the_interval(void **state) {
  (void)state;
  const uint64_t truth = (END - STALL_END + STALL_BEGIN) * 5000;
  struct prof_profile *hidden = estimated(true, "count=100 count-among=0");
  assert_in_range(hidden->functions[HOT].calls, truth * 190 / 100, truth * 210 / 100);
  assert_in_range(hidden->estimated_functions[HOT].calls_low, truth * 70 / 100, truth);
  prof_profile_free(hidden);
  struct prof_profile *known = estimated(true, "count=100 count-among=100");
  assert_in_range(known->estimated_functions[HOT].calls_low, truth * 140 / 100, truth * 180 / 100);
  prof_profile_free(known);
}

/*
 * Counting costs half of what the calibration has.  Two functions are called as often; every third window has one of
 * them on, which the cost of the other doesn't slow down.
 */
static struct prof_profile *of_two(bool parts) {
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  assert_non_null(out);
  fprintf(out,
          "clock hz=1000000000\nprocess 1 count=100 count-among=0\nsampler method=1 hz=1000 period=1000000 "
          "switches=1\nfunction main line=3\nfunction hot line=9\nfunction warm line=12\nthread main tid=10 cpu=%u\n"
          "state hot @0 burst\nstate warm @0 burst\nmain @0 enter main\nmain @%u exit main\n",
          WHOLE_MS * MS, WHOLE_MS * MS);
  for (unsigned ms = 1, turn = 0; ms < WHOLE_MS; ms += EVERY_MS, turn++) {
    const bool whole = !parts || turn % 3 != 0;
    const uint32_t part = whole ? UINT32_MAX : 1u << 31;
    uint64_t seed = ms;
    while (!whole && prof_window_has(seed, part, HOT_SITE) == prof_window_has(seed, part, WARM_SITE))
      seed++;
    const bool hot = prof_window_has(seed, part, HOT_SITE), warm = prof_window_has(seed, part, WARM_SITE);
    const unsigned calls = (unsigned)(20000 * 0.005 / (1 + 0.005 * 50 * (hot + warm)));
    fprintf(out, "window @%u for=20000 counts=1 seed=%" PRIu64 " part=%u\nin main events=0\n", ms * MS, seed, part);
    if (hot)
      fprintf(out, "counted hot calls=%u\n", calls);
    if (warm)
      fprintf(out, "counted warm calls=%u\n", calls);
  }
  fclose(out);
  return folded(text);
}

static void windows_with_a_part_tell_what_counting_costs(void **state) {
  (void)state;
  const uint64_t truth = WHOLE_MS * 5000;
  struct prof_profile *profile = of_two(true);
  for (uint32_t i = HOT; i <= WARM; i++) {
    assert_in_range(profile->functions[i].calls, truth * 93 / 100, truth * 107 / 100);
    assert_true(profile->estimated_functions[i].calls_low <= truth);
    assert_true(profile->estimated_functions[i].calls_high >= truth);
  }
  prof_profile_free(profile);
  profile = of_two(false); /* nothing but the calibration is there */
  assert_in_range(profile->functions[HOT].calls, truth * 140 / 100, truth * 500 / 100);
  prof_profile_free(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_without_time_of_its_own_tells_nothing),
                                     cmocka_unit_test(a_cost_that_is_hidden_is_in_the_interval),
                                     cmocka_unit_test(windows_with_a_part_tell_what_counting_costs),
                                     cmocka_unit_test(windows_in_a_wait_for_the_recorder_dont_count),
                                     cmocka_unit_test(such_windows_alone_tell_nothing)};
  return cmocka_run_group_tests_name("burst_calls", tests, NULL, NULL);
}
