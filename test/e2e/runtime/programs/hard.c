/* hard.c WHAT COUNT - prints how many calls of `counted` it made, in places where a probe is hard. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long calls;
static const char *own;
__attribute__((noinline)) void counted(void) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

static void *small_thread(void *unused) {
  for (int i = 0; i < 5000; i++)
    counted();
  return unused;
}

static void small_stacks(int count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, small_thread, NULL) != 0)
      abort();
    pthread_join(thread, NULL);
  }
}

static void on_signal(int number) {
  (void)number;
  counted();
}

/* A thread's very first event, on an alternate stack of the smallest size. */
static void *first_on_small_stack(void *unused) {
  stack_t stack = {.ss_sp = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)};
  stack.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096;
  sigaltstack(&stack, NULL);
  raise(SIGUSR1);
  return unused;
}

static void signal_stacks(int count) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, first_on_small_stack, NULL) != 0)
      abort();
    pthread_join(thread, NULL);
  }
}

/* The floating-point state of a function must survive the slow path at its probes. */
__attribute__((noinline)) static double mean(double a, double b, double c, double d) {
  counted();
  return (a + b + c + d) / 4;
}

static void vectors(int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += mean(i, i + 1, i + 2, i + 3);
  if (sum != (double)count * (count - 1) / 2 + 1.5 * count)
    puts("floating point changed");
}

static void libraries(int count) {
  for (int i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s.so", own);
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
      abort();
    calls += ((unsigned long (*)(int))dlsym(library, "library_calls"))(7);
    dlclose(library);
  }
  FILE *maps = fopen("/proc/self/maps", "r");
  int lines = 0;
  for (int c; (c = fgetc(maps)) != EOF;)
    lines += c == '\n';
  fclose(maps);
  if (lines > 100)
    printf("%d mappings\n", lines);
}

static void at_exit(void) {
  counted();
  printf("calls %lu\n", calls);
}

static void exits(int count) {
  calls = (unsigned long)count;
  for (int i = 0; i < count; i++)
    __atomic_fetch_sub(&calls, 1, __ATOMIC_RELAXED), counted();
  atexit(at_exit);
  exit(0);
}

static void *cancelled(void *unused) {
  for (;;) {
    counted();
    pthread_testcancel();
  }
  return unused;
}

static void cancels(int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, cancelled, NULL) != 0)
      abort();
    usleep(200);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
}

static const struct {
  const char *name;
  void (*run)(int count);
} cases[] = {
    {"small_stacks", small_stacks},
    {"signal_stacks", signal_stacks},
    {"vectors", vectors},
    {"libraries", libraries},
    {"exits", exits},
    {"cancels", cancels},
};

int main(int argc, char **argv) {
  own = argv[0];
  for (unsigned i = 0; argc == 3 && i < sizeof cases / sizeof *cases; i++)
    if (strcmp(argv[1], cases[i].name) == 0)
      cases[i].run(atoi(argv[2]));
  printf("calls %lu\n", calls);
  return 0;
}
