/*
 * test_record_governor.c - decisions with real sites: a dense function leaves state always, its sites are switched in
 * every process, the trace has the state; zones leave alone, or with the function that they are in; private text stays
 * as it is, and that of processes that others were forked from.
 *
 * Two functions: 1 (sites 1 ENTRY, 2 EXIT) is dense, 2 (sites 3, 4) is coarse.  This process plays the program.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "proftrace.h"
#include "record/governor/governor.h"
#include "row.h"
#include "trace_folder.h"

enum { BEGIN = 65536, TEXT = 4096, ROOM = 1 << 20, SITES = 4, SLOTS = 4000, ROUNDS = 400 };
#define LATE_NS 300000000u

static uint32_t functions[SITES] = {0, 0, 1, 1};
static uint32_t kinds[SITES] = {PROF_PROBE_ENTRY, PROF_PROBE_EXIT, PROF_PROBE_ENTRY, PROF_PROBE_EXIT};
static uint32_t around[] = {PROF_MATCHER_NO_FUNCTION, PROF_MATCHER_NO_FUNCTION};
static uint8_t hinted[2];
static const struct prof_module_entry entry = {.number = 1,
                                               .first_function = 1,
                                               .site_count = SITES,
                                               .functions = functions,
                                               .kinds = kinds,
                                               .unit_count = 2,
                                               .around = around,
                                               .hinted = hinted};
static const uint32_t map_items[] = {PROF_MATCHER_NO_FUNCTION, 1, 1, 2, 2};
static const struct prof_site_map map = {map_items, 5, NULL};

static struct test {
  struct trace_folder folder;
  prof_writer *writer;
  int fd;
  uint8_t *region; /* the file from BEGIN on */
  struct prof_processes processes;
  struct prof_governor governor;
  struct prof_sieve_thread thread;
} test;

static int begin(void **state) {
  (void)state;
  test = (struct test){.fd = memfd_create("governor", 0)};
  trace_folder_make(&test.folder);
  if (test.fd < 0 || ftruncate(test.fd, BEGIN + ROOM) != 0 ||
      prof_writer_open(test.folder.path, NULL, NULL, &test.writer) != PROF_OK)
    return -1;
  test.region = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, test.fd, BEGIN);
  const struct prof_governor_options options = {.budget = 0.05,
                                                .clock = PROF_TICKS_OS,
                                                .region_fd = test.fd,
                                                .texts_begin = BEGIN,
                                                .texts_end = BEGIN + ROOM,
                                                .writer = test.writer,
                                                .processes = &test.processes};
  const struct prof_log_process process = {.process = 1, .pid = getpid(), .body_ticks_x1000 = 100000};
  prof_processes_add(&test.processes, NULL, &process, "program");
  if (!prof_governor_start(&test.governor, &options))
    return -1;
  prof_governor_process(&test.governor, &process);
  prof_sieve_begin(&test.governor.sieve, &test.thread, 1, 1);
  return 0;
}

static int end(void **state) {
  (void)state;
  prof_sieve_thread_fini(&test.thread);
  prof_governor_fini(&test.governor);
  prof_processes_fini(&test.processes);
  if (test.writer)
    (void)!prof_writer_close(test.writer, NULL);
  trace_folder_remove(&test.folder);
  munmap(test.region, ROOM);
  return close(test.fd);
}

/* A load of the module whose text lies at `at`; 0: it is private. */
static struct prof_text_site *load_entry(const struct prof_module_entry *of, uint32_t first_site, uint64_t at) {
  struct prof_text_site *sites =
      (struct prof_text_site *)(test.region + at - BEGIN + TEXT + sizeof(struct prof_text_head));
  const struct prof_log_module record = {.process = 1,
                                         .first_site = first_site,
                                         .site_count = SITES,
                                         .text = at ? at + TEXT : 0,
                                         .text_bytes = at ? TEXT : 0};
  for (uint32_t i = 0; at && i < SITES; i++) {
    sites[i] = (struct prof_text_site){.on = 100 + i, .off = i, .at = 8 * i};
    ((uint64_t *)(void *)(test.region + at - BEGIN))[i] = 100 + i;
  }
  prof_governor_module(&test.governor, of, &record);
  return sites;
}

