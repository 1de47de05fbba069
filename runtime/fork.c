/*
 * fork.c - notes each fork() in the parent's ring, so that the recorder can begin the child with the open frames.
 *
 * Only those frames depend on the handler here; all else of a child is image.c's.
 */
#include <errno.h>
#include <pthread.h>

#include "fork.h"
#include "image.h"
#include "ring.h"
#include "state.h"
#include "system.h"

__thread struct prof_process_fork prof_fork_self __attribute__((tls_model("initial-exec")));

/* A child that has made no event stands where its own fork was, and so will its children: it keeps that number. */
static void fork_prepare(void) {
  uint64_t mask = prof_signals_block();
  struct prof_cell *cell = prof_attached_cell();
  if (cell && prof_runtime.state == PROF_RUNTIME_ON) {
    prof_fork_self.number = prof_ring_fork(cell);
    prof_fork_self.record = cell->number;
  } else { /* the recorder looks for children without events only where a fork was counted */
    __atomic_fetch_add(&prof_runtime.control->forks, 1, __ATOMIC_RELAXED);
  }
  prof_signals_restore(mask);
}

static void fork_parent(void) {
  if (prof_attached_cell())
    prof_fork_self.number = 0;
}

void prof_fork_init(void) {
  /* Without memory for it, children begin with no frame. */
  (void)pthread_atfork(fork_prepare, fork_parent, NULL);
}
