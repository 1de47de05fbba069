/*
 * tools/command/options/option_row.h - an option of a command as a row: its name, its value, and the member that stores
 * it.
 *
 * The parser, help, completion and the lint test of the man pages read the same rows.  Texts are borrowed from argv.
 */
#ifndef PROF_COMMAND_OPTION_ROW_H
#define PROF_COMMAND_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/member.h"
#include "prof_status.h"

/* Kinds of values, each with the type of its member of the settings. */
enum prof_option_kind {
  PROF_OPTION_OWN,      /* read by `take` */
  PROF_OPTION_FLAG,     /* no value: bool */
  PROF_OPTION_TEXT,     /* const char *; the range is of its length in bytes */
  PROF_OPTION_TEXTS,    /* struct prof_texts: may be repeated */
  PROF_OPTION_COUNT,    /* a whole number: int, uint32_t or uint64_t */
  PROF_OPTION_COUNTS,   /* whole numbers, separated by commas: struct prof_counts */
  PROF_OPTION_SIZE,     /* "64M": uint64_t, bytes */
  PROF_OPTION_DURATION, /* "10us": uint64_t, nanoseconds */
  PROF_OPTION_SHARE,    /* percent: double, from 0 to 1 */
  PROF_OPTION_RANGE,    /* "1s~2s": struct prof_range */
  PROF_OPTION_WORD,     /* one of the words: its index, counted from `low`; bool, enum or uint32_t */
  PROF_OPTION_WORDS,    /* some of them, separated by commas: uint32_t, a bit per index */
};

struct prof_named { /* a row of another table that is chosen by its name */
  const char *name, *summary;
};

struct prof_option {
  const char *name;     /* long, without dashes; NULL ends a table */
  char letter;          /* short, 0: none */
  const char *argument; /* name of its value in help; "[X]": optional; NULL: the words, or no value */
  const char *help;     /* one line; NULL: internal, not shown */
  enum prof_option_kind kind;
  struct prof_member member; /* of the settings */
  size_t given;              /* offset of a bool that is set, 0: none */
  size_t other;              /* of WORD: offset of a const char * that takes any other word; 0: none is valid */
  uint64_t low, high;        /* range of numbers; high 0: the member's largest */
  bool or_zero;              /* 0 is valid too */
  const char *too_low;       /* behind "--name=value " in the message about a value below `low`; NULL: the usual one */
  const char *remedy;        /* for a value out of range; NULL: made from the row (not for TEXT) */
  const char *const *words;  /* NULL-terminated, */
  bool (*named)(size_t index, struct prof_named *out); /* or the rows of another table; false: there is no such row */
  /* Checks a value before it is stored by its kind, or stores it (PROF_OPTION_OWN); may be NULL. */
  prof_status (*take)(void *settings, const char *value, struct prof_diag *);
};

#define PROF_WORDS(...)                                                                                                \
  .words = (const char *const[]) {                                                                                     \
    __VA_ARGS__, NULL                                                                                                  \
  }

#endif