static struct prof_text_site *load(uint32_t first_site, uint64_t at) {
  return load_entry(&entry, first_site, at);
}

static uint64_t word(uint64_t at, uint32_t row) {
  return ((const uint64_t *)(void *)(test.region + at - BEGIN))[row];
}

static void give(struct prof_event *slots, size_t count) {
  uint64_t leaving;
  size_t passed = prof_sieve_slots(&test.governor.sieve, &test.thread, slots, count, &map, false, &leaving);
  if (leaving != 0) {
    prof_sieve_left(&test.thread);
    (void)prof_sieve_slots(&test.governor.sieve, &test.thread, slots + passed, count - passed, &map, false, &leaving);
  }
  prof_governor_turn(&test.governor, prof_steady_ns());
}

/* Calls of the dense function, and few of the coarse one. */
static void run_dense(void) {
  static struct prof_event slots[SLOTS];
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < SLOTS; i++) {
      uint32_t site = i < 2 ? 3 + i : 1 + i % 2;
      uint32_t kind = i % 2 ? PROF_EVENT_EXIT : PROF_EVENT_ENTRY;
      slots[i] = (struct prof_event){prof_steady_ns(), prof_event_what(site, kind), 0};
    }
    give(slots, SLOTS);
  }
}

static uint64_t cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The recorder didn't run for a while: the coarse function's calls of that time come at once, in a time of debts. */
static void late_events_are_not_dense(void **state) {
  static struct prof_event slots[SLOTS];
  (void)state;
  (void)load(1, BEGIN);
  run_dense();
  prof_governor_caught_up(&test.governor);
  for (uint64_t until_ns = cpu_ns() + LATE_NS; cpu_ns() < until_ns;)
    ;
  for (int round = 0; round < 4; round++) {
    for (uint32_t i = 0; i < SLOTS; i++)
      slots[i] = (struct prof_event){prof_steady_ns(),
                                     prof_event_what(3 + i % 2, i % 2 ? PROF_EVENT_EXIT : PROF_EVENT_ENTRY), 0};
    test.governor.credit.ns = -1e9;
    give(slots, SLOTS);
  }
  assert_int_equal(test.governor.sieve.units.items.items[2].state, PROF_RECORD_ALWAYS);
}

/* The events of a while are read at once, and hardly any CPU time has passed since the last reading. */
static void short_spans_have_no_rates(void **state) {
  static struct prof_event slots[SLOTS];
  const uint64_t second_ns = 1000000000, begin_ns = prof_steady_ns();
  (void)state;
  (void)load(1, BEGIN);
  prof_governor_turn(&test.governor, begin_ns + second_ns); /* this process' CPU time so far is behind */
  prof_governor_caught_up(&test.governor);
  prof_governor_turn(&test.governor, begin_ns + 2 * second_ns);
  for (uint32_t i = 0; i < SLOTS; i++) {
    uint32_t site = (i < SLOTS / 20 ? 3 : 1) + i % 2;
    slots[i] =
        (struct prof_event){prof_steady_ns(), prof_event_what(site, i % 2 ? PROF_EVENT_EXIT : PROF_EVENT_ENTRY), 0};
  }
  test.governor.credit.ns = -1e9;
  give(slots, SLOTS);
  assert_int_equal(test.governor.sieve.units.items.items[1].state, PROF_RECORD_BURST);
  assert_int_equal(test.governor.sieve.units.items.items[2].state, PROF_RECORD_ALWAYS);
}

