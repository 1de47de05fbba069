/*
 * test_apart.c - functions of one name are told apart by what differs: file, folder, module, line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "names/apart.h"

#define MOST 8

struct one {
  const char *name, *file, *module;
  uint32_t line;
  const char *expected;
};

static void check(const struct one *ones, size_t count) {
  struct prof_apart_name names[MOST] = {{0}};
  struct prof_arena arena = {0};
  for (uint32_t i = 0; i < count; i++)
    names[i] = (struct prof_apart_name){ones[i].name, ones[i].file, ones[i].module, ones[i].line, i, NULL};
  assert_true(prof_apart_fill(names, count, &arena));
  for (size_t i = 0; i < count; i++)
    assert_string_equal(names[i].apart, ones[names[i].function].expected);
  prof_arena_fini(&arena);
}
#define CHECK(...)                                                                                                     \
  do {                                                                                                                 \
    const struct one ones_[] = {__VA_ARGS__};                                                                          \
    check(ones_, sizeof ones_ / sizeof *ones_);                                                                        \
  } while (0)

static void a_single_one_keeps_its_name(void **state) {
  (void)state;
  check(NULL, 0);
  CHECK({"init", "/src/a.c", "/bin/app", 3, "init"}, {"main", "/src/a.c", "/bin/app", 9, "main"},
        {"ini", "/src/b.c", "/bin/app", 3, "ini"});
}

static void files_tell_apart(void **state) {
  (void)state;
  CHECK({"init", "/src/b.c", "/bin/app", 3, "init (b.c)"}, {"main", "/src/a.c", "/bin/app", 9, "main"},
        {"init", "/src/a.c", "/bin/app", 3, "init (a.c)"}, {"init", "", "/bin/app", 0, "init (app)"});
}

/* As few folders as do. */
static void folders_tell_apart(void **state) {
  (void)state;
  CHECK({"init", "/src/x/util.c", "/bin/app", 3, "init (x/util.c)"},
        {"init", "/src/y/util.c", "/bin/app", 3, "init (y/util.c)"},
        {"init", "/src/y/myutil.c", "/bin/app", 3, "init (myutil.c)"}, {"f", "a/b/c.c", "", 1, "f (a/b/c.c)"},
        {"f", "d/b/c.c", "", 1, "f (d/b/c.c)"}, {"g", "x.c", "", 1, "g (x.c)"}, {"g", "lib/x.c", "", 1, "g (lib/x.c)"});
}

static void modules_tell_apart(void **state) {
  (void)state;
  CHECK({"main", "", "/bin/server", 0, "main (server)"}, {"main", "", "/bin/client", 0, "main (client)"},
        {"f", "/src/a.h", "/lib/x.so", 7, "f (x.so)"}, {"f", "/src/a.h", "/lib/y.so", 7, "f (y.so)"});
}

static void lines_tell_apart(void **state) {
  (void)state;
  CHECK({"f", "/src/a.cc", "/bin/app", 10, "f (a.cc:10)"}, {"f", "/src/a.cc", "/bin/app", 20, "f (a.cc:20)"},
        {"f", "/src/b.cc", "/bin/app", 5, "f (b.cc:5)"}, {"g", "/src/a.cc", "/bin/app", 30, "g"},
        {"g", "/src/a.cc", "/bin/app", 30, "g"}, {"h", "", "", 0, "h"}, {"h", "", "", 0, "h"});
}

/* Many of one name, as lambdas and initializers of C++ are: their paths are not shortened. */
static void many_have_whole_paths(void **state) {
  enum { MANY = 501 };
  static struct prof_apart_name names[MANY];
  static char files[MANY][32], expected[MANY][48];
  struct prof_arena arena = {0};
  (void)state;
  for (uint32_t i = 0; i < MANY; i++) {
    snprintf(files[i], sizeof files[i], "/src/%u.cc", i);
    snprintf(expected[i], sizeof expected[i], "init (/src/%u.cc)", i);
    names[i] = (struct prof_apart_name){"init", files[i], "/bin/app", 1, i, NULL};
  }
  assert_true(prof_apart_fill(names, MANY, &arena));
  for (size_t i = 0; i < MANY; i++)
    assert_string_equal(names[i].apart, expected[names[i].function]);
  assert_true(prof_apart_fill(names, MANY - 1, &arena));
  assert_null(strchr(names[0].apart, '/'));
  prof_arena_fini(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_single_one_keeps_its_name),
                                     cmocka_unit_test(files_tell_apart),
                                     cmocka_unit_test(folders_tell_apart),
                                     cmocka_unit_test(modules_tell_apart),
                                     cmocka_unit_test(lines_tell_apart),
                                     cmocka_unit_test(many_have_whole_paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
