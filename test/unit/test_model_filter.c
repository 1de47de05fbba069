/*
 * test/unit/test_model_filter.c - which names a pattern matches, and what is said when it matches none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "fold/filter.h"
#include "names/name_patterns.h"
#include "trace_folder.h"
#include "tracetext.h"

static const char text[] = "clock hz=2000000000 start=5000\n"
                           "function main\n"
                           "function parse_line\n"
                           "function parse_word\n"
                           "function _ZNSt6vectorIiSaIiEE9push_backERKi language=2\n"
                           "function _ZNK1A3getEi language=2\n"
                           "function xz\n"
                           "thread one tid=11\n"
                           "thread two tid=12\n"
                           "one +10 enter main\n"
                           "one +10 exit main\n"
                           "two +10 enter main\n"
                           "two +10 exit main\n";
enum { MAIN, PARSE_LINE, PARSE_WORD, PUSH_BACK, GET, XZ, FUNCTIONS };

static struct trace_folder folder;
static prof_trace *trace;

static int set_up(void **state) {
  (void)state;
  trace_folder_make(&folder);
  if (prof_tracetext_write(text, "text", folder.path, NULL) != PROF_OK)
    return 1;
  return prof_trace_open(folder.path, NULL, &trace) != PROF_OK;
}

static int tear_down(void **state) {
  (void)state;
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  return 0;
}

/* Bit f of the result: the pattern matches function f. */
static unsigned matches(const char *pattern) {
  uint8_t *flags;
  struct prof_diag diag;
  unsigned found = 0;
  prof_status status = prof_filter_match(trace, "-F", &pattern, 1, &diag, &flags);
  if (status == PROF_USAGE) {
    assert_null(flags);
    return 0;
  }
  assert_int_equal(status, PROF_OK);
  size_t count;
  prof_trace_functions(trace, &count);
  assert_int_equal(count, FUNCTIONS);
  for (unsigned i = 0; i < FUNCTIONS; i++)
    found |= (unsigned)flags[i] << i;
  assert_int_equal(flags[FUNCTIONS], 0);
  free(flags);
  return found;
}

static void forms_of_a_name(void **state) {
  (void)state;
  assert_int_equal(matches("main"), 1u << MAIN);
  assert_int_equal(matches("parse_*"), 1u << PARSE_LINE | 1u << PARSE_WORD);
  assert_int_equal(matches("parse_[a-m]*"), 1u << PARSE_LINE);
  assert_int_equal(matches("?z"), 1u << XZ);
  assert_int_equal(matches("_ZNK1A3getEi"), 1u << GET);
  assert_int_equal(matches("A::get(int) const"), 1u << GET);
  assert_int_equal(matches("A::get"), 1u << GET);
  assert_int_equal(matches("std::vector<int, std::allocator<int> >::push_back"), 1u << PUSH_BACK);
  assert_int_equal(matches("std::vector::push_back"), 1u << PUSH_BACK);
  assert_int_equal(matches("vector[<]int>::push_back"), 1u << PUSH_BACK);
  assert_int_equal(matches("vector<int>::push_back"), 1u << PUSH_BACK);
  assert_int_equal(matches("std::*"), 1u << PUSH_BACK);
  assert_int_equal(matches("*"), (1u << FUNCTIONS) - 1);
  assert_int_equal(matches("get"), 0);
  assert_int_equal(matches("Main"), 0);
  assert_int_equal(matches(""), 0);
}

