/* test_plugin_line_times.c - cases of plugin-common's line_flow.c and line_mark.c, and which functions are timed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "line_flow.h"
#include "line_mark.h"
#include "probe_text.h"
#include "select.h"

static void a_line_is_found_if_all_ways_agree(void **state) {
  struct prof_line_flow flow = {0};
  (void)state;
  prof_line_flow_block(&flow, 5);                 /* 0: begin */
  prof_line_flow_block(&flow, PROF_LINE_SAME);    /* 1: header of a loop */
  prof_line_flow_block(&flow, 5);                 /* 2: one arm */
  prof_line_flow_block(&flow, 6);                 /* 3: the other arm */
  prof_line_flow_block(&flow, PROF_LINE_SAME);    /* 4: after both */
  prof_line_flow_block(&flow, PROF_LINE_UNKNOWN); /* 5: a tail call */
  prof_line_flow_block(&flow, PROF_LINE_SAME);    /* 6: behind 1 alone */
  prof_line_flow_block(&flow, PROF_LINE_SAME);    /* 7: nobody comes here */
  const uint32_t edges[][2] = {
      {PROF_LINE_FLOW_NOWHERE, 0}, {0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {2, 1}, {4, 5}, {5, 1}, {1, 6}};
  for (size_t i = 0; i < 8; i++)
    prof_line_flow_edge(&flow, edges[i][0], edges[i][1]);
  prof_line_flow_edge(&flow, edges[9][0], edges[9][1]);
  prof_line_flow_solve(&flow);
  const uint32_t without_back_edge[] = {0, 5, 5, 5, 0, 0, 5, 0};
  for (uint32_t i = 0; i < 8; i++)
    assert_int_equal(prof_line_flow_found(&flow, i), without_back_edge[i]);
  prof_line_flow_edge(&flow, edges[8][0], edges[8][1]);
  prof_line_flow_solve(&flow);
  const uint32_t with_back_edge[] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (uint32_t i = 0; i < 8; i++)
    assert_int_equal(prof_line_flow_found(&flow, i), with_back_edge[i]);
  prof_line_flow_fini(&flow);
}

static void a_mark_says_all(void **state) {
  const char *path = "/a b/\"%s\" {x|y}=\n\xc3\xa4.c";
  struct prof_text text = {0};
  struct prof_line_mark mark;
  char wanted[64];
  (void)state;
  prof_line_mark_write(&text, 20, 123456, "_Z1fv.part$", path);
  const char *written = prof_text_string(&text);
  assert_true(prof_line_mark_is(written));
  assert_int_equal(strspn(written, "#_.= abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
                   strlen(written));
  assert_true(prof_line_mark_read(written, &mark));
  assert_int_equal(mark.kind, 20);
  assert_int_equal(mark.line, 123456);
  snprintf(wanted, sizeof wanted, "_Z1fv.part$\n%s", path);
  assert_string_equal(prof_text_string(&mark.place), wanted);
  prof_line_mark_fini(&mark);
  assert_false(prof_line_mark_read("# prof loop 1 2", &mark));
  assert_false(prof_line_mark_read("# prof line x", &mark));
  prof_text_fini(&text);
}

static void functions_are_chosen(void **state) {
  struct prof_arguments arguments = {0};
  struct prof_text fault = {0};
  struct prof_candidate function = {.assembler_name = "_ZN1n1fEv", .names = {"f", NULL, "n::f"}, .file = "a.cc"};
  (void)state;
  assert_int_equal(prof_select_times(&arguments, &function), PROF_TIMES_NOT);
  function.wants_times = true;
  assert_int_equal(prof_select_times(&arguments, &function), PROF_TIMES_NAMED);
  function.wants_times = false;
  assert_true(prof_arguments_set(&arguments, "lines", "time", &fault));
  assert_int_equal(prof_select_times(&arguments, &function), PROF_TIMES_ALL);
  assert_true(prof_arguments_set(&arguments, "time-functions", "g,n::*", &fault));
  assert_int_equal(prof_select_times(&arguments, &function), PROF_TIMES_NAMED);
  function.names[2] = "m::f";
  assert_int_equal(prof_select_times(&arguments, &function), PROF_TIMES_NOT);
  assert_false(prof_arguments_set(&arguments, "lines", "times", &fault));
  assert_non_null(strstr(prof_text_string(&fault), "none|count|time"));
  prof_text_fini(&fault);
  prof_arguments_fini(&arguments);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_is_found_if_all_ways_agree),
      cmocka_unit_test(a_mark_says_all),
      cmocka_unit_test(functions_are_chosen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
