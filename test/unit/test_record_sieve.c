/*
 * test_record_sieve.c - what is kept from the matcher, what windows count, and the units behind it.
 *
 * The module: function 0 (sites 11 ENTRY, 12 EXIT), function 1 (13 ENTRY, 14 EXIT, 15 LANDED), its loop 2 (16, 17), an
 * inner loop 3 of that (18 counts entries, 19 iterations).  Units are 5 to 8.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "record/governor/sieve.h"
#include "row.h"

enum {
  FIRST_SITE = 11,
  SITES = 9,
  FIRST_UNIT = 5,
  COARSE = 5,
  DENSE = 6,
  LOOP = 7,
  INNER = 8,
  NO = PROF_MATCHER_NO_FUNCTION
};

static uint32_t functions[SITES] = {0, 0, 1, 1, 1, 2, 2, 3, 3};
static uint32_t kinds[SITES] = {
    PROF_PROBE_ENTRY,      PROF_PROBE_EXIT,       PROF_PROBE_ENTRY,     PROF_PROBE_EXIT,
    PROF_PROBE_LANDED,     PROF_PROBE_LOOP_ENTRY, PROF_PROBE_LOOP_EXIT, PROF_PROBE_LOOP_COUNT | PROF_ROW_COUNTS_ENTRIES,
    PROF_PROBE_LOOP_COUNT,
};
static uint32_t around[] = {(uint32_t)NO, (uint32_t)NO, 1, 2};
static uint8_t hinted[] = {0, 1, 0, 0};
static const struct prof_module_entry entry = {.number = 1,
                                               .first_function = FIRST_UNIT,
                                               .site_count = SITES,
                                               .functions = functions,
                                               .kinds = kinds,
                                               .unit_count = 4,
                                               .around = around,
                                               .hinted = hinted};
static uint32_t map_items[FIRST_SITE + SITES];
static struct prof_site_map map;
static struct prof_sieve sieve;
static struct prof_sieve_thread thread;

static int begin(void **state) {
  (void)state;
  const struct prof_log_module record = {.process = 1, .first_site = FIRST_SITE, .site_count = SITES};
  for (uint32_t i = 0; i < FIRST_SITE + SITES; i++)
    map_items[i] = i < FIRST_SITE ? (uint32_t)NO : FIRST_UNIT + functions[i - FIRST_SITE];
  map = (struct prof_site_map){map_items, FIRST_SITE + SITES, NULL};
  sieve = (struct prof_sieve){0};
  if (!prof_units_load(&sieve.units, &entry, &record))
    return -1;
  prof_sieve_begin(&sieve, &thread, 7, 100);
  return 0;
}

static int end(void **state) {
  (void)state;
  prof_sieve_thread_fini(&thread);
  prof_sieve_fini(&sieve);
  return 0;
}

static void to_burst(uint32_t unit, uint64_t time) {
  assert_true(prof_units_change(&sieve.units, unit, time, PROF_RECORD_BURST));
}

static struct prof_event event(uint64_t time, uint32_t site, uint32_t kind, uint32_t aux) {
  return (struct prof_event){time, prof_event_what(site, kind), aux};
}

static size_t pass(struct prof_event *slots, size_t count) {
  uint64_t leaving;
  size_t passed = prof_sieve_slots(&sieve, &thread, slots, count, &map, false, &leaving);
  assert_int_equal(leaving, 0);
  return passed;
}

static uint32_t kind_of(const struct prof_event *slot) {
  return prof_event_kind(slot->what);
}

static void states_have_times(void **state) {
  (void)state;
  to_burst(DENSE, 1000);
  assert_true(prof_units_change(&sieve.units, DENSE, 2000, PROF_RECORD_ALWAYS));
  struct prof_event slots[] = {
      event(500, 13, PROF_EVENT_ENTRY, 1),  event(1000, 14, PROF_EVENT_EXIT, 0),  event(1500, 11, PROF_EVENT_ENTRY, 2),
      event(1600, 13, PROF_EVENT_ENTRY, 3), event(1601, 13, PROF_EVENT_FRAME, 4), event(1999, 14, PROF_EVENT_EXIT, 0),
      event(2000, 13, PROF_EVENT_ENTRY, 5), event(2100, 99, PROF_EVENT_ENTRY, 6),
  };
  assert_int_equal(pass(slots, 8), 8);
  static const uint32_t wanted[] = {PROF_EVENT_ENTRY, PROF_EVENT_NONE, PROF_EVENT_ENTRY, PROF_EVENT_NONE,
                                    PROF_EVENT_NONE,  PROF_EVENT_NONE, PROF_EVENT_ENTRY, PROF_EVENT_ENTRY};
  for (size_t i = 0; i < 8; i++)
    assert_int_equal(kind_of(&slots[i]), wanted[i]);
  assert_int_equal(sieve.events, 4);
  assert_int_equal(sieve.dropped, 3); /* the FRAME reads no clock */
  assert_int_equal(sieve.units.items.items[DENSE].count, 2);
  assert_int_equal(slots[1].time, 1000); /* the slot stays used */
  assert_true(prof_sieve_was_off(&sieve, 14, DENSE) && !prof_sieve_was_off(&sieve, 12, COARSE));
}

