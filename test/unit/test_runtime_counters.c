/*
 * test_runtime_counters.c - sites that count: every call is counted once, in its thread's counters, and nothing else
 * changes.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"
#include "ring_pump_thread.h"

enum { THREADS = 4, MANY_THREADS = 70, SWITCHES = 50000, ROOM = 1 << 20, COUNTERS = 512, NOBODY = -1 };

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[256];
static int over;

/* The recorder's side of the copy. */
static uint8_t *base;
static const struct prof_text_head *text;
static const struct prof_text_site *sites;

static void start(uint64_t counters, uint32_t thread_records) {
  ring_double_open(&ring, 256, 8, PROF_WHEN_FULL_WAIT);
  ring_double_open_texts(&ring, ROOM, counters);
  ring.control->thread_count = thread_records ? thread_records : ring.control->thread_count;
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
  const struct prof_log_head *head = NULL;
  for (uint64_t at = 0; (head = ring_double_log(&ring, &at)) && head->kind != PROF_LOG_MODULE;)
    ;
  const struct prof_log_module *record = (const void *)head;
  CHECK(record && record->text);
  base = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, (off_t)(record->text - record->text_bytes));
  CHECK(base != MAP_FAILED);
  text = (const struct prof_text_head *)(const void *)(base + record->text_bytes);
  sites = (const struct prof_text_site *)(text + 1);
}

enum mode { OFF, ON, COUNT };

/* Where nothing can be counted, sites are off. */
static void all_switch(enum mode mode) {
  for (uint32_t i = 0; i < text->site_count; i++) {
    uint64_t word = mode == ON ? sites[i].on : mode == COUNT && sites[i].count ? sites[i].count : sites[i].off;
    if (sites[i].at != PROF_TEXT_NO_SITE)
      __atomic_store_n((uint64_t *)(void *)(base + sites[i].at), word, __ATOMIC_RELEASE);
  }
}

static uint64_t counted_by(int thread) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < text->site_count; i++)
    if (sites[i].count)
      sum += ring_double_count(&ring, (uint32_t)thread, sites[i].counter);
  return sum;
}

static uint64_t counted_by_all(void) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < __atomic_load_n(&ring.control->threads_used, __ATOMIC_RELAXED); i++)
    sum += counted_by((int)i);
  return sum;
}

static int own_record(void) {
  return (int)ring_double_find(&ring, (int)gettid());
}

/* The one site whose counter of the thread isn't 0. */
static const struct prof_text_site *only_site(int thread) {
  const struct prof_text_site *only = NULL;
  for (uint32_t i = 0; i < text->site_count; i++)
    if (sites[i].count && ring_double_count(&ring, (uint32_t)thread, sites[i].counter)) {
      CHECK(!only);
      only = &sites[i];
    }
  return only;
}

static void each_call(void) {
  start(COUNTERS, 0);
  uint32_t kinds[PROF_ROW_KIND_MASK + 1] = {0};
  for (uint32_t i = 0; i < text->site_count; i++) {
    CHECK(!sites[i].count || (sites[i].count != sites[i].on && sites[i].count != sites[i].off));
    kinds[prof_test_rows_begin[i].kind & PROF_ROW_KIND_MASK] += sites[i].count != 0;
  }
  CHECK(kinds[PROF_PROBE_ENTRY] >= 3 && kinds[PROF_PROBE_EXIT] == 0);
  all_switch(COUNT);
  for (int i = 0; i < 1000; i++)
    CHECK_EQUAL(leaf(i), i);
  int self = own_record();
  CHECK(self >= 0);
  const struct prof_text_site *site = only_site(self);
  CHECK(site && ring_double_count(&ring, (uint32_t)self, site->counter) == 1000);
  CHECK_EQUAL(tree(5), 63);
  CHECK_EQUAL(node(1), 3);
  CHECK_EQUAL(counted_by(self), 1000 + 63 + 3);
  CHECK_EQUAL(ring_double_count(&ring, (uint32_t)self, site->counter), 1002);
  all_switch(OFF);
  CHECK_EQUAL(tree(5), 63);
  CHECK_EQUAL(counted_by(self), 1066);
  size_t events;
  free(ring_double_events(&ring, (uint32_t)self, &events));
  CHECK_EQUAL(events, 0);
  CHECK_EQUAL(counted_by(NOBODY), 0);
}

