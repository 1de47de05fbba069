/*
 * tools/record/sampling/unrecorded.h - finds instrumented descendants of the recorded program that weren't recorded,
 * because their environment doesn't name the recording.
 *
 * In: the kernel's records of files that processes mapped after an exec (sampling.h).  Used by the pump only.
 */
#ifndef PROF_RECORD_UNRECORDED_H
#define PROF_RECORD_UNRECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "record/tables/map_table.h"

struct prof_unrecorded_file {
  char *path;
  bool has_probes;
};

struct prof_unrecorded {
  uint32_t processes;
  char first[512];                             /* path of one of the programs, may be truncated */
  PROF_VEC(struct prof_unrecorded_file) files; /* checked ones */
};

/* At the end of a process that has reported nothing, or of the recording. */
void prof_unrecorded_look(struct prof_unrecorded *, const struct prof_mapped *, uint64_t count);
void prof_unrecorded_fini(struct prof_unrecorded *); /* keeps the figures */

#endif