static void stops_before_a_leaving(void **state) {
  (void)state;
  to_burst(DENSE, 1000);
  assert_true(prof_vec_push(&sieve.leavings, (uint64_t)1000));
  struct prof_event slots[] = {event(900, 13, PROF_EVENT_ENTRY, 1), event(1200, 11, PROF_EVENT_ENTRY, 1)};
  uint64_t leaving;
  assert_int_equal(prof_sieve_slots(&sieve, &thread, slots, 2, &map, false, &leaving), 1);
  assert_int_equal(leaving, 1000);
  assert_true(prof_sieve_is_gone(&sieve, DENSE, 1000));
  assert_false(prof_sieve_is_gone(&sieve, DENSE, 999));
  assert_false(prof_sieve_is_gone(&sieve, COARSE, 1000));
  prof_sieve_left(&thread);
  assert_int_equal(pass(slots + 1, 1), 1);
  struct prof_sieve_thread later; /* a thread that began after it */
  prof_sieve_begin(&sieve, &later, 8, 1001);
  assert_int_equal(prof_sieve_next_leaving(&sieve, &later), 0);
}

static void empty_slots_end_a_pass(void **state) {
  (void)state;
  struct prof_event slots[] = {event(900, 11, PROF_EVENT_ENTRY, 1), event(0, 0, 0, 0),
                               event(950, 12, PROF_EVENT_EXIT, 0)};
  assert_int_equal(pass(slots, 3), 1);
  uint64_t leaving;
  assert_int_equal(prof_sieve_slots(&sieve, &thread, slots + 1, 2, &map, true, &leaving), 2);
  assert_int_equal(sieve.events, 2);
}

static void windows_count_calls_by_caller(void **state) {
  (void)state;
  to_burst(DENSE, 1000);
  to_burst(LOOP, 1000);
  to_burst(INNER, 1000);
  assert_true(prof_window_book_open(&sieve.book, 2000, 1, UINT32_MAX));
  struct prof_event slots[] = {
      event(1990, 13, PROF_EVENT_ENTRY, 40), /* before the window */
      event(2000, 13, PROF_EVENT_ENTRY, 40),
      event(2001, 13, PROF_EVENT_ENTRY, 50),
      event(2002, 13, PROF_EVENT_ENTRY, 40),
      event(2003, 11, PROF_EVENT_ENTRY, 60), /* always, in the window */
      event(2004, 16, PROF_EVENT_LOOP_ENTRY, 0),
      event(PROF_EVENT_VALUE_BIT | 5, 18, PROF_EVENT_VALUE, 0),
      event(PROF_EVENT_VALUE_BIT | 30, 19, PROF_EVENT_VALUE, 0),
      event(2005, 17, PROF_EVENT_LOOP_EXIT, 0),
      event(PROF_EVENT_VALUE_BIT | 9, 17, PROF_EVENT_VALUE, 0),
  };
  assert_int_equal(pass(slots, 10), 10);
  prof_window_book_end(&sieve.book, 0, 2100, false);
  struct prof_event after[] = {event(2100, 13, PROF_EVENT_ENTRY, 40)};
  assert_int_equal(pass(after, 1), 1);
  const struct prof_booked *booked = prof_window_book_at(&sieve.book, 0);
  assert_int_equal(booked->threads.count, 1);
  assert_int_equal(booked->threads.items[0].thread, 7);
  assert_int_equal(booked->threads.items[0].events, 6);
  assert_int_equal(booked->rows.count, 4);
  uint64_t calls = 0, iterations = 0;
  for (size_t i = 0; i < 4; i++) {
    const struct prof_window_row *row = &booked->rows.items[i];
    calls += row->calls;
    iterations += row->iterations;
    if (row->site == 13 && row->caller == 40)
      assert_int_equal(row->calls, 2);
    if (row->site == 16)
      assert_int_equal(row->calls * 100 + row->iterations, 109);
    if (row->site == 18)
      assert_int_equal(row->calls * 100 + row->iterations, 530);
  }
  assert_int_equal(calls, 2 + 1 + 1 + 5);
  assert_int_equal(iterations, 9 + 30);
  assert_int_equal(slots[4].aux, 60); /* left to the matcher */
}

