/*
 * tools/command/defaults/defaults.c - see defaults.h.
 */
#include "command/defaults/defaults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/options/common.h"
#include "command/options/option_take.h"
#include "command/options/options.h"
#include "command/options/suggest.h"

#define NAME "prof.toml"

static struct { /* of this process */
  struct prof_defaults_file files[PROF_DEFAULTS_FILES];
  char own_path[PATH_MAX];
  bool is_read, ignored;
  const char *preset; /* NULL: none */
} state;

/* ---- files ---- */

/* $XDG_CONFIG_HOME/prof/prof.toml, else ~/.config/prof/prof.toml; "": neither place is known. */
static const char *own_path(void) {
  const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  int bytes = 0;
  if (config && config[0] == '/')
    bytes = snprintf(state.own_path, sizeof state.own_path, "%s/prof/" NAME, config);
  else if (home && home[0] == '/')
    bytes = snprintf(state.own_path, sizeof state.own_path, "%s/.config/prof/" NAME, home);
  return bytes > 0 && bytes < (int)sizeof state.own_path ? state.own_path : "";
}

/* `sudo -u other` keeps HOME: a file in somebody else's home is no setting of this user. */
static bool is_out_of_reach(const struct prof_defaults_file *file) {
  return file->is_own && faccessat(AT_FDCWD, file->path, R_OK, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == ENOTDIR);
}

static prof_status read_file(struct prof_defaults_file *file, struct prof_diag *diag) {
  if (!file->path[0] || is_out_of_reach(file))
    return PROF_OK;
  prof_status status = prof_toml_read(file->path, diag, &file->toml);
  file->found = status == PROF_OK;
  return status == PROF_NOT_FOUND ? PROF_OK : status;
}

prof_status prof_defaults_read(const struct prof_defaults_file **files, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  *files = state.files;
  if (state.is_read)
    return PROF_OK;
  state.files[0] = (struct prof_defaults_file){.path = own_path(), .is_own = true};
  state.files[1] = (struct prof_defaults_file){.path = NAME};
  for (int i = 0; i < PROF_DEFAULTS_FILES && status == PROF_OK; i++)
    status = read_file(&state.files[i], diag);
  state.is_read = status == PROF_OK;
  return status;
}

/* ---- names ---- */

bool prof_defaults_split(const char *table, struct prof_defaults_table *out) {
  static const char lead[] = "preset.";
  *out = (struct prof_defaults_table){.preset = "", .command = table};
  if (!strncmp(table, lead, sizeof lead - 1)) {
    const char *name = table + sizeof lead - 1, *dot = strrchr(name, '.');
    if (!dot || dot == name)
      return false;
    *out = (struct prof_defaults_table){.preset = name, .command = dot + 1, .preset_bytes = (size_t)(dot - name)};
  }
  return out->command[0] != 0;
}

static bool is_of_all(const struct prof_defaults_table *table) {
  return !strcmp(table->command, "all");
}

static const struct prof_command *command_named(const char *name) {
  for (size_t i = 0; prof_commands[i]; i++)
    if (!strcmp(prof_commands[i]->name, name))
      return prof_commands[i];
  return NULL;
}

static const struct prof_option *row_named(const struct prof_command *command, const char *name, bool *shared) {
  const struct prof_option *row;
  for (size_t i = 0; (row = prof_option_at(command, i, shared)); i++)
    if (row->help && !strcmp(row->name, name) && strcmp(name, "help") != 0)
      return row;
  return NULL;
}

void prof_defaults_ignore(void) {
  state.ignored = true;
}