static uint64_t calls[MANY_THREADS];
static int records[MANY_THREADS];
static pthread_barrier_t together;

static void *count_some(void *argument) {
  uint64_t *mine = argument;
  pthread_barrier_wait(&together); /* nobody takes the record of one that has ended */
  for (uint64_t i = 0; i < *mine; i++)
    leaf(1);
  records[mine - calls] = own_record();
  pthread_barrier_wait(&together);
  return NULL;
}

static void run_threads(unsigned count) {
  pthread_t threads[MANY_THREADS];
  pthread_barrier_init(&together, NULL, count);
  all_switch(COUNT);
  for (unsigned i = 0; i < count; i++) {
    calls[i] = 100 + i;
    CHECK_EQUAL(pthread_create(&threads[i], NULL, count_some, &calls[i]), 0);
  }
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

/* Each in its own counters, also beyond what is mapped at first. */
static void many_threads(void) {
  start(COUNTERS, 0);
  run_threads(MANY_THREADS);
  for (int i = 0; i < MANY_THREADS; i++)
    CHECK(records[i] >= 0 && counted_by(records[i]) == calls[i]);
  CHECK_EQUAL(counted_by(NOBODY), 0);
}

/* More threads than records: the others count where nobody reads. */
static void no_record(void) {
  start(COUNTERS, 2);
  run_threads(5);
  uint64_t sum = 0;
  for (int i = 0; i < 5; i++)
    sum += calls[i];
  CHECK(counted_by(0) > 0 && counted_by(1) > 0 && counted_by(NOBODY) > 0);
  CHECK(counted_by(0) + counted_by(1) + counted_by(NOBODY) <= sum); /* they share the latter */
}

static void *run_through(void *argument) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    *(uint64_t *)argument += tree(6);
  return NULL;
}

static uint64_t switch_under_threads(const enum mode *modes, unsigned mode_count) {
  pthread_t threads[THREADS];
  uint64_t called = 0;
  start(COUNTERS, 0);
  ring_pump_start(&ring, 100, nest_event, nests);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, run_through, &calls[i]), 0);
  for (unsigned i = 0; i < SWITCHES || counted_by_all() < SWITCHES; i++)
    all_switch(modes[i % mode_count]);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    called += calls[i];
  }
  CHECK_EQUAL(ring_pump_stop(), 0);
  CHECK(called > 0);
  return called;
}

/* Events and counts of all threads; the pump has freed their records. */
static uint64_t seen_in_all(void) {
  uint64_t entries = 0;
  for (unsigned i = 0; i < 256; i++)
    entries += nests[i].entries;
  return entries + counted_by_all();
}

/* Each call either writes an event or counts. */
static void events_and_counts(void) {
  static const enum mode modes[] = {ON, COUNT};
  uint64_t called = switch_under_threads(modes, 2);
  CHECK_EQUAL(seen_in_all(), called);
}

static void counts_and_nothing(void) {
  static const enum mode modes[] = {COUNT, OFF, ON, OFF, COUNT, ON};
  uint64_t called = switch_under_threads(modes, 6);
  CHECK(seen_in_all() <= called);
}

/* A child counts for itself, from 0 on, where its parent's counters were. */
static void forked(void) {
  start(COUNTERS, 0);
  all_switch(COUNT);
  leaf(1);
  int self = own_record();
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 500; i++)
      leaf(1);
    int mine = own_record();
    _exit(mine != self && mine >= 0 && counted_by(mine) == 500 ? 0 : 1);
  }
  for (int i = 0; i < 300; i++)
    leaf(1);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQUAL(status, 0);
  CHECK_EQUAL(counted_by(self), 301);
}

static volatile sig_atomic_t handled;