static void dense_functions_leave(void **state) {
  (void)state;
  const struct prof_text_site *sites = load(1, BEGIN);
  run_dense();
  const struct prof_units *units = &test.governor.sieve.units;
  assert_int_equal(units->items.items[1].state, PROF_RECORD_BURST);
  assert_int_equal(units->items.items[2].state, PROF_RECORD_ALWAYS);
  assert_int_equal(sites[0].state, PROF_SITE_BURST);
  assert_int_equal(sites[1].state, PROF_SITE_BURST);
  assert_int_equal(sites[2].state, PROF_SITE_ALWAYS);
  prof_governor_stop(&test.governor); /* no window is open */
  assert_int_equal(word(BEGIN, 0), 0);
  assert_int_equal(word(BEGIN, 1), 1);
  assert_int_equal(word(BEGIN, 2), 102);
  (void)load(5, BEGIN + 65536); /* a new process starts with what is known */
  assert_int_equal(word(BEGIN + 65536, 0), 0);
  assert_int_equal(word(BEGIN + 65536, 1), 1);
  assert_int_equal(word(BEGIN + 65536, 3), 103);
  struct prof_governor_figures figures;
  prof_governor_figures(&test.governor, &figures);
  assert_int_equal(figures.functions, 2);
  assert_int_equal(figures.burst_functions, 1);
  assert_int_equal(figures.private_modules, 0);
  assert_true(figures.cpu_ns > 0 && figures.always_events > 0);
  double calibrated = (double)figures.always_events * test.governor.event_ns;
  assert_true(figures.events_ns > 0.999 * calibrated && figures.events_ns < 1.001 * PROF_EVENT_COLD * calibrated);
  assert_true(prof_governor_event_ns(&test.governor) > 2.9 * test.governor.event_ns); /* beside a dense function */
  assert_int_equal(prof_writer_close(test.writer, NULL), PROF_OK);
  test.writer = NULL;
  prof_trace *trace;
  size_t count;
  assert_int_equal(prof_trace_open(test.folder.path, NULL, &trace), PROF_OK);
  const struct prof_state_change *states = prof_trace_states(trace, &count);
  assert_true(count >= 1);
  assert_int_equal(states[0].site, 1);
  assert_int_equal(states[0].state, PROF_RECORD_BURST);
  prof_trace_close(trace);
}

/* Sites 1 and 2 are dense, 3 and 4 are not: `zone` is the first or the second pair, ended by its line. */
static const struct prof_text_site *run_zone(uint32_t zone) {
  static const uint32_t no = PROF_MATCHER_NO_FUNCTION;
  static uint32_t of_zone[2][SITES] = {{0, no, 1, 1}, {0, 0, 1, no}},
                  zone_ends[2][SITES] = {{no, 0, no, no}, {no, no, no, 1}};
  static uint32_t zone_kinds[SITES];
  static uint8_t is_zone[2][2] = {{1, 0}, {0, 1}}, kept[2];
  static struct prof_module_tie ties[2] = {{0, 1}, {1, 0}};
  struct prof_module_entry with = entry;
  memcpy(zone_kinds, kinds, sizeof kinds);
  zone_kinds[2 * zone] |= PROF_ROW_ZONE;
  zone_kinds[2 * zone + 1] |= PROF_ROW_ZONE | PROF_ROW_HAS_VALUE;
  with.functions = of_zone[zone];
  with.kinds = zone_kinds;
  with.kept = kept;
  with.ends = zone_ends[zone];
  with.is_zone = is_zone[zone];
  with.ties = &ties[zone];
  with.tie_count = 1;
  const struct prof_text_site *sites = load_entry(&with, 1, BEGIN);
  run_dense();
  return sites;
}

static void a_dense_zone_leaves_without_its_function(void **state) {
  (void)state;
  const struct prof_text_site *sites = run_zone(0);
  assert_int_equal(test.governor.sieve.units.items.items[1].state, PROF_RECORD_BURST);
  assert_int_equal(test.governor.sieve.units.items.items[2].state, PROF_RECORD_ALWAYS);
  assert_int_equal(sites[0].state, PROF_SITE_BURST);
  assert_int_equal(sites[1].state, PROF_SITE_BURST); /* its end by line */
  assert_int_equal(sites[3].state, PROF_SITE_ALWAYS);
  struct prof_governor_figures figures;
  prof_governor_figures(&test.governor, &figures);
  assert_int_equal(figures.functions, 1);
  assert_int_equal(figures.burst_functions, 0);
  assert_int_equal(figures.zones, 1);
  assert_int_equal(figures.burst_zones, 1);
  assert_false(figures.of_zones);
}

static void a_dense_function_takes_its_zone_with_it(void **state) {
  (void)state;
  const struct prof_text_site *sites = run_zone(1);
  assert_int_equal(test.governor.sieve.units.items.items[1].state, PROF_RECORD_BURST);
  assert_int_equal(test.governor.sieve.units.items.items[2].state, PROF_RECORD_BURST);
  assert_int_equal(sites[2].state, PROF_SITE_BURST);
  assert_int_equal(sites[3].state, PROF_SITE_BURST);
}

