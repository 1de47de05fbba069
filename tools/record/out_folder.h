/*
 * tools/record/out_folder.h - makes the folder of a recording, and moves an older one aside once.
 *
 *    prof.data/trace            one program
 *    prof.data/part-0002/trace  a part of a recording in several (record/parts)
 *    prof.data/rank-3/trace     a rank under an MPI launcher; prof.data/job names the job that the ranks belong to
 *
 * An older recording of that name becomes NAME.old; an older NAME.old is deleted.  That happens when the new one has
 * data; until then it is in NAME.new-PID.  (A rank moves the older one of its job at once.) Only folders that hold
 * nothing but a recording are moved or deleted.  Ranks of one job use a lock to find the first of them.
 */
#ifndef PROF_RECORD_OUT_FOLDER_H
#define PROF_RECORD_OUT_FOLDER_H

#include <limits.h>

#include "prof_status.h"
#include "record/ranks.h"

struct prof_out_folder {
  char path[PATH_MAX];   /* the trace's folder, for now */
  char target[PATH_MAX]; /* its final place; "": it is there, no older one exists */
};

/* Makes the folder `name` (and for a rank its own in it), or one beside it, mode 0700.  PROF_USAGE: something that is
 * no recording has that name.  PROF_IO, PROF_NOT_FOUND: an error of the system. */
prof_status prof_out_folder_open(const char *name, const struct prof_rank *, struct prof_diag *,
                                 struct prof_out_folder *out) PROF_MUST_CHECK;

/* The recording has data: moves the older one aside and renames the new one.  After a failure it stays where it was.
 * Does nothing the second time. */
prof_status prof_out_folder_settle(struct prof_out_folder *, struct prof_diag *) PROF_MUST_CHECK;

/* Deletes a folder that was made and never used. */
void prof_out_folder_undo(const char *folder);

#endif
