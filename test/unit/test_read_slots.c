/*
 * test_read_slots.c - the recorder's side of wire/reads.h: batches, answers, slots of processes that have ended, slots
 * that were left behind, and states that change meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/reads/read_slots.h"

#define LIVING 1u
#define ENDED 2u
#define UNKNOWN 3u

static struct prof_control control;
static struct prof_read_slot reads[PROF_READ_SLOTS];
static struct prof_region region = {.control = &control, .reads = reads};
static struct prof_processes processes;
static struct prof_read_slots slots;

static void add(uint32_t number, pid_t pid) {
  const struct prof_log_process record = {.process = number, .pid = pid};
  prof_processes_add(&processes, NULL, &record, "/bin/app");
}

static int set_up(void **state) {
  (void)state;
  memset(&control, 0, sizeof control);
  memset(reads, 0, sizeof reads);
  slots = (struct prof_read_slots){0};
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
  add(LIVING, getpid());
  add(ENDED, child);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  prof_processes_fini(&processes);
  return 0;
}

static uint64_t ask(uint32_t slot, uint32_t process, const char *name, enum prof_read_step step) {
  uint64_t state = prof_read_at(prof_read_filling(reads[slot].state, process), step);
  snprintf((char *)reads[slot].name, sizeof reads[slot].name, "%s", name);
  reads[slot].state = state;
  control.reads++;
  return state;
}

static size_t take(uint64_t now_ns) {
  size_t count = prof_read_slots_take(&slots, &region, &processes, now_ns);
  prof_read_slots_find_pids(&slots, &processes);
  return count;
}

static void states_of_one_request(void **state) {
  (void)state;
  uint64_t first = prof_read_filling(0, 5), second = prof_read_filling(prof_read_freed(first), 6);
  assert_int_equal(prof_read_step(first), PROF_READ_FILLING);
  assert_int_equal(prof_read_process(first), 5);
  assert_int_equal(prof_read_process(prof_read_at(first, PROF_READ_ANSWERED)), 5);
  assert_int_equal(prof_read_step(prof_read_at(first, PROF_READ_ANSWERED)), PROF_READ_ANSWERED);
  assert_int_equal(prof_read_freed(first) >> 32, 0);
  assert_true((uint32_t)second != (uint32_t)first);
  assert_int_equal(prof_read_step(prof_read_filling(UINT32_MAX & ~PROF_READ_STEPS, 7)), PROF_READ_FILLING); /* wraps */
  assert_int_equal(prof_read_process(prof_read_filling(UINT32_MAX & ~PROF_READ_STEPS, 7)), 7);
}

static void a_batch(void **state) {
  (void)state;
  assert_false(prof_read_slots_asked(&slots, &region));
  ask(3, LIVING, "three", PROF_READ_ASKED);
  ask(4, LIVING, "four", PROF_READ_FILLING);
  ask(9, UNKNOWN, "nine", PROF_READ_ASKED);
  assert_true(prof_read_slots_asked(&slots, &region));
  assert_int_equal(take(1), 2);
  assert_false(prof_read_slots_asked(&slots, &region));
  assert_string_equal(slots.batch[0].name, "three");
  assert_int_equal(slots.batch[0].pid, getpid());
  assert_string_equal(slots.batch[1].name, "nine");
  assert_int_equal(slots.batch[1].pid, 0);
  assert_true(prof_read_slots_waits(&region, &slots.batch[0]));
  const struct prof_read_answer answer = {.found = 1, .figures = {.calls = 12}};
  prof_read_slots_give(&region, &slots.batch[0], &answer);
  assert_int_equal(prof_read_step(reads[3].state), PROF_READ_ANSWERED);
  assert_int_equal(reads[3].answer.figures.calls, 12);
  assert_false(prof_read_slots_waits(&region, &slots.batch[0]));
  assert_int_equal(take(2), 0); /* TAKEN and ANSWERED ones are not taken again */
  assert_int_equal(prof_read_step(reads[9].state), PROF_READ_TAKEN);
}

static void a_name_without_an_end(void **state) {
  (void)state;
  ask(0, LIVING, "x", PROF_READ_ASKED);
  memset(reads[0].name, 'x', sizeof reads[0].name);
  assert_int_equal(take(1), 1);
  assert_int_equal(strlen(slots.batch[0].name), PROF_READ_NAME_BYTES - 1);
}

/* Its thread gave up, and another one has the slot: the late answer changes nothing. */
static void a_late_answer(void **state) {
  (void)state;
  const struct prof_read_answer answer = {.found = 1};
  ask(0, LIVING, "first", PROF_READ_ASKED);
  take(1);
  reads[0].state = prof_read_freed(reads[0].state);
  prof_read_slots_give(&region, &slots.batch[0], &answer);
  assert_int_equal(prof_read_step(reads[0].state), PROF_READ_FREE);
  uint64_t second = ask(0, LIVING, "second", PROF_READ_ASKED);
  prof_read_slots_give(&region, &slots.batch[0], &answer);
  assert_true(reads[0].state == second);
}

static void owners_that_have_ended(void **state) {
  (void)state;
  static const enum prof_read_step steps[] = {PROF_READ_FILLING, PROF_READ_ASKED, PROF_READ_TAKEN, PROF_READ_ANSWERED};
  for (uint32_t i = 0; i < PROF_READ_SLOTS; i++)
    ask(i, ENDED, "gone", steps[i % 4]);
  assert_int_equal(take(1), 0);
  for (uint32_t i = 0; i < PROF_READ_SLOTS; i++)
    assert_true(reads[i].state == prof_read_freed(reads[i].state));
}

/* By longjmp out of a handler; a FILLING one of a living process may be stopped for any time. */
static void left_behind(void **state) {
  (void)state;
  ask(0, LIVING, "answered", PROF_READ_ANSWERED);
  uint64_t filling = ask(1, LIVING, "filling", PROF_READ_FILLING);
  ask(2, LIVING, "used again", PROF_READ_ANSWERED);
  take(1);
  ask(2, LIVING, "used again", PROF_READ_ANSWERED);
  take(PROF_READ_FORGOTTEN_NS);
  assert_int_equal(prof_read_step(reads[0].state), PROF_READ_ANSWERED);
  take(PROF_READ_FORGOTTEN_NS + 1);
  assert_int_equal(prof_read_step(reads[0].state), PROF_READ_FREE);
  assert_true(reads[1].state == filling);
  assert_int_equal(prof_read_step(reads[2].state), PROF_READ_ANSWERED);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_of_one_request),
                                     CASE(a_batch),
                                     CASE(a_name_without_an_end),
                                     CASE(a_late_answer),
                                     CASE(owners_that_have_ended),
                                     CASE(left_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
