/*
 * tools/command/defaults/defaults.h - defaults of options, from settings files.
 *
 *    [all]                    options that all readers share
 *    [report]                 options of prof report, by their long names
 *    [preset.ci.record]       the same, with prof --preset=ci
 *
 * Later ones win: the user's file, the folder's file, presets of both, the command line.  The folder's file may be
 * somebody else's: it can't choose which files prof reads and writes.  Files are read once per process, and kept.
 */
#ifndef PROF_COMMAND_DEFAULTS_H
#define PROF_COMMAND_DEFAULTS_H

#include "base/toml.h"
#include "command/command.h"

#define PROF_DEFAULTS_FILES 2

struct prof_defaults_file {
  const char *path; /* as it is shown; "": there is no such place */
  bool is_own;      /* the user's */
  bool found;
  struct prof_toml toml;
};

/* The files, the user's first.  A missing one is no failure. */
prof_status prof_defaults_read(const struct prof_defaults_file **files, struct prof_diag *) PROF_MUST_CHECK;

/* For `prof --no-settings` and `prof --preset=NAME`; the text is borrowed.  PROF_USAGE: no file has such a preset. */
void prof_defaults_ignore(void);
prof_status prof_defaults_choose(const char *preset, struct prof_diag *) PROF_MUST_CHECK;

/* Stores the defaults of a command's options.  PROF_USAGE: a setting is wrong; the diagnostic names file and line. */
prof_status prof_defaults_apply(const struct prof_command *, void *settings, struct prof_diag *) PROF_MUST_CHECK;

/*
 * A table's name in parts: "preset.ci.record" is of preset ci and command record; "report" of no preset ("").  The
 * texts begin in the name, and have their lengths.  false: it is no table of settings.
 */
struct prof_defaults_table {
  const char *preset, *command;
  size_t preset_bytes;
};
bool prof_defaults_split(const char *table, struct prof_defaults_table *out);

/*
 * Checks an entry; all errors that applying it to its command would have.  PROF_OK also where no recording or program
 * is needed to know.
 */
prof_status prof_defaults_check(const struct prof_defaults_file *, const struct prof_toml_entry *, struct prof_diag *);

#endif
