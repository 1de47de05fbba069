/*
 * tools/command/decide/ledger.h - what was tried, and what came of it: lines of a text file, prof.log.
 *
 * A line has fields between tabs: time (UTC), title, command, verdict, ratio, its bounds, old, new, and the row that
 * changed most.  A tab or line end in a text becomes a blank.  The file is only appended to, and may be edited.
 */
#ifndef PROF_COMMAND_LEDGER_H
#define PROF_COMMAND_LEDGER_H

#include "base/arena.h"
#include "base/vec.h"
#include "decide/diff.h"

#define PROF_LEDGER_FILE "prof.log"

struct prof_ledger_entry { /* "" and NAN: unknown */
  const char *time, *title, *command, *verdict;
  double ratio, low, high;
  const char *old, *new, *row;
};

struct prof_ledger {
  PROF_VEC(struct prof_ledger_entry) entries; /* as in the file */
  size_t strange;                             /* lines that have other fields: they are left out */
  struct prof_arena texts;
};

/* Appends an entry with the present time. */
prof_status prof_ledger_add(const char *path, const struct prof_ledger_entry *, struct prof_diag *) PROF_MUST_CHECK;
/* PROF_NOT_FOUND, PROF_IO, PROF_NO_MEMORY.  Free it in any case. */
prof_status prof_ledger_read(const char *path, struct prof_diag *, struct prof_ledger *) PROF_MUST_CHECK;
void prof_ledger_fini(struct prof_ledger *);

#define PROF_LEDGER_ROW_BYTES 256
/* "slow +30%": the first row of a difference that became faster or slower; "" without. */
const char *prof_ledger_row(const struct prof_diff *, char out[PROF_LEDGER_ROW_BYTES]);

#endif