static void pass(unsigned rounds) {
  struct prof_event slots[2];
  for (unsigned round = 0; round < rounds && test.governor.own.scale >= 1; round++) {
    for (uint64_t until_ns = cpu_ns() + LATE_NS; cpu_ns() < until_ns;)
      ;
    for (uint32_t i = 0; i < 2; i++)
      slots[i] =
          (struct prof_event){prof_steady_ns(), prof_event_what(3 + i, i ? PROF_EVENT_EXIT : PROF_EVENT_ENTRY), 0};
    give(slots, 2);
  }
}

/* This process plays both, so the recorder has all of the CPU time. */
static void recorder_has_a_limit_too(void **state) {
  (void)state;
  (void)load(1, BEGIN);
  pass(5);
  assert_true(test.governor.own.scale == 1);
  test.governor.options.limits_own = true;
  pass(100);
  assert_true(test.governor.own.scale < 1 && prof_governor_always(&test.governor) < test.governor.parts.always);
}

/* Its events cost what they cost: nothing can be switched, so nothing changes its state. */
static void private_text_stays(void **state) {
  (void)state;
  (void)load(1, 0);
  run_dense();
  struct prof_governor_figures figures;
  prof_governor_figures(&test.governor, &figures);
  assert_int_equal(figures.private_modules, 1);
  assert_int_equal(figures.burst_functions, 0);
  assert_int_equal(test.governor.sieve.dropped, 0);
  assert_true(figures.events_ns < 1.001 * (double)figures.always_events * test.governor.event_ns);
}

static void lost_text_is_left_alone(void **state) {
  (void)state;
  (void)load(1, BEGIN);
  prof_governor_lose(&test.governor, 1, 1, true);
  run_dense();
  assert_int_equal(word(BEGIN, 0), 100);
  struct prof_governor_figures figures;
  prof_governor_figures(&test.governor, &figures);
  assert_int_equal(figures.private_modules, 1);
  assert_int_equal(figures.burst_functions, 0);
}

static void fork_of_first(uint32_t number) {
  const struct prof_log_process child = {
      .process = number, .parent = 1, .flags = PROF_PROCESS_FORKED, .pid = getpid(), .body_ticks_x1000 = 100000};
  prof_processes_add(&test.processes, NULL, &child, "program");
  prof_governor_process(&test.governor, &child);
}

/* A child that ends or switches by itself leaves its parent's text, and a parent that ends the child's. */
static void text_of_relatives_is_kept(void **state) {
  (void)state;
  (void)load(1, BEGIN);
  fork_of_first(2);
  prof_governor_lose(&test.governor, 2, 1, false);
  prof_governor_lose(&test.governor, 2, 1, true);
  prof_governor_lose(&test.governor, 1, 1, false);
  run_dense();
  prof_governor_stop(&test.governor);
  assert_int_equal(word(BEGIN, 0), 0);
  assert_int_equal(word(BEGIN, 1), 1);
  struct prof_governor_figures figures;
  prof_governor_figures(&test.governor, &figures);
  assert_int_equal(figures.burst_functions, 1);
}

struct news {
  uint32_t ended, lost; /* how many */
};

static void count_ended(void *context, uint32_t process) {
  struct news *news = context;
  news->ended += process == 3;
}

static void count_lost(void *context, uint32_t first_site) {
  struct news *news = context;
  news->lost += first_site == 1;
}

static struct news look(uint64_t now_ns) {
  struct news news = {0, 0};
  const struct prof_text_news takers = {count_ended, count_lost, &news};
  prof_text_users_look(&test.governor.users, &test.governor.opener.texts, &test.processes, now_ns, &takers);
  return news;
}

/* A child may report itself later than the process that it was forked from ends, or unloads a library. */
static void text_is_lost_later(void **state) {
  const uint64_t begin_ns = 1000000000, later_ns = 2 * begin_ns;
  (void)state;
  (void)load(1, BEGIN);
  prof_text_users_lose(&test.governor.users, 1, 1, begin_ns);
  assert_int_equal(look(begin_ns).lost, 0);
  assert_int_equal(look(later_ns).lost, 1);
  prof_text_users_lose(&test.governor.users, 1, 1, begin_ns);
  fork_of_first(2);
  assert_int_equal(look(later_ns).lost, 0);
}

