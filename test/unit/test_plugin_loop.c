/* test_plugin_loop.c - cases of plugin-common/loop.c and of the texts of loop probes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "facts.h"
#include "listing.h"
#include "probe_text.h"

static enum prof_loop_reason reason_of(const struct prof_candidate_loop *loop, enum prof_loops_mode mode) {
  struct prof_arguments arguments = {.loops = mode, .loop_min_statements = 3};
  return prof_loop_select(&arguments, loop);
}

static void reasons_come_in_order(void **state) {
  struct prof_candidate_loop loop = {.statements = 4, .has_inner = true};
  (void)state;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_PROBED);
  loop.made_by_goto = true;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_GOTO);
  assert_int_equal(reason_of(&loop, PROF_LOOPS_ALL), PROF_LOOP_REASON_PROBED);
  loop.made_by_goto = false;
  loop.exits = 4;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_LEFT);
  assert_int_equal(reason_of(&loop, PROF_LOOPS_ALL), PROF_LOOP_REASON_PROBED);
  loop.statements = 48;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_PROBED);
  loop.statements = 4;
  loop.exits = 3;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_PROBED);
  loop.has_inner = false;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_SHORT);
  loop.flags = PROF_LOOP_COUNTABLE;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_PROBED);
  loop.flags = PROF_LOOP_COUNTABLE | PROF_LOOP_CONSTANT;
  loop.iterations = UINT64_MAX / 2 + 1; /* times 4 is 0 */
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_PROBED);
  loop.iterations = 2;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_TRIVIAL);
  loop.in_probed = true;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_INNER);
  assert_int_equal(reason_of(&loop, PROF_LOOPS_ALL), PROF_LOOP_REASON_PROBED);
  loop.statements = 2;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_OUTER), PROF_LOOP_REASON_FEW_STATEMENTS);
  assert_int_equal(reason_of(&loop, PROF_LOOPS_ALL), PROF_LOOP_REASON_FEW_STATEMENTS);
  assert_int_equal(reason_of(&loop, PROF_LOOPS_NONE), PROF_LOOP_REASON_NONE);
  for (int mode = PROF_LOOPS_OUTER; mode <= PROF_LOOPS_NONE; mode++) {
    loop.annotated = true;
    loop.has_no_edge = false;
    assert_int_equal(reason_of(&loop, mode), PROF_LOOP_REASON_PROBED);
    loop.has_no_edge = true;
    assert_int_equal(reason_of(&loop, mode), PROF_LOOP_REASON_NO_EDGE);
  }
  loop.has_no_edge = false;
  loop.is_swap = true;
  assert_int_equal(reason_of(&loop, PROF_LOOPS_ALL), PROF_LOOP_REASON_SWAP);
  for (int reason = 0; reason < PROF_LOOP_REASON_COUNT; reason++)
    assert_non_null(prof_loop_reason_text((enum prof_loop_reason)reason));
}

/* In the default mode: what is known as it begins, in a nest without calls; else what was asked for. */
static void few_inner_loops_are_counted(void **state) {
  struct prof_arguments arguments = {0};
  struct prof_candidate_loop loop = {.statements = 4};
  (void)state;
  assert_false(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_SHORT, &loop)); /* in no loop */
  loop.in_probed = true;
  assert_false(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_INNER, &loop));
  loop.flags = PROF_LOOP_COUNTABLE;
  assert_true(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_INNER, &loop));
  assert_false(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_PROBED, &loop)); /* has events */
  loop.nest_has_calls = true;
  assert_false(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_INNER, &loop));
  loop.nest_is_asked_for = true;
  assert_true(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_INNER, &loop));
  loop.nest_is_asked_for = false;
  arguments.loop_counts = PROF_LOOP_COUNTS_ALL;
  assert_true(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_INNER, &loop));
  loop.is_swap = true;
  assert_false(prof_loop_is_counted(&arguments, PROF_LOOP_REASON_SWAP, &loop)); /* no loop of the source */
}

static void keys_differ(void **state) {
  (void)state;
  assert_true(prof_facts_loop_key(1, 0) == prof_facts_loop_key(1, 0));
  assert_true(prof_facts_loop_key(1, 0) != prof_facts_loop_key(1, 1));
  assert_true(prof_facts_loop_key(1, 0) != prof_facts_loop_key(2, 0));
}

