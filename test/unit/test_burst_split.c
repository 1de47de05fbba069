/*
 * test_burst_split.c - calls of nodes in bursts: a function that each call of another calls once has as many calls in
 * every path, also where samples are few; where they contradict, they tell.
 */
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

enum { MAIN, START, LOOP, EACH, ONCE, RARE, FUNCTIONS, TEXT = 1 << 18, HALF = 4000000, WINDOWS = 40 };
static const char *const names[FUNCTIONS] = {"main", "start", "loop", "each", "once", "rare"};

struct recorded {
  uint64_t in_each[FUNCTIONS]; /* calls of `once` beneath, by who called `each` */
  uint64_t each[FUNCTIONS], rare[FUNCTIONS];
};

static void add(char *text, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, TEXT - used, format, arguments);
  va_end(arguments);
}

/* each calls once; both are in bursts.  start and loop call each, as often.  In rare a tenth of the calls of once. */
static char *text_of(const unsigned samples[2][2]) {
  char *text = calloc(1, TEXT);
  assert_non_null(text);
  add(text, "clock hz=1000000000\nsampler method=1 hz=1000 period=1000 switches=1\n");
  for (int i = 0; i < FUNCTIONS; i++)
    add(text, "function %s line=%d\n", names[i], 10 * i + 3);
  add(text, "thread main tid=10 cpu=%d\nstate each @0 burst\nstate once @0 burst\nstate rare @0 burst\n", 2 * HALF);
  add(text, "main @0 enter main\nmain @0 enter start caller=main\nmain @%d exit start\n", HALF);
  add(text, "main @%d enter loop caller=main\nmain @%d exit loop\nmain @%d exit main\n", HALF, 2 * HALF, 2 * HALF);
  for (int half = 0; half < 2; half++) {
    unsigned time = (unsigned)half * HALF + 100;
    for (unsigned i = 0; i < samples[half][0]; i++, time += 10)
      add(text, "main @%u sample each callers=%s,main\n", time, names[START + half]);
    for (unsigned i = 0; i < samples[half][1]; i++, time += 10)
      add(text, "main @%u sample once callers=each,%s,main\n", time, names[START + half]);
  }
  for (int i = 0; i < WINDOWS; i++) {
    const char *caller = names[i < WINDOWS / 2 ? START : LOOP];
    add(text, "window @%d for=1000\nin main events=42\n", 1000 + i * (2 * HALF / WINDOWS));
    add(text, "counted each calls=10 caller=%s\ncounted once calls=10 caller=each\ncounted rare calls=1 caller=once\n",
        caller);
  }
  return text;
}

static void take_node(const struct prof_profile *profile, uint32_t node, struct recorded *out) {
  const struct prof_node *nodes = profile->nodes, *at = &nodes[node];
  const struct prof_node *outer = &nodes[at->parent], *around = &nodes[outer->parent == PROF_NONE ? 0 : outer->parent];
  if (at->function == EACH)
    out->each[outer->function] = at->calls;
  else if (at->function == ONCE && outer->function == EACH)
    out->in_each[around->function] = at->calls;
  else if (at->function == RARE && around->function == EACH)
    out->rare[nodes[around->parent].function] = at->calls;
}

static struct recorded calls_of(const unsigned samples[2][2]) {
  struct recorded out = {{0}, {0}, {0}};
  struct trace_folder folder;
  struct prof_diag diag;
  prof_trace *trace;
  struct prof_profile *profile;
  struct prof_samples *found;
  const struct prof_fold_options options = {.workers = 1};
  char *text = text_of(samples);
  trace_folder_make(&folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder.path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder.path, &diag, &trace), PROF_OK);
  assert_int_equal(prof_samples_fold(trace, NULL, &options, &diag, &profile, &found), PROF_OK);
  for (uint32_t i = 1; i < profile->node_count; i++)
    if (profile->nodes[i].parent != 0)
      take_node(profile, i, &out);
  assert_in_range(profile->functions[ONCE].calls, 79000, 81000);
  assert_in_range(out.in_each[START] + out.in_each[LOOP], profile->functions[ONCE].calls - 2,
                  profile->functions[ONCE].calls + 2);
  prof_profile_free(profile);
  prof_samples_free(found);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  free(text);
  return out;
}

/* Samples of once lie 2 to 5; those of each 6 to 5. */
static void as_often_as_its_caller(void **state) {
  (void)state;
  const unsigned samples[2][2] = {{6, 2}, {5, 5}};
  struct recorded found = calls_of(samples);
  for (int i = START; i <= LOOP; i++) {
    assert_in_range(found.each[i], 39000, 41000);
    assert_in_range(found.in_each[i], found.each[i] - 2, found.each[i] + 2);
  }
}

/* No sample saw once beneath start. */
static void without_samples_too(void **state) {
  (void)state;
  const unsigned samples[2][2] = {{6, 0}, {5, 1}};
  struct recorded found = calls_of(samples);
  for (int i = START; i <= LOOP; i++)
    assert_in_range(found.in_each[i], found.each[i] - 2, found.each[i] + 2);
  assert_int_equal(found.rare[START] + found.rare[LOOP] > 7900, 1);
}

/* start's calls of each don't call once. */
static void unless_samples_contradict(void **state) {
  (void)state;
  const unsigned samples[2][2] = {{200, 0}, {100, 100}};
  struct recorded found = calls_of(samples);
  assert_in_range(found.in_each[START], 0, found.each[START] / 20);
  assert_true(found.in_each[LOOP] > 75000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_often_as_its_caller), cmocka_unit_test(without_samples_too),
                                     cmocka_unit_test(unless_samples_contradict)};
  return cmocka_run_group_tests_name("burst_split", tests, NULL, NULL);
}
