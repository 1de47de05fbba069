/* test_path_map.c - rules OLD=NEW: what they fit, and what becomes of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/path_map.h"

static void rules(void **state) {
  (void)state;
  static const struct {
    const char *rule, *path, *mapped;
  } cases[] = {
      {"/build=/srv/me", "/build/src/a.c", "/srv/me/src/a.c"},
      {"/build/=/srv/me/", "/build/src/a.c", "/srv/me/src/a.c"},
      {"/build=/srv/me", "/build", "/srv/me"},
      {"/build=/srv/me", "/builder/a.c", "/builder/a.c"},
      {"/build=/srv/me", "/x/build/a.c", "/x/build/a.c"},
      {"/=/opt", "/src/a.c", "/opt/src/a.c"},
      {"/opt=/", "/opt/src/a.c", "/src/a.c"},
      {"/opt=", "/opt", "/"},
      {"src=/a=b", "src/a.c", "/a=b/a.c"},
      {"/a=/b", "", ""},
      {"/=/b", "a.c", "a.c"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_arena arena = {0};
    struct prof_path_rule rule;
    assert_true(prof_path_rule_parse(cases[i].rule, &rule));
    assert_string_equal(prof_path_map(&rule, 1, cases[i].path, &arena), cases[i].mapped);
    prof_arena_fini(&arena);
  }
}

static void first_that_fits(void **state) {
  (void)state;
  struct prof_arena arena = {0};
  struct prof_path_rule both[2];
  assert_true(prof_path_rule_parse("/a/b=/one", &both[0]));
  assert_true(prof_path_rule_parse("/a=/two", &both[1]));
  assert_string_equal(prof_path_map(both, 2, "/a/b/c", &arena), "/one/c");
  assert_string_equal(prof_path_map(both, 2, "/a/c", &arena), "/two/c");
  const char *untouched = "/c/d";
  assert_ptr_equal(prof_path_map(both, 2, untouched, &arena), untouched);
  prof_arena_fini(&arena);
}

static void what_is_no_rule(void **state) {
  (void)state;
  struct prof_path_rule rule;
  assert_false(prof_path_rule_parse("/a/b", &rule));
  assert_false(prof_path_rule_parse("=/b", &rule));
  assert_false(prof_path_rule_parse("", &rule));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules),
      cmocka_unit_test(first_that_fits),
      cmocka_unit_test(what_is_no_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
