/*
 * test_zone_ranges.c - which code lies in which zone: several ways out, ends of unknown zones, zones in zones, begins
 * that a compiler doubled, functions beside each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/zone_ranges.h"

/*
 * Each letter is a sled, 100 bytes apart: a zone begins (A, B), ends (a, b), the zone that began last ends (?), the
 * function ends (.); a space and a comma leave a gap, a comma begins another function.  "x": 10 bytes on, not 100.
 */
static void check(const char *text, const char *wanted) {
  struct prof_zone_sled sleds[32];
  struct prof_zone_ranges ranges = {0};
  size_t count = 0;
  uint32_t host = 0;
  uint64_t address = 1000;
  char found[256] = "";
  for (const char *at = text; *at; at++) {
    if (*at == ',')
      host++;
    if (*at == 'x')
      address -= 90;
    if (strchr(" ,x", *at)) {
      continue;
    }
    struct prof_zone_sled sled = {address, (uint32_t)(*at & ~0x20), host, PROF_ZONE_SLED_END};
    address += 100;
    if (*at == '?')
      sled.zone = PROF_ZONE_UNKNOWN;
    else if (*at == '.')
      sled.kind = PROF_ZONE_SLED_EXIT;
    else if (*at < 'a')
      sled.kind = PROF_ZONE_SLED_BEGIN;
    sleds[count++] = sled;
  }
  assert_true(prof_zone_ranges_find(&ranges, sleds, count));
  for (size_t i = 0; i < ranges.count; i++)
    snprintf(found + strlen(found), sizeof found - strlen(found), "%c%d-%d ", (char)ranges.items[i].zone,
             (int)ranges.items[i].begin - 1000, (int)ranges.items[i].end - 1000);
  assert_string_equal(found, wanted);
  prof_vec_fini(&ranges);
}

static void one_way_out(void **state) {
  (void)state;
  check("Aa.", "A0-100 ");
  check("AaAa.", "A0-100 A200-300 ");
  check("A?.", "A0-100 ");
  check("ABba.", "A0-300 B100-200 ");
  check("AB??.", "A0-300 B100-200 ");
}

static void several_ways_out(void **state) {
  (void)state;
  check("Aax.a.", "A0-210 "); /* an end right before an exit is followed by more of the zone */
  check("Aa.a.", "A0-100 ");  /* here other code comes before the exit: the second end is of a part elsewhere */
  check("Aax.Aa.", "A0-100 A210-310 ");
  check("Aax.ax.a.", "A0-320 ");
  check("AaxBbx.ax.", "A0-100 B110-210 "); /* the exit is too far from the first end */
  check("A?x.?.", "A0-210 ");
  check("ABbxax.bxax.", "A0-330 B100-320 "); /* both zones end on each way out */
}

static void doubled(void **state) {
  (void)state;
  check("AAaa.", "A0-300 ");
}

static void without_an_end(void **state) {
  (void)state;
  check("A.", "");
  check("a.A", "");
  check("?.", "");
}

static void functions_are_apart(void **state) {
  (void)state;
  check("A,Bb.,a.", "B100-200 ");
  check("A?.,?.", "A0-100 ");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_way_out), cmocka_unit_test(several_ways_out),
                                     cmocka_unit_test(doubled), cmocka_unit_test(without_an_end),
                                     cmocka_unit_test(functions_are_apart)};
  return cmocka_run_group_tests_name("zone_ranges", tests, NULL, NULL);
}
