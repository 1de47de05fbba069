/*
 * tools/command/tree_fields.h - the fields of `prof tree`: columns, and the cells of a row.
 *
 * Job: one table of fields serves tables, CSV, JSON and `prof tui`.  In: nodes of a tree (analysis/tree.h).  Out:
 * columns and cells (view/table.h), but for the name.
 */
#ifndef PROF_COMMAND_TREE_FIELDS_H
#define PROF_COMMAND_TREE_FIELDS_H

#include "counter_columns.h"
#include "estimate/time_kind.h"
#include "field.h"
#include "prof_study.h"

struct prof_tree_shape {                       /* what decides which fields there are */
  bool table;                                  /* for people; else JSON or CSV */
  bool cpu;                                    /* running, waiting and preempted times in a table too */
  bool has_gpu, has_cpu, has_budget;           /* the recording has them; has_cpu: scheduler switches */
  bool waits_estimated;                        /* these, for some time in stretches only */
  const struct prof_counter_columns *counters; /* by path; NULL: none */
  enum prof_time_kind time;
};

#define PROF_TREE_MOST_FIELDS (24 + PROF_COUNTER_MOST_COLUMNS)

struct prof_tree_field;

/* The fields, of tables or of data.  NULL: `at` is past the last. */
const struct prof_tree_field *prof_tree_field_at(const struct prof_tree_shape *, size_t at);
bool prof_tree_field_is_wanted(const struct prof_tree_field *, const struct prof_tree_shape *);
const struct prof_field *prof_tree_field_of(const struct prof_tree_field *);

/* Fills the columns of wanted fields; returns their number. */
size_t prof_tree_columns(struct prof_column columns[PROF_TREE_MOST_FIELDS], const struct prof_tree_shape *);
/* Adds the cells of a row.  path: its key for counters; else not used. */
void prof_tree_cells(struct prof_table *, const struct prof_tree_shape *, const struct prof_tree_node *, uint32_t path);

#endif