static void on_alarm(int number) {
  (void)number;
  leaf(2);
  handled++;
}

/* Handlers that count where they interrupted a count. */
static void interrupted(void) {
  start(COUNTERS, 0);
  all_switch(COUNT);
  struct sigaction action = {.sa_handler = on_alarm};
  const struct itimerval every = {{0, 100}, {0, 100}};
  const struct itimerval never = {{0, 0}, {0, 0}};
  uint64_t called = 0;
  sigaction(SIGPROF, &action, NULL);
  CHECK_EQUAL(setitimer(ITIMER_PROF, &every, NULL), 0);
  for (; handled < 20; called += 1000)
    for (int i = 0; i < 1000; i++)
      leaf(1);
  CHECK_EQUAL(setitimer(ITIMER_PROF, &never, NULL), 0);
  CHECK_EQUAL(counted_by(own_record()), called + (uint64_t)handled);
}

/* A thread's first call is counted in a handler, on a thread that has no cell yet. */
static void *raise_first(void *unused) {
  raise(SIGUSR1);
  records[0] = own_record();
  return unused;
}

static void first_in_a_handler(void) {
  pthread_t thread;
  start(COUNTERS, 0);
  all_switch(COUNT);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGUSR1, &action, NULL);
  CHECK_EQUAL(pthread_create(&thread, NULL, raise_first, NULL), 0);
  pthread_join(thread, NULL);
  CHECK(records[0] >= 0);
  CHECK_EQUAL(counted_by(records[0]), 1);
}

/* prof_stop, or a private text, ends counting: a sled that counts is ours. */
static void stopped_while_counting(void) {
  start(COUNTERS, 0);
  all_switch(COUNT);
  leaf(1);
  int self = own_record();
  hooks.control(PROF_CONTROL_STOP, NULL);
  leaf(1);
  CHECK_EQUAL(counted_by(self), 1);
  hooks.control(PROF_CONTROL_START, NULL);
  all_switch(COUNT);
  __atomic_fetch_add(&ring.control->forks, 1, __ATOMIC_RELAXED); /* as if there were a relative */
  hooks.control(PROF_CONTROL_STOP, NULL);
  leaf(1);
  CHECK_EQUAL(counted_by(self), 1);
  all_switch(COUNT); /* of the copy, which nobody runs any more */
  leaf(1);
  CHECK_EQUAL(counted_by(self), 1);
  hooks.control(PROF_CONTROL_START, NULL);
  leaf(1);
  CHECK_EQUAL(counted_by(self), 1);
}

static void no_counters(void) {
  start(0, 0);
  for (uint32_t i = 0; i < text->site_count; i++)
    CHECK(!sites[i].count);
  leaf(1);
  CHECK(own_record() >= 0);
}

static void damaged_counters(void) {
  ring_double_open(&ring, 256, 8, PROF_WHEN_FULL_WAIT);
  ring_double_open_texts(&ring, ROOM, COUNTERS);
  ring.control->counters_bytes *= 2;
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, 0);
}

/*
 * void count_registers(const uint64_t in[17], uint64_t out[17]): loads all registers but rsp and rsi from `in`, fills
 * the red zone's 8-byte words with in[16], and stores what the sled left; out[16] is the sum of the red zone.
 */
