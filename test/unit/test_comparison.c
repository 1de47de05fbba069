/* test_comparison.c - two profiles merged path by path: weights, parts, what is gone, what is unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare/comparison.h"

/* Paths as "a;b 12", with blanks between them. */
static struct prof_path_sums profile(const char *text) {
  struct prof_path_sums out;
  char *copy = strdup(text), *rest = NULL;
  assert_true(copy && prof_path_sums_init(&out));
  for (char *path = strtok_r(copy, " ", &rest); path; path = strtok_r(NULL, " ", &rest)) {
    char *names = NULL;
    uint32_t node = 0;
    for (char *name = strtok_r(path, ";", &names); name; name = strtok_r(NULL, ";", &names))
      node = prof_path_sums_child(&out, node, prof_path_sums_frame(&out, name, NULL, NULL));
    out.nodes.items[node].self += atof(strtok_r(NULL, " ", &rest));
  }
  free(copy);
  return out;
}

/* "name before after change width" of each node, indented by its depth. */
static void check(const char *before, const char *after, const struct prof_comparison_options *options,
                  enum prof_comparison_of of, const char *expected) {
  struct prof_path_sums sides[2] = {profile(before), profile(after)};
  struct prof_comparison comparison;
  struct prof_comparison_tree tree;
  char *text;
  size_t bytes;
  assert_int_equal(prof_comparison_make(&sides[0], &sides[1], options, NULL, &comparison), PROF_OK);
  assert_int_equal(prof_comparison_select(&comparison, of, NULL, &tree), PROF_OK);
  FILE *file = open_memstream(&text, &bytes);
  for (uint32_t i = 1; i < tree.count; i++) {
    const struct prof_comparison_node *node = &tree.nodes[i];
    fprintf(file, "%*s%s %g %g %.3g %.3g\n", (int)node->depth - 1, "", node->name, node->total[PROF_BEFORE],
            node->total[PROF_AFTER], node->change, node->width);
  }
  if (tree.hidden)
    fprintf(file, "hidden %d\n", (int)tree.hidden);
  fclose(file);
  assert_string_equal(text, expected);
  free(text);
  prof_comparison_tree_free(&tree);
  prof_comparison_free(&comparison);
  prof_path_sums_fini(&sides[0]);
  prof_path_sums_fini(&sides[1]);
}

static void shares_and_times(void **state) {
  (void)state;
  const struct prof_comparison_options shares = {.absolute = false}, times = {.absolute = true};
  check("main;a 5 main;b 5", "main;a 10 main;b 30", &shares, PROF_COMPARISON_ALL,
        "main 10 40 0 1\n b 5 30 0.333 0.75\n a 5 10 -0.5 0.5\n");
  check("main;a 5 main;b 5", "main;a 10 main;b 30", &times, PROF_COMPARISON_ALL,
        "main 10 40 0.75 1\n b 5 30 0.833 0.75\n a 5 10 0.5 0.25\n");
}

static void what_is_only_in_one(void **state) {
  (void)state;
  const struct prof_comparison_options shares = {.absolute = false};
  static const char before[] = "main;a;x 2 main;a;y 3 main;b 5", after[] = "main;a;x 5 main;c 5";
  check(before, after, &shares, PROF_COMPARISON_AFTER, "main 10 10 0 1\n a 5 5 0 0.5\n  x 2 5 0.6 0.5\n c 0 5 1 0.5\n");
  check(before, after, &shares, PROF_COMPARISON_GONE,
        "main 10 10 0 0.8\n a 5 5 0 0.3\n  y 3 0 -1 0.3\n b 5 0 -1 0.5\n");
  check("a 1", "a 1", &shares, PROF_COMPARISON_GONE, "");
}

static void small_parts_are_counted(void **state) {
  (void)state;
  const struct prof_comparison_options options = {.min_share = 0.2};
  check("a 90 b;c 5 b;d 5", "a 50 b;c 30 b;d 10 e 10", &options, PROF_COMPARISON_ALL,
        "a 90 50 -0.444 0.9\nb 10 40 0.75 0.4\n c 5 30 0.833 0.3\nhidden 2\n");
}

static void names_of_one_function(void **state) {
  (void)state;
  const struct prof_comparison_options options = {.absolute = false};
  check("f.part.0 4 g<int> 6", "f 5 g<long> 2 g<char> 3", &options, PROF_COMPARISON_ALL,
        "g 6 5 -0.167 0.6\nf 4 5 0.2 0.5\n");
  check("g<int> 6", "g<long> 2", &options, PROF_COMPARISON_ALL, "g<long> 6 2 0 1\n");
}

static void functions_with_their_callers(void **state) {
  (void)state;
  const struct prof_comparison_options reverse = {.form = PROF_COMPARISON_REVERSE},
                                       flat = {.form = PROF_COMPARISON_FLAT};
  static const char before[] = "main;a 2 main;b;a 8", after[] = "main;a 9 main;b 1";
  check(before, after, &reverse, PROF_COMPARISON_ALL,
        "a 10 9 -0.1 1\n main 2 9 0.778 0.9\n b 8 0 -1 0.8\n  main 8 0 -1 0.8\nb 0 1 1 0.1\n main 0 1 1 0.1\n");
  check(before, after, &flat, PROF_COMPARISON_ALL, "a 10 9 -0.1 1\nb 0 1 1 0.1\n");
  const struct prof_comparison_options cut = {.form = PROF_COMPARISON_REVERSE, .depth = 1};
  check(before, after, &cut, PROF_COMPARISON_ALL, "a 10 9 -0.1 1\nb 0 1 1 0.1\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_and_times),
      cmocka_unit_test(what_is_only_in_one),
      cmocka_unit_test(small_parts_are_counted),
      cmocka_unit_test(names_of_one_function),
      cmocka_unit_test(functions_with_their_callers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
