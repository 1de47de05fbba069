/* main that never returns: exit from below, quick_exit, _exit, abort, signals, SIGKILL; from another thread. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(inner, "inner")                                                                                                    \
  F(outer, "outer")                                                                                                    \
  F(at_exit, "at_exit")                                                                                                \
  F(at_quick, "at_quick")                                                                                              \
  F(thread, "thread")
#include "matrix.h"
#include <pthread.h>
#include <signal.h>

static const char *way;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

static void at_exit(void) {
  COUNT(at_exit);
  leaf();
  BARRIER();
}

static void at_quick(void) {
  COUNT(at_quick);
  leaf();
  BARRIER();
}

NOINLINE static void inner(void) {
  COUNT(inner);
  leaf();
  if (!strcmp(way, "exit"))
    exit(5);
  if (!strcmp(way, "_exit"))
    _exit(6);
  if (!strcmp(way, "quick_exit"))
    quick_exit(7);
  if (!strcmp(way, "abort"))
    abort();
  if (!strcmp(way, "kill"))
    kill(getpid(), SIGKILL);
  if (!strcmp(way, "term"))
    raise(SIGTERM);
  if (!strcmp(way, "fault"))
    *(volatile int *)8 = 1;
  if (!strcmp(way, "trap"))
    __builtin_trap();
  pause();
  BARRIER();
}

NOINLINE static void outer(void) {
  COUNT(outer);
  inner();
  BARRIER();
}

static void *thread(void *unused) {
  COUNT(thread);
  leaf();
  if (!strcmp(way, "thread"))
    exit(8);
  leaf();
  _exit(9);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t id;
  COUNT(main);
  way = argc > 1 ? argv[1] : "";
  atexit(at_exit);
  at_quick_exit(at_quick);
  if (!strcmp(way, "thread") || !strcmp(way, "last")) {
    pthread_create(&id, NULL, thread, NULL);
    if (!strcmp(way, "last")) /* the thread outlives main's */
      pthread_exit(NULL);
    pthread_join(id, NULL);
  }
  outer();
  return 0;
}
