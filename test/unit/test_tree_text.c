/* test_tree_text.c - branches of a small tree, and of one that is too deep to draw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/tree_text.h"

static void check(struct prof_tree_text *text, uint32_t depth, bool last, const char *expected, size_t columns) {
  char out[PROF_TREE_TEXT_BYTES];
  assert_int_equal(prof_tree_text_branch(text, depth, last, out, sizeof out), columns);
  assert_string_equal(out, expected);
}

static void branches_end_with_the_last_child(void **state) {
  (void)state;
  struct prof_tree_text text;
  prof_tree_text_init(&text, true);
  check(&text, 0, true, "", 0);
  check(&text, 1, false, "├─ ", 3);
  check(&text, 2, true, "│  └─ ", 6);
  check(&text, 1, true, "└─ ", 3);
  check(&text, 2, false, "   ├─ ", 6);
}

static void plain_ascii(void **state) {
  (void)state;
  struct prof_tree_text text;
  prof_tree_text_init(&text, false);
  check(&text, 1, false, "+- ", 3);
  check(&text, 2, true, "|  `- ", 6);
}

static void deep_nodes_get_a_number(void **state) {
  (void)state;
  struct prof_tree_text text;
  char out[PROF_TREE_TEXT_BYTES];
  prof_tree_text_init(&text, true);
  for (uint32_t depth = 0; depth < 65536; depth++) {
    size_t columns = prof_tree_text_branch(&text, depth, false, out, sizeof out);
    assert_true(columns <= 3 * PROF_TREE_TEXT_LEVELS + 8);
  }
  assert_string_equal(out + strlen(out) - 8, "[65535] ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches_end_with_the_last_child),
      cmocka_unit_test(plain_ascii),
      cmocka_unit_test(deep_nodes_get_a_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