/* As tables tell functions of one name apart. */
static void names_with_their_place(void **state) {
  (void)state;
  const struct prof_function function = {.name = "_Z4initi", .file = "/src/x/a.cc", .line = 20, .language = 0};
  static const struct {
    const char *pattern;
    bool fits;
  } cases[] = {{"init (a.cc)", true},
               {"init (x/a.cc)", true},
               {"init (/src/x/a.cc)", true},
               {"i*t (a.cc:20)", true},
               {"init (server)", true},
               {"init(int) (a.cc)", true},
               {"_Z4initi (a.cc:20)", true},
               {"init (.cc)", false},
               {"init (b.cc)", false},
               {"init (a.cc:21)", false},
               {"init (a.cc:)", false},
               {"init ()", false},
               {"init (20)", false},
               {"init (:20)", false},
               {"other (a.cc)", false},
               {"init (a.cc", false},
               {" (a.cc)", false},
               {"init (a.cc) (a.cc)", false},
               {"init (a.cc:99999999999999999999)", false}};
  struct prof_name_forms forms = {0};
  assert_true(prof_name_forms_make(&forms, &function, "/bin/server"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (prof_name_forms_match(&forms, cases[i].pattern) != cases[i].fits)
      fail_msg("%s", cases[i].pattern);
  prof_name_forms_free(&forms);
}

/* Names that no function of the trace has. */
static void forms_of_other_names(void **state) {
  (void)state;
  static const char *const names[] = {"_ZN4quiz4workIiEEvT_", "work", "_ZNSt6vectorIiSaIiEE9push_backERKi", "worker"};
  static const struct {
    const char *pattern;
    uint8_t fits[4];
  } cases[] = {{"work", {0, 1, 0, 0}},
               {"quiz::work", {1, 0, 0, 0}},
               {"quiz::work<int>", {1, 0, 0, 0}},
               {"vector<int>::push_back", {0, 0, 1, 0}},
               {"_ZN4quiz4workIiEEvT_", {1, 0, 0, 0}},
               {"work*", {0, 1, 0, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t fits[4];
    assert_int_equal(prof_filter_match_names(names, 4, cases[i].pattern, fits), PROF_OK);
    assert_memory_equal(fits, cases[i].fits, sizeof fits);
  }
}

static void near_misses(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *remedy;
  } cases[] = {
      {"mian", "did you mean main?"},
      {"MAIN", "did you mean main?"},
      {"parse_lime", "did you mean parse_line or parse_word?"},
      {"push_back", "did you mean std::vector::push_back or vector<int>::push_back?"},
      {"A::got", "did you mean A::get?"},
      {"nothing_like_it", "patterns are globs"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_diag diag;
    struct prof_filter filter;
    struct prof_filter_spec spec = {.without = &cases[i].pattern, .without_count = 1, .end_ns = UINT64_MAX};
    assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_USAGE);
    assert_non_null(strstr(diag.what, "-N"));
    assert_non_null(strstr(diag.what, cases[i].pattern));
    assert_non_null(strstr(diag.remedy, cases[i].remedy));
  }
}

static void several_patterns(void **state) {
  (void)state;
  static const char *const only[] = {"main", "A::*"}, *const bad[] = {"main", "none"};
  struct prof_diag diag;
  struct prof_filter filter;
  struct prof_filter_spec spec = {.only = only, .only_count = 2, .end_ns = UINT64_MAX};
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_OK);
  assert_true(filter.active && filter.has_only && !filter.hides);
  for (int i = 0; i <= FUNCTIONS; i++)
    assert_int_equal(filter.flags[i], i == MAIN || i == GET ? PROF_FILTER_ONLY : 0);
  prof_filter_fini(&filter);
  spec.only = bad;
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_USAGE);
  assert_non_null(strstr(diag.what, "none"));
}

static void threads_and_times(void **state) {
  (void)state;
  static const uint32_t two[] = {12}, nobody[] = {12, 13};
  struct prof_diag diag;
  struct prof_filter filter;
  struct prof_filter_spec spec = {.tids = two, .tid_count = 1, .min_ns = 50, .begin_ns = 100, .end_ns = 1000};
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_OK);
  assert_int_equal(filter.threads[0], 0);
  assert_int_equal(filter.threads[1], 1);
  assert_int_equal(filter.min_ticks, 100); /* 2 GHz */
  assert_int_equal(filter.begin_ticks, 5200);
  assert_int_equal(filter.end_ticks, 7000);
  prof_filter_fini(&filter);
  spec.tids = nobody;
  spec.tid_count = 2;
  assert_int_equal(prof_filter_init(&filter, trace, &spec, &diag), PROF_USAGE);
  assert_non_null(strstr(diag.what, "13"));
  assert_non_null(strstr(diag.remedy, "11, 12"));
  struct prof_filter_spec everything = {.end_ns = UINT64_MAX};
  assert_int_equal(prof_filter_init(&filter, trace, &everything, &diag), PROF_OK);
  assert_false(filter.active);
  assert_int_equal(filter.end_ticks, UINT64_MAX);
  prof_filter_fini(&filter);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_with_their_place), cmocka_unit_test(forms_of_a_name),
      cmocka_unit_test(forms_of_other_names),   cmocka_unit_test(near_misses),
      cmocka_unit_test(several_patterns),       cmocka_unit_test(threads_and_times),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