static void text_ends_later(void **state) {
  const uint64_t begin_ns = 1000000000, later_ns = 2 * begin_ns;
  pid_t child = fork();
  (void)state;
  if (child == 0)
    _exit(0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  const struct prof_log_process gone = {.process = 3, .pid = child};
  prof_processes_add(&test.processes, NULL, &gone, "program");
  prof_governor_process(&test.governor, &gone);
  assert_int_equal(look(begin_ns).ended, 0);
  assert_int_equal(look(later_ns).ended, 1);
  assert_int_equal(look(later_ns).ended, 0); /* it is forgotten */
}

static uint64_t silent_ns; /* when a process began that has reported nothing; 0: there is none */

static bool silent_there(void *context, uint64_t *first_ns, uint64_t *last_ns) {
  *first_ns = *last_ns = silent_ns;
  (*(uint32_t *)context)++;
  return silent_ns != 0;
}

static struct news ask_and_look(uint64_t now_ns) {
  prof_text_users_ask(&test.governor.users, now_ns);
  return look(now_ns);
}

/* As long as one is there that has reported nothing and began while the process lived. */
static void text_ends_after_silent_ones(void **state) {
  const uint64_t second_ns = 1000000000, begin_ns = prof_steady_ns();
  uint32_t asked = 0;
  pid_t child = fork();
  (void)state;
  if (child == 0)
    _exit(0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  const struct prof_log_process gone = {.process = 3, .pid = child};
  test.governor.users.others = (struct prof_text_others){silent_there, &asked};
  prof_processes_add(&test.processes, NULL, &gone, "program");
  prof_governor_process(&test.governor, &gone);
  silent_ns = begin_ns;
  assert_int_equal(ask_and_look(begin_ns + second_ns).ended, 0);
  assert_int_equal(asked, 0); /* nothing hangs on it yet */
  assert_int_equal(ask_and_look(begin_ns + 2 * second_ns).ended, 0);
  assert_int_equal(asked, 1);
  assert_int_equal(look(begin_ns + 3 * second_ns).ended, 0);
  silent_ns = begin_ns + 60 * second_ns; /* it began too late to be forked from it */
  assert_int_equal(ask_and_look(begin_ns + 61 * second_ns).ended, 1);
}

static void text_is_lost_after_silent_ones(void **state) {
  const uint64_t begin_ns = 1000000000;
  uint32_t asked = 0;
  (void)state;
  (void)load(1, BEGIN);
  test.governor.users.others = (struct prof_text_others){silent_there, &asked};
  prof_text_users_lose(&test.governor.users, 1, 1, begin_ns);
  silent_ns = begin_ns;
  assert_int_equal(ask_and_look(2 * begin_ns).lost, 0);
  silent_ns = 0;
  assert_int_equal(ask_and_look(3 * begin_ns).lost, 1);
}

static void without_a_budget_nothing_is_on(void **state) {
  (void)state;
  struct prof_governor off;
  const struct prof_governor_options none = {.budget = 0};
  assert_true(prof_governor_start(&off, &none));
  assert_false(off.on);
  prof_governor_turn(&off, 1);
  prof_governor_stop(&off);
  assert_int_equal(prof_governor_waiting_bytes(&off), 0);
  prof_governor_fini(&off);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(text_of_relatives_is_kept),
      CASE(dense_functions_leave),
      CASE(a_dense_zone_leaves_without_its_function),
      CASE(a_dense_function_takes_its_zone_with_it),
      CASE(late_events_are_not_dense),
      CASE(short_spans_have_no_rates),
      CASE(private_text_stays),
      CASE(recorder_has_a_limit_too),
      CASE(lost_text_is_left_alone),
      CASE(text_is_lost_later),
      CASE(text_ends_later),
      CASE(text_ends_after_silent_ones),
      CASE(text_is_lost_after_silent_ones),
      CASE(without_a_budget_nothing_is_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
