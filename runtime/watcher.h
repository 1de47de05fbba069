/* watcher.h - a thread that libc doesn't know, and that only sleeps and switches sites. */
#ifndef PROF_RUNTIME_WATCHER_H
#define PROF_RUNTIME_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

struct prof_watcher { /* zeroed: not started yet */
  char *stack;        /* kept for the next one, and for that of a forked child */
  uint32_t lives;     /* 0 when its thread has ended, and uses the stack no more; the kernel clears it */
};

/*
 * Runs `run` in a new thread with all signals blocked, in the process's descriptors.  `run` ends with
 * prof_watcher_exit.  It has the thread-local storage of the thread that calls this, which may be freed before it ends:
 * so it uses no errno, and no function of libc that might.  Not while another one lives; the child of a fork sets
 * `lives` to 0 first.  errno is kept.  false: no memory, or the system refuses.
 */
bool prof_watcher_start(struct prof_watcher *, int (*run)(void *));
void prof_watcher_exit(void);

#endif
