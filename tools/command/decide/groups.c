/*
 * tools/command/decide/groups.c - see groups.h.
 */
#include "command/decide/groups.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "command/command.h"
#include "decide/baseline.h"

#define USAGE "prof diff OLD NEW, or prof diff OLD1 OLD2 -- NEW1 NEW2"

prof_status prof_groups_add(const char *path, const struct prof_run_wanted *wanted, struct prof_diag *diag,
                            struct prof_run_group *out) {
  if (prof_baseline_is(path))
    return prof_baseline_read(path, diag, out);
  struct prof_run *run = prof_run_group_add(out);
  if (!run)
    return prof_diag_memory(diag);
  prof_status status = prof_run_read(path, wanted, diag, run);
  if (status != PROF_OK)
    out->count--;
  return status;
}

static bool is_pattern(const char *word) {
  struct stat facts;
  return stat(word, &facts) && strpbrk(word, "*?[");
}

/* To be freed with globfree in any case. */
static prof_status match(const char *word, struct prof_diag *diag, glob_t *found) {
  *found = (glob_t){0};
  if (glob(word, 0, NULL, found) || !found->gl_pathc)
    return prof_command_usage(diag, "make some with: prof record -o NAME PROGRAM", "no recording matches '%s'", word);
  return PROF_OK;
}

prof_status prof_groups_first(const char *word, struct prof_diag *diag, char **out) {
  glob_t found = {0};
  const bool pattern = is_pattern(word);
  *out = NULL;
  prof_status status = pattern ? match(word, diag, &found) : PROF_OK;
  if (status == PROF_OK)
    *out = strdup(pattern ? found.gl_pathv[0] : word);
  globfree(&found);
  return status == PROF_OK && !*out ? prof_diag_memory(diag) : status;
}

static prof_status add_word(const char *word, const struct prof_run_wanted *wanted, struct prof_diag *diag,
                            struct prof_run_group *out) {
  glob_t found;
  if (!is_pattern(word))
    return prof_groups_add(word, wanted, diag, out);
  prof_status status = match(word, diag, &found);
  for (size_t i = 0; status == PROF_OK && i < found.gl_pathc; i++)
    status = prof_groups_add(found.gl_pathv[i], wanted, diag, out);
  globfree(&found);
  return status;
}

prof_status prof_groups_read(char *const *words, size_t count, const struct prof_run_wanted *wanted, const char *what,
                             struct prof_diag *diag, struct prof_run_group *out) {
  *out = (struct prof_run_group){0};
  if (!count)
    return prof_command_usage(diag, USAGE, "no %s recording is given", what);
  prof_status status = PROF_OK;
  for (size_t i = 0; status == PROF_OK && i < count; i++)
    status = add_word(words[i], wanted, diag, out);
  return status;
}

static bool is_between(const char *word) {
  return !strcmp(word, PROF_COMMAND_BETWEEN);
}

prof_status prof_groups_read_both(char *const *words, size_t count, const struct prof_run_wanted *wanted,
                                  struct prof_diag *diag, struct prof_run_group out[2]) {
  size_t between = 0;
  out[0] = out[1] = (struct prof_run_group){0};
  while (between < count && !is_between(words[between]))
    between++;
  const bool split = between < count;
  if (!split && count != 2)
    return prof_command_usage(diag, USAGE, "two recordings are compared; given: %zu", count);
  prof_status status = prof_groups_read(words, split ? between : 1, wanted, "old", diag, &out[PROF_OLD]);
  if (status != PROF_OK)
    return status;
  const size_t second = split ? between + 1 : 1;
  return prof_groups_read(words + second, count - second, wanted, "new", diag, &out[PROF_NEW]);
}
