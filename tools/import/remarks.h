/*
 * tools/import/remarks.h - what a compiler wrote about loops that it did not vectorise.
 *
 * In: a text file: GCC's -fopt-info-vec-missed=FILE, or Clang's -Rpass-missed=loop-vectorize with
 * -Rpass-analysis=loop-vectorize, as it came on stderr; lines of other kinds may stand between.  Out: one remark per
 * file, line and text.
 */
#ifndef PROF_IMPORT_REMARKS_H
#define PROF_IMPORT_REMARKS_H

#include "base/arena.h"
#include "base/vec.h"
#include "prof_status.h"

struct prof_remark {
  const char *file; /* as the compiler was given it */
  uint32_t line;
  const char *text; /* "not vectorized: possible dependence between data-refs a[i] and b[i]" */
};

struct prof_remarks {
  PROF_VEC(struct prof_remark) items; /* by file and line, each once */
  struct prof_arena texts;
};

/* PROF_NOT_FOUND, PROF_IO; PROF_CORRUPT: no text, or none of a compiler; a file without
 * remarks about loops gives none.  Nothing is to be freed then.
 */
prof_status prof_remarks_read(const char *path, struct prof_diag *, struct prof_remarks *out) PROF_MUST_CHECK;
void prof_remarks_free(struct prof_remarks *);

#endif
