/*
 * tools/base/toml.h - reads a part of TOML 1.0: tables, arrays of tables, and keys with one value or an array of them.
 *
 *    [report]                      table "report"
 *    rows = 30                     a number: number 30, text "30"
 *    color = "never"               a text; 'literal' ones too
 *    [preset.ci.record]            table "preset.ci.record"
 *    [[rule]]                      tables "rule", numbered from 1
 *    names = ["a", "b"]            an array, of values that are no arrays
 *
 * Values: strings of one line, whole and floating-point numbers, true and false.  Dates, dotted keys, inline tables and
 * strings of several lines are refused, with the line.  Source: TOML v1.0.0, T. Preston-Werner and others, 2021.
 */
#ifndef PROF_BASE_TOML_H
#define PROF_BASE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "prof_status.h"

enum prof_toml_kind { PROF_TOML_TEXT, PROF_TOML_NUMBER, PROF_TOML_BOOL, PROF_TOML_ARRAY };

struct prof_toml_value {
  enum prof_toml_kind kind;
  const char *text; /* of a number as it was written, without _; of a bool "true" or "false"; of an array "" */
  double number;
  bool truth;
  uint32_t first, count; /* of an array: its values, in `parts` */
};

struct prof_toml_entry {
  const char *table;     /* "": before the first one */
  uint32_t table_number; /* of an array of tables, from 1; else 0 */
  const char *key;
  uint32_t line;
  struct prof_toml_value value;
};

struct prof_toml {                          /* zeroed: empty */
  PROF_VEC(struct prof_toml_entry) entries; /* as in the file */
  PROF_VEC(struct prof_toml_value) parts;   /* of arrays */
  struct prof_arena texts;
};

/* PROF_CORRUPT: the diagnostic has the line in `what`; nothing is to be freed then.  path: for messages. */
prof_status prof_toml_parse(const char *text, size_t bytes, const char *path, struct prof_diag *,
                            struct prof_toml *out) PROF_MUST_CHECK;
/* The same of a file of at most 1 MiB.  PROF_NOT_FOUND, PROF_IO. */
prof_status prof_toml_read(const char *path, struct prof_diag *, struct prof_toml *out) PROF_MUST_CHECK;
void prof_toml_free(struct prof_toml *);

#endif
