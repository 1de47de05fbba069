/* test_plugin_hints.c - lists of functions for plugin-common/hints.c, good ones and others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hint_file.h"
#include "hints.h"

static char folder[] = "/tmp/prof-hints-XXXXXX", path[sizeof folder + 16];

static int begin(void **state) {
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  snprintf(path, sizeof path, "%s/%s", folder, PROF_HINTS_FILE);
  return 0;
}

static int end(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static void fill(const char *text, size_t bytes) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, bytes, file), bytes);
  fclose(file);
}

static void functions_are_found(void **state) {
  static const char text[] = PROF_HINTS_HEAD "\nsend\ta.c\nsend_all\ta.c\nsend\tb/b.c\nold\t\nno file\n\nlast\tz.c";
  static const struct {
    const char *name, *file;
    bool has;
  } rows[] = {
      {"send", "a.c", true},      {"send", "b/b.c", true}, {"send", "b.c", false}, {"send_all", "a.c", true},
      {"send_all", "b.c", false}, {"sen", "a.c", false},   {"old", "x.c", true},   {"no file", "", false},
      {"last", "z.c", true},      {"zzz", "", false},      {"", "", false},
  };
  struct prof_hint_list list = {0};
  (void)state;
  fill(text, sizeof text - 1);
  for (int way = 0; way < 2; way++) { /* the second read replaces the first */
    assert_null(prof_hint_list_read(&list, way ? path : folder));
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      assert_int_equal(prof_hint_list_has(&list, rows[i].name, rows[i].file), rows[i].has);
  }
  prof_hint_list_fini(&list);
  assert_false(prof_hint_list_has(&list, "send", "a.c"));
}

static void others_are_told(void **state) {
  static const struct {
    const char *text;
    size_t bytes;
    const char *fault;
  } rows[] = {
      {"", 0, "no list that prof hints writes"},
      {"int main;\n", 10, "no list that prof hints writes"},
      {"prof hints 2\n", 13, "of another version of prof"},
      {PROF_HINTS_HEAD, sizeof PROF_HINTS_HEAD - 1, "of another version of prof"}, /* cut */
      {PROF_HINTS_HEAD "\na\0b\tc\n", sizeof PROF_HINTS_HEAD + 6, "no recording, and no file that can be read"},
  };
  struct prof_hint_list list = {0};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fill(rows[i].text, rows[i].bytes);
    assert_string_equal(prof_hint_list_read(&list, path), rows[i].fault);
    assert_int_equal(list.count, 0);
  }
  fill(PROF_HINTS_HEAD "\n", sizeof PROF_HINTS_HEAD);
  assert_null(prof_hint_list_read(&list, path)); /* nothing was dense */
  assert_int_equal(list.count, 0);
  unlink(path);
  assert_non_null(strstr(prof_hint_list_read(&list, folder), "a folder without a list"));
  assert_non_null(strstr(prof_hint_list_read(&list, path), "no recording"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_found),
      cmocka_unit_test(others_are_told),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
