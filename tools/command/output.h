/*
 * tools/command/output.h - where a reader's output goes, and how it may look there.
 *
 * Colour and a pager only on a terminal.  The pager is $PROF_PAGER, else $PAGER, else less; "" or "cat" turn it off.
 */
#ifndef PROF_COMMAND_OUTPUT_H
#define PROF_COMMAND_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "options/common.h"
#include "view/table.h"

struct prof_output {
  FILE *file;
  struct prof_table_style style; /* colour, UTF-8, width (0: no limit) */
  bool verbose;                  /* --verbose */
  bool warned;                   /* a warning is the first line of the header (prof_reader_warn) */
  bool terminal;                 /* stdout is one, whether a pager sits before it or not */
  const char *path;              /* of an own file; NULL: stdout or the pager */
  pid_t pager;                   /* 0: none */
};

/* Standard output, perhaps through a pager (tables only).  Doesn't fail: without a pager it is plain stdout. */
void prof_output_begin(struct prof_output *, const struct prof_common *);

/*
 * The file of -o, made anew (mode 0600 as all files of ours, umask applied); a path of NULL or "-" is stdout without a
 * pager.  PROF_IO with a diagnostic.
 */
prof_status prof_output_file(struct prof_output *, const char *path, struct prof_diag *) PROF_MUST_CHECK;

/* One line of text that is fit for a terminal (base/text.h), cut in place to the width of the output. */
void prof_output_line(const struct prof_output *, char *text);

/* The same, wrapped: lines after the first begin with so many blanks.  Of very long texts the end is left out. */
void prof_output_wrap(const struct prof_output *, const char *text, size_t indent);

/* "title                    text", wrapped. */
void prof_output_fact(const struct prof_output *, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Flushes, closes, waits for the pager.  Reports a write error once; a reader that went away (a closed
 * pipe, a pager that was left) is no failure.  Returns the exit status.
 */
int prof_output_end(struct prof_output *);

#endif
