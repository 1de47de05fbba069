/*
 * tools/record/parts/snapshots.h - writes what a ring holds when somebody asks: in a thread, while the recording goes
 * on.
 *
 * Anybody may ask; the pump takes the snapshot at its next cut.  While one is written, the next one waits.
 */
#ifndef PROF_RECORD_SNAPSHOTS_H
#define PROF_RECORD_SNAPSHOTS_H

#include <pthread.h>

#include "record/parts/series.h"
#include "trace/write/write_ring.h"

struct prof_snapshots {
  uint32_t asked, busy; /* atomic; busy: one is being written */
  uint32_t look_asked;  /* atomic: the last seconds are to be written, for prof top */
  uint32_t looks;       /* atomic: such requests that were carried out, or failed */
  bool is_look;         /* what is being written */
  char look[PATH_MAX];  /* the folder of the last one; "": it failed */
  uint64_t look_ticks;  /* all until then is in it; set before it is told */
  bool started;         /* `thread` is to be joined */
  pthread_t thread;
  struct prof_snapshot *snapshot; /* that the thread writes */
  struct prof_end_record end;
  char folder[PATH_MAX];
  uint64_t bytes;                     /* of all that were written */
  uint32_t done;                      /* atomic: requests that were carried out, or failed */
  char last[PATH_MAX + 512];          /* what came of the last one */
  const char *(*base)(void *context); /* the folder of the recording */
  void (*say)(const char *text);
  void *context;
};

void prof_snapshots_ask(struct prof_snapshots *);

/* Has the last seconds written to the folder PROF_LOOK_FOLDER of the recording, in place of those before. */
void prof_snapshots_ask_look(struct prof_snapshots *);
/* That folder, empty; false: it can't be made. */
bool prof_snapshots_look_folder(const struct prof_snapshots *, char out[PATH_MAX]);
/* It is written; folder NULL: it failed. */
void prof_snapshots_tell_look(struct prof_snapshots *, const char *folder);
/* At the recording's end: deletes it, if there was one. */
void prof_snapshots_forget_look(const struct prof_snapshots *);
#define PROF_SNAPSHOTS_LOOK_NS 10000000000u /* so much is shown at least, if it is there */

/* What came of a request: for the user, and for who asked. */
void prof_snapshots_tell(struct prof_snapshots *, const char *what, const char *text);

/* Is one to be taken now? */
bool prof_snapshots_asked(const struct prof_snapshots *);

/* After a cut: takes what is held, if it was asked for and the recording rings, and has it written. */
void prof_snapshots_take(struct prof_snapshots *, struct prof_series *, prof_writer *, uint64_t now_ns);

/* The recording has ended: waits for the one that is being written, then writes the last one. */
prof_status prof_snapshots_finish(struct prof_snapshots *, struct prof_series *, prof_writer *,
                                  const struct prof_end_record *, struct prof_diag *) PROF_MUST_CHECK;

#endif
