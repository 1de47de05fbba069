/*
 * line_times.c - lines whose time is known: the program that lines=time is compared with the clock by (rows_times.py).
 *
 *     line_times lines ROUNDS [NS]   runs the function `lines` so many rounds, a tenth of them with a sleep of so long
 *     line_times self ROUNDS         says how long each piece of work takes: by the clock around so many of them,
 *                                    one right after another, in a program without a plugin
 *
 * A piece of work stands on one line, which a comment gives a name.  Chains are of dependent multiplications; walks go
 * from link to link through memory in no order.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINKS (1u << 13) /* half a megabyte: more is at the mercy of what else runs */

struct link {
  struct link *next;
  char pad[56];
};

static uint64_t number = 1;
static struct link *place;

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#define CHAIN(n)                                                                                                       \
  for (uint64_t x = number, j = 0; j < (n) || (number = x, 0); j++)                                                    \
  x = x * 0x5851f42d4c957f2d + j
#define WALK(n)                                                                                                        \
  for (unsigned j = 0; j < (n); j++)                                                                                   \
  place = place->next

static double slept_ns;

__attribute__((noinline)) static void lines(unsigned rounds, long sleep_ns) {
  const struct timespec pause = {0, sleep_ns};
  for (unsigned i = 0; i < rounds; i++) {
    CHAIN(3);    /* chain 3 */
    CHAIN(1000); /* chain 1000 */
    CHAIN(10);   /* chain 10 */
    WALK(10);    /* walk 10 */
    CHAIN(30);   /* chain 30 */
    CHAIN(100);  /* chain 100 */
    WALK(100);   /* walk 100 */
    CHAIN(300);  /* chain 300 */
    if (sleep_ns && i % 10 == 0) {
      double begin = now_ns();
      nanosleep(&pause, NULL); /* sleep */
      slept_ns += now_ns() - begin;
    }
  }
}

#define SAY(name, work)                                                                                                \
  do {                                                                                                                 \
    double least = 1e18;                                                                                               \
    for (int turn = 0; turn < 20; turn++) {                                                                            \
      double begin = now_ns();                                                                                         \
      for (unsigned i = 0; i < rounds; i++) {                                                                          \
        work;                                                                                                          \
        __asm__ volatile("" ::: "memory");                                                                             \
      }                                                                                                                \
      double taken = (now_ns() - begin) / rounds;                                                                      \
      least = taken < least ? taken : least;                                                                           \
    }                                                                                                                  \
    printf("%s: %.3f\n", name, least);                                                                                 \
  } while (0)

static void self(unsigned rounds) {
  SAY("chain 3", CHAIN(3));
  SAY("chain 10", CHAIN(10));
  SAY("chain 30", CHAIN(30));
  SAY("chain 100", CHAIN(100));
  SAY("chain 300", CHAIN(300));
  SAY("chain 1000", CHAIN(1000));
  SAY("walk 10", WALK(10));
  SAY("walk 100", WALK(100));
}

/* One round through all links, each to one far away. */
static void links_make(void) {
  struct link *links = malloc(LINKS * sizeof *links);
  if (!links)
    exit(1);
  for (uint64_t i = 0; i < LINKS; i++)
    links[i].next = &links[(i * 0x9e3779b1 + 0x7f4a7c15) % LINKS];
  place = links;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  links_make();
  unsigned rounds = (unsigned)atoi(argv[2]);
  if (!strcmp(argv[1], "self")) {
    self(rounds);
  } else {
    lines(rounds, argc > 3 ? atol(argv[3]) : 0);
    printf("slept: %.0f\n", slept_ns);
  }
  return number == 0 || !place;
}
