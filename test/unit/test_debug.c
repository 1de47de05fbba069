/*
 * test_debug.c - this program holds two units of debug information written by hand (support/debug_by_hand.c), and reads
 * itself.
 *
 * `hand` (version 5): bytes 0-3 line 10, 4-7 `leaf` of line 50 inlined from line 11 of `branch`, itself inlined from
 * line 12, 8-11 line 0, 12-15 line 13; its cold part is elsewhere.  A copy of it that a linker threw away stands at 0.
 * `old` (version 2) has a column and a line table that goes back.  `bare` has no debug information.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>

#include "source/dwarf/debug.h"
#include "source/elf_file.h"

extern const char hand[], bare[], old[], hand_cold[] __asm__("hand.cold"), own_base[] __asm__("__ehdr_start");

static uint64_t link_time(const char *label) {
  struct prof_elf *elf;
  assert_int_equal(prof_elf_open("/proc/self/exe", NULL, &elf), PROF_OK);
  size_t at = 0;
  uint64_t low, high;
  assert_true(prof_elf_code_next(elf, &at, &low, &high));
  prof_elf_close(elf);
  /* The file's first byte is at 0 in a program that can lie anywhere, and at its real address in one that can't. */
  return low < (uint64_t)own_base ? (uint64_t)label - (uint64_t)own_base : (uint64_t)label;
}

static struct prof_debug *own(void) {
  struct prof_debug *debug;
  struct prof_diag diag = {0};
  assert_int_equal(prof_debug_open("/proc/self/exe", NULL, &diag, &debug), PROF_OK);
  assert_int_equal(prof_debug_facts(debug).origin, PROF_DEBUG_MODULE);
  return debug;
}

static void check_frame(const struct prof_debug_frame *frame, const char *function, const char *file, uint32_t line,
                        uint32_t column) {
  assert_string_equal(frame->function, function);
  if (file == NULL)
    assert_null(frame->file);
  else
    assert_string_equal(frame->file, file);
  assert_int_equal(frame->line, line);
  assert_int_equal(frame->column, column);
}

/* The frames of an address, which must be `count`. */
static const struct prof_debug_frame *chain_at(struct prof_debug *debug, uint64_t address, uint32_t count) {
  struct prof_debug_chain chain;
  assert_int_equal(prof_debug_find(debug, address, &chain), PROF_OK);
  assert_int_equal(chain.count, count);
  return chain.frames;
}

static void inlined_chain(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  uint64_t at = link_time(hand);
  check_frame(chain_at(debug, at, 1), "hand", "here/hand.c", 10, 0);
  const struct prof_debug_frame *frames = chain_at(debug, at + 7, 3);
  check_frame(&frames[0], "leaf", "here/include/leaf.h", 50, 9);
  check_frame(&frames[1], "branch", "here/hand.c", 11, 3);
  check_frame(&frames[2], "hand", "here/hand.c", 12, 7);
  check_frame(chain_at(debug, at + 8, 1), "hand", "here/hand.c", 0, 0);
  check_frame(chain_at(debug, at + 15, 1), "hand", "here/hand.c", 13, 0);
  check_frame(chain_at(debug, link_time(hand_cold), 1), "hand", "here/hand.c", 20, 0);
  prof_debug_close(debug);
}

static void equal_files_are_one_pointer(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  const char *file = chain_at(debug, link_time(hand), 1)->file;
  assert_ptr_equal(chain_at(debug, link_time(hand_cold), 1)->file, file);
  prof_debug_close(debug);
}

static void symbols_fill_in(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  check_frame(chain_at(debug, link_time(bare) + 3, 1), "bare", NULL, 0, 0);
  uint64_t low, high;
  assert_string_equal(prof_debug_symbol(debug, link_time(hand_cold) + 1, &low, &high), "hand.cold");
  assert_int_equal(low, link_time(hand_cold));
  assert_int_equal(high, low + 4);
  struct prof_debug_chain chain;
  assert_int_equal(prof_debug_find(debug, 0, &chain), PROF_NOT_FOUND); /* where the copy thrown away stands */
  assert_int_equal(chain.count, 0);
  assert_int_equal(prof_debug_find(debug, UINT64_MAX, &chain), PROF_NOT_FOUND);
  assert_null(prof_debug_symbol(debug, 0, &low, &high));
  prof_debug_close(debug);
}

static void old_version_and_a_table_that_goes_back(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  uint64_t at = link_time(old);
  check_frame(chain_at(debug, at, 1), "old", "/old/deep/old.c", 5, 2);
  check_frame(chain_at(debug, at + 7, 1), "old", "/old/deep/old.c", 5, 2);
  prof_debug_close(debug);
}

