/*
 * tools/command/progress.h - a line on stderr while something takes longer than a second.
 *
 *    struct prof_progress progress;
 *    prof_progress_begin(&progress, "reading prof.data");
 *    ... prof_progress_at(&progress, done, total) now and then, from any thread, if that is known ...
 *    prof_progress_end(&progress);
 *
 * Shown only where stderr is a terminal; erased at the end.  A thread of its own draws it, so the worker pays one
 * store.
 */
#ifndef PROF_COMMAND_PROGRESS_H
#define PROF_COMMAND_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_progress {
  const char *what; /* borrowed until the end */
  atomic_uint permille;
  bool running;
  bool stop; /* under lock */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
};

void prof_progress_begin(struct prof_progress *, const char *what);
void prof_progress_end(struct prof_progress *);

static inline void prof_progress_at(struct prof_progress *progress, uint64_t done, uint64_t total) {
  uint64_t permille = total ? (uint64_t)((double)done * 1000 / (double)total) : 0;
  atomic_store_explicit(&progress->permille, (unsigned)(permille > 999 ? 999 : permille) + 1, memory_order_relaxed);
}

#endif
