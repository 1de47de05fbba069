/*
 * tools/record/out_folder.h - the folder of a recording: made new, an older one moved aside once.
 *
 *    prof.data/trace            one program
 *    prof.data/rank-3/trace     a rank under an MPI launcher; prof.data/job names the job that the ranks belong to
 *
 * An older recording of that name becomes NAME.old; the one that was there before is deleted.  That happens when the
 * new one has something to hold: until then it lies in NAME.new-PID.  (A rank moves the older one of its job at once.)
 * Only folders that hold nothing but a recording are moved or deleted.  Ranks of one job find out under a lock who
 * comes first.
 */
#ifndef PROF_RECORD_OUT_FOLDER_H
#define PROF_RECORD_OUT_FOLDER_H

#include <limits.h>

#include "prof_status.h"
#include "record/ranks.h"

struct prof_out_folder {
  char path[PATH_MAX];   /* where the trace belongs, for now */
  char target[PATH_MAX]; /* where it will lie; "": it lies there, nothing older is in its way */
};

/*
 * Makes the folder `name` (and for a rank its own in it), or one beside it, mode 0700.  PROF_USAGE:
 * something that is no recording has that name.  PROF_IO, PROF_NOT_FOUND: the system refused.
 */
prof_status prof_out_folder_open(const char *name, const struct prof_rank *, struct prof_diag *,
                                 struct prof_out_folder *out) PROF_MUST_CHECK;

/* The recording has something to hold: it gets its name, and the older one is moved aside.  After a failure it lies
 * where it lay.  Does nothing the second time. */
prof_status prof_out_folder_settle(struct prof_out_folder *, struct prof_diag *) PROF_MUST_CHECK;

/* Takes a folder away that was made and never used. */
void prof_out_folder_undo(const char *folder);

#endif
