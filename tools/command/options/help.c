/*
 * tools/command/options/help.c - help texts, made from the rows.
 */
#include "help.h"

#include <stdbool.h>
#include <string.h>

#include "option_take.h"
#include "options.h"

#define HELP_COLUMN 28

const char prof_version[] = PROF_VERSION;

static int finish(FILE *file) {
  return fflush(file) || ferror(file) ? PROF_EXIT_FAILED : PROF_EXIT_OK;
}

int prof_help_overview(FILE *file) {
  fprintf(file, "prof %s - where the time of a native program goes, call by call\n\n", prof_version);
  fprintf(file, "  gcc -g -O2 -fplugin=prof.so app.c -o app   # `prof config --cflags` has the full flag\n"
                "  prof ./app                                 # record it and show the summary\n\n"
                "Usage: prof COMMAND [OPTIONS] [ARGUMENTS]\n"
                "       prof PROGRAM [ARGUMENTS]              # a path: record and report in one\n");
  const char *group = "";
  for (size_t i = 0; prof_commands[i]; i++) {
    const struct prof_command *command = prof_commands[i];
    if (!command->group)
      continue;
    if (strcmp(group, command->group))
      fprintf(file, "\n%s\n", group = command->group);
    char name[40];
    snprintf(name, sizeof name, command->alias ? "%s, %s" : "%s", command->name, command->alias);
    fprintf(file, "  %-16s %s\n", name, command->summary);
  }
  fprintf(file, "\n  prof COMMAND --help   the flags of a command\n  prof --version\n");
  return finish(file);
}

static void print_option(FILE *file, const struct prof_option *row) {
  char text[120], letter[8] = "    ", name[100], list[200] = "";
  const char *argument = prof_option_argument(row, name, sizeof name), *words[PROF_OPTION_MOST_WORDS + 1];
  struct prof_named named;
  if (row->letter)
    snprintf(letter, sizeof letter, "-%c, ", row->letter);
  if (!argument)
    snprintf(text, sizeof text, "  %s--%s", letter, row->name);
  else if (argument[0] == '[') /* "[X]" is written "[=X]" */
    snprintf(text, sizeof text, "  %s--%s[=%s", letter, row->name, argument + 1);
  else
    snprintf(text, sizeof text, "  %s--%s=%s", letter, row->name, argument);
  if (row->argument && row->kind == PROF_OPTION_WORD && row->words && prof_option_words(row, words))
    prof_option_join(list, sizeof list, words, ", ", " or ");
  if (strlen(text) >= HELP_COLUMN)
    fprintf(file, "%s\n%*s", text, HELP_COLUMN, "");
  else
    fprintf(file, "%-*s", HELP_COLUMN, text);
  fprintf(file, "%s%s\n", row->help, list[0] || row->named ? ":" : "");
  if (list[0])
    fprintf(file, "%*s  %s\n", HELP_COLUMN, "", list);
  for (size_t i = 0; row->named && row->named(i, &named); i++)
    fprintf(file, "%*s  %-11s %s\n", HELP_COLUMN, "", named.name, named.summary);
}

int prof_help_command(FILE *file, const struct prof_command *command) {
  const char *arguments = prof_command_takes_recording(command) ? "[DIR]" : command->arguments;
  fprintf(file, "prof %s - %s\n\nUsage: prof %s [OPTIONS]%s%s\n", command->name, command->summary, command->name,
          arguments ? " " : "", arguments ? arguments : "");
  if (command->alias)
    fprintf(file, "Also called: prof %s\n", command->alias);
  for (int pass = 0; pass < 2; pass++) {
    bool titled = false, shared;
    const struct prof_option *row;
    for (size_t i = 0; (row = prof_option_at(command, i, &shared)); i++) {
      if (shared != (pass == 1) || !row->help)
        continue;
      if (!titled)
        fprintf(file, pass ? "\nInput, filters and output, the same in every reader\n" : "\nOptions\n");
      titled = true;
      print_option(file, row);
    }
  }
  return finish(file);
}

int prof_help_dump(FILE *file) {
  for (size_t i = 0; prof_commands[i]; i++) {
    bool shared;
    if (!prof_commands[i]->group)
      continue;
    const struct prof_option *row;
    for (size_t j = 0; (row = prof_option_at(prof_commands[i], j, &shared)); j++) {
      if (!row->help)
        continue;
      char name[100], letter[3] = {row->letter ? '-' : 0, row->letter, 0};
      const char *argument = prof_option_argument(row, name, sizeof name);
      fprintf(file, "%s\t%s\t--%s\t%s\t%s\t%s\n", prof_commands[i]->name, letter, row->name, argument ? argument : "",
              shared ? "shared" : "own", row->help);
    }
  }
  return finish(file);
}

int prof_help_lists(FILE *file) {
  for (size_t i = 0; prof_commands[i]; i++) {
    const struct prof_command *command = prof_commands[i];
    struct prof_named named;
    if (!command->group)
      continue;
    fprintf(file, "commands\tprof-%s\t%s%s%s\n", command->name, command->summary,
            command->alias ? ". Also called prof " : "", command->alias ? command->alias : "");
    for (const struct prof_option *row = command->options; row && row->name; row++)
      for (size_t j = 0; row->named && row->named(j, &named); j++)
        fprintf(file, "%s --%s\t%s\t%s\n", command->name, row->name, named.name, named.summary);
    for (const struct prof_command_list *list = command->lists; list && list->name; list++)
      for (size_t j = 0; list->named(j, &named); j++)
        fprintf(file, "%s %s\t%s\t%s\n", command->name, list->name, named.name, named.summary);
  }
  return finish(file);
}