static void the_listing_says_which_and_why(void **state) {
  struct prof_candidate function = {.assembler_name = "f", .file = "a.c", .line = 3};
  struct prof_candidate_loop loop = {.file = "b.h", .line = 7};
  struct prof_text text = {0};
  (void)state;
  prof_listing_add_loop(&text, &function, &loop, PROF_LOOP_REASON_PROBED);
  prof_listing_add_loop(&text, &function, &loop, PROF_LOOP_REASON_NONE);
  prof_listing_add_loop(&text, &function, &loop, PROF_LOOP_REASON_INNER);
  loop.flags = PROF_LOOP_COUNTED;
  prof_listing_add_loop(&text, &function, &loop, PROF_LOOP_REASON_INNER);
  assert_string_equal(prof_text_string(&text), "f\tb.h:7\tprobed\tloop: selected\n"
                                               "f\tb.h:7\tskipped\tloop: loops=none\n"
                                               "f\tb.h:7\tskipped\tloop: inside an instrumented loop\n"
                                               "f\tb.h:7\tcounted\tloop: inside an instrumented loop\n");
  prof_text_fini(&text);
}

static void a_fact_has_the_length_that_it_says(void **state) {
  struct prof_candidate_loop loop = {.key = 1,
                                     .parent = 2,
                                     .iterations = 3,
                                     .line = 4,
                                     .last_line = 5,
                                     .flags = PROF_LOOP_PROBED,
                                     .depth = 2,
                                     .source_function = "g\"",
                                     .recorded_file = "123456"};
  struct prof_text text = {0};
  (void)state;
  prof_facts_add_loop(&text, 9, &loop);
  assert_string_equal(prof_text_string(&text), "\t.p2align 3\n"
                                               "\t.long 72\n" /* 56 + 3 + 7, to the next multiple of 8 */
                                               "\t.value 5,1\n"
                                               "\t.quad 0x1,0x9,0x2,3\n"
                                               "\t.long 4,5,32\n"
                                               "\t.value 2,0\n"
                                               "\t.string \"g\\042\"\n"
                                               "\t.string \"123456\"\n"
                                               "\t.p2align 3\n");
  prof_text_fini(&text);
}

/* Row and fact of a plain probe name the operand's register by its symbol; all of them are there. */
static void probes_name_their_register(void **state) {
  static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8",
                                      "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "none"};
  struct prof_candidate function = {.anchor = "f"};
  struct prof_text text = {0}, registers = {0};
  (void)state;
  prof_probe_registers(&registers, &prof_arch_x86_64);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char line[64];
    snprintf(line, sizeof line, ".set .Lprof_reg_%s,", names[i]);
    assert_non_null(strstr(prof_text_string(&registers), line));
  }
  uint32_t kind = PROF_PROBE_LOOP_EXIT | PROF_ROW_HAS_VALUE;
  prof_probe_add_loop_plain(&text, &prof_arch_x86_64, ".Lx", &function, 1, 2, kind, 3, "${0:V}");
  const char *row = strstr(prof_text_string(&text), "\t.long 45+(.Lprof_reg_${0:V}<<8)\n");
  assert_non_null(row);
  assert_non_null(strstr(row, "\t.long 40\n\t.value 1,1\n\t.quad .Lx,0x1\n\t.long 45+(.Lprof_reg_${0:V}<<8),3\n"
                              "\t.quad 0x2\n"));
  prof_text_clear(&text);
  prof_probe_add_loop_plain(&text, &prof_arch_x86_64, ".Lx", &function, 1, 2, PROF_PROBE_LOOP_ENTRY, 3, NULL);
  assert_non_null(strstr(prof_text_string(&text), "\t.long 12+(.Lprof_reg_none<<8)\n"));
  prof_text_clear(&text);
  prof_probe_add_loop(&text, &function, 1, 2, kind, 3);
  assert_string_equal(prof_text_string(&text), "__prof_loop_v1 f,45,3,0x1,0x2,");
  prof_text_fini(&text);
  prof_text_fini(&registers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reasons_come_in_order),
      cmocka_unit_test(keys_differ),
      cmocka_unit_test(few_inner_loops_are_counted),
      cmocka_unit_test(the_listing_says_which_and_why),
      cmocka_unit_test(a_fact_has_the_length_that_it_says),
      cmocka_unit_test(probes_name_their_register),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
