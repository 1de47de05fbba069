/*
 * tools/record/out_folder.h - the folder of a recording: made new, an older one moved aside once.
 *
 *    prof.data/trace            one program
 *    prof.data/rank-3/trace     a rank under an MPI launcher; prof.data/job names the job that the ranks belong to
 *
 * An older recording of that name becomes NAME.old; the one that was there before is deleted.  Only folders that hold
 * nothing but a recording are moved or deleted.  Ranks of one job find out under a lock who comes first.
 */
#ifndef PROF_RECORD_OUT_FOLDER_H
#define PROF_RECORD_OUT_FOLDER_H

#include <limits.h>

#include "prof_status.h"
#include "record/ranks.h"

/*
 * Makes the folder `name` (and for a rank its own in it), mode 0700.  out: where the trace belongs.  PROF_USAGE:
 * something that is no recording has that name.  PROF_IO, PROF_NOT_FOUND: the system refused.
 */
prof_status prof_out_folder_open(const char *name, const struct prof_rank *, struct prof_diag *,
                                 char out[PATH_MAX]) PROF_MUST_CHECK;

/* Takes a folder away that was made and never used. */
void prof_out_folder_undo(const char *folder);

#endif