prof_status prof_defaults_choose(const char *preset, struct prof_diag *diag) {
  const struct prof_defaults_file *files;
  struct prof_suggest suggest;
  char remedy[200], name[100];
  prof_suggest_init(&suggest, preset);
  prof_status status = prof_defaults_read(&files, diag);
  for (int i = 0; i < PROF_DEFAULTS_FILES && status == PROF_OK; i++)
    for (size_t j = 0; j < files[i].toml.entries.count; j++) {
      struct prof_defaults_table table;
      if (!prof_defaults_split(files[i].toml.entries.items[j].table, &table) || !table.preset[0])
        continue;
      snprintf(name, sizeof name, "%.*s", (int)table.preset_bytes, table.preset);
      if (!strcmp(name, preset)) {
        state.preset = preset;
        return PROF_OK;
      }
      prof_suggest_offer(&suggest, prof_arena_copy(&state.files[i].toml.texts, name, strlen(name)) ?: "");
    }
  if (status != PROF_OK)
    return status;
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean --preset=%.80s?  All: prof config --show", suggest.best);
  else
    snprintf(remedy, sizeof remedy, "write [preset.NAME.record] into prof.toml");
  return prof_command_usage(diag, remedy, "no preset is called '%s'", preset);
}

/* ---- one entry ---- */

struct applying {
  const struct prof_defaults_file *file;
  const struct prof_toml_entry *entry;
  const struct prof_command *command;
  void *settings;
  struct prof_diag *diag;
};

/* Puts file and line in front of what is wrong. */
static prof_status fail_at(const struct applying *to, prof_status status) {
  char what[sizeof to->diag->what], remedy[sizeof to->diag->remedy];
  if (status == PROF_OK || status == PROF_NO_MEMORY)
    return status;
  snprintf(what, sizeof what, "line %u: %.200s", to->entry->line, to->diag->what);
  snprintf(remedy, sizeof remedy, "%s", to->diag->remedy);
  return prof_diag_fill(to->diag, PROF_USAGE, to->file->path, PROF_NO_OFFSET, remedy, "%s", what);
}

static prof_status take(const struct applying *to, const struct prof_option *row, const char *value) {
  prof_status status = prof_option_take(row, to->settings, value, to->diag);
  if (status == PROF_OK && to->command->taken)
    to->command->taken(row, value);
  return fail_at(to, status);
}

static prof_status take_value(const struct applying *to, const struct prof_option *row) {
  const struct prof_toml_value *value = &to->entry->value;
  char name[100];
  const char *argument = prof_option_argument(row, name, sizeof name);
  bool is_many = row->kind == PROF_OPTION_TEXTS || (row->kind == PROF_OPTION_OWN && argument);
  if ((value->kind == PROF_TOML_BOOL) != (argument == NULL))
    return fail_at(to, prof_command_usage(to->diag, argument ? "give it a value, as on the command line" : "write true",
                                          argument ? "%s needs a value" : "%s is true or false", row->name));
  if (value->kind == PROF_TOML_BOOL)
    return value->truth ? take(to, row, NULL) : PROF_OK;
  if (value->kind != PROF_TOML_ARRAY)
    return take(to, row, value->text);
  if (!is_many)
    return fail_at(to, prof_command_usage(to->diag, "write one value", "%s takes no array", row->name));
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < value->count && status == PROF_OK; i++)
    status = take(to, row, to->file->toml.parts.items[value->first + i].text);
  return status;
}

/* Files that prof reads and writes. */
static bool is_place(const char *option) {
  return !strcmp(option, "output") || !strcmp(option, "input") || !strcmp(option, "path-map");
}

static prof_status no_option(const struct applying *to) {
  struct prof_suggest suggest;
  char remedy[200];
  const struct prof_option *row;
  prof_suggest_init(&suggest, to->entry->key);
  for (size_t i = 0; (row = prof_option_at(to->command, i, NULL)); i++)
    if (row->help)
      prof_suggest_offer(&suggest, row->name);
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean %.80s?  All: prof %s --help", suggest.best, to->command->name);
  else
    snprintf(remedy, sizeof remedy, "all of them: prof %s --help", to->command->name);
  return fail_at(
      to, prof_command_usage(to->diag, remedy, "prof %s has no option '%.80s'", to->command->name, to->entry->key));
}

static prof_status apply_entry(const struct applying *to, bool of_all) {
  bool shared;
  const struct prof_option *row = row_named(to->command, to->entry->key, &shared);
  if (of_all && (!row || !shared))
    return PROF_OK;
  if (!row)
    return no_option(to);
  if (!to->file->is_own && is_place(row->name))
    return fail_at(to, prof_command_usage(to->diag, "write it into ~/.config/prof/prof.toml, or on the command line",
                                          "a folder's settings can't set '%s'", row->name));
  return take_value(to, row);
}

