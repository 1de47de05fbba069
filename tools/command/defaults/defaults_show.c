/*
 * tools/command/defaults/defaults_show.c - see defaults_show.h.
 */
#include "command/defaults/defaults_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "command/defaults/defaults.h"
#include "command/output.h"
#include "view/table.h"

enum { VALUE_BYTES = 400 };

struct row {
  const struct prof_defaults_file *file;
  const struct prof_toml_entry *entry;
  struct prof_defaults_table table;
  bool overridden; /* a later one of the same preset and command wins */
  struct prof_diag fault;
  bool is_wrong;
};

struct rows {
  PROF_VEC(struct row) list;
  uint32_t wrong;
};

static bool is_same(const struct row *a, const struct row *b) {
  return !strcmp(a->entry->table, b->entry->table) && !strcmp(a->entry->key, b->entry->key);
}

static prof_status collect(const struct prof_defaults_file *files, struct rows *rows, struct prof_diag *diag) {
  for (int i = 0; i < PROF_DEFAULTS_FILES; i++)
    for (size_t j = 0; j < files[i].toml.entries.count; j++) {
      struct row row = {.file = &files[i], .entry = &files[i].toml.entries.items[j]};
      prof_status status = prof_defaults_check(row.file, row.entry, &row.fault);
      if (status == PROF_NO_MEMORY)
        return prof_diag_memory(diag);
      if (!prof_defaults_split(row.entry->table, &row.table))
        row.table = (struct prof_defaults_table){.preset = "", .command = row.entry->table};
      row.is_wrong = status != PROF_OK;
      rows->wrong += row.is_wrong;
      for (size_t k = 0; k < rows->list.count; k++)
        rows->list.items[k].overridden |= is_same(&rows->list.items[k], &row);
      if (!prof_vec_push(&rows->list, row))
        return prof_diag_memory(diag);
    }
  return PROF_OK;
}

static void write_value(const struct row *row, char out[VALUE_BYTES]) {
  const struct prof_toml_value *value = &row->entry->value;
  size_t used = 0;
  snprintf(out, VALUE_BYTES, "%s", value->text);
  for (uint32_t i = 0; value->kind == PROF_TOML_ARRAY && i < value->count && used + 1 < VALUE_BYTES; i++)
    used += (size_t)snprintf(out + used, VALUE_BYTES - used, "%s%s", i ? ", " : "",
                             row->file->toml.parts.items[value->first + i].text);
}

static void write_preset(const struct row *row, char *out, size_t bytes) {
  snprintf(out, bytes, "%.*s", (int)row->table.preset_bytes, row->table.preset);
}

static bool show_table(const struct prof_defaults_file *files, const struct rows *rows, FILE *file,
                       const struct prof_output *output) {
  static const struct prof_column columns[] = {{NULL, "PRESET", PROF_CELL_TEXT},
                                               {NULL, "COMMAND", PROF_CELL_TEXT},
                                               {NULL, "OPTION", PROF_CELL_TEXT},
                                               {NULL, "VALUE", PROF_CELL_TEXT, PROF_CUT_NAME},
                                               {NULL, "FROM", PROF_CELL_TEXT, PROF_CUT_LEFT},
                                               {NULL, "STATE", PROF_CELL_TEXT, PROF_CUT_NAME}};
  char value[VALUE_BYTES], text[400];
  for (int i = 0; i < PROF_DEFAULTS_FILES; i++) {
    if (!files[i].path[0])
      continue;
    prof_text_escape(text, sizeof text, files[i].path, strlen(files[i].path));
    fprintf(file, "%s: %s\n", text, files[i].found ? "read" : "not there");
  }
  if (rows->list.count == 0)
    return true;
  fputc('\n', file);
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < rows->list.count; i++) {
    const struct row *row = &rows->list.items[i];
    write_preset(row, text, sizeof text);
    prof_table_text(table, text);
    prof_table_text(table, row->table.command);
    prof_table_text(table, row->entry->key);
    write_value(row, value);
    prof_table_text(table, value);
    snprintf(text, sizeof text, "%.300s:%u", row->file->path, row->entry->line);
    prof_table_text(table, text);
    prof_table_text(table, row->is_wrong ? row->fault.what : row->overridden ? "overridden" : "in effect");
  }
  bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_print(table, file, &output->style);
  prof_table_free(table);
  return done;
}

static void show_json(const struct prof_defaults_file *files, const struct rows *rows, FILE *file) {
  struct prof_json json;
  char value[VALUE_BYTES], preset[200];
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_array(&json, "files");
  for (int i = 0; i < PROF_DEFAULTS_FILES; i++) {
    prof_json_object(&json, NULL);
    prof_json_text(&json, "path", files[i].path);
    prof_json_bool(&json, "found", files[i].found);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_array(&json, "settings");
  for (size_t i = 0; i < rows->list.count; i++) {
    const struct row *row = &rows->list.items[i];
    prof_json_object(&json, NULL);
    write_preset(row, preset, sizeof preset);
    write_value(row, value);
    prof_json_text(&json, "preset", preset);
    prof_json_text(&json, "command", row->table.command);
    prof_json_text(&json, "option", row->entry->key);
    prof_json_text(&json, "value", value);
    prof_json_text(&json, "path", row->file->path);
    prof_json_count(&json, "line", row->entry->line);
    prof_json_bool(&json, "in_effect", !row->overridden && !row->is_wrong);
    prof_json_text(&json, "fault", row->is_wrong ? row->fault.what : "");
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

int prof_defaults_show(enum prof_format format) {
  const struct prof_defaults_file *files;
  struct prof_common common = {.format = format};
  struct rows rows = {.wrong = 0};
  struct prof_output output;
  struct prof_diag diag;
  prof_status status = prof_defaults_read(&files, &diag);
  if (status == PROF_OK)
    status = collect(files, &rows, &diag);
  int result = PROF_EXIT_FAILED;
  if (status == PROF_OK) {
    prof_output_begin(&output, &common);
    if (format == PROF_FORMAT_JSON)
      show_json(files, &rows, output.file);
    else if (!show_table(files, &rows, output.file, &output))
      status = prof_diag_memory(&diag);
    result = prof_output_end(&output);
  }
  prof_vec_fini(&rows.list);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  return result == PROF_EXIT_OK && rows.wrong ? PROF_EXIT_FAILED : result;
}
