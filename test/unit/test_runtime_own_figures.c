/*
 * test_runtime_own_figures.c - prof_read's side of wire/reads.h: an answer, none, a full table, a slot that is taken
 * back, a recorder that ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <cmocka.h>

#include "child.h"
#include "ring_double.h"
#include "sled.h"

#define NAME "a::name(int)"
#define CALLS 42

static struct ring_double ring;
static struct prof_hooks hooks;
static pthread_t player;
static uint32_t plays, takes_back, handled;

static void nap(void) {
  nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void attach(void) {
  __asm__ volatile("jmp 1f");
  PROF_TEST_SLED(0x1);
  __asm__ volatile("1:");
  ring_double_open(&ring, 64, 4, PROF_WHEN_FULL_DROP);
  ring.control->flags = PROF_CONTROL_ONE_FILE;
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

static int ask_for(const char *name, struct prof_read_figures *figures, size_t bytes) {
  const struct prof_read_question question = {name, figures, bytes};
  return hooks.control(PROF_CONTROL_READ, &question);
}

static int ask(const char *name) {
  struct prof_read_figures figures = {0};
  return ask_for(name, &figures, sizeof figures);
}

static void move(struct prof_read_slot *slot, uint64_t from, uint64_t to) {
  CHECK(__atomic_compare_exchange_n(&slot->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

static void answer(struct prof_read_slot *slot) {
  uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE), taken = prof_read_at(state, PROF_READ_TAKEN);
  if (prof_read_step(state) != PROF_READ_ASKED)
    return;
  move(slot, state, taken);
  if (__atomic_load_n(&takes_back, __ATOMIC_RELAXED)) {
    move(slot, taken, prof_read_freed(taken));
    return;
  }
  slot->answer = (struct prof_read_answer){.found = strcmp((const char *)slot->name, NAME) == 0};
  slot->answer.figures.calls = CALLS;
  slot->answer.figures.p99_ns = prof_read_process(state);
  nap();
  move(slot, taken, prof_read_at(taken, PROF_READ_ANSWERED));
  syscall(SYS_futex, prof_read_futex(slot), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void *play(void *unused) {
  while (__atomic_load_n(&plays, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_add(&ring.control->heartbeat, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < PROF_READ_SLOTS; i++)
      answer(&ring.reads[i]);
    nap();
  }
  return unused;
}

static void start(void) {
  attach();
  plays = 1;
  CHECK_EQUAL(pthread_create(&player, NULL, play, NULL), 0);
}

static void stop(void) {
  __atomic_store_n(&plays, 0, __ATOMIC_RELEASE);
  pthread_join(player, NULL);
}

static void all_are_free(void) {
  for (uint32_t i = 0; i < PROF_READ_SLOTS; i++)
    CHECK_EQUAL(ring.reads[i].state, prof_read_freed(ring.reads[i].state));
}

static void answered(void) {
  struct prof_read_figures figures = {0};
  start();
  errno = 77;
  CHECK_EQUAL(ask_for(NAME, &figures, sizeof figures), 1);
  CHECK_EQUAL(errno, 77);
  CHECK_EQUAL(figures.calls, CALLS);
  CHECK_EQUAL(figures.p99_ns, 1);
  CHECK_EQUAL(ask("another"), 0);
  hooks.control(PROF_CONTROL_STOP, NULL);
  CHECK_EQUAL(ask(NAME), 1);
  stop();
  all_are_free();
}

/* An older program knows fewer members: nothing behind them is written. */
static void a_part_of_the_figures(void) {
  struct prof_read_figures figures = {.calls_low = 5};
  start();
  CHECK_EQUAL(ask_for(NAME, &figures, offsetof(struct prof_read_figures, calls_low)), 1);
  CHECK_EQUAL(figures.calls, CALLS);
  CHECK_EQUAL(figures.calls_low, 5);
  stop();
}

static void what_is_no_name(void) {
  static char name[65536];
  struct prof_read_figures figures = {0};
  start();
  CHECK_EQUAL(ask(NULL), 0);
  CHECK_EQUAL(ask(""), 0);
  CHECK_EQUAL(ask("\x1b[31m\n\x01"), 0);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_READ, NULL), 0);
  CHECK_EQUAL(ask_for(NAME, NULL, sizeof figures), 0);
  memset(name, 'n', sizeof name - 1);
  uint32_t before = ring.control->reads;
  CHECK_EQUAL(ask(name), 0);
  CHECK_EQUAL(ring.control->reads, before);
  name[PROF_READ_NAME_BYTES - 1] = 0;
  CHECK_EQUAL(ask(name), 0);
  CHECK_EQUAL(ring.control->reads, before + 1);
  stop();
}