/* A window closes for a thread that writes no more when all that it wrote was read. */
static void quiet_threads_are_settled(void **state) {
  (void)state;
  to_burst(DENSE, 1000);
  assert_true(prof_window_book_open(&sieve.book, 2000, 1, UINT32_MAX));
  struct prof_event slots[] = {event(2001, 13, PROF_EVENT_ENTRY, 40)};
  assert_int_equal(pass(slots, 1), 1);
  prof_sieve_settle(&sieve, &thread, 5000); /* it is open */
  assert_true(thread.inside);
  prof_window_book_end(&sieve.book, 0, 2100, false);
  prof_sieve_settle(&sieve, &thread, 2050);
  assert_true(thread.inside);
  prof_sieve_settle(&sieve, &thread, 2100);
  assert_false(thread.inside);
  assert_int_equal(prof_window_book_at(&sieve.book, 0)->rows.items[0].calls, 1);
}

static void landings_stay_without_their_function(void **state) {
  (void)state;
  to_burst(DENSE, 1000);
  struct prof_event slots[] = {event(1100, 15, PROF_EVENT_LANDED, 0x7000)};
  assert_int_equal(pass(slots, 1), 1);
  assert_int_equal(kind_of(&slots[0]), PROF_EVENT_LANDED);
  assert_int_equal(prof_event_site(slots[0].what), 0);
  assert_int_equal(slots[0].aux, 0x7000);
}

static void frames_come_first_where_control_may_land(void **state) {
  (void)state;
  sieve.lands = true;
  struct prof_event slots[] = {event(1100, 11, PROF_EVENT_ENTRY, 5), event(1100, 11, PROF_EVENT_FRAME, 0x7000),
                               event(1200, 11, PROF_EVENT_ENTRY, 5)};
  assert_int_equal(pass(slots, 3), 3);
  assert_int_equal(kind_of(&slots[0]), PROF_EVENT_STACK);
  assert_int_equal(slots[0].aux, 0x7000);
  assert_int_equal(kind_of(&slots[1]), PROF_EVENT_ENTRY);
  assert_int_equal(slots[1].aux, 5);
  assert_int_equal(kind_of(&slots[2]), PROF_EVENT_ENTRY); /* its FRAME is in the next pass */
  assert_int_equal(sieve.events, 2);
}

static void units_have_names_sites_and_loads(void **state) {
  (void)state;
  const struct prof_log_module other = {.process = 2, .first_site = 31, .site_count = SITES};
  assert_int_equal(sieve.units.items.items[COARSE].site, 11);
  assert_int_equal(sieve.units.items.items[LOOP].site, 16);
  assert_int_equal(sieve.units.items.items[INNER].around, LOOP);
  assert_true(sieve.units.items.items[DENSE].lands && !sieve.units.items.items[COARSE].lands);
  assert_true(prof_units_load(&sieve.units, &entry, &other));
  assert_int_equal(sieve.units.items.items[COARSE].site, 11); /* the first one's stays */
  struct prof_site_list list = {0};
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[DENSE], PROF_UNIT_ALL, &list));
  assert_int_equal(list.sites.count, 4); /* without LANDED, in two processes */
  list.sites.count = 0;
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[DENSE], PROF_UNIT_COUNTS, &list));
  assert_int_equal(list.sites.count, 2);
  assert_int_equal(list.sites.items[1], 33);
  prof_units_end(&sieve.units, 1);
  list.sites.count = 0;
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[LOOP], PROF_UNIT_COUNTS, &list));
  assert_int_equal(list.sites.count, 2);
  assert_int_equal(list.sites.items[0], 36);
  prof_units_unload(&sieve.units, 31);
  list.sites.count = 0;
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[LOOP], PROF_UNIT_ALL, &list));
  assert_int_equal(list.sites.count, 0);
  prof_vec_fini(&list.sites);
  assert_true(prof_units_may_be_always(&sieve.units, LOOP));
  to_burst(DENSE, 1000);
  assert_false(prof_units_may_be_always(&sieve.units, LOOP));
}

/* Two zones of the coarse function: sites 41 and 42, the dense one, and 43 and 44, which end by line; the last one, 45
 * and 46, ends in another function: it is kept. */
