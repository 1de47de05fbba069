/*
 * tools/command/options/completion.c - `prof completion bash`: a completion script made from the same rows as the help.
 */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "option_take.h"
#include "options.h"

static bool takes_value(const struct prof_option *row) {
  return row->argument ? row->argument[0] != '[' : row->words || row->named;
}

static void print_command(const struct prof_command *command) {
  printf("    %s%s%s)\n      flags=\"", command->name, command->alias ? "|" : "", command->alias ? command->alias : "");
  const char *words[PROF_OPTION_MOST_WORDS + 1];
  const struct prof_option *row;
  char list[200];
  for (size_t i = 0; (row = prof_option_at(command, i, NULL)); i++)
    if (row->help)
      printf("--%s%s ", row->name, takes_value(row) ? "=" : "");
  printf("\"\n      case $last in\n");
  for (size_t i = 0; (row = prof_option_at(command, i, NULL)); i++)
    if (row->help && prof_option_words(row, words))
      printf("        --%s) values=\"%s\" ;;\n", row->name, prof_option_join(list, sizeof list, words, " ", " "));
  printf("      esac\n%s      ;;\n", command->stop_at_program ? "      program=1\n" : "");
}

static int run(void *settings, int argc, char **argv) {
  (void)settings;
  struct prof_diag diag;
  if (argc != 1 || strcmp(argv[0], "bash")) {
    prof_command_usage(&diag, "write: prof completion bash", "which shell?");
    return prof_command_fail(&diag);
  }
  printf("# bash completion for prof; made by `prof completion bash`\n_prof() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} flags= values= program=\n"
         "  # COMP_WORDBREAKS parts --flag=value into three words\n"
         "  if [[ $cur == = ]]; then cur=; elif [[ $last == = ]]; then last=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"");
  for (size_t i = 0; prof_commands[i]; i++)
    if (prof_commands[i]->group)
      printf("%s ", prof_commands[i]->name);
  printf("--help --version\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; prof_commands[i]; i++)
    if (prof_commands[i]->group)
      print_command(prof_commands[i]);
  printf("  esac\n"
         "  if [[ $values ]]; then\n    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
         "  elif [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
         "    [[ ${COMPREPLY-} == *= ]] && compopt -o nospace\n"
         "  elif [[ $program ]]; then\n    COMPREPLY=($(compgen -c -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
         "  else\n    COMPREPLY=($(compgen -f -- \"$cur\"))\n  fi\n}\ncomplete -o filenames -F _prof prof\n");
  return fflush(stdout) ? PROF_EXIT_FAILED : PROF_EXIT_OK;
}

const struct prof_command prof_command_completion = {
    .name = "completion",
    .arguments = "bash",
    .summary = "Print a completion script",
    .run = run,
};
