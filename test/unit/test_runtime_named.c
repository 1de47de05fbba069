/*
 * test_runtime_named.c - zones and points whose names are made at run time: the gate, site numbers, events, a full
 * table.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "api.h"
#include "point.h"
#include "ring_double.h"
#include "sled.h"

#define ZONE (PROF_PROBE_ENTRY | PROF_ROW_ZONE)
#define END (PROF_PROBE_EXIT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE)
#define MOMENT (PROF_PROBE_POINT | PROF_ROW_ZONE)
#define VALUED (MOMENT | PROF_ROW_HAS_VALUE)

static struct ring_double ring;
static struct prof_hooks hooks;

/* As in prof.h. */
__attribute__((noinline)) static int gate(void) {
  int on = 0;
  __asm__ volatile(".p2align 3,,4\n"
                   ".Lgate: .byte 0x0f,0x1f,0x44,0,0\n"
                   ".pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,.Lgate\n"
                   ".p2align 2\n .long .Lgate-., 0x1007\n"
                   ".popsection"
                   : "+a"(on));
  return on;
}

static int call(uint32_t kind, uint32_t what, const char *name, uint64_t value, uint32_t group) {
  const struct prof_named_event event = {prof_test_rows_begin, name, value, kind, what, group, 0};
  return hooks.control(PROF_CONTROL_NAMED, &event);
}

static int call_again(uint32_t kind, uint32_t what, int number, uint64_t value) {
  const struct prof_named_event event = {prof_test_rows_begin, NULL, value, kind, what, 0, (uint32_t)number};
  return hooks.control(PROF_CONTROL_NAMED, &event);
}

static int set_up(void **state) {
  (void)state;
  if (gate() != 0)
    return -1;
  ring_double_open(&ring, 256, 200, PROF_WHEN_FULL_DROP);
  struct prof_module_start start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  return hooks.wire_version == PROF_WIRE_VERSION ? 0 : -1;
}

static void gates_open_while_it_is_recorded(void **state) {
  (void)state;
  assert_int_equal(gate(), 1);
  hooks.control(PROF_CONTROL_STOP, NULL);
  assert_int_equal(gate(), 0);
  assert_int_equal(call(ZONE, 0, "stopped", 0, 0), 0);
  hooks.control(PROF_CONTROL_START, NULL);
  assert_int_equal(gate(), 1);
}

static void events_have_the_names_site(void **state) {
  (void)state;
  char name[] = "a";
  int a = call(ZONE, 0, name, 0, 5), b = call(ZONE, 0, "b", 0, 5);
  name[0] = 'x';
  assert_int_equal(call(ZONE, 0, "a", 0, 5), a);
  assert_int_not_equal(a, b);
  assert_int_not_equal(call(ZONE, 0, "a", 0, 6), a);
  call(END, 0, "", 0, 5);
  call(END, 0, "", 0, 6);
  int begin = call(VALUED | PROF_ROW_UNSIGNED, PROF_POINT_SPAN_BEGIN, "a", UINT64_MAX, 0);
  assert_true(call_again(VALUED | PROF_ROW_UNSIGNED, PROF_POINT_SPAN_END, begin, 7) > 0);
  assert_int_equal(call_again(VALUED, PROF_POINT_SPAN_END, 0, 7), 0);
  assert_int_equal(call_again(VALUED, PROF_POINT_SPAN_END, 4000, 7), 0);
  call(MOMENT, PROF_POINT_MARK, "a", 0, 0);
  size_t count;
  struct prof_event *events = ring_double_events(&ring, ring_double_find(&ring, gettid()), &count);
  static const struct {
    uint32_t kind, aux;
    int same;
  } wanted[] = {{PROF_EVENT_ENTRY, 0, -1},      {PROF_EVENT_ENTRY, 0, -1},      {PROF_EVENT_ENTRY, 0, 0},
                {PROF_EVENT_ENTRY, 0, -1},      {PROF_EVENT_EXIT, 5, -1},       {PROF_EVENT_EXIT, 6, 4},
                {PROF_EVENT_POINT_TIME, 0, -1}, {PROF_EVENT_POINT_VALUE, 1, 6}, {PROF_EVENT_POINT_TIME, 0, -1},
                {PROF_EVENT_POINT_VALUE, 0, 8}, {PROF_EVENT_POINT, 0, -1}};
  enum { WANTED = sizeof wanted / sizeof *wanted };
  assert_true(count >= WANTED);
  const struct prof_event *last = events + count - WANTED;
  for (size_t i = 0; i < WANTED; i++) {
    assert_int_equal(prof_event_kind(last[i].what), wanted[i].kind);
    assert_int_equal(last[i].aux, wanted[i].aux + (wanted[i].kind == PROF_EVENT_EXIT ? PROF_NAMED_LINE : 0));
    for (int j = 0; j < (int)i; j++) {
      bool same = prof_event_site(last[i].what) == prof_event_site(last[j].what);
      assert_int_equal(same, wanted[i].same == j || (wanted[j].same == wanted[i].same && wanted[j].same >= 0));
    }
  }
  assert_true(last[7].time == UINT64_MAX);
  assert_true(last[9].time == (PROF_EVENT_VALUE_BIT | 7));
  free(events);
}

/* The name of the latest NAMED record; the number of all. */
static uint32_t named_records(char *name, size_t bytes) {
  uint64_t offset = 0;
  uint32_t count = 0;
  for (const struct prof_log_head *head; (head = ring_double_log(&ring, &offset));)
    if (head->kind == PROF_LOG_NAMED) {
      snprintf(name, bytes, "%s", (const char *)((const struct prof_log_named *)head + 1));
      assert_int_not_equal(((const struct prof_log_named *)head)->module, 0);
      count++;
    }
  return count;
}

static void long_names_are_cut_between_characters(void **state) {
  (void)state;
  char name[1000], logged[1000];
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = 0;
  memcpy(name + 218, "\303\274", 2);
  int number = call(ZONE, 0, name, 0, 1);
  name[900] = 'm'; /* doesn't count */
  assert_int_equal(call(ZONE, 0, name, 0, 1), number);
  named_records(logged, sizeof logged);
  assert_int_equal(strlen(logged), 218);
}

static void a_full_table_has_one_name_for_the_rest(void **state) {
  (void)state;
  char name[32], logged[64];
  int last = 0, others = 0;
  uint32_t before = named_records(logged, sizeof logged);
  for (int i = 0; i < 6000; i++) {
    snprintf(name, sizeof name, "name %d", i);
    int number = call(ZONE, 0, name, 0, 1);
    assert_true(number > 0);
    others += number == last;
    last = number;
  }
  uint32_t all = named_records(logged, sizeof logged);
  assert_string_equal(logged, "(other names)");
  assert_int_equal(all, 4032 + 1);
  assert_int_equal(others, 6000 - (all - before));
  assert_int_not_equal(call(ZONE, 0, "name 0", 0, 1), last); /* known ones stay */
  for (uint32_t group = 2; group < 800; group++)
    assert_true(call(ZONE, 0, "new", 0, group) > 0);
  uint64_t mask;
  assert_true(prof_api_begin(&mask)); /* they need no lock */
  assert_int_equal(call(ZONE, 0, "newer", 0, 1), last);
  prof_api_end(mask);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gates_open_while_it_is_recorded),
                                     cmocka_unit_test(events_have_the_names_site),
                                     cmocka_unit_test(long_names_are_cut_between_characters),
                                     cmocka_unit_test(a_full_table_has_one_name_for_the_rest)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
