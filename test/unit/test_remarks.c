/*
 * test/unit/test_remarks.c - remarks of GCC and Clang about loops; what is none; files that aren't remarks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "import/remarks.h"

static char path[] = "/tmp/prof-remarks.XXXXXX";

static prof_status read_text(const char *text, size_t bytes, struct prof_remarks *out) {
  struct prof_diag diag;
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, bytes, file), bytes);
  fclose(file);
  return prof_remarks_read(path, &diag, out);
}

static void gcc_and_clang(void **state) {
  (void)state;
  static const char text[] =
      "../src/b.c:20:21: missed: couldn't vectorize loop\n"
      "../src/b.c:20:21: missed:   not vectorized: number of iterations cannot be computed.\n"
      "../src/b.c:20:21: missed:   not vectorized: number of iterations cannot be computed.\n"
      "../src/b.c:9:5: missed: statement clobbers memory: foo ();\n"
      "../src/b.c:9:5: optimized: loop vectorized using 16 byte vectors\n"
      "a b.c:7:3: remark: loop not vectorized: cannot identify array bounds [-Rpass-analysis=loop-vectorize]\r\n"
      "a.c:8:3: remark: foo not inlined into main [-Rpass-missed=inline]\n"
      "  for (int i = 0; i < n; i++)\n"
      "  ^\n";
  struct prof_remarks remarks;
  assert_int_equal(read_text(text, sizeof text - 1, &remarks), PROF_OK);
  assert_int_equal(remarks.items.count, 3);
  assert_string_equal(remarks.items.items[1].text, "not vectorized: number of iterations cannot be computed");
  assert_string_equal(remarks.items.items[1].file, "../src/b.c");
  assert_int_equal(remarks.items.items[1].line, 20);
  assert_string_equal(remarks.items.items[2].file, "a b.c");
  assert_string_equal(remarks.items.items[2].text, "loop not vectorized: cannot identify array bounds");
  prof_remarks_free(&remarks);
}

static void nothing_missed(void **state) {
  (void)state;
  struct prof_remarks remarks;
  assert_int_equal(read_text("", 0, &remarks), PROF_OK);
  assert_int_equal(remarks.items.count, 0);
  assert_int_equal(read_text("a.c:1:1: optimized: loop vectorized\n", 36, &remarks), PROF_OK);
  assert_int_equal(remarks.items.count, 0);
}

static void other_files(void **state) {
  (void)state;
  struct prof_remarks remarks;
  assert_int_equal(read_text("int main(void) {}\n", 18, &remarks), PROF_CORRUPT);
  assert_int_equal(read_text("\0\0\0\0", 4, &remarks), PROF_CORRUPT);
  assert_int_equal(read_text("a.c:99999999999:1: missed: not vectorized: x\n", 46, &remarks), PROF_CORRUPT);
  unlink(path);
  struct prof_diag diag;
  assert_int_equal(prof_remarks_read(path, &diag, &remarks), PROF_NOT_FOUND);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gcc_and_clang),
      cmocka_unit_test(nothing_missed),
      cmocka_unit_test(other_files),
  };
  int fd = mkstemp(path);
  if (fd < 0)
    return 1;
  close(fd);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
