/*
 * idle_killed.c - a child that makes some calls, waits for three seconds, and is killed: it used next to no CPU time.
 *
 * Meanwhile two threads of the parent only wait for each other, so that with a budget switches of threads are recorded
 * in stretches.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 100000, SECONDS = 3 };

struct pipes {
  int there[2], back[2];
};

__attribute__((noinline)) static unsigned work(unsigned x) {
  __asm__("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) static unsigned works(unsigned count) {
  unsigned sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum = work(sum);
  return sum;
}

static void *answer(void *context) {
  const struct pipes *pipes = context;
  char byte;
  while (read(pipes->there[0], &byte, 1) == 1)
    if (write(pipes->back[1], &byte, 1) != 1)
      exit(1);
  return NULL;
}

__attribute__((noinline)) static void turns(const struct pipes *pipes) {
  char byte = 0;
  for (time_t end = time(NULL) + SECONDS; time(NULL) <= end;)
    if (write(pipes->there[1], &byte, 1) != 1 || read(pipes->back[0], &byte, 1) != 1)
      exit(1);
}

int main(void) {
  struct pipes pipes;
  pthread_t thread;
  pid_t child = fork();
  if (child == 0) {
    works(CALLS);
    for (;;)
      pause();
  }
  works(CALLS);
  if (child < 0 || pipe(pipes.there) != 0 || pipe(pipes.back) != 0 ||
      pthread_create(&thread, NULL, answer, &pipes) != 0)
    return 1;
  turns(&pipes);
  close(pipes.there[1]);
  pthread_join(thread, NULL);
  return kill(child, SIGKILL) != 0 || waitpid(child, NULL, 0) != child;
}
