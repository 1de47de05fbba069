/*
 * test_frame_table.c - the rules of .eh_frame and .debug_frame: what compilers write, and what nobody should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "frames_by_hand.h"

enum { RBP = 6, R12 = 12, LOW = 0x1000 };

static const struct prof_frame_row *row;
static const struct prof_frame_rule *rules;

static void find(struct prof_frame_table *table, uint64_t address) {
  row = prof_frame_table_find(table, address, &rules);
  assert_non_null(row);
}

/* The rule of a register at the address that was looked up last. */
static struct prof_frame_rule rule_of(uint8_t reg) {
  for (uint8_t i = 0; i < row->rule_count; i++)
    if (rules[i].reg == reg)
      return rules[i];
  return (struct prof_frame_rule){0};
}

static void check_cfa(struct prof_frame_table *table, uint64_t address, uint8_t base, int32_t offset) {
  find(table, address);
  assert_non_null(row->section);
  assert_int_equal(row->cfa.kind, PROF_RULE_REGISTER);
  assert_int_equal(row->cfa.base, base);
  assert_int_equal(row->cfa.offset, offset);
  assert_int_equal(rule_of(PROF_FRAME_PC).kind, PROF_RULE_AT_CFA);
  assert_int_equal(rule_of(PROF_FRAME_PC).offset, -8);
}

static void check_unknown(struct prof_frame_table *table, uint64_t address) {
  find(table, address);
  assert_null(row->section);
}

static struct prof_frame_table *table_of(const struct hand *hand) {
  struct prof_frame_sections sections = {0};
  *(hand->is_debug ? &sections.debug_frame : &sections.eh_frame) = hand_section(hand);
  struct prof_frame_table *table = prof_frame_table_new(&sections);
  assert_non_null(table);
  return table;
}

/* push %rbp; mov %rsp, %rbp; an epilogue in the middle; the body goes on; advance by 200 and by 300. */
static void put_function(struct hand *hand, uint64_t low) {
  HAND_FDE(hand, low, 600, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x46, 0x0a, 0xc6, 0x0c, 7, 8, 0x41, 0x0b, 0x02, 200,
           0x8c, 3, 0x03, 300 & 0xff, 300 >> 8, 0xcc);
}

static void check_function(struct prof_frame_table *table, uint64_t low) {
  check_cfa(table, low, PROF_FRAME_RSP, 8);
  check_cfa(table, low + 1, PROF_FRAME_RSP, 16);
  assert_int_equal(rule_of(RBP).offset, -16);
  check_cfa(table, low + 3, PROF_FRAME_RSP, 16);
  check_cfa(table, low + 4, RBP, 16);
  check_cfa(table, low + 10, PROF_FRAME_RSP, 8);
  assert_int_equal(rule_of(RBP).kind, PROF_RULE_SAME);
  check_cfa(table, low + 11, RBP, 16);
  check_cfa(table, low + 210, RBP, 16);
  assert_int_equal(rule_of(R12).kind, PROF_RULE_SAME);
  check_cfa(table, low + 211, RBP, 16);
  assert_int_equal(rule_of(R12).offset, -24);
  check_cfa(table, low + 511, RBP, 16);
  assert_int_equal(rule_of(R12).kind, PROF_RULE_SAME);
  check_cfa(table, low + 599, RBP, 16);
  check_unknown(table, low + 600);
  check_unknown(table, low - 1);
}

static void rows_follow_the_program(void **state) {
  (void)state;
  for (int debug = 0; debug < 2; debug++) {
    struct hand hand = {.is_debug = debug == 1};
    hand_cie(&hand, debug == 1 ? 3 : 1, debug == 1 ? "" : "zR");
    put_function(&hand, LOW + 1000); /* not in order */
    put_function(&hand, LOW);
    struct prof_frame_table *table = table_of(&hand);
    for (int again = 0; again < 2; again++) {
      check_function(table, LOW);
      check_function(table, LOW + 1000);
    }
    prof_frame_table_free(table);
  }
}

