/* test_options.c - options by rows: what is taken, what is left, what is refused and how it is explained. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/options/common.h"
#include "command/options/option_take.h"
#include "command/options/options.h"

struct settings {
  struct prof_common common;
  const char *sort;
  int verbose;
  bool has_sample;
  const char *sample;
};

static prof_status take_verbose(void *settings, const char *value, struct prof_diag *diag) {
  (void)diag;
  assert_null(value);
  ((struct settings *)settings)->verbose++;
  return PROF_OK;
}
static prof_status take_sample(void *settings, const char *value, struct prof_diag *diag) {
  (void)diag;
  ((struct settings *)settings)->has_sample = true;
  ((struct settings *)settings)->sample = value;
  return PROF_OK;
}

static const struct prof_option rows[] = {
    {"sort", 's', "KEY", "", PROF_OPTION_TEXT, PROF_MEMBER(struct settings, sort)},
    {"verbose", 'v', NULL, "", .take = take_verbose},
    {"sample", 0, "[HZ]", "", .take = take_sample},
    {0},
};
static const struct prof_command reader = {.name = "look", .options = rows, .filters = true};
static const struct prof_command launcher = {.name = "start", .options = rows, .stop_at_program = true};

struct run {
  struct settings settings;
  struct prof_diag diag;
  prof_status status;
  int argc, first;
  bool help;
  char *argv[12];
};

static void parse(struct run *run, const struct prof_command *command, const char *const *words) {
  memset(run, 0, sizeof *run);
  prof_common_init(&run->settings.common);
  run->argv[run->argc++] = (char *)command->name;
  while (*words)
    run->argv[run->argc++] = (char *)*words++;
  run->status = prof_options_parse(command, &run->settings, run->argc, run->argv, &run->first, &run->help, &run->diag);
}
#define PARSE(run, command, ...) parse(run, command, (const char *const[]){__VA_ARGS__, NULL})

static void own_and_shared_options_are_taken(void **state) {
  (void)state;
  struct run run;
  PARSE(&run, &reader, "-s", "total", "rest", "-vv", "--only=main", "-F", "f*", "--tid=12,13", "-D3", "-t", "10us");
  assert_int_equal(run.status, PROF_OK);
  assert_string_equal(run.settings.sort, "total");
  assert_int_equal(run.settings.verbose, 2);
  assert_int_equal(run.settings.common.only.count, 2);
  assert_string_equal(run.settings.common.only.items[1], "f*");
  assert_int_equal(run.settings.common.tids.count, 2);
  assert_int_equal(run.settings.common.tids.items[1], 13);
  assert_int_equal(run.settings.common.depth, 3);
  assert_int_equal(run.settings.common.min_ns, 10000);
  assert_int_equal(run.argc - run.first, 1);
  assert_string_equal(run.argv[run.first], "rest");
  prof_options_free(&reader, &run.settings);
}

static void options_of_the_program_are_left_alone(void **state) {
  (void)state;
  struct run run;
  PARSE(&run, &launcher, "-v", "program", "-v", "--sort=x");
  assert_int_equal(run.status, PROF_OK);
  assert_int_equal(run.settings.verbose, 1);
  assert_null(run.settings.sort);
  assert_string_equal(run.argv[run.first], "program");
  PARSE(&run, &launcher, "--", "-v");
  assert_int_equal(run.settings.verbose, 0);
  assert_string_equal(run.argv[run.first], "-v");
}

static void optional_values(void **state) {
  (void)state;
  struct run run;
  PARSE(&run, &launcher, "--sample", "x");
  assert_true(run.settings.has_sample);
  assert_null(run.settings.sample);
  PARSE(&run, &launcher, "--sample=999");
  assert_string_equal(run.settings.sample, "999");
}

static void refused(const char *word, const char *what, const char *remedy) {
  struct run run;
  PARSE(&run, &reader, word);
  assert_int_equal(run.status, PROF_USAGE);
  assert_string_equal(run.diag.what, what);
  assert_string_equal(run.diag.remedy, remedy);
  prof_options_free(&reader, &run.settings);
}

static void wrong_flags_are_explained(void **state) {
  (void)state;
  refused("--srot=total", "unknown or unclear flag '--srot' of prof look",
          "did you mean --sort?  All flags: prof look --help");
  refused("--zzzzzz", "unknown or unclear flag '--zzzzzz' of prof look", "all flags of this command: prof look --help");
  refused("-x", "unknown flag '-x' of prof look", "all flags of this command: prof look --help");
  refused("-vx", "unknown flag '-x' of prof look", "all flags of this command: prof look --help");
  refused("--sort", "--sort needs a value", "write --sort=KEY; see prof look --help");
  refused("-s", "--sort needs a value", "write --sort=KEY; see prof look --help");
  refused("--verbose=3", "--verbose takes no value", "leave out the part after the equals sign");
  refused("-F999", "-F 999 is no function name",
          "did you mean --sample=999?  (-F shows only the functions that match a name)");
  refused("--\x1b[2J", "unknown or unclear flag '--\\x1b[2J' of prof look",
          "all flags of this command: prof look --help");
}

static void help_stops_parsing(void **state) {
  (void)state;
  struct run run;
  PARSE(&run, &reader, "--help", "--nonsense");
  assert_int_equal(run.status, PROF_OK);
  assert_true(run.help);
}

static void a_command_may_shadow_a_shared_row(void **state) {
  (void)state;
  static const struct prof_option own[] = {
      {"format", 0, "NAME", "", PROF_OPTION_TEXT, PROF_MEMBER(struct settings, sort)}, {0}};
  static const struct prof_command command = {.name = "own", .options = own, .filters = true};
  size_t seen = 0;
  const struct prof_option *row;
  for (size_t i = 0; (row = prof_option_at(&command, i, NULL)); i++)
    seen += !strcmp(row->name, "format");
  assert_int_equal(seen, 1);
}

struct kinds {
  char before; /* offset 0 means no member in `given` */
  bool flag, given, narrow;
  uint32_t small, bits, word;
  int level;
  uint64_t wide, bytes, ns;
  double share;
  struct prof_counts counts;
  struct prof_texts texts;
  struct prof_range range;
  const char *other;
};
#define IN(member) PROF_MEMBER(struct kinds, member)

