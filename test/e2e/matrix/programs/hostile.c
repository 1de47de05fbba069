/* Programs that leave little standing: all descriptors closed, no new ones, no memory, all signals blocked, another
 * root. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(work, "work")                                                                                                      \
  F(thread, "thread")                                                                                                  \
  F(child, "child")
#include "matrix.h"
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static void work(int count) {
  COUNT(work);
  for (int i = 0; i < count; i++)
    leaf();
}

static void *thread(void *unused) {
  COUNT(thread);
  work(40000); /* into further segments */
  BARRIER();
  return unused;
}

NOINLINE static void child(void) {
  COUNT(child);
  work(10);
  BARRIER();
}

UNPROBED static void limit(int what, rlim_t most) {
  struct rlimit now = {most, most};
  setrlimit(what, &now);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  sigset_t all;
  pthread_t id;
  COUNT(main);
  work(10);
  if (!strcmp(way, "closed"))
    for (int fd = 0; fd < 1024; fd++)
      close(fd);
  if (!strcmp(way, "files"))
    limit(RLIMIT_NOFILE, 0);
  if (!strcmp(way, "memory"))
    limit(RLIMIT_DATA, 64 << 20);
  if (!strcmp(way, "size"))
    limit(RLIMIT_FSIZE, 0);
  if (!strcmp(way, "blocked")) {
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
  }
  if (!strcmp(way, "named"))
    prctl(PR_SET_NAME, "other");
  if (!strcmp(way, "undumpable"))
    prctl(PR_SET_DUMPABLE, 0);
  if (!strcmp(way, "elsewhere") && chdir("/") != 0)
    return 9;
  if (!strcmp(way, "unset"))
    clearenv();
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  pid_t pid = fork();
  if (pid == 0) {
    child();
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  work(40000);
  return 2;
}
