/*
 * apart.c - a thread that libc doesn't know, so that the program stays single-threaded for libc, and ends when its last
 * thread does.
 *
 * It is made by clone, with a block of thread-local storage of its own: zeros, as long as the farthest variable that
 * our code may use is from the thread pointer.
 *
 *    mapping:  | thread-local variables | what libc has behind the thread pointer | stack |
 *                                       ^ thread pointer
 *
 * Its table of descriptors is its own, and empty: so the program's descriptors have the numbers that they would have.
 */
#include <errno.h>
#include <sched.h>

#include "apart.h"
#include "state.h"
#include "system.h"

#define STACK_BYTES ((size_t)65536)
#define BEHIND_BYTES ((size_t)8192) /* libc's struct of a thread has less */
#define MARGIN_BYTES ((size_t)4096)

static char *memory;        /* kept for a forked child */
static size_t memory_below; /* the thread pointer is so far in it */
static void (*to_run)(void);

static size_t least_below(void) {
  const char *pointer = prof_thread_pointer();
  const char *used[] = {(const char *)&prof_self, (const char *)&prof_thread_over, (const char *)&errno};
  size_t most = 0;
  for (size_t i = 0; i < sizeof used / sizeof *used; i++)
    if (used[i] < pointer && (size_t)(pointer - used[i]) > most)
      most = (size_t)(pointer - used[i]);
  return prof_page_align(most + MARGIN_BYTES);
}

static void descriptors_close(void) {
  if (prof_syscall(SYS_close_range, 0, ~0u, 0, 0, 0, 0) < 0)
    for (int fd = 0; fd < 65536; fd++)
      prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static int begin(void *unused) {
  prof_self = &prof_nobody;
  descriptors_close();
  (void)unused;
  to_run();
  prof_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
  return 0;
}

bool prof_apart_start(void (*run)(void)) {
  if (!memory) {
    memory_below = least_below();
    memory = prof_memory_map(memory_below + BEHIND_BYTES + STACK_BYTES);
  }
  if (!memory)
    return false;
  char *pointer = memory + memory_below;
  prof_thread_pointer_fill(pointer);
  to_run = run;
  const int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
  uint64_t mask = prof_signals_block();
  int made = clone(begin, pointer + BEHIND_BYTES + STACK_BYTES, flags, NULL, NULL, pointer);
  prof_signals_restore(mask);
  return made >= 0;
}
