/* test_plugin_iteration.c - cases of plugin-common/iteration.c and of the argument `iterations`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "iteration.h"
#include "select.h"

static struct prof_arguments arguments_of(const char *value) {
  struct prof_arguments arguments = {0};
  struct prof_text fault = {0};
  assert_true(prof_arguments_set(&arguments, "iterations", value, &fault));
  prof_text_fini(&fault);
  return arguments;
}

static void functions_and_places(void **state) {
  (void)state;
  struct prof_arguments arguments = arguments_of("step,ns::*,solve.c:120,src/*.c:7,a::9");
  const struct prof_candidate step = {.assembler_name = "step"}, other = {.assembler_name = "step2"},
                              member = {.assembler_name = "_ZN2ns1fEi", .names = {"f", NULL, "ns::f"}};
  assert_int_equal(arguments.iterations.functions.count, 3);
  assert_int_equal(arguments.iterations.places.count, 2);
  assert_true(prof_select_iterations(&arguments, &step));
  assert_true(prof_select_iterations(&arguments, &member));
  assert_false(prof_select_iterations(&arguments, &other));
  assert_true(prof_select_iterations_at(&arguments, "deep/solve.c", 120));
  assert_true(prof_select_iterations_at(&arguments, "src/x.c", 7));
  assert_false(prof_select_iterations_at(&arguments, "solve.c", 12));
  assert_false(prof_select_iterations_at(&arguments, "x.c", 7));
  prof_arguments_fini(&arguments);
}

static void bad_patterns(void **state) {
  (void)state;
  static const char *const values[] = {"", "a,", "[", "a.c:1,"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct prof_arguments arguments = {0};
    struct prof_text fault = {0};
    assert_false(prof_arguments_set(&arguments, "iterations", values[i], &fault));
    assert_non_null(strstr(prof_text_string(&fault), "-fplugin-arg-prof-iterations=GLOB"));
    prof_text_fini(&fault);
    prof_arguments_fini(&arguments);
  }
}

static const struct prof_iteration loop = {"solve", "src/solve.c", 120, PROF_LANGUAGE_C};

static void named_by_place_and_function(void **state) {
  (void)state;
  struct prof_text name = {0};
  prof_iteration_name(&name, &loop);
  assert_string_equal(prof_text_string(&name), "loop solve.c:120 in solve");
  prof_text_fini(&name);
}

static void begin_and_end(void **state) {
  (void)state;
  struct prof_text begin = {0}, end = {0};
  prof_iteration_probe(&begin, &prof_arch_x86_64, ".Lx", &loop, true);
  prof_iteration_probe(&end, &prof_arch_x86_64, ".Ly", &loop, false);
  const char *entry = strstr(prof_text_string(&begin), "\t.quad .Lx,0x"),
             *exit = strstr(prof_text_string(&end), "\t.quad .Ly,0x");
  assert_non_null(entry);
  assert_non_null(exit);
  size_t key = strlen("\t.quad .Lx,");
  assert_memory_equal(entry + key, exit + key, strcspn(exit + key, "\n")); /* the end names its begin's zone */
  assert_non_null(strstr(prof_text_string(&begin), "\t.long 4097"));       /* ENTRY, ZONE */
  assert_non_null(strstr(prof_text_string(&end), "\t.long 4098"));         /* EXIT, ZONE */
  assert_non_null(strstr(prof_text_string(&begin), "\t.long 120,0,160\n"));
  assert_non_null(strstr(prof_text_string(&begin), "\"loop solve.c:120 in solve\""));
  assert_non_null(strstr(prof_text_string(&begin), "\"src/solve.c\""));
  assert_null(strstr(prof_text_string(&end), "solve")); /* facts once */
  prof_text_fini(&begin);
  prof_text_fini(&end);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_and_places),
      cmocka_unit_test(bad_patterns),
      cmocka_unit_test(named_by_place_and_function),
      cmocka_unit_test(begin_and_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
