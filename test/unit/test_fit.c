/* test_fit.c - texts of a column, cut so that different ones stay different. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/fit.h"
#include "view/width.h"

enum { MOST = 64 };

/* No wider than asked, and equal only where the names are. */
static void check(struct prof_fit_text *texts, size_t count, enum prof_cut cut, size_t width) {
  prof_fit_texts(texts, count, cut, width, true);
  for (size_t i = 0; i < count; i++) {
    assert_non_null(texts[i].shown);
    assert_true(prof_text_width(texts[i].shown) <= width);
    for (size_t j = 0; j < i; j++)
      if (strcmp(texts[i].text + texts[i].lead, texts[j].text + texts[j].lead) != 0)
        assert_string_not_equal(texts[i].shown, texts[j].shown);
  }
}

static void release(struct prof_fit_text *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(texts[i].shown);
}

static void names_keep_both_ends(void **state) {
  (void)state;
  struct prof_fit_text texts[] = {{.text = "std::map<int, long>::find(int const&)"}, {.text = "main"}};
  check(texts, 2, PROF_CUT_MIDDLE, 20);
  assert_string_equal(texts[0].shown, "std::map<i…t const&)");
  assert_string_equal(texts[1].shown, "main");
  release(texts, 2);
}

/* Of a C++ function the last components tell most. */
static void functions_keep_their_ends(void **state) {
  (void)state;
  static const struct {
    const char *name, *shown;
  } cases[] = {
      {"main", "main"},
      {"std::map<int, long>::find(int const&)", "map<int, long>::find"},
      {"level::SkipList<char const*, level::MemTable::Cmp>::FindGreater(char const* const&) const",
       "…SkipList::FindGreater"},
      {"level::(anonymous namespace)::PosixWritableFile::Flush()", "…sixWritableFile::Flush"},
      {"level::InternalKeyComparator::Compare(level::Slice const&)", "…KeyComparator::Compare"},
      {"a::b::a_function_with_a_name_of_many_words(int)", "a::b::a_fun…_many_words"},
      {"dot [parallel region, solver.f90:120]", "dot [parall…er.f90:120]"},
      {"do_redirection_internal.constprop.0", "do_redirect…constprop.0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_fit_text text = {.text = cases[i].name};
    check(&text, 1, PROF_CUT_NAME, 23);
    assert_string_equal(text.shown, cases[i].shown);
    release(&text, 1);
  }
}

/* A call with its arguments isn't a C++ name, whatever is in them. */
static void calls_keep_their_begin(void **state) {
  (void)state;
  struct prof_fit_text texts[] = {{.text = "query(db=0x1000, sql=\"SELECT (a<b) FROM c::d\", size=1)"},
                                  {.text = "query(db=0x1000, sql=\"SELECT (a<b) FROM c::d\", size=2)"},
                                  {.text = "open(name=NULL)"}};
  check(texts, 1, PROF_CUT_RIGHT, 24);
  assert_string_equal(texts[0].shown, "query(db=0x1000, sql=\"S…");
  release(texts, 1);
  check(texts, 3, PROF_CUT_RIGHT, 24);
  assert_string_equal(texts[2].shown, "open(name=NULL)");
  release(texts, 3);
}

/* The difference is in the middle, where names are cut. */
static void differences_stay_visible(void **state) {
  (void)state;
  struct prof_fit_text texts[] = {{.text = "a_long_beginning_of_names_RED_and_the_same_end_of_them"},
                                  {.text = "a_long_beginning_of_names_BLUE_and_the_same_end_of_them"},
                                  {.text = "a_long_beginning_of_names_RED_and_the_same_end_of_them"}};
  check(texts, 3, PROF_CUT_MIDDLE, 24);
  assert_string_equal(texts[0].shown, "a_long_b…RED_and_the_sa…");
  assert_string_equal(texts[1].shown, "a_long_b…BLUE_and_the_s…");
  assert_string_equal(texts[2].shown, texts[0].shown);
  release(texts, 3);
}

/* Names of 64 KiB that differ in one letter, anywhere; the one before it is a group of its own. */
static void hostile_names_stay_apart(void **state) {
  (void)state;
  enum { LENGTH = 65536 };
  struct prof_fit_text texts[MOST] = {0};
  for (size_t i = 0; i < MOST; i++) {
    char *name = malloc(LENGTH + 1);
    memset(name, 'x', LENGTH);
    for (size_t at = 0; i % 2 && at < LENGTH - 1; at += 50)
      name[at] = name[at + 1] = ':'; /* scopes */
    name[LENGTH] = 0;
    name[i * 1021] = '\x01';
    name[LENGTH / 2 + i * 7] = 'y';
    texts[i].text = name;
  }
  for (size_t width = 8; width <= 200; width = width * 3 - 4) {
    for (enum prof_cut cut = PROF_CUT_MIDDLE; cut <= PROF_CUT_NAME; cut++) {
      check(texts, MOST, cut, width);
      release(texts, MOST);
    }
  }
  for (size_t i = 0; i < MOST; i++)
    free((char *)(uintptr_t)texts[i].text);
}

/* Of branches at most half of the width is kept, the nearest ones; they make no name different. */
static void leads_leave_room(void **state) {
  (void)state;
  struct prof_fit_text texts[] = {{.text = "            └─ work", .lead = 12 + strlen("└─ ")},
                                  {.text = "   ├─ work", .lead = 3 + strlen("├─ ")}};
  check(texts, 2, PROF_CUT_MIDDLE, 12);
  assert_string_equal(texts[0].shown, "…  └─ work");
  assert_string_equal(texts[1].shown, "   ├─ work");
  release(texts, 2);
}

int main(void) {
  setlocale(LC_CTYPE, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_keep_both_ends),      cmocka_unit_test(calls_keep_their_begin),
      cmocka_unit_test(functions_keep_their_ends), cmocka_unit_test(differences_stay_visible),
      cmocka_unit_test(hostile_names_stay_apart),  cmocka_unit_test(leads_leave_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
