/*
 * tools/command/annotate/annotate_code.h - the instructions of a function, each assigned to a line of a page.
 */
#ifndef PROF_COMMAND_ANNOTATE_CODE_H
#define PROF_COMMAND_ANNOTATE_CODE_H

#include "analysis/lines/code_costs.h"
#include "annotate_target.h"
#include "view/annotate_text.h"

struct prof_annotate_code {
  PROF_VEC(struct prof_annotate_instruction) list; /* by line and address */
  struct prof_code_rows rows;                      /* owns the texts */
};

/*
 * Disassembles the target's function; samples may be NULL.  Inlined code belongs to the innermost line of its inline
 * chain that is on the page.  PROF_USAGE: the target isn't one function; other statuses as prof_disassemble.
 */
prof_status prof_annotate_code_read(const struct prof_annotate_target *, const struct prof_profile *,
                                    const struct prof_samples *, struct prof_symbols *, struct prof_diag *,
                                    struct prof_annotate_code *) PROF_MUST_CHECK;
/* Sorts the list by address. */
void prof_annotate_code_by_address(struct prof_annotate_code *);
void prof_annotate_code_fini(struct prof_annotate_code *); /* may be zeroed */

#endif
