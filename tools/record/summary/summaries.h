/*
 * tools/record/summary/summaries.h - folds a recording while it is made: in a thread, stretch by stretch.
 *
 * The pump ends a stretch when it is large or old enough, at one moment for all threads (parts/cut.h).  The thread adds
 * it to the summary.  Every few seconds, and when somebody asks, it replaces the file.
 */
#ifndef PROF_RECORD_SUMMARIES_H
#define PROF_RECORD_SUMMARIES_H

#include <limits.h>
#include <pthread.h>

#include "estimate/stretch_span.h"
#include "fold/summary/summary.h"
#include "tally/sums.h"
#include "tally/track_tally.h"
#include "trace/write/write_stretch.h"

/*
 * The least that a stretch has: it stays in a processor's second cache.  But each one reads all facts again, and makes
 * a tree, which is added to the summary: not less than FACTS times the facts, and than NODE_BYTES for each node of the
 * last stretch's tree, this up to MOST_BYTES.  Once somebody has looked at one, MOST_BYTES: it shows a longer time.
 */
#define PROF_SUMMARIES_STRETCH_BYTES (2u << 20)
#define PROF_SUMMARIES_FACTS 4u
#define PROF_SUMMARIES_NODE_BYTES 1024u
#define PROF_SUMMARIES_MOST_BYTES (8u << 20)
#define PROF_SUMMARIES_STRETCH_NS 1000000000u

struct prof_summaries {
  struct prof_summary summary;     /* the thread's while `busy` */
  struct prof_tally_sums measures; /* likewise; zeroed: there are none */
  struct prof_track_tally tracks;  /* likewise */
  bool has_summary, started;       /* started: `thread` is to be joined */
  bool wants_measures;             /* set before the first stretch: MEASURE events are summed up too */
  pthread_t thread;
  struct prof_held_stretch stretch;
  struct prof_stretch_span span; /* of the stretch */
  prof_writer *held;             /* of the file as it is now: its lock says that the recording goes on */
  uint64_t every_ns, written_ns;
  uint64_t max_bytes; /* of the summary; beyond it loses its coldest paths */
  bool write_now;
  uint64_t held_ns; /* the pump's: length of `stretch` that was taken last; 0: there is none */
  bool look;        /* the stretch is written to: */
  char look_folder[PATH_MAX];
  bool looked;          /* that was done */
  bool wanted;          /* the pump's: the next stretch ends soon, and the file is written */
  uint32_t taken;       /* the pump's: how often `write_now` was set */
  uint32_t written;     /* atomic: of those, how many are over */
  bool clear_next;      /* the pump's: the next stretch begins the summary anew (prof_clear) */
  bool clear;           /* this one does */
  uint64_t facts_bytes; /* of the last stretch */
  uint32_t nodes;       /* the pump's: of the tree of the one before */
  bool seen;            /* likewise: somebody looked at a stretch */
  uint64_t bytes;       /* of the file */
  char folder[PATH_MAX];
  const char *(*base)(void *context); /* the folder of the recording, which may have moved */
  void *context;
  prof_status status; /* the first error */
  struct prof_diag diag;
};

/* Is a stretch of so many bytes, begun so long ago, to be folded? */
bool prof_summaries_due(const struct prof_summaries *, uint64_t bytes, uint64_t age_ns);

/* Will the file be replaced after a stretch that ends now? */
bool prof_summaries_writes(const struct prof_summaries *, uint64_t now_ns);

/* Has the file replaced soon, with all up to the next cut.  Returns the number of this writing. */
uint32_t prof_summaries_ask(struct prof_summaries *);
/* Is that over?  *written: false: it failed. */
bool prof_summaries_answered(const struct prof_summaries *, uint32_t number, bool *written);

/* Takes the writer's stretch, which ends at `ticks`, and folds it in the thread; waits for the one before.  asked:
 * writes the file too.  An error of the thread before becomes the writer's. */
void prof_summaries_take(struct prof_summaries *, prof_writer *, uint64_t ticks, bool asked, uint64_t now_ns);

/* Before prof_summaries_take: the stretch that it takes is written to a folder, too.  Done when prof_summaries_wait
 * returns and `looked` is set. */
void prof_summaries_look(struct prof_summaries *, const char *folder);

/* Writes the stretch that was taken last to a folder, if it is longer than age_ns, that of the present one.  False: it
 * isn't, or can't be written. */
bool prof_summaries_look_back(struct prof_summaries *, const char *folder, uint64_t age_ns);

/* Waits for the thread.  Returns the folder that the file was written to; NULL: it failed, and `diag` says why. */
const char *prof_summaries_wait(struct prof_summaries *);

/* The recording has ended: folds the last stretch, and writes the file with END. */
prof_status prof_summaries_finish(struct prof_summaries *, prof_writer *, struct prof_end_record *,
                                  struct prof_diag *) PROF_MUST_CHECK;
void prof_summaries_fini(struct prof_summaries *); /* waits for the thread */

#endif