static bool tool_at(size_t index, struct prof_named *out) {
  static const struct prof_named tools[] = {{"saw", "cuts"}, {"file", "smooths"}};
  if (index < 2)
    *out = tools[index];
  return index < 2;
}

static const struct prof_option kinds[] = {
    {"flag", 0, NULL, "", PROF_OPTION_FLAG, IN(flag)},
    {"small", 0, "N", "", PROF_OPTION_COUNT, IN(small), .given = offsetof(struct kinds, given), .low = 2},
    {"level", 0, "N", "", PROF_OPTION_COUNT, IN(level), .low = 1, .high = 19},
    {"wide", 0, "N", "", PROF_OPTION_COUNT, IN(wide), .low = 60, .high = 100, .or_zero = true, .too_low = "is too low",
     .remedy = "more"},
    {"bytes", 0, "SIZE", "", PROF_OPTION_SIZE, IN(bytes), .low = 1024, .too_low = "is little", .remedy = "1K"},
    {"ns", 0, "TIME", "", PROF_OPTION_DURATION, IN(ns)},
    {"share", 0, "PERCENT", "", PROF_OPTION_SHARE, IN(share)},
    {"counts", 0, "N,...", "", PROF_OPTION_COUNTS, IN(counts), .low = 1},
    {"texts", 0, "GLOB", "", PROF_OPTION_TEXTS, IN(texts)},
    {"range", 0, "A~B", "", PROF_OPTION_RANGE, IN(range)},
    {"narrow", 0, NULL, "", PROF_OPTION_WORD, IN(narrow), PROF_WORDS("no", "yes")},
    {"word", 0, NULL, "", PROF_OPTION_WORD, IN(word), .low = 1, .named = tool_at},
    {"open", 0, NULL, "", PROF_OPTION_WORD, IN(word), .other = offsetof(struct kinds, other), .named = tool_at},
    {"bits", 0, "TOOLS", "", PROF_OPTION_WORDS, IN(bits), .named = tool_at},
    {0},
};

