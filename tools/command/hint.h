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
 * A word as a shell takes it: in single quotes where it needs them.  What no terminal should get is escaped
 * (base/text.h) and what doesn't fit is cut, so such a word can't be typed.  Returns out.
 */
const char *prof_hint_word(char out[PROF_HINT_BYTES], const char *word);

/*
 * A function's name as such a word for -F or annotate.  Of a long name, or one that can't be typed, a pattern that no
 * other function fits, if there is one.  Returns out.
 */
const char *prof_hint_function(char out[PROF_HINT_BYTES], const struct prof_reader *, const char *name);

/* " -i DIR", or "" where readers look there anyway.  Returns out. */
const char *prof_hint_input(char out[PROF_HINT_BYTES], const char *input);

#endif
