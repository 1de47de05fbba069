/*
 * tools/command/hint.h - parts of the command that a user should type next.
 *
 * Job: quotes names and paths for a POSIX shell.  In: names and paths from a recording.  Out: text.
 */
#ifndef PROF_COMMAND_HINT_H
#define PROF_COMMAND_HINT_H

#include "options/common.h"
#include "reader.h"

enum { PROF_HINT_BYTES = 1024 };

/*
 * Quotes a word for a shell, if necessary.  Escapes bytes unfit for a terminal (base/text.h) and cuts a long word; the
 * result then names something else.  Returns out.
 */
const char *prof_hint_word(char out[PROF_HINT_BYTES], const char *word);

/*
 * A function's name as such a word for -F or annotate.  For a long name, or one with escapes: a pattern that matches no
 * other function, if there is one.  Returns out.
 */
const char *prof_hint_function(char out[PROF_HINT_BYTES], const struct prof_reader *, const char *name);

/* " -i DIR", or "" for the default folder.  Returns out. */
const char *prof_hint_input(char out[PROF_HINT_BYTES], const char *input);

#endif
