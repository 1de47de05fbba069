/*
 * tools/import/text_lines.h - a text file line by line, each line in memory once, with a limit of its length.
 *
 * In: a file of someone else.  Out: lines without their ends.  Bytes that no text has (NUL) are an error, as is a line
 * that is too long: both mean a file of another kind.
 */
#ifndef PROF_IMPORT_TEXT_LINES_H
#define PROF_IMPORT_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#define PROF_TEXT_LINE_BYTES ((size_t)16 << 20) /* of a line, at most */
#define PROF_TEXT_HEAD_BYTES ((size_t)64 << 10)

struct prof_text_lines {
  int fd;           /* borrowed */
  const char *path; /* for messages; borrowed */
  char *buffer;
  size_t begin, end, capacity; /* what was read and not yet given out */
  uint64_t number;             /* of the line given out last; 0: none */
  bool at_end;
};

/* Reads from the file's position.  Free it with prof_text_lines_fini, after a failure too. */
void prof_text_lines_init(struct prof_text_lines *, int fd, const char *path);
void prof_text_lines_fini(struct prof_text_lines *);

/*
 * The first bytes of the file, up to PROF_TEXT_HEAD_BYTES, NUL behind them; valid until the next call.  They stay to be
 * given out as lines.
 */
prof_status prof_text_lines_head(struct prof_text_lines *, const char **head, size_t *bytes,
                                 struct prof_diag *) PROF_MUST_CHECK;

/*
 * The next line, which the caller may change, with a NUL behind it; valid until the next call.  NULL: the end.  Ends
 * are LF or CR LF.  PROF_CORRUPT: too long, or not a text.
 */
prof_status prof_text_lines_next(struct prof_text_lines *, char **line, size_t *bytes,
                                 struct prof_diag *) PROF_MUST_CHECK;

/* Fills "line 12: <what>".  Returns PROF_CORRUPT. */
prof_status prof_text_lines_fault(const struct prof_text_lines *, struct prof_diag *, const char *remedy,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