static void *free_a_slot(void *unused) {
  while (__atomic_load_n(&ring.control->reads, __ATOMIC_ACQUIRE) < 3)
    nap();
  move(&ring.reads[7], ring.reads[7].state, prof_read_freed(ring.reads[7].state));
  return unused;
}

static void a_full_table(void) {
  pthread_t thread;
  start();
  for (uint32_t i = 0; i < PROF_READ_SLOTS; i++)
    ring.reads[i].state = (uint64_t)99 << 32 | PROF_READ_FILLING;
  CHECK_EQUAL(pthread_create(&thread, NULL, free_a_slot, NULL), 0);
  CHECK_EQUAL(ask(NAME), 1);
  pthread_join(thread, NULL);
  stop();
  CHECK_EQUAL(prof_read_step(ring.reads[7].state), PROF_READ_FREE);
  CHECK_EQUAL(prof_read_step(ring.reads[8].state), PROF_READ_FILLING);
}

static void taken_back(void) {
  takes_back = 1;
  start();
  CHECK_EQUAL(ask(NAME), 0);
  stop();
  all_are_free();
}

static void of_several_files(void) {
  start();
  ring.control->flags = 0;
  CHECK_EQUAL(ask(NAME), 0);
  CHECK_EQUAL(ring.control->reads, 0);
  ring.control->flags = PROF_CONTROL_SUMMARY;
  CHECK_EQUAL(ask(NAME), 1);
  stop();
}

static void *close_recording(void *unused) {
  while (__atomic_load_n(&ring.control->reads, __ATOMIC_ACQUIRE) == 0)
    nap();
  __atomic_store_n(&ring.control->recorder_state, PROF_RECORDER_CLOSED, __ATOMIC_RELEASE);
  return unused;
}

static void closed_meanwhile(void) {
  pthread_t thread;
  attach(); /* nobody answers */
  CHECK_EQUAL(pthread_create(&thread, NULL, close_recording, NULL), 0);
  CHECK_EQUAL(ask(NAME), 0);
  pthread_join(thread, NULL);
}

static void gone(void) {
  attach();
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
  ring.control->recorder_pid = child;
  CHECK_EQUAL(ask(NAME), 0);
  all_are_free();
}

static void handle(int number) {
  (void)number;
  handled += (uint32_t)ask(NAME);
}

static void *interrupt(void *main_thread) {
  while (__atomic_load_n(&ring.control->reads, __ATOMIC_ACQUIRE) == 0)
    nap();
  pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
  while (__atomic_load_n(&ring.control->reads, __ATOMIC_ACQUIRE) < 2) /* the handler asks although the thread waits */
    nap();
  plays = 1;
  return play(NULL);
}

static void in_a_signal_handler(void) {
  pthread_t self = pthread_self();
  attach();
  signal(SIGUSR1, handle);
  CHECK_EQUAL(pthread_create(&player, NULL, interrupt, &self), 0);
  CHECK_EQUAL(ask(NAME), 1);
  CHECK_EQUAL(handled, 1);
  stop();
  all_are_free();
}

static void forked(void) {
  struct prof_read_figures figures = {0};
  start();
  CHECK_EQUAL(ask(NAME), 1);
  pid_t child = fork();
  if (child == 0) /* a process of its own in the recording */
    _exit(ask_for(NAME, &figures, sizeof figures) == 1 && figures.p99_ns == 2 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQUAL(status, 0);
  stop();
  all_are_free();
}

PROF_TEST_CHILD(an_answer, answered)
PROF_TEST_CHILD(an_older_program, a_part_of_the_figures)
PROF_TEST_CHILD(no_names, what_is_no_name)
PROF_TEST_CHILD(full, a_full_table)
PROF_TEST_CHILD(the_recorder_takes_a_slot_back, taken_back)
PROF_TEST_CHILD(only_one_file_or_a_summary, of_several_files)
PROF_TEST_CHILD(the_recording_ends, closed_meanwhile)
PROF_TEST_CHILD(the_recorder_is_gone, gone)
PROF_TEST_CHILD(a_handler_asks_too, in_a_signal_handler)
PROF_TEST_CHILD(a_forked_child, forked)

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_answer),
                                     cmocka_unit_test(an_older_program),
                                     cmocka_unit_test(no_names),
                                     cmocka_unit_test(full),
                                     cmocka_unit_test(the_recorder_takes_a_slot_back),
                                     cmocka_unit_test(only_one_file_or_a_summary),
                                     cmocka_unit_test(the_recording_ends),
                                     cmocka_unit_test(the_recorder_is_gone),
                                     cmocka_unit_test(a_handler_asks_too),
                                     cmocka_unit_test(a_forked_child)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
