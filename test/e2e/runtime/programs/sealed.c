/*
 * sealed.c - forbids itself to read the clock, in the way that the word names, and goes on; or asks for it in vain.
 * What it prints, its status and errno are the same, recorded or not.  Its second word says what else it does first.
 */
#include <prof.h>

#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

__attribute__((noinline)) static void before(int x) {
  sink += x;
}
__attribute__((noinline)) static void after(int x) {
  sink -= x;
}

static void say(const char *text) { /* write(2) alone is allowed */
  (void)!write(1, text, strlen(text));
}

static long by_prctl(void) {
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}
static long by_syscall(void) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
}
static long by_raw_prctl(void) {
  return syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
}
static long by_tsc(void) {
  return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}
static long in_vain(void) { /* there are no such flags */
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL);
}
static long in_vain_again(void) { /* a filter is there already */
  static const struct {
    unsigned short code;
    unsigned char yes, no;
    unsigned value;
  } allow = {6, 0, 0, 0x7fff0000};
  const struct {
    unsigned short count;
    const void *items;
  } filter = {1, &allow};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    return -2;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}
static long by_child(void) { /* which is another process */
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    for (int i = 0; i < 100; i++)
      after(i);
    syscall(SYS_exit, 5);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) - 5 : -1;
}

static void *other(void *unused) {
  for (int i = 0; i < 1000; i++)
    after(i);
  return unused;
}

static const struct way {
  const char *word;
  long (*seal)(void);
  int leaves; /* by the system call */
} ways[] = {{"prctl", by_prctl, 1},  {"syscall", by_syscall, 1},  {"raw", by_raw_prctl, 1}, {"tsc", by_tsc, 0},
            {"in-vain", in_vain, 0}, {"again", in_vain_again, 0}, {"child", by_child, 0}};

int main(int argc, char **argv) {
  const struct way *way = NULL;
  char line[80];
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (argc > 1 && strcmp(argv[1], ways[i].word) == 0)
      way = &ways[i];
  if (!way)
    return 2;
  for (int i = 0; i < 1000; i++)
    before(i);
  errno = 77;
  long result = way->seal();
  int error = errno;
  snprintf(line, sizeof line, "result %ld errno %d\n", result, error);
  say(line);
  for (int i = 0; i < 1000; i++)
    after(i);
  if (way->leaves) {
    say("leaves\n");
    syscall(SYS_exit, 7);
  }
  PROF_MARK("still here");
  prof_thread_name("sealed");
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL) == 0)
    pthread_join(thread, NULL);
  if (way->seal == by_tsc && argc > 2) { /* the mode goes on in the next program */
    execl(argv[2], argv[2], "in-vain", NULL);
    return 9;
  }
  say("returns\n");
  return 6;
}
