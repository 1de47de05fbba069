/*
 * tools/command/dispatch.c - see dispatch.h.
 *
 * In: argv.  Out: the exit status.  One command runs per process; `prof PROGRAM` runs record, then report.
 */
#include "dispatch.h"
#include "fold/summary/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "defaults/defaults.h"
#include "options/common.h"
#include "options/help.h"
#include "options/options.h"
#include "options/suggest.h"
#include "proftrace.h"
#include "reader.h"

/* By name or alias; NULL: none. */
static const struct prof_command *find(const char *name) {
  for (size_t i = 0; prof_commands[i]; i++) {
    const struct prof_command *command = prof_commands[i];
    if (!strcmp(command->name, name) || (command->alias && !strcmp(command->alias, name)))
      return command;
  }
  return NULL;
}

static int show(const struct prof_command *command, void *settings) {
  struct prof_reader reader;
  struct prof_diag diag = {0};
  int result = PROF_EXIT_OK;
  prof_status status = prof_reader_open(&reader, settings, &diag);
  if (status == PROF_OK) {
    if (command->needs_events)
      status = prof_summary_refuse(reader.recording.trace, &diag);
    if (status == PROF_OK)
      status = command->show(settings, &reader, &result, &diag);
    prof_reader_close(&reader);
  } else if (command->unreadable) {
    prof_command_fail(&diag);
    return command->unreadable;
  }
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

/* The recording may stand without -i: PROF_OK, and settings->input, if argv is one. */
static prof_status take_recording(const struct prof_command *command, struct prof_common *settings, int argc,
                                  char **argv, struct prof_diag *diag) {
  if (argc > 1 || settings->has_input)
    return prof_command_usage(diag, command->instead, "only one recording: what is '%s'?", argv[argc - 1]);
  if (access(argv[0], F_OK))
    return prof_command_usage(diag, command->instead ? command->instead : "make one with: prof record PROGRAM",
                              "no recording is called '%s'", argv[0]);
  settings->input = argv[0];
  return PROF_OK;
}

static int run(const struct prof_command *command, void *settings, int argc, char **argv) {
  struct prof_diag diag = {0};
  prof_status status = PROF_OK;
  if (argc && prof_command_takes_recording(command))
    status = take_recording(command, settings, argc, argv, &diag);
  else if (argc && !command->arguments)
    status = prof_command_usage(&diag, command->instead, "what is '%s'?", argv[0]);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  return command->show ? show(command, settings) : command->run(settings, argc, argv);
}

/* getopt would forget where the groups end. */
static void keep_groups(int argc, char **argv) {
  static char between[] = PROF_COMMAND_BETWEEN;
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--")) {
      argv[i] = between;
      return;
    }
}

/* Not for commands that set prof up, and not for the recorder that a program starts itself. */
static bool has_defaults(const struct prof_command *command, int argc, char **argv) {
  for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++)
    if (!strncmp(argv[i], "--serve", 7))
      return false;
  return command->group && strcmp(command->group, "Set up") != 0;
}

/* Parses argv (argv[0]: the command's name) by the command's rows and runs it; prints errors. */
static int parse_and_run(const struct prof_command *command, int argc, char **argv) {
  struct prof_diag diag = {0};
  bool reads = prof_command_reads(command);
  size_t least = reads ? sizeof(struct prof_common) : 1;
  void *settings = calloc(1, command->settings_bytes > least ? command->settings_bytes : least);
  if (!settings) {
    fprintf(stderr, "prof: out of memory\n");
    return PROF_EXIT_FAILED;
  }
  if (reads)
    prof_common_init(settings);
  if (command->groups)
    keep_groups(argc, argv);
  bool help = false;
  int first = argc, result;
  prof_status status = has_defaults(command, argc, argv) ? prof_defaults_apply(command, settings, &diag) : PROF_OK;
  if (status == PROF_OK)
    status = prof_options_parse(command, settings, argc, argv, &first, &help, &diag);
  if (status != PROF_OK)
    result = prof_command_fail(&diag);
  else if (help)
    result = prof_help_command(stdout, command);
  else
    result = run(command, settings, argc - first, argv + first);
  prof_options_free(command, settings);
  if (reads)
    prof_common_fini(settings);
  free(settings);
  return result;
}

/* Is there a new recording with events?  If not, record has printed why. */
static bool worth_reporting(const struct stat *before, bool existed) {
  struct stat after;
  if (stat(PROF_DEFAULT_INPUT "/trace", &after))
    return false;
  if (existed && after.st_ino == before->st_ino && after.st_mtim.tv_sec == before->st_mtim.tv_sec &&
      after.st_mtim.tv_nsec == before->st_mtim.tv_nsec)
    return false;
  prof_trace *trace;
  if (prof_trace_open(PROF_DEFAULT_INPUT, NULL, &trace) != PROF_OK)
    return true; /* report prints the error */
  bool has_events = prof_trace_info(trace)->events > 0;
  prof_trace_close(trace);
  return has_events;
}

