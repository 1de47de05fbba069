/*
 * tools/command/progress.h - a line on stderr while something takes longer than a second.
 *
 *    struct prof_progress progress;
 *    prof_progress_begin(&progress, "reading prof.data", 0);
 *    ... the worker may count in `done`, from any thread; progress.total: its final value, 0: unknown ...
 *    prof_progress_end(&progress);
 *
 * Shown only if stderr is a terminal; erased at the end.  A separate thread draws it; a worker makes one store.
 */
#ifndef PROF_COMMAND_PROGRESS_H
#define PROF_COMMAND_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_progress {
  const char *what; /* borrowed until the end */
  _Atomic uint64_t done;
  uint64_t total;
  bool running;
  bool stop; /* under lock */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
};

void prof_progress_begin(struct prof_progress *, const char *what, uint64_t total);
void prof_progress_end(struct prof_progress *);

#endif
