/*
 * test/unit/test_burst_shape.c - a function in bursts stands between its caller and its callees, which events show
 * right beneath its caller: also where samples' chains end in it, as its frame is larger than the copied stack, and in
 * threads without samples.
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

enum { MAIN, HUB, WORK, LEAF };
static const char begin[] = "clock hz=1000000000\nsampler method=1 hz=1000 period=500 switches=1\n"
                            "function main line=3\nfunction hub line=10\nfunction work line=20\nfunction leaf line=30\n"
                            "thread one tid=10 cpu=10000\nthread two tid=11 cpu=10000\n"
                            "state hub @0 burst\nstate leaf @0 burst\n"
                            "one @0 enter main\none @1000 enter work caller=main\none @8000 exit work\n"
                            "one @9900 exit main\n"
                            "two @0 enter main\ntwo @1000 enter work caller=main\ntwo @1100 exit work\n"
                            "two @9900 exit main\n";

static void check_shape(const char *samples, bool has_hub) {
  char text[4096];
  struct trace_folder folder;
  struct prof_diag diag;
  prof_trace *trace;
  struct prof_profile *profile;
  struct prof_samples *found;
  const struct prof_fold_options options = {.workers = 1};
  uint32_t works = 0;
  snprintf(text, sizeof text, "%s%s", begin, samples);
  trace_folder_make(&folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  assert_int_equal(prof_samples_fold(trace, NULL, &options, &diag, &profile, &found), PROF_OK);
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i], *outer = &profile->nodes[node->parent];
    if (node->parent == 0 || node->function != WORK)
      continue;
    works++;
    assert_int_equal(node->calls, 1);
    assert_int_equal(outer->function, has_hub ? HUB : MAIN);
    assert_true(!has_hub || profile->nodes[outer->parent].function == MAIN);
  }
  assert_int_equal(works, 2);
  prof_profile_free(profile);
  prof_samples_free(found);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void whole_chains(void **state) {
  (void)state;
  check_shape("one @1500 sample leaf callers=work,hub,main\none @9000 sample main\n", true);
}

static void cut_chains(void **state) {
  (void)state;
  check_shape("one @1500 sample leaf callers=work,hub\none @9000 sample main\n", true);
}

/* Whole ones count more, however few they are. */
static void both(void **state) {
  (void)state;
  check_shape("one @1500 sample leaf callers=work,hub\none @2500 sample leaf callers=work,hub\n"
              "one @3500 sample leaf callers=work,main\n",
              false);
}

static void no_chain(void **state) {
  (void)state;
  check_shape("one @1500 sample leaf callers=work\none @9000 sample main\n", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole_chains), cmocka_unit_test(cut_chains),
                                     cmocka_unit_test(both), cmocka_unit_test(no_chain)};
  return cmocka_run_group_tests_name("burst_shape", tests, NULL, NULL);
}