static prof_status take(struct kinds *into, const char *name, const char *value, struct prof_diag *diag) {
  for (const struct prof_option *row = kinds; row->name; row++)
    if (!strcmp(row->name, name))
      return prof_option_take(row, into, value, diag);
  fail();
  return PROF_USAGE;
}

static void values_go_to_members_of_any_size(void **state) {
  (void)state;
  static const char *const good[][2] = {
      {"flag", NULL},    {"small", "7"},    {"level", "19"},  {"wide", "0"},        {"bytes", "1K"}, {"ns", "2us"},
      {"share", "50%"},  {"counts", "3,4"}, {"counts", "5"},  {"texts", "a*"},      {"texts", "b"},  {"range", "~1s"},
      {"narrow", "yes"}, {"word", "file"},  {"bits", "file"}, {"bits", "saw,file"},
  };
  struct prof_diag diag;
  struct kinds into;
  memset(&into, 0, sizeof into);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_int_equal(take(&into, good[i][0], good[i][1], &diag), PROF_OK);
  assert_true(into.flag && into.given && into.narrow && !into.before);
  assert_int_equal(into.small, 7);
  assert_int_equal(into.level, 19);
  assert_int_equal(into.wide, 0);
  assert_int_equal(into.bytes, 1024);
  assert_int_equal(into.ns, 2000);
  assert_true(into.share == 0.5);
  assert_int_equal(into.counts.count, 3);
  assert_int_equal(into.counts.items[2], 5);
  assert_string_equal(into.texts.items[1], "b");
  assert_int_equal(into.range.end_ns, 1000000000);
  assert_int_equal(into.word, 2);
  assert_int_equal(into.bits, 3);
  for (const struct prof_option *row = kinds; row->name; row++)
    prof_option_free(row, &into);
}

static void other_words_go_to_their_member(void **state) {
  (void)state;
  struct prof_diag diag;
  struct kinds into;
  memset(&into, 0, sizeof into);
  assert_int_equal(take(&into, "open", "drill", &diag), PROF_OK);
  assert_string_equal(into.other, "drill");
  assert_int_equal(take(&into, "open", "file", &diag), PROF_OK);
  assert_null(into.other);
  assert_int_equal(into.word, 1);
  assert_int_equal(take(&into, "word", "drill", &diag), PROF_USAGE);
}

static void values_out_of_range_are_explained(void **state) {
  (void)state;
  static const char *const bad[][4] = {
      {"small", "1", "--small=1 can't be used", "give a whole number, at least 2"},
      {"small", "4294967296", "--small=4294967296 can't be used", "give a whole number, at least 2"},
      {"level", "20", "--level=20 can't be used", "give a whole number from 1 to 19"},
      {"wide", "59", "--wide=59 is too low", "more"},
      {"wide", "x", "--wide=x can't be used", "give a whole number from 0 to 100"},
      {"bytes", "1023", "--bytes=1023 is little", "1K"},
      {"ns", "5", "--ns=5 has no unit", "write the unit: 5ns, 5us, 5ms or 5s"},
      {"counts", "3,,4", "--counts= can't be used", "give a whole number, at least 1"},
      {"counts", "0", "--counts=0 can't be used", "give a whole number, at least 1"},
      {"word", "axe", "--word=axe is not known", "give one of: saw file"},
      {"bits", "saw,fil", "--bits=fil is not known", "did you mean --bits=file?"},
  };
  struct prof_diag diag;
  struct kinds into;
  memset(&into, 0, sizeof into);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(take(&into, bad[i][0], bad[i][1], &diag), PROF_USAGE);
    assert_string_equal(diag.what, bad[i][2]);
    assert_string_equal(diag.remedy, bad[i][3]);
  }
  for (const struct prof_option *row = kinds; row->name; row++)
    prof_option_free(row, &into);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_go_to_members_of_any_size),
      cmocka_unit_test(other_words_go_to_their_member),
      cmocka_unit_test(values_out_of_range_are_explained),
      cmocka_unit_test(own_and_shared_options_are_taken),
      cmocka_unit_test(options_of_the_program_are_left_alone),
      cmocka_unit_test(optional_values),
      cmocka_unit_test(wrong_flags_are_explained),
      cmocka_unit_test(help_stops_parsing),
      cmocka_unit_test(a_command_may_shadow_a_shared_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