enum { ZONES_SITE = 41, ZONE_SITES = 6, ZONES_UNIT = 20, ZONE = 20, RARE, KEPT };

static void load_zones(void) {
  static const uint32_t no = NO;
  static uint32_t of[ZONE_SITES] = {0, no, 1, no, 2, 2}, ends[ZONE_SITES] = {no, 0, no, 1, no, no};
  static uint32_t zone_kinds[ZONE_SITES], no_around[3] = {no, no, no}, zones[ZONE_SITES];
  static uint8_t is_zone[3] = {1, 1, 1}, kept[3] = {0, 0, 1};
  static struct prof_module_tie ties[] = {{1, 0}};
  for (uint32_t i = 0; i < ZONE_SITES; i++)
    zone_kinds[i] = i % 2 ? PROF_PROBE_EXIT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE : PROF_PROBE_ENTRY | PROF_ROW_ZONE;
  const struct prof_module_entry of_zones = {.number = 2,
                                             .first_function = ZONES_UNIT,
                                             .site_count = ZONE_SITES,
                                             .functions = of,
                                             .kinds = zone_kinds,
                                             .zones = zones,
                                             .unit_count = 3,
                                             .around = no_around,
                                             .kept = kept,
                                             .ends = ends,
                                             .is_zone = is_zone,
                                             .ties = ties,
                                             .tie_count = 1};
  const struct prof_log_module record = {.process = 1, .first_site = ZONES_SITE, .site_count = ZONE_SITES};
  static uint32_t items[ZONES_SITE + ZONE_SITES];
  for (uint32_t i = 0; i < ZONES_SITE + ZONE_SITES; i++)
    items[i] = i < ZONES_SITE || of[i - ZONES_SITE] == no ? no : ZONES_UNIT + of[i - ZONES_SITE];
  map = (struct prof_site_map){items, ZONES_SITE + ZONE_SITES, NULL};
  assert_true(prof_units_load(&sieve.units, &of_zones, &record));
}

static void zones_are_units(void **state) {
  (void)state;
  load_zones();
  struct prof_site_list list = {0};
  assert_int_equal(sieve.units.items.items[ZONE].site, 41);
  assert_int_equal(sieve.units.items.items[RARE].site, 43);
  assert_int_equal(sieve.units.items.items[KEPT].site, 0);
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[ZONE], PROF_UNIT_ALL, &list));
  assert_int_equal(list.sites.count, 2); /* with its end */
  assert_int_equal(list.sites.items[1], 42);
  list.sites.count = 0;
  assert_true(prof_units_sites(&sieve.units, &sieve.units.items.items[ZONE], PROF_UNIT_COUNTS, &list));
  assert_int_equal(list.sites.count, 1);
  prof_vec_fini(&list.sites);
  assert_true(prof_units_may_be_always(&sieve.units, RARE));
  to_burst(ZONE, 1000);
  assert_false(prof_units_may_be_always(&sieve.units, RARE));
  assert_true(prof_units_may_be_always(&sieve.units, ZONE));
}

static void ends_by_line_go_with_their_zone(void **state) {
  (void)state;
  load_zones();
  to_burst(ZONE, 1000);
  struct prof_event slots[] = {event(1100, 41, PROF_EVENT_ENTRY, 0), event(1200, 42, PROF_EVENT_EXIT, 7),
                               event(1300, 43, PROF_EVENT_ENTRY, 0), event(1400, 44, PROF_EVENT_EXIT, 8)};
  assert_int_equal(pass(slots, 4), 4);
  assert_int_equal(kind_of(&slots[0]), PROF_EVENT_NONE);
  assert_int_equal(kind_of(&slots[1]), PROF_EVENT_NONE);
  assert_int_equal(kind_of(&slots[2]), PROF_EVENT_ENTRY);
  assert_int_equal(kind_of(&slots[3]), PROF_EVENT_EXIT);
  assert_int_equal(sieve.events, 2);
  assert_int_equal(sieve.dropped, 2);
  assert_true(prof_sieve_was_off(&sieve, 42, NO)); /* on again, it may end a call that was entered while off */
  assert_false(prof_sieve_was_off(&sieve, 44, NO));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(states_have_times),
      CASE(stops_before_a_leaving),
      CASE(empty_slots_end_a_pass),
      CASE(windows_count_calls_by_caller),
      CASE(quiet_threads_are_settled),
      CASE(landings_stay_without_their_function),
      CASE(frames_come_first_where_control_may_land),
      CASE(units_have_names_sites_and_loads),
      CASE(zones_are_units),
      CASE(ends_by_line_go_with_their_zone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
