/* fork: children that leave by _exit and by return, a chain of them, from a deep frame, from a thread, by a signal
 * handler. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(child, "child")                                                                                                    \
  F(parent, "parent")                                                                                                  \
  F(returns, "returns")                                                                                                \
  F(chain, "chain")                                                                                                    \
  F(thread, "thread")                                                                                                  \
  F(on_signal, "on_signal")                                                                                            \
  F(silent, "silent")                                                                                                  \
  F(jumps, "jumps")
#include "matrix.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

static jmp_buf back;
static pid_t made;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static void child(void) {
  COUNT(child);
  leaf();
  BARRIER();
}

UNPROBED static void reap(pid_t pid) {
  waitpid(pid, NULL, 0);
}

/* The child leaves from below; the parent goes on. */
NOINLINE static void parent(void) {
  COUNT(parent);
  pid_t pid = fork();
  if (pid == 0) {
    child();
    _exit(0);
  }
  reap(pid);
  leaf();
  BARRIER();
}

/* Both return to main. */
NOINLINE static pid_t returns(void) {
  COUNT(returns);
  leaf();
  pid_t pid = fork();
  BARRIER();
  return pid;
}

/* Each process makes the next one in its own frame; all return. */
NOINLINE static int chain(int level) {
  COUNT(chain);
  pid_t pid = level > 0 ? fork() : 1;
  int made_by = pid == 0 ? chain(level - 1) : (reap(pid), 0);
  BARRIER();
  return pid == 0 ? 1 + made_by : 0;
}

static void *thread(void *count) {
  COUNT(thread);
  for (long i = 0; i < (long)count; i++)
    parent();
  BARRIER();
  return NULL;
}

static void on_signal(int number) {
  COUNT(on_signal);
  leaf();
  made = fork();
  BARRIER();
}

/* A child that calls nothing probed, whose child does. */
NOINLINE static void silent(void) {
  COUNT(silent);
  pid_t pid = fork();
  if (pid == 0) {
    pid = fork();
    if (pid == 0) {
      child();
      _exit(0);
    }
    waitpid(pid, NULL, 0);
    _exit(0);
  }
  reap(pid);
}

/* The child jumps into a frame that was entered before the fork. */
NOINLINE static void jumps(void) {
  COUNT(jumps);
  if (setjmp(back) == 0) {
    pid_t pid = fork();
    if (pid == 0)
      longjmp(back, 1);
    reap(pid);
    return;
  }
  leaf();
  _exit(0);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  COUNT(main);
  if (!strcmp(way, "parent")) {
    parent();
  } else if (!strcmp(way, "returns")) {
    pid_t pid = returns();
    leaf();
    if (pid == 0)
      return 0;
    reap(pid);
  } else if (!strcmp(way, "chain")) {
    if (chain(3) > 0)
      return 0;
  } else if (!strcmp(way, "thread")) {
    pthread_t id;
    pthread_create(&id, NULL, thread, (void *)1);
    pthread_join(id, NULL);
  } else if (!strcmp(way, "crowd")) {
    pthread_t ids[4];
    for (int i = 0; i < 4; i++)
      pthread_create(&ids[i], NULL, thread, (void *)20);
    for (int i = 0; i < 4; i++)
      pthread_join(ids[i], NULL);
  } else if (!strcmp(way, "signal")) {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    leaf();
    if (made == 0)
      return 0;
    reap(made);
  } else if (!strcmp(way, "silent")) {
    silent();
  } else if (!strcmp(way, "jumps")) {
    jumps();
  } else if (!strcmp(way, "many")) {
    for (int i = 0; i < 100; i++)
      parent();
  }
  return 3;
}
