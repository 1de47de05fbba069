/*
 * tools/view/annotate_text.h - a source with the cost of each line beside it, and instructions beneath.
 *
 * In: lines of analysis/lines/annotate.h, their texts (bytes of anybody), instructions sorted by address.  Out: text on
 * a FILE, the source first, then the instructions with their lines.  What costs much is coloured.
 */
#ifndef PROF_VIEW_ANNOTATE_TEXT_H
#define PROF_VIEW_ANNOTATE_TEXT_H

#include "analysis/lines/annotate.h"
#include "view/table.h"

struct prof_annotate_instruction {
  uint32_t line; /* of the page */
  uint64_t address;
  const char *text;
  uint64_t samples;
  double share;             /* of all samples shown */
  uint64_t calls, calls_ns; /* made by it, of probed functions; of the kind of time that was asked for */
  struct prof_time_ns in_calls;
  const char *from_file; /* where it was inlined from; NULL: it is the line's own */
  uint32_t from_line;
  const char *probe; /* what kind of probe it is the sled of; NULL: of none */
};

struct prof_annotate_page {
  const struct prof_annotated *annotated;
  const char *title;
  /* Text of a line without its end; NULL: there is none. */
  const char *(*text)(void *context, uint32_t line, size_t *bytes);
  void *context;
  const struct prof_annotate_instruction *instructions;
  size_t instruction_count;
  bool has_switches; /* parts of times are known */
  double all_ns;     /* time inside all probed functions: what calls are a share of */
};

void prof_annotate_text_write(FILE *, const struct prof_annotate_page *, const struct prof_table_style *);

#endif
