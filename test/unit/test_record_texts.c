/*
 * test_record_texts.c - the recorder's side of text that it switches: switches, what programs write, the end.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/governor/texts.h"

enum { BEGIN = 65536, TEXT = 8192, ROOM = 1 << 20, SITES = 4 };

static struct region {
  int fd;
  struct prof_text_set texts;
  uint8_t *program; /* the program's mapping of the copy at BEGIN */
  struct prof_text_head *text;
  struct prof_text_site *sites;
} region;

static struct prof_log_module module_at(uint64_t begin, uint32_t first_site) {
  return (struct prof_log_module){.process = first_site,
                                  .first_site = first_site,
                                  .site_count = SITES,
                                  .text = begin + TEXT,
                                  .text_begin = 0x400000,
                                  .text_bytes = TEXT};
}

static int open_region(void **state) {
  (void)state;
  region.fd = memfd_create("texts", 0);
  if (region.fd < 0 || ftruncate(region.fd, BEGIN + ROOM) != 0)
    return -1;
  region.program = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, region.fd, BEGIN);
  region.text = (struct prof_text_head *)(void *)(region.program + TEXT);
  region.sites = (struct prof_text_site *)(region.text + 1);
  for (uint32_t i = 0; i < SITES; i++)
    region.sites[i] = (struct prof_text_site){.on = 100 + i, .off = i, .at = 8 * i};
  region.sites[3].at = PROF_TEXT_NO_SITE;
  prof_texts_init(&region.texts, region.fd, BEGIN, BEGIN + ROOM);
  struct prof_log_module module = module_at(BEGIN, 11);
  return prof_texts_add(&region.texts, &module) ? 0 : -1;
}

static int close_region(void **state) {
  (void)state;
  prof_texts_fini(&region.texts);
  munmap(region.program, ROOM);
  return close(region.fd);
}

static uint64_t word(uint32_t row) {
  return ((const uint64_t *)(void *)region.program)[row];
}

static void sites_are_switched(void **state) {
  (void)state;
  static const uint32_t sites[] = {11, 13, 14, 15, 10};
  assert_int_equal(prof_texts_switch(&region.texts, sites, 5, true), 2);
  assert_int_equal(word(0), 100);
  assert_int_equal(word(1), 0);
  assert_int_equal(word(2), 102);
  assert_int_equal(prof_texts_switch(&region.texts, sites, 1, false), 1);
  assert_int_equal(word(0), 0);
  prof_texts_state(&region.texts, 12, PROF_SITE_BURST);
  assert_int_equal(region.sites[1].state, PROF_SITE_BURST);
  assert_int_equal(region.text->holder, PROF_TEXT_FREE);
}

static void a_stopped_or_switching_program_is_left_alone(void **state) {
  (void)state;
  const uint32_t site = 11;
  region.text->off = 1;
  assert_int_equal(prof_texts_switch(&region.texts, &site, 1, true), 0);
  region.text->off = 0;
  region.text->holder = PROF_TEXT_PROGRAM;
  assert_int_equal(prof_texts_switch(&region.texts, &site, 1, true), 0);
  assert_int_equal(region.text->holder, PROF_TEXT_PROGRAM);
  assert_int_equal(word(0), 0);
}

static void wrong_places_switch_nothing(void **state) {
  (void)state;
  static const uint32_t sites[] = {11, 12, 13};
  region.sites[0].at = TEXT - 4;
  region.sites[1].at = TEXT;
  region.sites[2].at = 20;
  assert_int_equal(prof_texts_switch(&region.texts, sites, 3, true), 0);
}

static void wrong_records_are_refused(void **state) {
  (void)state;
  struct prof_log_module module = module_at(BEGIN + 65536, 21);
  module.text = 0;
  assert_false(prof_texts_add(&region.texts, &module));
  module = module_at(0, 21); /* before the texts */
  assert_false(prof_texts_add(&region.texts, &module));
  module = module_at(BEGIN + ROOM - TEXT - 64, 21); /* not on pages */
  assert_false(prof_texts_add(&region.texts, &module));
  module = module_at(BEGIN + ROOM - TEXT, 21); /* no room for the table */
  assert_false(prof_texts_add(&region.texts, &module));
  module = module_at(BEGIN + 65536, 21);
  module.text_bytes = UINT64_MAX - 4095;
  assert_false(prof_texts_add(&region.texts, &module));
}

/* Modules arrive in any order; what has ended takes no memory. */
static void copies_come_and_go(void **state) {
  (void)state;
  static const uint32_t sites[] = {1, 11, 31};
  struct prof_log_module later = module_at(BEGIN + 65536, 31), earlier = module_at(BEGIN + 131072, 1);
  memcpy(region.program + 65536 + TEXT, region.text, sizeof *region.text + SITES * sizeof *region.sites);
  memcpy(region.program + 131072 + TEXT, region.text, sizeof *region.text + SITES * sizeof *region.sites);
  assert_true(prof_texts_add(&region.texts, &later));
  assert_true(prof_texts_add(&region.texts, &earlier));
  assert_int_equal(prof_texts_switch(&region.texts, sites, 3, true), 3);
  prof_texts_lose(&region.texts, 31);
  assert_int_equal(prof_texts_switch(&region.texts, sites, 3, false), 2);
  struct stat before, after;
  fstat(region.fd, &before);
  prof_texts_end(&region.texts, 1);
  assert_true(region.texts.ended_bytes > 0);
  prof_texts_free_ended(&region.texts);
  fstat(region.fd, &after);
  assert_true(after.st_blocks < before.st_blocks);
  assert_int_equal(prof_texts_switch(&region.texts, sites, 3, true), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_region, close_region)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(sites_are_switched),          CASE(a_stopped_or_switching_program_is_left_alone),
      CASE(wrong_places_switch_nothing), CASE(wrong_records_are_refused),
      CASE(copies_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