/* `prof PROGRAM ARGS`: argv begins with the program. */
static int record_and_report(int argc, char **argv) {
  const struct prof_command *record = find("record"), *report = find("report");
  if (!record || !report) {
    fprintf(stderr, "prof: this build has no record or report command\n");
    return PROF_EXIT_FAILED;
  }
  char **words = calloc((size_t)argc + 3, sizeof *words);
  if (!words) {
    fprintf(stderr, "prof: out of memory\n");
    return PROF_EXIT_FAILED;
  }
  char name[] = "record", dashes[] = "--", summary[] = "report", quiet[] = "--no-pager";
  words[0] = name;
  words[1] = dashes;
  memcpy(words + 2, argv, (size_t)argc * sizeof *words);
  struct stat before = {0};
  bool existed = !stat(PROF_DEFAULT_INPUT "/trace", &before);
  int status = parse_and_run(record, argc + 2, words);
  free(words);
  /* The exit status is the program's, not report's. */
  if (worth_reporting(&before, existed)) {
    char *report_words[] = {summary, quiet, NULL};
    parse_and_run(report, 2, report_words);
  }
  return status;
}

static int unknown_command(const char *word) {
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, word);
  for (size_t i = 0; prof_commands[i]; i++) {
    if (!prof_commands[i]->group)
      continue;
    prof_suggest_offer(&suggest, prof_commands[i]->name);
    if (prof_commands[i]->alias)
      prof_suggest_offer(&suggest, prof_commands[i]->alias);
  }
  char remedy[200];
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean `prof %s`?  All commands: prof --help", suggest.best);
  else if (!access(word, X_OK))
    snprintf(remedy, sizeof remedy, "to record a program in this folder: prof ./%.80s", word);
  else
    snprintf(remedy, sizeof remedy, "to record a program: prof record %.80s; all commands: prof --help", word);
  struct prof_diag diag;
  prof_command_usage(&diag, remedy, "no command is called '%s'", word);
  return prof_command_fail(&diag);
}

static int unknown_flag(const char *word) {
  struct prof_diag diag;
  prof_command_usage(&diag, "flags belong after a command: prof report -s total; all commands: prof --help",
                     "unknown flag '%s'", word);
  return prof_command_fail(&diag);
}

/* Takes the flags in front of the command: returns how many, or -1 and prints why. */
static int take_front_flags(int argc, char **argv) {
  static const char preset[] = "--preset=";
  struct prof_diag diag;
  int count = 0;
  for (; count + 1 < argc; count++) {
    const char *word = argv[count + 1];
    if (!strcmp(word, "--no-settings"))
      prof_defaults_ignore();
    else if (strncmp(word, preset, sizeof preset - 1) != 0)
      break;
    else if (prof_defaults_choose(word + sizeof preset - 1, &diag) != PROF_OK) {
      prof_command_fail(&diag);
      return -1;
    }
  }
  return count;
}

int prof_command_main(int argc, char **argv) {
  int flags = take_front_flags(argc, argv);
  if (flags < 0)
    return PROF_EXIT_USAGE;
  argc -= flags;
  argv += flags;
  if (argc < 2) {
    prof_help_overview(stderr);
    return PROF_EXIT_USAGE;
  }
  const char *word = argv[1];
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
    const struct prof_command *command = argc > 2 ? find(argv[2]) : NULL;
    if (argc > 2 && !command)
      return unknown_command(argv[2]);
    return command ? prof_help_command(stdout, command) : prof_help_overview(stdout);
  }
  if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
    printf("prof %s\n", prof_version);
    return fflush(stdout) ? PROF_EXIT_FAILED : PROF_EXIT_OK;
  }
  if (!strcmp(word, "--dump-options"))
    return prof_help_dump(stdout);
  if (!strcmp(word, "--dump-lists"))
    return prof_help_lists(stdout);
  const struct prof_command *command = find(word);
  if (command)
    return parse_and_run(command, argc - 1, argv + 1);
  if (!strcmp(word, "--") && argc > 2)
    return record_and_report(argc - 2, argv + 2);
  if (word[0] == '-')
    return unknown_flag(word);
  /* A path is a program; a bare word is more likely a mistyped command. */
  return strchr(word, '/') ? record_and_report(argc - 1, argv + 1) : unknown_command(word);
}
