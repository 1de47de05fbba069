/*
 * tools/command/ranked.h - shows ranked rows as a table, JSON or CSV.
 *
 * Job: -n and the three forms of a table, for `prof report`, `lines` and `loops`.  In: rows of an analysis.  Out: text
 * on the output.
 */
#ifndef PROF_COMMAND_RANKED_H
#define PROF_COMMAND_RANKED_H

#include "analysis/cover.h"
#include "analysis/functions.h"
#include "base/json.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "view/table.h"

/* ---- number of rows ---- */

struct prof_ranked { /* first in the settings of such a command */
  struct prof_common common;
  bool has_count;
  uint64_t count; /* of rows; 0: all */
};

#define PROF_RANKED_ROWS_AS(help)                                                                                      \
  {                                                                                                                    \
    "rows", 'n', "N", help, PROF_OPTION_COUNT, PROF_MEMBER(struct prof_ranked, count),                                 \
        .given = offsetof(struct prof_ranked, has_count)                                                               \
  }
#define PROF_RANKED_ROWS PROF_RANKED_ROWS_AS("show at most N rows; 0: all (default: 20 in a table, else all)")

static inline bool prof_ranked_is_table(const struct prof_ranked *ranked) {
  return ranked->common.format == PROF_FORMAT_TABLE;
}

#define PROF_RANKED_TABLE 20 /* rows of a table without -n */

/* Limit of rows; 0: all.  in_table: that of a table without -n.  The second: how many of `rows` are shown. */
uint64_t prof_ranked_limit(const struct prof_ranked *, size_t in_table);
size_t prof_ranked_count(const struct prof_ranked *, size_t in_table, size_t rows);

/* ---- the three forms ---- */

/* A part of a view, shown for each process or command (sections.h). */
struct prof_section {
  const struct prof_function_row *row; /* of the process or command */
  const char *title;
  enum prof_time_kind time;
  bool by_command;
  bool first;             /* nothing was shown before */
  struct prof_json *json; /* the document around it; NULL: table or CSV */
};

struct prof_ranked_view {
  const char *key; /* of the rows in JSON */
  const prof_trace *trace;
  const struct prof_cover *cover;
  const struct prof_section *section;                             /* rows of a part; or NULL */
  bool says_corrected;                                            /* JSON has a member "corrected" */
  size_t hidden;                                                  /* rows that -n left out, */
  const char *row;                                                /* word for one row */
  const char *rows;                                               /* its plural; NULL: with an s */
  void (*above)(const void *context, const struct prof_output *); /* over the table; NULL: lines on `cover` */
  void (*below)(const void *context, const struct prof_output *); /* under the table; NULL: nothing */
  bool (*members)(const void *context, struct prof_json *); /* JSON behind the rows; NULL: nothing.  false: no memory */
  const void *context;
};

/* Shows and frees the table.  PROF_NO_MEMORY: it is NULL, or failed. */
prof_status prof_ranked_show(const struct prof_ranked *, struct prof_table *, const struct prof_ranked_view *,
                             const struct prof_output *, struct prof_diag *) PROF_MUST_CHECK;

#endif
