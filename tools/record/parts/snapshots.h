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