static void only_what_is_asked_for_is_read(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  uint32_t before = prof_debug_facts(debug).units_read;
  chain_at(debug, link_time(hand), 1);
  assert_int_equal(prof_debug_facts(debug).units_read, before + 1);
  chain_at(debug, link_time(hand) + 4, 3);
  assert_int_equal(prof_debug_facts(debug).units_read, before + 1);
  assert_int_equal(prof_debug_read_all(debug), PROF_OK);
  assert_int_equal(prof_debug_facts(debug).units_read, prof_debug_facts(debug).units);
  prof_debug_close(debug);
}

struct stretches {
  char text[512];
  size_t most, count;
};

static bool note(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  struct stretches *all = context;
  const char *name = strrchr(frame->file, '/');
  size_t used = strlen(all->text);
  snprintf(all->text + used, sizeof all->text - used, "%s:%u %s %u; ", name + 1, frame->line, frame->function,
           (unsigned)(high - low));
  return ++all->count < all->most;
}

static void lines_of_a_function(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  struct stretches all = {.most = 99};
  assert_int_equal(prof_debug_function_lines(debug, link_time(hand) + 9, note, &all), PROF_OK);
  assert_string_equal(all.text, "hand.c:10 hand 4; leaf.h:50 leaf 4; hand.c:0 hand 4; hand.c:13 hand 4; "
                                "hand.c:20 hand 4; ");
  struct stretches one = {.most = 1};
  assert_int_equal(prof_debug_function_lines(debug, link_time(hand), note, &one), PROF_OK);
  assert_int_equal(one.count, 1);
  assert_int_equal(prof_debug_function_lines(debug, link_time(bare), note, &one), PROF_NOT_FOUND);
  prof_debug_close(debug);
}

static bool is_branch(void *context, const char *function) {
  (void)context;
  return strcmp(function, "branch") == 0;
}

static bool is_hand(void *context, const char *function) {
  (void)context;
  return strcmp(function, "hand") == 0;
}

/* With what was inlined into it; a function with code of its own is none. */
static void lines_that_were_inlined(void **state) {
  (void)state;
  struct prof_debug *debug = own();
  struct stretches branch = {.most = 99}, hand_only = {.most = 99};
  assert_int_equal(prof_debug_inlined_lines(debug, is_branch, note, &branch), PROF_OK);
  assert_string_equal(branch.text, "leaf.h:50 leaf 4; ");
  assert_int_equal(prof_debug_inlined_lines(debug, is_hand, note, &hand_only), PROF_OK);
  assert_int_equal(hand_only.count, 0);
  prof_debug_close(debug);
}

static void replaced_or_missing(void **state) {
  (void)state;
  static const uint8_t other[PROF_BUILD_ID_BYTES] = {1, 2, 3};
  static const char *const no_roots[] = {NULL};
  struct prof_debug_options options = {.build_id = other, .build_id_bytes = sizeof other, .roots = no_roots};
  struct prof_debug *debug;
  struct prof_diag diag = {0};
  assert_int_equal(prof_debug_open("/proc/self/exe", &options, &diag, &debug), PROF_NOT_FOUND);
  assert_non_null(strstr(diag.what, "build id"));
  assert_null(debug);
  assert_int_equal(prof_debug_open("/nowhere", &options, &diag, &debug), PROF_NOT_FOUND);
  assert_int_equal(prof_debug_open("/nowhere", NULL, &diag, &debug), PROF_NOT_FOUND);
  assert_int_equal(prof_debug_open("/proc/self/maps", NULL, &diag, &debug), PROF_UNSUPPORTED);
  struct prof_elf *elf;
  uint8_t id[PROF_BUILD_ID_BYTES];
  assert_int_equal(prof_elf_open("/proc/self/exe", NULL, &elf), PROF_OK);
  options.build_id_bytes = prof_elf_build_id(elf, id);
  options.build_id = id;
  prof_elf_close(elf);
  assert_int_equal(prof_debug_open("/proc/self/exe", &options, &diag, &debug), PROF_OK);
  prof_debug_close(debug);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inlined_chain),
      cmocka_unit_test(equal_files_are_one_pointer),
      cmocka_unit_test(symbols_fill_in),
      cmocka_unit_test(old_version_and_a_table_that_goes_back),
      cmocka_unit_test(only_what_is_asked_for_is_read),
      cmocka_unit_test(lines_of_a_function),
      cmocka_unit_test(lines_that_were_inlined),
      cmocka_unit_test(replaced_or_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
