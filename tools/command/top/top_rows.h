/*
 * tools/command/top/top_rows.h - the columns of `prof top`, and its header.
 */
#ifndef PROF_COMMAND_TOP_ROWS_H
#define PROF_COMMAND_TOP_ROWS_H

#include "analysis/live.h"
#include "base/json.h"
#include "command/reader.h"
#include "command/top/follow.h"
#include "view/table.h"

#define PROF_TOP_MOST_COLUMNS 16

struct prof_top_columns {
  struct prof_column items[PROF_TOP_MOST_COLUMNS];
  unsigned char of[PROF_TOP_MOST_COLUMNS]; /* index of the field */
  struct prof_names *names;                /* functions of one name are told apart; NULL: they are not */
  size_t count;
};

/* For tables: what the recording has.  For data: all. */
void prof_top_columns(const struct prof_live_rows *, enum prof_time_kind, bool is_table, bool one_process,
                      struct prof_top_columns *out);
void prof_top_cells(struct prof_table *, const struct prof_top_columns *, const struct prof_live_row *);

/* One line: "lua 4711, 2.0 s until 0.1 s ago: 1.00 threads running, 3,456,789 calls/s, probes 12%".  age_ns: of the
 * window's end; UINT64_MAX: the recording has ended. */
#define PROF_TOP_HEADER_BYTES 640
void prof_top_header(const prof_trace *, const struct prof_live *, const struct prof_follow *, uint64_t age_ns,
                     size_t width, char out[PROF_TOP_HEADER_BYTES]);

/* The same as members of the open object. */
void prof_top_json(const struct prof_live *, const struct prof_follow *, uint64_t age_ns, struct prof_json *);

#endif
