/*
 * watcher.c - see watcher.h.  It is made by clone, so that libc still takes the program for single-threaded.
 */
#include <errno.h>
#include <sched.h>

#include "system.h"
#include "watcher.h"

#define STACK_BYTES ((size_t)65536)

bool prof_watcher_start(struct prof_watcher *watcher, int (*run)(void *)) {
  const int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  int error = errno;
  if (!watcher->stack)
    watcher->stack = prof_memory_map(STACK_BYTES);
  if (!watcher->stack)
    return false;
  __atomic_store_n(&watcher->lives, 1, __ATOMIC_RELAXED);
  uint64_t mask = prof_signals_block(); /* this thread takes none of the program's signals */
  int made = clone(run, watcher->stack + STACK_BYTES, flags, NULL, NULL, NULL, &watcher->lives);
  prof_signals_restore(mask);
  if (made < 0)
    __atomic_store_n(&watcher->lives, 0, __ATOMIC_RELAXED);
  errno = error;
  return made >= 0;
}

void prof_watcher_exit(void) {
  prof_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
}
