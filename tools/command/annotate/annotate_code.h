/*
 * tools/command/annotate/annotate_code.h - the instructions of a function, each under the line of a page that it
 * belongs to.
 */
#ifndef PROF_COMMAND_ANNOTATE_CODE_H
#define PROF_COMMAND_ANNOTATE_CODE_H

#include "annotate_target.h"
#include "source/disassembly.h"
#include "view/annotate_text.h"

struct prof_annotate_code {
  PROF_VEC(struct prof_annotate_instruction) list; /* by line and address */
  struct prof_instructions instructions;
};

/*
 * Disassembles the target's function; samples may be NULL.  Inlined code stands under the line of the page that it was
 * inlined into, unless it was written on the page itself.  PROF_USAGE: the target isn't one function; others as
 * prof_disassemble.
 */
prof_status prof_annotate_code_read(const struct prof_annotate_target *, const struct prof_profile *,
                                    const struct prof_samples *, struct prof_symbols *, struct prof_diag *,
                                    struct prof_annotate_code *) PROF_MUST_CHECK;
/* Puts the list in order of addresses. */
void prof_annotate_code_by_address(struct prof_annotate_code *);
void prof_annotate_code_fini(struct prof_annotate_code *); /* a zeroed one is fine */

#endif