static void sorted_table_is_used(void **state) {
  (void)state;
  struct hand hand = {0};
  hand_cie(&hand, 1, "zR");
  uint32_t first = (uint32_t)hand.size;
  put_function(&hand, LOW);
  uint32_t second = (uint32_t)hand.size;
  put_function(&hand, LOW + 1000);
  enum { HEADER = 0x4000 };
  struct {
    uint8_t head[4];
    uint32_t frames, count, rows[2][2];
  } header = {{1, 0x1b, 3, 0x3b},
              HAND_ADDRESS - HEADER - 4,
              2,
              {{(uint32_t)(LOW - HEADER), (uint32_t)HAND_ADDRESS + first - HEADER},
               {(uint32_t)(LOW + 1000 - HEADER), (uint32_t)HAND_ADDRESS + second - HEADER}}};
  struct prof_frame_sections sections = {.eh_frame = hand_section(&hand),
                                         .eh_frame_hdr = {(const uint8_t *)&header, sizeof header, HEADER, false}};
  struct prof_frame_table *table = prof_frame_table_new(&sections);
  check_function(table, LOW);
  check_function(table, LOW + 1000);
  prof_frame_table_free(table);

  header.count = 1; /* so it's the header that is asked */
  table = prof_frame_table_new(&sections);
  check_function(table, LOW);
  check_unknown(table, LOW + 1000);
  prof_frame_table_free(table);

  header.rows[1][1] = 0x7ffffff0; /* beyond the section */
  header.count = 2;
  table = prof_frame_table_new(&sections);
  check_unknown(table, LOW + 1000);
  prof_frame_table_free(table);

  header.count = 3; /* beyond the header: not used */
  table = prof_frame_table_new(&sections);
  check_function(table, LOW + 1000);
  prof_frame_table_free(table);
}

static void debug_frame_fills_gaps(void **state) {
  (void)state;
  struct hand loaded = {0}, debug = {.is_debug = true};
  hand_cie(&loaded, 1, "zR");
  put_function(&loaded, LOW);
  hand_cie(&debug, 1, "");
  put_function(&debug, LOW + 1000);
  struct prof_frame_sections sections = {.eh_frame = hand_section(&loaded), .debug_frame = hand_section(&debug)};
  struct prof_frame_table *table = prof_frame_table_new(&sections);
  check_function(table, LOW);
  check_function(table, LOW + 1000);
  prof_frame_table_free(table);
}

static void kinds_of_rules(void **state) {
  (void)state;
  struct hand hand = {0};
  hand_cie(&hand, 3, "zR");
  HAND_FDE(&hand, LOW, 16, 0x05, 3, 2, 0x07, 16, 0x08, 6, 0x09, 12, 5, 0x14, 13, 3, 0x15, 14, 0x7f, 0x11, 15, 0x7f,
           0x05, 40, 1, 0x2e, 8, 0x12, 6, 0x7e, 0x41, 0x13, 0x7d, 0x41, 0x0f, 2, 0x77, 8, 0x10, 3, 1, 0x30, 0x16, 6, 1,
           0x31);
  struct prof_frame_table *table = table_of(&hand);
  find(table, LOW);
  static const struct prof_frame_rule wanted[] = {{3, PROF_RULE_AT_CFA, 0, -16},  {12, PROF_RULE_REGISTER, 5, 0},
                                                  {13, PROF_RULE_IS_CFA, 0, -24}, {14, PROF_RULE_IS_CFA, 0, 8},
                                                  {15, PROF_RULE_AT_CFA, 0, 8},   {16, PROF_RULE_UNDEFINED, 0, 0}};
  assert_int_equal(row->rule_count, sizeof wanted / sizeof *wanted);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    assert_int_equal(rules[i].reg, wanted[i].reg);
    assert_int_equal(rules[i].kind, wanted[i].kind);
    assert_int_equal(rules[i].base, wanted[i].base);
    assert_int_equal(rules[i].offset, wanted[i].offset);
  }
  assert_int_equal(row->cfa.offset, 16);
  find(table, LOW + 1);
  assert_int_equal(row->cfa.offset, 24);
  find(table, LOW + 2);
  assert_int_equal(row->cfa.kind, PROF_RULE_IS_EXPRESSION);
  assert_int_equal(rule_of(3).kind, PROF_RULE_AT_EXPRESSION);
  assert_int_equal(rule_of(6).kind, PROF_RULE_IS_EXPRESSION);
  assert_int_equal(hand.bytes[rule_of(6).offset + 1], 0x31);
  prof_frame_table_free(table);
}

