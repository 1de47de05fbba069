/*
 * test/unit/test_bursts_one_answer.c - in a recording with a budget every way to fold comes to the same times and
 * calls.
 *
 * Loops, and places that call, are nodes only where they are asked for; what is not asked for is cut out afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "trace_folder.h"
#include "tracetext.h"

/* work calls itself's two halves: in its loop it runs 4,000 ticks with 6 samples, outside 3,000 with 2. */
static const char text[] =
    "clock hz=1000000000\nsampler method=1 hz=1000 period=500 switches=1\n"
    "function main line=3\nfunction work line=10\nfunction step line=20\nfunction hot line=30\nfunction leaf line=40\n"
    "loop round work line=11 last=14 flags=probed\nthread main tid=10 cpu=10000\n"
    "state hot @0 burst\nstate leaf @0 burst\n"
    "main @0 enter main\n"
    "main @1000 enter work caller=main\nmain @1100 loop round\n"
    "main @2000 enter step caller=work\nmain @3500 exit step\n"
    "main @5100 endloop round iterations=3\n"
    "main @5200 enter step caller=main\nmain @7000 exit step\n"
    "main @9000 exit work\nmain @9100 enter step caller=main\nmain @9900 exit step\nmain @10000 exit main\n"
    "main @500 sample main\nmain @1200 sample work callers=main\nmain @1500 sample hot callers=work,main\n"
    "main @2200 sample step callers=work,main\nmain @2700 sample leaf callers=step,work,main\n"
    "main @3000 sample leaf callers=hot,step,work,main\nmain @4000 sample hot callers=work,main\n"
    "main @4500 sample leaf callers=hot,work,main\nmain @6000 sample step callers=work,main\n"
    "main @6500 sample hot callers=step,work,main\nmain @7500 sample work callers=main\n"
    "main @8000 sample leaf callers=work,main\nmain @9500 sample leaf callers=step,main\n"
    "window @1600 for=100\nin main events=30\ncounted hot calls=10 caller=work\ncounted leaf calls=20 caller=hot\n"
    "window @6100 for=100\nin main events=20\ncounted hot calls=5 caller=step\ncounted leaf calls=20 caller=step\n";

struct answer { /* of a function, its loops' times added */
  uint64_t calls, self, low, high, total;
};

static void ask(const prof_trace *trace, const struct prof_filter *filter, bool loops, bool places,
                struct answer *answers, size_t count) {
  struct prof_diag diag;
  struct prof_profile *profile;
  struct prof_samples *samples;
  const struct prof_fold_options options = {.workers = 1, .places = places, .loops = loops};
  assert_int_equal(prof_samples_fold(trace, filter, &options, &diag, &profile, &samples), PROF_OK);
  assert_true(profile->function_count == count);
  assert_true((profile->loops != NULL) == loops && (profile->places != NULL) == places);
  memset(answers, 0, count * sizeof *answers);
  for (uint32_t i = 1; i < profile->node_count; i++) {
    uint32_t at = i;
    while (profile->nodes[at].function != PROF_NONE && profile->nodes[at].function >= count)
      at = profile->nodes[at].parent;
    assert_true(loops || at == i);
    assert_true(places || profile->nodes[i].place == PROF_NONE);
    if (profile->nodes[i].parent != 0)
      answers[profile->nodes[at].function].self += profile->nodes[i].self_ticks;
  }
  for (size_t i = 0; i < count; i++) {
    const struct prof_estimated *estimated = &profile->estimated_functions[i];
    answers[i].calls = profile->functions[i].calls;
    answers[i].total = profile->functions[i].total_ticks;
    answers[i].low = estimated->self_below_ticks;
    answers[i].high = estimated->self_above_ticks;
  }
  for (size_t i = 0; i < samples->count; i++)
    assert_true(samples->items[i].node == PROF_NONE || samples->items[i].node < profile->node_count);
  prof_profile_free(profile);
  prof_samples_free(samples);
}

/* Rounding to ticks happens once per node. */
static bool is_near(uint64_t left, uint64_t right) {
  return left > right ? left - right <= 3 : right - left <= 3;
}

static void compare(const prof_trace *trace, const struct prof_filter *filter) {
  struct answer all[6], less[6];
  bool estimated = false;
  ask(trace, filter, true, true, all, 6);
  for (int way = 0; way < 3; way++) {
    ask(trace, filter, way == 1, way == 2, less, 6);
    for (size_t i = 0; i < 6; i++) {
      assert_int_equal(all[i].calls, less[i].calls);
      assert_true(is_near(all[i].self, less[i].self) && is_near(all[i].total, less[i].total));
      assert_true(is_near(all[i].low, less[i].low) && is_near(all[i].high, less[i].high));
      estimated |= all[i].low > 3;
    }
  }
  assert_true(estimated);
}

static void folds_agree(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_diag diag;
  prof_trace *trace;
  trace_folder_make(&folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  compare(trace, NULL);
  static const char *const without[] = {"step"};
  const struct prof_filter_spec spec = {.without = without, .without_count = 1, .end_ns = UINT64_MAX};
  struct prof_filter filter;
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_OK);
  compare(trace, &filter);
  prof_filter_fini(&filter);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds_agree)};
  return cmocka_run_group_tests_name("bursts_one_answer", tests, NULL, NULL);
}
