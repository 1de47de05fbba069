/*
 * dense_zones.c - zones that run too often to be recorded, of known numbers: around a whole function, in a function
 * that is inlined, one in another, in a loop, around calls; and zones that run seldom around all of it.  C and C++.
 */
#include <prof.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 400, DENSE = 40000, APART = 5000, STATUS = 3 };

#define NOINLINE __attribute__((noinline))
#define WORK(x) ((x) = ((x) ^ (x) >> 13) * 1664525u + 1013904223u)

NOINLINE static unsigned small(unsigned x) {
  PROF_ZONE("small");
  if ((x & 0xff00) == 0)
    return x + 1;
  WORK(x), WORK(x), WORK(x);
  return x;
}

static inline unsigned inlined(unsigned x) {
  PROF_ZONE("inlined");
  WORK(x), WORK(x), WORK(x);
  return x;
}

NOINLINE static unsigned has_inlined(unsigned x) {
  WORK(x);
  x = inlined(x);
  WORK(x), WORK(x);
  return x;
}

NOINLINE static unsigned nested(unsigned x) {
  PROF_ZONE("outer");
  WORK(x), WORK(x), WORK(x);
  {
    PROF_ZONE("inner");
    WORK(x), WORK(x), WORK(x);
  }
  WORK(x);
  return x;
}

NOINLINE static unsigned looped(unsigned x) {
  for (int i = 0; i < DENSE; i++) {
    PROF_ZONE("each");
    WORK(x), WORK(x), WORK(x), WORK(x);
  }
  return x;
}

NOINLINE static unsigned leaf(unsigned x) {
  WORK(x), WORK(x), WORK(x), WORK(x);
  return x;
}

NOINLINE static unsigned calls(unsigned x) {
  unsigned sum;
  {
    PROF_ZONE("around");
    sum = leaf(x);
  }
  return sum + x;
}

/* A zone of two functions. */
NOINLINE static void begins(unsigned x) {
  PROF_ZONE_BEGIN("apart");
  __asm__ volatile("" ::"r"(x));
}

NOINLINE static void ends(unsigned x) {
  PROF_ZONE_END("apart");
  __asm__ volatile("" ::"r"(x));
}

NOINLINE static unsigned round_of(unsigned x) {
  PROF_ZONE("coarse");
  for (int i = 0; i < DENSE; i++)
    x = nested(has_inlined(small(x)));
  for (int i = 0; i < DENSE; i++)
    x = calls(x);
  return looped(x);
}

static void *rounds(void *begin) {
  unsigned x = *(unsigned *)begin;
  for (int i = 0; i < ROUNDS; i++)
    x = round_of(x);
  *(unsigned *)begin = x;
  return NULL;
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  unsigned x = 1, other = 1;
  if (strcmp(word, "apart") == 0) {
    for (int i = 0; i < ROUNDS * APART; i++) {
      begins(x);
      x = leaf(x);
      ends(x);
    }
  } else if (strcmp(word, "thread") == 0) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, rounds, &other) != 0)
      return 1;
    rounds(&x);
    pthread_join(thread, NULL);
  } else {
    pid_t child = strcmp(word, "fork") == 0 ? fork() : -1;
    rounds(&x);
    if (child == 0)
      _exit(0);
    if (child > 0)
      waitpid(child, NULL, 0);
  }
  printf("%u\n", x + other);
  return STATUS;
}
