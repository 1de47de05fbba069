/*
 * test/support/tracetext.h - writes a trace from readable text, with the real writer and encoder.
 *
 * The text's words: test/support/tracetext.md.
 */
#ifndef PROF_TEST_TRACETEXT_H
#define PROF_TEST_TRACETEXT_H

#include "prof_status.h"

/*
 * Writes `directory`/trace (the folder must exist, the file must not) from text that ends in NUL.  Diagnostics show
 * `name`; their offset is the line.
 */
prof_status prof_tracetext_write(const char *text, const char *name, const char *directory,
                                 struct prof_diag *) PROF_MUST_CHECK;

#endif
