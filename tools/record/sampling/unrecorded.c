/*
 * tools/record/sampling/unrecorded.c - see unrecorded.h.
 */
#include "record/sampling/unrecorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/no_probes.h"

static bool has_probes(struct prof_unrecorded *unrecorded, const char *path) {
  for (size_t i = 0; i < unrecorded->files.count; i++)
    if (strcmp(unrecorded->files.items[i].path, path) == 0)
      return unrecorded->files.items[i].has_probes;
  struct prof_unrecorded_file file = {strdup(path), prof_no_probes_find(path) == PROF_PROBES_THERE};
  if (file.path == NULL || !prof_vec_push(&unrecorded->files, file))
    free(file.path);
  return file.has_probes;
}

void prof_unrecorded_look(struct prof_unrecorded *unrecorded, const struct prof_mapped *mapped, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    if (mapped[i].path[0] != '/' || !has_probes(unrecorded, mapped[i].path))
      continue;
    if (unrecorded->processes++ == 0)
      snprintf(unrecorded->first, sizeof unrecorded->first, "%s", mapped[i].path);
    return;
  }
}

void prof_unrecorded_fini(struct prof_unrecorded *unrecorded) {
  for (size_t i = 0; i < unrecorded->files.count; i++)
    free(unrecorded->files.items[i].path);
  prof_vec_fini(&unrecorded->files);
}
