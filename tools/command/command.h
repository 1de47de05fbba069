/*
 * tools/command/command.h - a command: a row in the table of main.c.
 *
 * Help, completion and the lint test of the man pages read the same rows.  Only files in command/ read argv, print
 * diagnostics or decide the exit status.
 */
#ifndef PROF_COMMAND_H
#define PROF_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "options/option_row.h"
#include "prof_status.h"

struct prof_reader;

struct prof_command_list { /* for its man page: @NAME LIST@ */
  const char *name;
  bool (*named)(size_t index, struct prof_named *out); /* false: there is no such row */
};

struct prof_command {
  const char *name;
  const char *alias;     /* NULL: none */
  const char *arguments; /* in help, behind the options: "[--] PROGRAM ARGS..."; NULL: at most a recording */
  const char *instead;   /* then the remedy for other arguments that were given */
  const char *summary;   /* one line */
  const char *group;     /* in `prof --help`: "Record", "Look", "Decide", "Export", "Set up"; NULL: not listed */
  const struct prof_option *options;     /* its own; NULL-terminated */
  const struct prof_command_list *lists; /* NULL, or ended by a name NULL */
  bool filters;         /* also takes the options that all readers share (command/common.h): -i -F -N -D -t --tid ... */
  bool groups;          /* the first "--" is passed on as PROF_COMMAND_BETWEEN, with options on both sides of it */
  bool stop_at_program; /* parsing ends at the first argument that is no option */
  void (*taken)(const struct prof_option *, const char *value); /* called with each option; may be NULL */
  size_t settings_bytes; /* zeroed before parsing; with `filters` or `show`, begins with struct prof_common */
  int (*run)(void *settings, int argc, char **argv); /* the rest of argv; returns the exit status */
  /* Instead of `run`, without arguments: works on the open recording; *result: the exit status. */
  prof_status (*show)(void *settings, const struct prof_reader *, int *result, struct prof_diag *);
  bool needs_events; /* with `show`: not for a recording that is a summary */
  int unreadable;    /* with `show`: exit status where the recording can't be opened; 0: the usual one */
};

#define PROF_COMMAND_BETWEEN "\001--" /* between two groups of arguments */

static inline bool prof_command_reads(const struct prof_command *command) {
  return command->filters || command->show;
}

/* `prof report DIR` is `prof report -i DIR`. */
static inline bool prof_command_takes_recording(const struct prof_command *command) {
  return prof_command_reads(command) && !command->arguments;
}

extern const struct prof_command *const prof_commands[]; /* NULL-terminated, in main.c */

/* Exit statuses of prof itself (record passes the program's on). */
enum { PROF_EXIT_OK = 0, PROF_EXIT_FAILED = 1, PROF_EXIT_USAGE = 2 };

/* Prints "prof: what (file, offset)\n  remedy" on stderr; returns PROF_EXIT_FAILED, or PROF_EXIT_USAGE for PROF_USAGE.
 */
int prof_command_fail(const struct prof_diag *);

/* Fills the diagnostic for a wrong command line, with escaped text; returns PROF_USAGE. */
prof_status prof_command_usage(struct prof_diag *, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
