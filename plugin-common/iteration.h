/*
 * iteration.h - single iterations of the loops that the plugin's argument `iterations` names.
 *
 * An iteration is entered where the loop's body begins, and left where control leaves the body: a zone (wire/row.h)
 * whose name is the loop's.  In: the loop.  Out: the text of one probe, for one asm statement.
 */
#ifndef PROF_PLUGIN_ITERATION_H
#define PROF_PLUGIN_ITERATION_H

#include "candidate.h"
#include "sled.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_iteration {      /* strings are borrowed */
  const char *function;      /* in the source, without its scopes */
  const char *recorded_file; /* of the loop, after -ffile-prefix-map */
  uint32_t line;             /* where its statement begins */
  enum prof_language language;
};

/* "loop solve.c:120 in solve": equal ones in a program or library are one. */
void prof_iteration_name(struct prof_text *text, const struct prof_iteration *loop);

/* The sled where an iteration begins, or ends, with row and facts; ends in LF.  `label`: of the sled, unique in the
 * file. */
void prof_iteration_probe(struct prof_text *text, const struct prof_arch *arch, const char *label,
                          const struct prof_iteration *loop, bool begins);

#ifdef __cplusplus
}
#endif

#endif