/* ---- all ---- */

/* The preset's tables, or those without one, that concern the command; [all] first. */
static prof_status apply_file(const struct prof_defaults_file *file, const char *preset,
                              const struct prof_command *command, void *settings, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  for (int all = 1; all >= 0; all--)
    for (size_t i = 0; i < file->toml.entries.count && status == PROF_OK; i++) {
      struct applying to = {file, &file->toml.entries.items[i], command, settings, diag};
      struct prof_defaults_table table;
      if (!prof_defaults_split(to.entry->table, &table) || table.preset_bytes != strlen(preset) ||
          strncmp(table.preset, preset, table.preset_bytes) != 0 || is_of_all(&table) != all ||
          (!all && strcmp(table.command, command->name) != 0))
        continue;
      status = apply_entry(&to, all);
    }
  return status;
}

/* A table that nobody reads is likely a mistake. */
static void warn_unknown(const struct prof_defaults_file *file) {
  char table[200];
  for (size_t i = 0; i < file->toml.entries.count; i++) {
    const struct prof_toml_entry *entry = &file->toml.entries.items[i];
    struct prof_defaults_table parts;
    if (prof_defaults_split(entry->table, &parts) && (is_of_all(&parts) || command_named(parts.command)))
      continue;
    prof_text_escape(table, sizeof table, entry->table, strlen(entry->table));
    fprintf(stderr, "prof: %s line %u: '%s' is no table of settings; see prof config --show\n", file->path, entry->line,
            table);
    return;
  }
}

prof_status prof_defaults_apply(const struct prof_command *command, void *settings, struct prof_diag *diag) {
  const struct prof_defaults_file *files;
  if (state.ignored)
    return PROF_OK;
  bool first = !state.is_read;
  prof_status status = prof_defaults_read(&files, diag);
  for (int i = 0; i < PROF_DEFAULTS_FILES && status == PROF_OK && first; i++)
    warn_unknown(&files[i]);
  for (int i = 0; i < PROF_DEFAULTS_FILES && status == PROF_OK; i++)
    status = apply_file(&files[i], "", command, settings, diag);
  for (int i = 0; i < PROF_DEFAULTS_FILES && status == PROF_OK && state.preset; i++)
    status = apply_file(&files[i], state.preset, command, settings, diag);
  return status;
}

static prof_status check_shared(struct applying *to) {
  for (size_t i = 0; prof_commands[i]; i++) {
    bool shared;
    to->command = prof_commands[i];
    if (row_named(to->command, to->entry->key, &shared) && shared)
      return PROF_OK;
  }
  return fail_at(to, prof_command_usage(to->diag, "give it in the table of a command", "not all readers have '%.80s'",
                                        to->entry->key));
}

prof_status prof_defaults_check(const struct prof_defaults_file *file, const struct prof_toml_entry *entry,
                                struct prof_diag *diag) {
  struct applying to = {.file = file, .entry = entry, .diag = diag};
  struct prof_defaults_table table;
  bool known = prof_defaults_split(entry->table, &table);
  bool of_all = known && is_of_all(&table);
  prof_status status = of_all ? check_shared(&to) : PROF_OK;
  to.command = of_all ? to.command : known ? command_named(table.command) : NULL;
  if (status != PROF_OK)
    return status;
  if (!to.command)
    return fail_at(&to, prof_command_usage(diag, "tables are [all], [report], [preset.NAME.report], ...",
                                           "'%.80s' is no table of settings", entry->table));
  size_t least = sizeof(struct prof_common);
  to.settings = calloc(1, to.command->settings_bytes > least ? to.command->settings_bytes : least);
  if (!to.settings)
    return prof_diag_memory(diag);
  struct prof_command without = *to.command; /* its `taken` keeps what a command line says */
  without.taken = NULL;
  to.command = &without;
  status = apply_entry(&to, of_all);
  prof_options_free(to.command, to.settings);
  if (prof_command_reads(to.command))
    prof_common_fini(to.settings);
  free(to.settings);
  return status;
}
