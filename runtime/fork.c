/*
 * fork.c - writes each fork() into the parent's ring, so that the recorder can begin the child with the open frames.
 *
 * Only those frames need this handler; image.c does the rest for a child.
 */
#include <errno.h>
#include <pthread.h>

#include "fork.h"
#include "image.h"
#include "ring.h"
#include "state.h"
#include "system.h"

__thread struct prof_process_fork prof_fork_self __attribute__((tls_model("initial-exec")));

/* A child without events has the frames of its own fork, and so will its children: it keeps that number. */
static void fork_prepare(void) {
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  struct prof_cell *cell = gate ? prof_attached_cell() : NULL;
  if (cell && prof_runtime.state == PROF_RUNTIME_ON) {
    prof_fork_self.number = prof_ring_fork(cell);
    prof_fork_self.record = cell->number;
  } else { /* the recorder looks for children without events only after a counted fork */
    __atomic_fetch_add(&prof_runtime.control->forks, 1, __ATOMIC_RELAXED);
  }
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
}

static void fork_parent(void) {
  if (prof_attached_cell())
    prof_fork_self.number = 0;
}

void prof_fork_init(void) {
  /* If it fails (no memory), children begin with no frame. */
  (void)pthread_atfork(fork_prepare, fork_parent, NULL);
}
