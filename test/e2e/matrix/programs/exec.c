/* exec: of this program again, from main, from a thread, after fork and after vfork; and one that fails. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(go, "go")                                                                                                          \
  F(thread, "thread")                                                                                                  \
  F(target, "target")
#include "matrix.h"
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static void target(void) {
  COUNT(target);
  leaf();
  BARRIER();
}

NOINLINE static void go(const char *file) {
  COUNT(go);
  leaf();
  execl(file, file, "target", NULL);
  BARRIER();
}

static void *thread(void *file) {
  COUNT(thread);
  go((const char *)file);
  BARRIER();
  return NULL;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "", *self = argv[0];
  char *words[] = {argv[0], (char *)"target", NULL};
  pthread_t id;
  pid_t pid = 0;
  COUNT(main);
  if (!strcmp(way, "target")) {
    target();
    return 4;
  }
  if (!strcmp(way, "main"))
    go(self);
  if (!strcmp(way, "thread")) {
    pthread_create(&id, NULL, thread, (void *)self);
    pthread_join(id, NULL);
  }
  if (!strcmp(way, "fork") && (pid = fork()) == 0)
    execv(self, words);
  if (!strcmp(way, "vfork") && (pid = vfork()) == 0) {
    leaf(); /* in this process's memory and as a call of this thread */
    execv(self, words);
    _exit(1);
  }
  if (!strcmp(way, "spawn"))
    posix_spawn(&pid, self, NULL, NULL, words, environ);
  if (!strcmp(way, "fails"))
    go("/no/such/file");
  if (pid > 0)
    waitpid(pid, NULL, 0);
  leaf();
  return 0;
}
