/*
 * test/unit/test_code_functions.c - which function an address lies in: behind sites, between two functions, and in
 * front of the entry's sled where the trace says, doesn't say, or can't say where the function's code begins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/code_functions.h"
#include "row.h"
#include "trace_folder.h"

enum { OUTER, INLINED, KNOWN, ALIGNED, TABLELESS, FUNCTIONS };

/* One module: OUTER with INLINED in it, then KNOWN, whose code begins far before its sled, ALIGNED, which has no begin,
 * and TABLELESS, whose begin is that of the function before it, as it is in no unwind table. */
static const struct prof_site_record sites[] = {
    {0x1004, PROF_PROBE_ENTRY, 1, OUTER, 0x1000},
    {0x1020, PROF_PROBE_ENTRY, 2, INLINED},
    {0x1030, PROF_PROBE_EXIT, 2, INLINED},
    {0x1080, PROF_PROBE_EXIT, 1, OUTER},
    {0x1168, PROF_PROBE_ENTRY, 3, KNOWN, 0x1090},
    {0x1180, PROF_PROBE_EXIT, 3, KNOWN},
    {0x1254, PROF_PROBE_ENTRY, 4, ALIGNED},
    {0x1260, PROF_PROBE_EXIT, 4, ALIGNED},
    {0x1304, PROF_PROBE_ENTRY, 5, TABLELESS, 0x1250},
    {0x1310, PROF_PROBE_EXIT, 5, TABLELESS},
};

static prof_trace *open_trace(struct trace_folder *folder) {
  struct prof_function_record functions[FUNCTIONS];
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    functions[i] = (struct prof_function_record){.key = i + 1, .name = prof_span("f"), .file = prof_span("f.c")};
  struct prof_clock_record clock = {1000, 0, 0, 1000000000, 1, PROF_FORMAT_CLOCK_INVARIANT, 1};
  struct prof_process_record process = {.process = 1, .pid = 100, .start_ticks = 1000, .executable = prof_span("case")};
  struct prof_module_record module = {.module = 1,
                                      .path = prof_span("/case"),
                                      .compiler = prof_span(""),
                                      .functions = functions,
                                      .function_count = FUNCTIONS,
                                      .sites = sites,
                                      .site_count = sizeof sites / sizeof *sites};
  struct prof_load_record load = {1, 1, 1, sizeof sites / sizeof *sites, 0, 0x1000, 0x10000, 0};
  prof_writer *writer;
  prof_trace *trace;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
  assert_int_equal(prof_writer_load(writer, &load), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

struct asked {
  uint64_t address;
  uint32_t function; /* PROF_NONE: not known */
};

static void code_behind_a_site_is_of_its_function_or_the_one_around_it(void **state) {
  const struct asked asked[] = {{0xfff, PROF_NONE}, {0x1004, OUTER}, {0x1020, INLINED}, {0x102f, INLINED},
                                {0x1031, OUTER},    {0x1090, OUTER}, {0x1170, KNOWN},   {0x1320, TABLELESS}};
  const struct prof_code_functions *code = *state;
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    assert_int_equal(prof_code_function_at(code, 0, asked[i].address), asked[i].function);
  assert_int_equal(prof_code_function_at(code, 1, 0x1004), PROF_NONE);
  assert_int_equal(prof_code_function_at(NULL, 0, 0x1004), PROF_NONE);
}

static void running_code_in_front_of_a_sled_is_of_the_function_that_begins_there(void **state) {
  const struct asked asked[] = {
      {0x108f, OUTER},     {0x1090, KNOWN},   /* its begin is known */
      {0x1190, KNOWN},     {0x124f, ALIGNED}, /* shortly behind the last site; shortly before the sled */
      {0x1270, ALIGNED},   {0x12e0, ALIGNED}, /* a begin before the last site says nothing: not TABLELESS' yet */
      {0x12ff, TABLELESS}, {0x1300, TABLELESS}, {0x1021, INLINED}, {0x1305, TABLELESS}, /* not in front of a sled */
  };                                                                                    /* not in front of a sled */
  const struct prof_code_functions *code = *state;
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    assert_int_equal(prof_code_function_running(code, 0, asked[i].address), asked[i].function);
  assert_int_equal(prof_code_function_running(NULL, 0, 0x1004), PROF_NONE);
}

static void sites_are_known(void **state) {
  assert_true(prof_code_is_site(*state, 0, 0x1168));
  assert_false(prof_code_is_site(*state, 0, 0x1169));
  assert_false(prof_code_is_site(*state, 0, 0x10));
}

int main(void) {
  struct trace_folder folder;
  prof_trace *trace = open_trace(&folder);
  struct prof_code_functions *code = prof_code_functions_new(trace);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(code_behind_a_site_is_of_its_function_or_the_one_around_it, code),
      cmocka_unit_test_prestate(running_code_in_front_of_a_sled_is_of_the_function_that_begins_there, code),
      cmocka_unit_test_prestate(sites_are_known, code),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  prof_code_functions_free(code);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  return failed;
}
