/*
 * test_source_path.c - paths out of the parts that a line table gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "source/source_path.h"

static void joined(void **state) {
  (void)state;
  static const struct {
    const char *folder, *directory, *name, *path;
  } cases[] = {
      {"/w", "src", "a.c", "/w/src/a.c"},
      {"/w", "/usr/include", "b.h", "/usr/include/b.h"},
      {"/w", "src", "/x/c.c", "/x/c.c"},
      {"/w", NULL, "a.c", "/w/a.c"},
      {NULL, NULL, "a.c", "a.c"},
      {"./posix", NULL, "regexec.c", "posix/regexec.c"},
      {"/w/build", "../src", "a.c", "/w/src/a.c"},
      {"/w//build/", "./.", "./a.c", "/w/build/a.c"},
      {"/usr/lib/gcc/12", "../../../include/c++/12", "vector", "/usr/include/c++/12/vector"},
      {"/", "..", "../a.c", "/a.c"},
      {"w", "../..", "a.c", "../a.c"},
      {"..", "..", "a.c", "../../a.c"},
      {"", "", "..", ".."},
      {"/w", "", "", "/w"},
      {NULL, NULL, NULL, ""},
      {"/a/..", NULL, "b", "/b"},
      {"a/..", NULL, "b", "b"},
      {"/w", "...", ".a", "/w/.../.a"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[PROF_SOURCE_PATH_BYTES];
    assert_true(prof_source_path_join(path, cases[i].folder, cases[i].directory, cases[i].name));
    assert_string_equal(path, cases[i].path);
  }
}

static void too_long(void **state) {
  (void)state;
  static char part[PROF_SOURCE_PATH_BYTES * 2], path[PROF_SOURCE_PATH_BYTES];
  memset(part, 'x', sizeof part - 1);
  assert_false(prof_source_path_join(path, "/w", "", part));
  part[PROF_SOURCE_PATH_BYTES - 4] = 0;
  assert_true(prof_source_path_join(path, "/w", "", part));
  assert_int_equal(strlen(path), PROF_SOURCE_PATH_BYTES - 1);
  part[PROF_SOURCE_PATH_BYTES - 4] = 'x';
  part[PROF_SOURCE_PATH_BYTES - 3] = 0;
  assert_false(prof_source_path_join(path, "/w", "", part));
}

static void kept_once(void **state) {
  (void)state;
  struct prof_source_paths paths = {0};
  const char *first = prof_source_path_keep(&paths, "/w/a.c"), *many[3000];
  char text[32];
  for (int i = 0; i < 3000; i++) {
    snprintf(text, sizeof text, "/w/%d.c", i);
    many[i] = prof_source_path_keep(&paths, text);
    assert_string_equal(many[i], text);
  }
  assert_ptr_equal(prof_source_path_keep(&paths, "/w/a.c"), first);
  for (int i = 0; i < 3000; i++) {
    snprintf(text, sizeof text, "/w/%d.c", i);
    assert_ptr_equal(prof_source_path_keep(&paths, text), many[i]);
  }
  assert_int_equal(paths.count, 3001);
  prof_source_paths_fini(&paths);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joined),
      cmocka_unit_test(too_long),
      cmocka_unit_test(kept_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
