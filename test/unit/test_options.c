/* test_options.c - options by rows: what is taken, what is left, what is refused and how it is explained. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/common.h"
#include "command/options.h"

struct settings {
  struct prof_common common;
  const char *sort;
  int verbose;
  bool has_sample;
  const char *sample;
};

static prof_status take_sort(void *settings, const char *value, struct prof_diag *diag) {
  (void)diag;
  ((struct settings *)settings)->sort = value;
  return PROF_OK;
}
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
    {"sort", 's', "KEY", "", take_sort},
    {"verbose", 'v', NULL, "", take_verbose},
    {"sample", 0, "[HZ]", "", take_sample},
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
  prof_common_fini(&run.settings.common);
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
  prof_common_fini(&run.settings.common);
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
  static const struct prof_option own[] = {{"format", 0, "NAME", "", take_sort}, {0}};
  static const struct prof_command command = {.name = "own", .options = own, .filters = true};
  size_t seen = 0;
  const struct prof_option *row;
  for (size_t i = 0; (row = prof_option_at(&command, i, NULL)); i++)
    seen += !strcmp(row->name, "format");
  assert_int_equal(seen, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_and_shared_options_are_taken),
      cmocka_unit_test(options_of_the_program_are_left_alone),
      cmocka_unit_test(optional_values),
      cmocka_unit_test(wrong_flags_are_explained),
      cmocka_unit_test(help_stops_parsing),
      cmocka_unit_test(a_command_may_shadow_a_shared_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
