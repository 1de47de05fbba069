/*
 * test/unit/test_import_memory_faults.c - imports and comparisons when the Nth allocation fails, for every N.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/compare/comparison.h"
#include "failing_memory.h"
#include "import/importers.h"

static const char *const texts[] = {
    "app 7 1.5:  250000 cpu-clock: \n\t55d0 a<int>(int)+0x1 (/bin/app)\n\t55d1 main+0x2 (/bin/app)\n\n"
    "app 7 1.6:  1 page-faults: \n\t55d0 b (inlined)\n\t55d1 main (/bin/app)\n\n"
    "app 7 1.7:  250000 cpu-clock: 55d0 b.part.0 (/bin/app)\n",
    "main;a<int>(int) 5\nmain;a<long>(long) 2\nmain;b.part.0;c 3.5\nd 1\ne 1\nf 1\ng 1\nh 1\ni 1\nj 1\n",
    "# callgrind format\npositions: line\nevents: Ir Dr\nob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n1 10 2\n"
    "cfn=(2) a\ncalls=2 5\n+1 30 4\nfn=(2)\n5 30 4\nfn=(3) b\n7 1 1\n",
};

static prof_status import(const char *text, struct prof_path_sums *out) {
  struct prof_diag diag;
  int fd = memfd_create("import", 0);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && lseek(fd, 0, SEEK_SET) == 0);
  prof_status status = prof_import_open_file(fd, "file", NULL, NULL, &diag, out);
  assert_int_equal(status, status == PROF_OK ? PROF_OK : diag.status);
  close(fd);
  return status;
}

static prof_status compare(const struct prof_path_sums *before, const struct prof_path_sums *after,
                           enum prof_comparison_form form) {
  const struct prof_comparison_options options = {.form = form};
  struct prof_comparison comparison;
  struct prof_comparison_tree tree;
  prof_status status = prof_comparison_make(before, after, &options, NULL, &comparison);
  if (status != PROF_OK)
    return status;
  status = prof_comparison_select(&comparison, PROF_COMPARISON_GONE, NULL, &tree);
  if (status == PROF_OK)
    prof_comparison_tree_free(&tree);
  prof_comparison_free(&comparison);
  return status;
}

static void imports_survive_every_failing_allocation(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (long n = 0;; n++) {
      struct prof_path_sums paths;
      fail_from(n);
      prof_status status = import(texts[i], &paths);
      allocations_left = -1;
      assert_int_equal(status, failures ? PROF_NO_MEMORY : PROF_OK);
      if (status == PROF_OK) {
        assert_true(n > 5 && prof_path_sums_total(&paths) > 0);
        prof_path_sums_fini(&paths);
        break;
      }
    }
}

static void comparisons_survive_every_failing_allocation(void **state) {
  (void)state;
  struct prof_path_sums before, after;
  assert_int_equal(import(texts[0], &before), PROF_OK);
  assert_int_equal(import(texts[1], &after), PROF_OK);
  for (int form = PROF_COMPARISON_PATHS; form <= PROF_COMPARISON_FLAT; form++)
    for (long n = 0;; n++) {
      fail_from(n);
      prof_status status = compare(&before, &after, (enum prof_comparison_form)form);
      allocations_left = -1;
      assert_int_equal(status, failures ? PROF_NO_MEMORY : PROF_OK);
      if (status == PROF_OK) {
        assert_true(n > 5);
        break;
      }
    }
  prof_path_sums_fini(&before);
  prof_path_sums_fini(&after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(imports_survive_every_failing_allocation),
      cmocka_unit_test(comparisons_survive_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