void count_registers(const uint64_t in[17], uint64_t out[17]);
__asm__(".text\n\t.globl count_registers\n\t.type count_registers,@function\ncount_registers:\n"
        "\tpush %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n"
        "\tmov 128(%rdi), %rax\n"
        "\t.irp word,-8,-16,-24,-32,-40,-48,-56,-64,-72,-80,-88,-96,-104,-112,-120,-128\n"
        "\tmov %rax, \\word(%rsp)\n\t.endr\n"
        "\tmov 0(%rdi), %rax\n\tmov 8(%rdi), %rcx\n\tmov 16(%rdi), %rdx\n\tmov 24(%rdi), %rbx\n\tmov 40(%rdi), %rbp\n"
        "\tmov 64(%rdi), %r8\n\tmov 72(%rdi), %r9\n\tmov 80(%rdi), %r10\n\tmov 88(%rdi), %r11\n\tmov 96(%rdi), %r12\n"
        "\tmov 104(%rdi), %r13\n\tmov 112(%rdi), %r14\n\tmov 120(%rdi), %r15\n\tmov 56(%rdi), %rdi\n"
        "\t.p2align 3,,4\n"
        "1:\t.byte 0x0f,0x1f,0x44,0,0\n"
        "\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,count_registers\n"
        "\t.p2align 2\n"
        "2:\t.long 1b-2b, 1\n"
        "\t.popsection\n"
        "\tmov %rax, 0(%rsi)\n\tmov %rcx, 8(%rsi)\n\tmov %rdx, 16(%rsi)\n\tmov %rbx, 24(%rsi)\n\tmov %rbp, 40(%rsi)\n"
        "\tmov %rdi, 56(%rsi)\n\tmov %r8, 64(%rsi)\n\tmov %r9, 72(%rsi)\n\tmov %r10, 80(%rsi)\n\tmov %r11, 88(%rsi)\n"
        "\tmov %r12, 96(%rsi)\n\tmov %r13, 104(%rsi)\n\tmov %r14, 112(%rsi)\n\tmov %r15, 120(%rsi)\n"
        "\txor %eax, %eax\n"
        "\t.irp word,-8,-16,-24,-32,-40,-48,-56,-64,-72,-80,-88,-96,-104,-112,-120,-128\n"
        "\tadd \\word(%rsp), %rax\n\t.endr\n"
        "\tmov %rax, 128(%rsi)\n"
        "\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret\n"
        "\t.size count_registers,.-count_registers\n");

static void registers_once(void) {
  uint64_t in[17], out[17];
  for (unsigned i = 0; i < 17; i++)
    in[i] = 0x0123456789abcdefull * (i + 1);
  memset(out, 0, sizeof out);
  count_registers(in, out);
  for (unsigned i = 0; i < 16; i++)
    if (i != 4 && i != 6) /* rsp, rsi */
      CHECK_EQUAL(out[i], in[i]);
  CHECK_EQUAL(out[16], 16 * in[16]);
}

static void registers(void) {
  start(COUNTERS, 0);
  all_switch(COUNT);
  registers_once(); /* attaches the thread */
  registers_once();
  CHECK_EQUAL(counted_by(own_record()), 2);
}

PROF_TEST_CHILD(each_call_is_counted_once, each_call)
PROF_TEST_CHILD(threads_have_counters_of_their_own, many_threads)
PROF_TEST_CHILD(threads_without_a_record_count_for_nobody, no_record)
PROF_TEST_CHILD(a_call_writes_an_event_or_counts, events_and_counts)
PROF_TEST_CHILD(nothing_is_counted_twice, counts_and_nothing)
PROF_TEST_CHILD(a_child_counts_for_itself, forked)
PROF_TEST_CHILD(handlers_count, interrupted)
PROF_TEST_CHILD(a_handler_counts_first, first_in_a_handler)
PROF_TEST_CHILD(a_stop_ends_counting, stopped_while_counting)
PROF_TEST_CHILD(without_counters_nothing_counts, no_counters)
PROF_TEST_CHILD(damaged_counters_are_refused, damaged_counters)
PROF_TEST_CHILD(registers_and_red_zone_stay, registers)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_is_counted_once),
      cmocka_unit_test(threads_have_counters_of_their_own),
      cmocka_unit_test(threads_without_a_record_count_for_nobody),
      cmocka_unit_test(a_call_writes_an_event_or_counts),
      cmocka_unit_test(nothing_is_counted_twice),
      cmocka_unit_test(a_child_counts_for_itself),
      cmocka_unit_test(handlers_count),
      cmocka_unit_test(a_handler_counts_first),
      cmocka_unit_test(a_stop_ends_counting),
      cmocka_unit_test(without_counters_nothing_counts),
      cmocka_unit_test(damaged_counters_are_refused),
      cmocka_unit_test(registers_and_red_zone_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
