/* ways.c - every way that control takes, with lines timed.  A line with "visits N" says how often control comes to it
 * from another line; test_times.py compares. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink, wait_here;
static jmp_buf place;

__attribute__((noinline)) static void proportions(int rounds) {
  for (int i = 0; i < rounds; i++) {
    for (unsigned j = 0; j < 2000; j++)
      sink += j; /* visits 100000 once */
    for (unsigned j = 0; j < 4000; j++)
      sink += j; /* visits 200000 */
    for (unsigned j = 0; j < 8000; j++)
      sink += j; /* visits 400000 four times */
  }
}

__attribute__((noinline)) static unsigned branches(unsigned n) {
  unsigned i = 0;
  while (i < n) {   /* visits 101 */
    if (i % 4 == 0) /* visits 100 */
      sink += 1;    /* visits 25 */
    else if (i % 4 == 1)
      sink += 2;     /* visits 25 */
    switch (i % 5) { /* visits 100 */
    case 0:
      sink += 3; /* visits 20 */
      break;
    case 1:
      goto next;
    default:
      sink += 4; /* visits 60 */
    }
    sink += 5; /* visits 80 */
  next:
    i++; /* visits 100 */
  }
  return i;
}

__attribute__((noinline)) static void jumps_back(int depth) {
  if (depth == 0)
    longjmp(place, 1);   /* visits 30 */
  jumps_back(depth - 1); /* visits 120 */
  sink += 6;
}

__attribute__((noinline)) static void jumps(void) {
  for (volatile int i = 0; i < 30; i++) {
    if (setjmp(place) == 0)
      jumps_back(4); /* visits 30 */
    else
      sink += 7; /* visits 30 */
    sink += 8;   /* visits 30 */
  }
}

/* As deep as no stack is, where the compiler makes jumps of calls. */
__attribute__((noinline)) static unsigned deep(unsigned n) {
  if (n == 0)
    return sink; /* visits 1 */
  sink += n;
  return deep(n - 1);
}

struct link {
  struct link *next;
};

__attribute__((noinline)) static unsigned length(const struct link *link) {
  if (!link)
    return 0;
  return 1 + length(link->next);
}

static unsigned odd(unsigned n);
__attribute__((noinline)) static unsigned even(unsigned n) {
  if (n == 0)
    return 1; /* visits 1 */
  sink += n;
  return odd(n - 1);
}
__attribute__((noinline)) static unsigned odd(unsigned n) {
  if (n == 0)
    return 0;
  sink += n;
  return even(n - 1);
}

static void on_signal(int number) {
  sink += (unsigned)number; /* visits 20 */
  wait_here = 1;            /* visits 20 */
}

__attribute__((noinline)) static void signals(void) {
  for (int i = 0; i < 20; i++) {
    wait_here = 0;  /* visits 20 */
    raise(SIGUSR1); /* visits 20 */
    while (!wait_here) {
    }
  }
}

static void *thread(void *unused) {
  for (int i = 0; i < 1000; i++) {
    sink += 9; /* visits 4000 */
  }
  return unused;
}

__attribute__((noinline)) static void threads(void) {
  pthread_t started[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&started[i], NULL, thread, NULL); /* visits 4 */
  for (int i = 0; i < 4; i++)
    pthread_join(started[i], NULL); /* visits 4 */
}

__attribute__((noinline)) static void processes(void) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  for (int i = 0; i < 70; i++) {
    sink += 10; /* visits 140 */
  }
  if (child == 0)
    kill(getpid(), SIGKILL);  /* visits 1 */
  waitpid(child, &status, 0); /* visits 1 */
  printf("child: signal %d\n", WTERMSIG(status));
}

#if defined(__x86_64__)
__attribute__((noinline)) static void asm_jumps(int n) {
  for (int i = 0; i < n; i++) {
    __asm__ goto("testl $1, %0\n\tjne %l1" : : "r"(i) : "cc" : was_odd); /* visits 10 */
    sink += 11;                                                          /* visits 5 */
    continue;
  was_odd:
    sink += 12; /* visits 5 */
  }
}
#endif

__attribute__((noinline)) static void computed(unsigned n) {
  static const void *const ways[] = {&&one, &&two, &&done};
  unsigned i = 0;
  goto *ways[0];
one:
  sink += 13; /* visits 10 */
  goto *ways[1];
two:
  i++; /* visits 10 */
  goto *ways[i < n ? 0 : 2];
done:
  sink += 14; /* visits 1 */
}

int main(int argc, char **argv) {
  unsigned depth = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
  struct link *links = calloc(depth, sizeof *links);
  for (unsigned i = 0; i + 1 < depth; i++)
    links[i].next = &links[i + 1];
  signal(SIGUSR1, on_signal);
  proportions(50);
  printf("branches: %u\n", branches(100));
  jumps();
  deep(depth);
  printf("length: %u\n", length(links));
  printf("even: %u\n", even(depth));
  signals();
  threads();
  processes();
#if defined(__x86_64__)
  asm_jumps(10);
#endif
  computed(10);
  printf("end\n");
  free(links);
  return 3;
}
