/* self.c - prints all that a process can easily know about itself and a profiler might disturb. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile int sink;
__attribute__((noinline)) static int work(int x) {
  sink += x;
  return sink;
}

static void descriptors(void) {
  for (int fd = 0; fd < 1024; fd++) {
    struct stat status;
    if (fstat(fd, &status) == 0)
      printf("descriptor %d type %o\n", fd, status.st_mode & S_IFMT);
  }
}

static int count_in(const char *folder) {
  int count = 0;
  DIR *directory = opendir(folder);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    count += entry->d_name[0] != '.';
  if (directory)
    closedir(directory);
  return count;
}

static void signals(void) {
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  for (int number = 1; number < 65; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0)
      printf("signal %d %s blocked %d\n", number,
             action.sa_handler == SIG_DFL   ? "default"
             : action.sa_handler == SIG_IGN ? "ignored"
                                            : "handled",
             sigismember(&mask, number));
  }
}

/* All but prof's own variables, and those of the CUDA driver and of NVTX that `prof record` sets where the user has not
 * (prof-record(1)). */
static void environment(void) {
  static const char cuda[] = "CUDA_INJECTION64_PATH=", nvtx[] = "NVTX_INJECTION64_PATH=";
  for (char **entry = environ; *entry; entry++)
    if (strncmp(*entry, "PROF_", 5) != 0 && strncmp(*entry, cuda, sizeof cuda - 1) != 0 &&
        strncmp(*entry, nvtx, sizeof nvtx - 1) != 0)
      printf("environment %s\n", *entry);
}

int main(void) {
  int error = errno;
  printf("errno %d\n", error);
  for (int i = 0; i < 100000; i++) {
    errno = i;
    work(i);
    if (errno != i)
      printf("errno changed to %d\n", errno);
  }
  descriptors();
  signals();
  environment();
  printf("threads %d\n", count_in("/proc/self/task"));
  printf("wait %d %s\n", (int)waitpid(-1, NULL, WNOHANG), strerror(errno));
  /* more than one thread would forbid this */
  printf("unshare %d\n", unshare(CLONE_NEWUSER) == 0 || errno == EPERM || errno == ENOSYS || errno == ENOSPC);
  pthread_key_t key;
  void *before = sbrk(0);
  printf("key %d\n", pthread_key_create(&key, NULL));
  printf("brk grows %d\n", sbrk(1 << 24) == before);
  pid_t child = fork();
  if (child == 0)
    _exit(work(1) ? 3 : 4);
  int status = -1;
  printf("child %d", waitpid(-1, &status, 0) == child);
  printf(" status %x\n", status);
  return 5;
}
