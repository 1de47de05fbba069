/*
 * tools/import/importers.h - formats of other tools' profiles.
 *
 * A format is one file and a row of the table.  To add one: its file, its row, its name in docs/imports.md.
 */
#ifndef PROF_IMPORT_IMPORTERS_H
#define PROF_IMPORT_IMPORTERS_H

#include "import/path_sums.h"
#include "import/text_lines.h"

struct prof_importer {
  const char *name;
  const char *summary;
  bool has_events; /* a file may have weights of several events */
  bool whole;      /* it measures all code of a program, libraries and kernel too */
  /* Does a file with these first bytes look like one?  `head` ends with NUL, maybe within a line. */
  bool (*looks_like)(const char *head, size_t bytes);
  /* event: the one wanted; NULL: the most telling one.  `out` is initialised.  A file without weights is PROF_EMPTY. */
  prof_status (*read)(struct prof_text_lines *, const char *event, struct prof_path_sums *out, struct prof_diag *);
};

extern const struct prof_importer *const prof_importers[]; /* NULL-terminated, in the order in which they are tried */

/*
 * Reads a file.  importer: NULL: by its content.  `event` as above.  Free *out with prof_path_sums_fini, but not after
 * a failure.  PROF_NOT_FOUND, PROF_IO; PROF_NOT_A_TRACE: of no known format; PROF_CORRUPT: not of its format, with the
 * line; PROF_EMPTY; PROF_USAGE: it has no such event.
 */
prof_status prof_import_file(const char *path, const struct prof_importer *, const char *event, struct prof_diag *,
                             struct prof_path_sums *out) PROF_MUST_CHECK;

/* The same from an open file, which is borrowed; path: for messages. */
prof_status prof_import_open_file(int fd, const char *path, const struct prof_importer *, const char *event,
                                  struct prof_diag *, struct prof_path_sums *out) PROF_MUST_CHECK;

/* For importers: the file lacks the wanted event; the remedy lists those in profile->events.  Returns PROF_USAGE. */
prof_status prof_import_no_event(const char *path, const char *wanted, const struct prof_path_sums *,
                                 struct prof_diag *);

/* The row of a profile's format; NULL: a recording. */
const struct prof_importer *prof_importer_of(const struct prof_path_sums *);

#endif
