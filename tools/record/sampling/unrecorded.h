/*
 * tools/record/sampling/unrecorded.h - programs with probes that ran beneath the recorded one and weren't recorded,
 * because the environment that they were given doesn't name the recording.
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
  char first[512];                             /* path of one of the programs; cut when it is longer */
  PROF_VEC(struct prof_unrecorded_file) files; /* that were looked at */
};

/* At the end of a process or of the recording: the process has reported nothing. */
void prof_unrecorded_look(struct prof_unrecorded *, const struct prof_mapped *, uint64_t count);
void prof_unrecorded_fini(struct prof_unrecorded *); /* the figures stay */

#endif
