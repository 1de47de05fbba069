/*
 * tools/command/output.h - destination and appearance of a reader's output.
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
  bool compact;                  /* the header is one short line */
  bool terminal;                 /* stdout is a terminal, with or without a pager */
  const char *path;              /* of the file; NULL: stdout or the pager */
  pid_t pager;                   /* 0: none */
};

/* Begins standard output, through a pager for tables on a terminal.  If the pager fails: plain stdout. */
void prof_output_begin(struct prof_output *, const struct prof_common *);

/*
 * Creates the file of -o (mode 0666, umask applied); NULL or "-": stdout without a pager.  PROF_IO with a diagnostic.
 */
prof_status prof_output_file(struct prof_output *, const char *path, struct prof_diag *) PROF_MUST_CHECK;

/* Prints a line of text fit for a terminal (base/text.h), cut in place to the width of the output. */
void prof_output_line(const struct prof_output *, char *text);

/* The same, wrapped; lines after the first begin with `indent` blanks.  Cuts the end of very long texts. */
void prof_output_wrap(const struct prof_output *, const char *text, size_t indent);

/* "title                    text", wrapped. */
void prof_output_fact(const struct prof_output *, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Flushes, closes, waits for the pager.  Reports a write error once; a closed pipe or pager is no failure.  Returns the
 * exit status.
 */
int prof_output_end(struct prof_output *);

#endif
