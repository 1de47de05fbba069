/*
 * processes.c - what short-lived and left-behind processes do.
 *
 *   short            a few calls
 *   spawns N         N processes of `short`, one after another
 *   names            children that are given a name, go on with another program, or do neither; and a thread
 *   silent           leaves a forked child behind that has come to no probe; prints its pid
 *   gone             leaves one behind that went on with another program; prints its pid
 *   late             leaves one behind that calls after its parent's end, once there is a file `go`
 *   apart            starts `short` with an environment of its own
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *self;

int leaf(int n);

int __attribute__((noinline)) leaf(int n) {
  static volatile int sum;
  sum += n;
  return sum;
}

static void calls(int count) {
  for (int i = 0; i < count; i++)
    leaf(i);
}

static int spawn(char **environment) {
  pid_t pid;
  int status = 1;
  char *words[] = {(char *)self, "short", NULL};
  if (posix_spawn(&pid, self, NULL, NULL, words, environment) == 0)
    waitpid(pid, &status, 0);
  return status;
}

static void *thread(void *unused) {
  calls(10);
  pthread_setname_np(pthread_self(), "worker");
  calls(5000); /* more than a segment: it tells its name again */
  return unused;
}

static int names(void) {
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      leaf(i);
      if (i == 1)
        execl("/bin/true", "true", (char *)NULL);
      if (i == 2) {
        prctl(PR_SET_NAME, "renamed");
        calls(5000);
      }
      _exit(0);
    }
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  pthread_join(other, NULL);
  while (wait(NULL) > 0)
    ;
  return 0;
}

/* The child's pid, once it is what it will be. */
static void leave(const char *what) {
  int ends[2];
  char nothing;
  if (pipe2(ends, O_CLOEXEC) != 0)
    exit(1);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    setsid();
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    close(null);
    if (strcmp(what, "gone") == 0)
      execl("/bin/sleep", "sleep", "120", (char *)NULL);
    close(ends[0]), close(ends[1]);
    if (strcmp(what, "late") != 0) {
      sleep(120);
      _exit(0);
    }
    while (getppid() == parent)
      usleep(10000);
    for (int i = 0; i < 12000 && access("go", F_OK) != 0; i++)
      usleep(10000);
    calls(7);
    exit(0);
  }
  close(ends[1]);
  (void)!read(ends[0], &nothing, 1);
  printf("%d\n", (int)child);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "short";
  char *apart[] = {"PATH=/bin", NULL};
  self = words[0];
  calls(5);
  if (strcmp(what, "names") == 0)
    return names();
  if (strcmp(what, "apart") == 0)
    return spawn(apart);
  if (strcmp(what, "spawns") == 0)
    for (int i = 0; i < atoi(words[2]); i++)
      spawn(environ);
  else if (strcmp(what, "short") != 0)
    leave(what);
  return 0;
}
