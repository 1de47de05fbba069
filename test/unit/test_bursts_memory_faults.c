/*
 * test/unit/test_bursts_memory_faults.c - estimates of functions in bursts when the Nth allocation fails, for every N.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "failing_memory.h"
#include "trace_folder.h"
#include "tracetext.h"

static const char text[] = "process 1 count=1 count-among=0.5\n"
                           "sampler method=1 hz=1000 period=500 switches=1\n"
                           "thread main cpu=10000\n"
                           "loop round main\n"
                           "state hot @0 burst\nstate leaf @0 burst\nstate between @0 burst\n"
                           "main @0 enter main\nmain @1000 enter work caller=main\n"
                           "main @9000 exit work\nmain @10000 exit main\n"
                           "main @1500 waits\nmain @1600 on\n"
                           "main @500 sample main\nmain @2000 sample work callers=between,main\n"
                           "main @3000 sample hot callers=work,between,main\n"
                           "main @4000 sample leaf callers=hot,work,between,main\n"
                           "window @1100 for=100\nin main events=30\n"
                           "counted hot calls=10 caller=work\ncounted leaf calls=20 caller=hot\n"
                           "window @3300 for=100\nin main events=30\n"
                           "counted hot calls=10 caller=work\ncounted rare calls=2 caller=leaf\n";

/* With windows that count, of both kinds, so that what counting costs is found too. */
static prof_status write_text(const char *path, struct prof_diag *diag) {
  char *whole;
  size_t bytes;
  FILE *out = open_memstream(&whole, &bytes);
  assert_non_null(out);
  fputs(text, out);
  for (unsigned i = 0; i < 24; i++)
    fprintf(out, "window @%u for=50 counts=1 part=%u\nin main events=0\ncounted hot calls=%u\ncounted leaf calls=9\n",
            5000 + 100 * i, UINT32_MAX - i % 2, 5 + i % 3);
  fclose(out);
  prof_status status = prof_tracetext_write(whole, "text", path, diag);
  free(whole);
  return status;
}

/* Folds with the Nth allocation failing, for every N until none does. */
static void fold_all(const prof_trace *trace, const struct prof_filter *filter, bool places, bool loops) {
  for (long n = 0;; n++) {
    struct prof_diag diag;
    struct prof_profile *profile;
    struct prof_samples *samples;
    const struct prof_fold_options options = {.workers = 1, .places = places, .loops = loops};
    fail_from(n);
    prof_status status = prof_samples_fold(trace, filter, &options, &diag, &profile, &samples);
    allocations_left = -1;
    assert_true(status == PROF_OK || (status == PROF_NO_MEMORY && failures > 0));
    assert_true((status == PROF_OK) == (profile != NULL) && (status == PROF_OK) == (samples != NULL));
    if (status == PROF_OK && failures == 0)
      assert_true(profile->estimated_nodes != NULL && profile->estimated_functions != NULL);
    prof_profile_free(profile);
    prof_samples_free(samples);
    if (failures == 0) {
      assert_true(n > 20);
      return;
    }
  }
}

static void folding(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_diag diag;
  prof_trace *trace;
  trace_folder_make(&folder);
  assert_int_equal(write_text(folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  fold_all(trace, NULL, true, true);
  fold_all(trace, NULL, false, false); /* both are cut out */
  static const char *const only[] = {"hot"};
  const struct prof_filter_spec spec = {.only = only, .only_count = 1, .end_ns = UINT64_MAX};
  struct prof_filter filter;
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_OK);
  fold_all(trace, &filter, false, false);
  prof_filter_fini(&filter);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folding)};
  return cmocka_run_group_tests_name("bursts_memory_faults", tests, NULL, NULL);
}
