/*
 * tools/command/decide/tune_settings.h - settings to try, and commands with them.
 *
 *    THREADS=1..8      1 2 3 ... 8          SIZE=1..64*2     1 2 4 ... 64
 *    STEP=0..100+25    0 25 50 75 100       MODE=fast,slow   these words
 *
 * Several settings are tried in all combinations.  {THREADS} in the command's words stands for the value.
 */
#ifndef PROF_COMMAND_TUNE_SETTINGS_H
#define PROF_COMMAND_TUNE_SETTINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "prof_status.h"

#define PROF_TUNE_MOST_SETTINGS 8u
#define PROF_TUNE_MOST 256u /* combinations */

struct prof_tune_setting {
  const char *name;
  PROF_VEC(const char *) values;
};

struct prof_tune_settings {
  struct prof_tune_setting items[PROF_TUNE_MOST_SETTINGS];
  size_t count, combinations;
  struct prof_arena texts;
};

/* PROF_USAGE: a text can't be used; PROF_NO_MEMORY.  Free it in any case. */
prof_status prof_tune_settings_make(const char *const *texts, size_t count, struct prof_diag *,
                                    struct prof_tune_settings *) PROF_MUST_CHECK;
void prof_tune_settings_fini(struct prof_tune_settings *);

/* The value of a setting in a combination. */
const char *prof_tune_value(const struct prof_tune_settings *, size_t combination, size_t setting);
/* "THREADS=4 MODE=fast"; lives as long as the settings.  NULL: no memory. */
const char *prof_tune_title(struct prof_tune_settings *, size_t combination);
/* The words with values; NULL-terminated, they live as long as the settings.  NULL: no memory. */
char **prof_tune_words(struct prof_tune_settings *, size_t combination, char *const *words);
/* Does every setting stand in a word? */
prof_status prof_tune_check(const struct prof_tune_settings *, char *const *words, struct prof_diag *) PROF_MUST_CHECK;

#endif
