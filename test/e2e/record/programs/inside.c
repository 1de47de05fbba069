/* inside WAY: ends within a recorded function that wrote no event for a while; prints how long it was in it, ns. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_NS 200000000

static const char *way;
static volatile long sum;

static long now_ns(void) __attribute__((no_instrument_function));
static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void end(void) __attribute__((no_instrument_function));
static void end(void) {
  if (!strcmp(way, "_exit") || !strcmp(way, "child"))
    _exit(3);
  if (!strcmp(way, "exit"))
    exit(3);
  if (!strcmp(way, "kill"))
    kill(getpid(), SIGKILL);
  if (!strcmp(way, "abort"))
    abort();
  if (!strcmp(way, "exec"))
    execl("/bin/sleep", "sleep", "2", (char *)NULL);
}

__attribute__((noinline)) static void work(int told) {
  long begin = now_ns(), passed;
  const struct timespec pause = {0, LONG_NS / 4};
  nanosleep(&pause, NULL);
  while ((passed = now_ns() - begin) < LONG_NS)
    sum++;
  printf("%ld\n", passed);
  fflush(stdout);
  if (told >= 0 && write(told, "x", 1) != 1)
    _exit(1);
  end();
  for (;;) /* of a thread whose process ends */
    sum++;
}

static void *run(void *told) {
  work(*(int *)told);
  return NULL;
}

int main(int argc, char **argv) {
  int ends[2];
  char byte;
  pthread_t thread;
  way = argc > 1 ? argv[1] : "";
  if (pipe(ends))
    return 1;
  if (!strcmp(way, "thread")) {
    if (pthread_create(&thread, NULL, run, &ends[1]) || read(ends[0], &byte, 1) != 1)
      return 1;
    return 0;
  }
  pid_t child = !strncmp(way, "child", 5) ? fork() : 0;
  if (child == 0)
    work(ends[1]);
  if (read(ends[0], &byte, 1) != 1)
    return 1;
  if (!strcmp(way, "child_killed"))
    kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return 0;
}