/* One function of this program, whose CIE is as said: it is unknown. */
static void check_refused(uint8_t version, const char *letters, const uint8_t *program, size_t bytes) {
  struct hand hand = {0};
  hand_cie(&hand, version, letters);
  hand_fde(&hand, LOW, 16, program, bytes);
  struct prof_frame_table *table = table_of(&hand);
  check_unknown(table, LOW + 8);
  prof_frame_table_free(table);
}
#define REFUSED(...) check_refused(1, "zR", (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void refuses_what_it_does_not_know(void **state) {
  (void)state;
  check_refused(2, "zR", NULL, 0);
  check_refused(4, "zR", NULL, 0); /* in .debug_frame only */
  check_refused(1, "zRX", NULL, 0);
  check_refused(1, "eh", NULL, 0);
  check_refused(1, "zRBBBBBBBBBB", NULL, 0);
  REFUSED(0x17);                               /* no such instruction */
  REFUSED(0x0b);                               /* restores what nobody saved */
  REFUSED(10, 10, 10, 10, 10, 10, 10, 10, 10); /* saves too much */
  REFUSED(0x0c, 17, 8);                        /* CFA from a register that we lack */
  REFUSED(0x0f, 1, 0x30, 0x0e, 8);             /* an offset to an expression */
  REFUSED(0x0e, 0xff, 0xff, 0xff, 0xff, 0x1f); /* an offset beyond 2 GB */
  REFUSED(0x10, 3, 0x7f);                      /* a block that is cut off */
  REFUSED(0x09, 3, 99);                        /* is in a register that we lack */
  struct hand odd = {0};
  hand_cie(&odd, 1, "zR");
  odd.bytes[4 + 4 + 1 + 3 + 2] = 17; /* the return address's column */
  put_function(&odd, LOW);
  struct prof_frame_table *table = table_of(&odd);
  check_unknown(table, LOW);
  prof_frame_table_free(table);
}

static void survives_damage(void **state) {
  (void)state;
  struct hand hand = {0};
  hand_cie(&hand, 1, "zR");
  put_function(&hand, LOW);
  put_function(&hand, LOW + 1000);
  for (size_t at = 0; at < hand.size; at++) {
    for (int change = 0; change < 3; change++) {
      size_t size = change == 0 ? at : hand.size;
      uint8_t *exact = malloc(size + 1);
      memcpy(exact, hand.bytes, size);
      if (change > 0)
        exact[at] = change == 1 ? 0xff : (uint8_t)(exact[at] ^ 0x80);
      struct prof_frame_sections sections = {.eh_frame = {exact, size, HAND_ADDRESS, false}};
      struct prof_frame_table *table = prof_frame_table_new(&sections);
      for (uint64_t address = LOW; address < LOW + 1600; address += 50)
        find(table, address);
      prof_frame_table_free(table);
      free(exact);
    }
  }
}

static void forgets_and_reads_again(void **state) {
  (void)state;
  struct hand hand = {0};
  hand_cie(&hand, 1, "zR");
  HAND_FDE(&hand, 0x100000, 0x100000, 0x41, 0x0e, 16);
  struct prof_frame_table *table = table_of(&hand);
  for (uint64_t address = 0x100000; address < 0x200000; address++)
    check_cfa(table, address, PROF_FRAME_RSP, address == 0x100000 ? 8 : 16);
  prof_frame_table_free(table);
}

static void nothing_is_known_without_sections(void **state) {
  (void)state;
  struct prof_frame_sections sections = {0};
  struct prof_frame_table *table = prof_frame_table_new(&sections);
  check_unknown(table, 0);
  check_unknown(table, UINT64_MAX);
  prof_frame_table_free(table);
  prof_frame_table_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_follow_the_program),       cmocka_unit_test(sorted_table_is_used),
      cmocka_unit_test(debug_frame_fills_gaps),        cmocka_unit_test(kinds_of_rules),
      cmocka_unit_test(refuses_what_it_does_not_know), cmocka_unit_test(survives_damage),
      cmocka_unit_test(forgets_and_reads_again),       cmocka_unit_test(nothing_is_known_without_sections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
