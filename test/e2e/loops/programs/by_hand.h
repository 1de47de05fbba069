/*
 * by_hand.h - counters for loops, put into the source by hand: what `prof loops` has to say of the same source.
 *
 * LOOP_IN(name) stands before a loop, LOOP_IT(name) is the first statement of its body; the loop's own line has a
 * comment `loop name`.  With COUNT_BY_HAND each run of LOOP_IN begins a visit, and the visits are summed up in the file
 * $LOOPS_OUT when the program ends, a line per loop: name, visits with an iteration, iterations, least, most, visits
 * without.  Without COUNT_BY_HAND both are empty.
 *
 * A visit belongs to the frame that LOOP_IN ran in, so recursion, threads and jumps need no care.
 */
#ifndef LOOPS_BY_HAND_H
#define LOOPS_BY_HAND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing that the compiler can see through, and nothing that it may copy or take apart. */
#define APART __attribute__((noinline, noclone, unused))
#ifdef __clang__
#undef APART
#define APART __attribute__((noinline, unused))
#endif

static volatile int nothing; /* 0 */
static inline int unknown(int value) {
  return value + nothing;
}

#ifdef COUNT_BY_HAND

#define VISITS 400000
struct visit {
  const char *name;
  long iterations;
};
static struct visit visits[VISITS];
static int visit_count;

static inline struct visit *visit_begin(const char *name) {
  int at = __atomic_fetch_add(&visit_count, 1, __ATOMIC_RELAXED);
  if (at >= VISITS)
    abort();
  visits[at].name = name;
  return &visits[at];
}

static int visit_order(const void *one, const void *other) {
  return strcmp(((const struct visit *)one)->name, ((const struct visit *)other)->name);
}

__attribute__((destructor)) static void visits_write(void) {
  FILE *file = fopen(getenv("LOOPS_OUT"), "w");
  qsort(visits, (size_t)visit_count, sizeof *visits, visit_order);
  for (int i = 0; i < visit_count;) {
    long entries = 0, iterations = 0, least = 0, most = 0, empty = 0;
    const char *name = visits[i].name;
    for (; i < visit_count && !strcmp(visits[i].name, name); i++) {
      long made = visits[i].iterations;
      entries += made > 0;
      empty += made == 0;
      iterations += made;
      least = made && (!least || made < least) ? made : least;
      most = made > most ? made : most;
    }
    fprintf(file, "%s %ld %ld %ld %ld %ld\n", name, entries, iterations, least, most, empty);
  }
  fclose(file);
}

#define LOOP_IN(name) struct visit *visit_##name = visit_begin(#name)
#define LOOP_IT(name) visit_##name->iterations++

#else
#define LOOP_IN(name)
#define LOOP_IT(name)
#endif

#endif
