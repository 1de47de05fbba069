/*
 * tools/view/annotate_text.h - shows a source with the cost of each line, and instructions beneath.
 *
 * In: lines of analysis/lines/annotate.h, their texts (any bytes), instructions sorted by address.  Out: text on a
 * FILE, the source first, then the instructions with their lines.  Costly lines are coloured.
 */
#ifndef PROF_VIEW_ANNOTATE_TEXT_H
#define PROF_VIEW_ANNOTATE_TEXT_H

#include "analysis/lines/annotate.h"
#include "view/table.h"
#include "view/units.h"

struct prof_annotate_instruction {
  uint32_t line; /* of the page */
  uint64_t address;
  const char *text;
  uint64_t samples;
  double share;             /* of all samples shown */
  uint64_t outside_ns;      /* as of a line */
  uint64_t calls, calls_ns; /* by it, of instrumented functions; of the requested kind of time */
  bool calls_estimated;     /* these, or parts of them */
  struct prof_time_ns in_calls;
  const char *from_file; /* where it was inlined from; NULL: not inlined */
  uint32_t from_line;
  const char *probe; /* kind of the probe whose sled it is; NULL: none */
};

#define PROF_ANNOTATE_MOST_EXTRA 40

struct prof_annotate_extra { /* columns of figures besides those of a line */
  size_t count;
  const char *titles[PROF_ANNOTATE_MOST_EXTRA];
  /* The cell of a line's number, "" without a figure; returns `out`. */
  const char *(*text)(const void *context, uint32_t line, size_t column, char out[PROF_UNITS_BYTES + 1]);
  const void *context;
};

struct prof_annotate_page {
  const struct prof_annotated *annotated;
  const char *title;
  /* Text of a line without its end; NULL: none. */
  const char *(*text)(void *context, uint32_t line, size_t *bytes);
  void *context;
  const struct prof_annotate_instruction *instructions;
  size_t instruction_count;
  struct prof_annotate_extra extra;
  bool has_budget;    /* calls of some functions are estimated */
  bool has_switches;  /* running, waiting and preempted times are known */
  size_t source_room; /* columns that a source line gets before figures; 0: few */
  double all_ns;      /* time in all instrumented functions, of which calls are a share */
};

void prof_annotate_text_write(FILE *, const struct prof_annotate_page *, const struct prof_table_style *);

#endif
