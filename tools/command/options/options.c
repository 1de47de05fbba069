/*
 * tools/command/options/options.c - parses options with getopt_long by the rows of a command.
 *
 * getopt prints nothing here: the diagnostic names the nearest flag and the help.
 */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "option_take.h"
#include "suggest.h"

#define MOST_OPTIONS 64
#define FIRST_CODE 1000 /* codes of long options: above any letter */

static const struct prof_option help_row = {"help", 'h', NULL, "show this help", PROF_OPTION_FLAG};

/* A command's own option replaces a shared one of its name (export's --format). */
static bool shadowed(const struct prof_command *command, const char *name) {
  for (const struct prof_option *row = command->options; row && row->name; row++)
    if (!strcmp(row->name, name))
      return true;
  return false;
}

const struct prof_option *prof_option_at(const struct prof_command *command, size_t index, bool *shared) {
  const struct prof_option *row = command->options;
  if (shared)
    *shared = false;
  for (; row && row->name; row++)
    if (index-- == 0)
      return row;
  for (row = command->filters ? prof_common_options : NULL; row && row->name; row++)
    if (!shadowed(command, row->name) && index-- == 0) {
      if (shared)
        *shared = true;
      return row;
    }
  return index == 0 ? &help_row : NULL;
}

struct parser {
  const struct prof_command *command;
  struct option longs[MOST_OPTIONS + 1];
  char shorts[3 * MOST_OPTIONS + 3];
  size_t count;
};

static int argument_kind(const struct prof_option *row) {
  char name[100];
  const char *argument = prof_option_argument(row, name, sizeof name);
  if (!argument)
    return no_argument;
  return argument[0] == '[' ? optional_argument : required_argument;
}

static void parser_fill(struct parser *parser, const struct prof_command *command) {
  parser->command = command;
  char *s = parser->shorts;
  if (command->stop_at_program)
    *s++ = '+';
  *s++ = ':'; /* getopt then distinguishes a missing value from an unknown flag */
  const struct prof_option *row;
  for (parser->count = 0; parser->count < MOST_OPTIONS; parser->count++) {
    row = prof_option_at(command, parser->count, NULL);
    if (!row)
      break;
    int kind = argument_kind(row);
    parser->longs[parser->count] = (struct option){row->name, kind, NULL, FIRST_CODE + (int)parser->count};
    if (row->letter) {
      *s++ = row->letter;
      for (int colons = kind; colons > 0; colons--)
        *s++ = ':';
    }
  }
  parser->longs[parser->count] = (struct option){0};
  *s = 0;
}

static const struct prof_option *row_of(const struct parser *parser, int code) {
  for (size_t i = 0; i < parser->count; i++) {
    const struct prof_option *row = prof_option_at(parser->command, i, NULL);
    if (code == FIRST_CODE + (int)i || (row->letter && row->letter == code))
      return row;
  }
  return NULL;
}

/* word: where getopt stopped; optopt: the letter. */
static prof_status unknown(const struct parser *parser, const char *word, struct prof_diag *diag) {
  char remedy[200];
  const char *command = parser->command->name;
  if (strncmp(word, "--", 2)) {
    snprintf(remedy, sizeof remedy, "all flags of this command: prof %s --help", command);
    return prof_command_usage(diag, remedy, "unknown flag '-%c' of prof %s", optopt ? optopt : '?', command);
  }
  char name[64];
  snprintf(name, sizeof name, "%s", word + 2);
  name[strcspn(name, "=")] = 0;
  if (!strcmp(name, "by") && parser->command->filters)
    return prof_command_usage(diag, "choose a process by --pid or --command; prof report --by=process lists them",
                              "prof %s has no --by", command);
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, name);
  for (size_t i = 0; i < parser->count; i++)
    if (prof_option_at(parser->command, i, NULL)->help)
      prof_suggest_offer(&suggest, parser->longs[i].name);
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean --%s?  All flags: prof %s --help", suggest.best, command);
  else
    snprintf(remedy, sizeof remedy, "all flags of this command: prof %s --help", command);
  return prof_command_usage(diag, remedy, "unknown or unclear flag '--%s' of prof %s", name, command);
}

static prof_status missing(const struct parser *parser, struct prof_diag *diag) {
  const struct prof_option *row = row_of(parser, optopt);
  const char *words[PROF_OPTION_MOST_WORDS + 1];
  char remedy[200], list[120];
  if (!row)
    return unknown(parser, "-", diag);
  snprintf(remedy, sizeof remedy, "write --%s=%s; see prof %s --help", row->name,
           prof_option_words(row, words) ? prof_option_join(list, sizeof list, words, "|", "|") : row->argument,
           parser->command->name);
  return prof_command_usage(diag, remedy, "--%s needs a value", row->name);
}

prof_status prof_options_parse(const struct prof_command *command, void *settings, int argc, char **argv, int *first,
                               bool *help, struct prof_diag *diag) {
  struct parser parser;
  parser_fill(&parser, command);
  opterr = 0;
  optind = 0; /* glibc: restart */
  *help = false;
  for (;;) {
    optopt = 0;
    int code = getopt_long(argc, argv, parser.shorts, parser.longs, NULL);
    if (code < 0)
      break;
    const struct prof_option *row;
    if (code == ':')
      return missing(&parser, diag);
    if (code == '?') {
      /* A cluster of letters stays at optind until its last one; optind is already behind a long flag. */
      const char *word = optopt && optopt < FIRST_CODE ? "-" : argv[optind - 1];
      if (optopt >= FIRST_CODE && (row = row_of(&parser, optopt)))
        return prof_command_usage(diag, "leave out the part after the equals sign", "--%s takes no value", row->name);
      return unknown(&parser, word, diag);
    }
    row = row_of(&parser, code);
    if (row == &help_row) {
      *help = true;
      return PROF_OK;
    }
    prof_status status = prof_option_take(row, settings, optarg, diag);
    if (status != PROF_OK)
      return status;
    if (command->taken)
      command->taken(row, optarg);
  }
  *first = optind;
  return PROF_OK;
}

void prof_options_free(const struct prof_command *command, void *settings) {
  const struct prof_option *row;
  for (size_t i = 0; (row = prof_option_at(command, i, NULL)); i++)
    prof_option_free(row, settings);
}
