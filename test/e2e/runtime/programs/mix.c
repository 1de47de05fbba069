/* mix.c SECONDS - everything at once: threads that come and go, forks, libraries, a timer's handler, stop and start. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "prof.h"

static int over;
static char library[4096];

__attribute__((noinline)) static int leaf(int x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}
__attribute__((noinline)) static int deep(int n) {
  return n ? deep(n - 1) + leaf(n) : leaf(0);
}

static int is_over(void) {
  return __atomic_load_n(&over, __ATOMIC_ACQUIRE);
}

static void on_alarm(int number) {
  (void)number;
  deep(3);
}

static void *once(void *unused) {
  deep(100);
  return unused;
}

static void start_and_join(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, once, NULL) != 0)
    abort();
  pthread_join(thread, NULL);
}

static void calls(void) {
  deep(20);
}
static void threads(void) {
  start_and_join();
}

static void forks(void) {
  pid_t child = fork();
  if (child == 0) {
    deep(50);
    start_and_join();
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) == child && status != 0)
    abort();
  usleep(2000);
}

static void libraries(void) {
  void *opened = dlopen(library, RTLD_NOW);
  if (!opened)
    abort();
  ((unsigned long (*)(int))dlsym(opened, "library_calls"))(50);
  dlclose(opened);
}

static void switches(void) {
  prof_stop();
  usleep(100);
  prof_start();
  usleep(3000);
}

static void *repeat(void *function) {
  while (!is_over())
    (*(void (**)(void))function)();
  return NULL;
}

int main(int argc, char **argv) {
  static void (*const functions[])(void) = {calls, calls, threads, forks, libraries, switches};
  enum { COUNT = sizeof functions / sizeof *functions };
  pthread_t running[COUNT];
  struct itimerval rate = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  snprintf(library, sizeof library, "%s.so", argv[0]);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &rate, NULL);
  for (int i = 0; i < COUNT; i++)
    if (pthread_create(&running[i], NULL, repeat, (void *)&functions[i]) != 0)
      abort();
  time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 2);
  while (time(NULL) < end)
    deep(10);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < COUNT; i++)
    pthread_join(running[i], NULL);
  setitimer(ITIMER_REAL, &none, NULL);
  puts("fine");
  return 0;
}
