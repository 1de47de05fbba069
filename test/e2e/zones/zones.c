/*
 * zones.c - zones of many shapes, as C and as C++.  The word says which: "clean", "odd" (ends that don't fit), "dense"
 * (many calls, for a budget), "paused" (recording stops and starts inside zones).  Prints whether it is recorded.
 */
#include <prof.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "long_name.h"

#ifdef __cplusplus
extern "C"
#endif
    int
    library_work(int turns);

static volatile int sink;

static void burn(int turns) {
  PROF_ZONE("burn %s %% {att|intel} \"quoted\" \\ \t$0");
  for (int i = 0; i < turns; i++)
    sink += i;
}

/* Leaves the zone by return, break, continue and goto. */
static int leave(int how) {
  for (int i = 0; i < 4; i++) {
    PROF_ZONE("leave");
    sink += i;
    if (how == 0)
      return i;
    if (how == 1)
      break;
    if (how == 2)
      continue;
    if (i == 2)
      goto out;
  }
  return 0;
out:
  sink++;
  return 1;
}

/* The rest of a block that is left for good lies outside of the loop in the program's code. */
static int rest(int at) {
  for (int i = 0;; i++) {
    PROF_ZONE("rest");
    if (i == at) {
      burn(10);
      return i;
    }
  }
}

static inline void inlined(int turns) {
  PROF_ZONE("inlined");
  burn(turns);
}

/* They begin and end a zone for their caller. */
PROF_PROBE static void begin_span(void) {
  PROF_ZONE_BEGIN("span");
}
PROF_PROBE static void end_span(void) {
  PROF_ZONE_END("span");
}

static int recursive(int depth) {
  PROF_ZONE("recursive");
  return depth ? recursive(depth - 1) + 1 : 0;
}

static void *other(void *unused) {
  PROF_ZONE("of a thread");
  burn(10);
  return unused;
}

static void clean(void) {
  pthread_t thread;
  PROF_ZONE("clean");
  for (int i = 0; i < 3; i++) {
    PROF_ZONE("step");
    burn(100);
    inlined(100);
  }
  for (int how = 0; how < 4; how++)
    leave(how);
  rest(2);
  begin_span();
  burn(10);
  end_span();
  recursive(3);
  library_work(2);
  {
    PROF_ZONE(LONG_NAME);
    PROF_ZONE("");
    sink++;
  }
  if (pthread_create(&thread, NULL, other, NULL) == 0)
    pthread_join(thread, NULL);
}

static void *ends_elsewhere(void *unused) {
  PROF_ZONE_END("elsewhere");
  return unused;
}

/* A zone left open, one ended twice, one ended on another thread. */
static void odd(void) {
  pthread_t thread;
  PROF_ZONE("odd");
  PROF_ZONE_BEGIN("outer");
  PROF_ZONE_BEGIN("left open");
  burn(10);
  PROF_ZONE_END("outer");
  PROF_ZONE_BEGIN("twice");
  PROF_ZONE_END("twice");
  PROF_ZONE_END("twice");
  PROF_ZONE_BEGIN("elsewhere");
  if (pthread_create(&thread, NULL, ends_elsewhere, NULL) == 0)
    pthread_join(thread, NULL);
  PROF_ZONE_END("elsewhere");
}

PROF_PROBE static int tiny(int x) {
  return x * 3 + 1;
}

static void dense(void) {
  PROF_ZONE("dense");
  int x = 1;
  for (int i = 0; i < 1000; i++) {
    PROF_ZONE("part");
    for (int k = 0; k < 20000; k++)
      x = tiny(x) + sink;
  }
  sink = x;
}

static void paused(void) {
  PROF_ZONE("around the pause");
  burn(10);
  {
    PROF_ZONE("stops");
    prof_stop();
  }
  burn(10);
  {
    PROF_ZONE("starts");
    prof_start();
  }
  burn(10);
}

int main(int argc, char **argv) {
  static const struct {
    const char *word;
    void (*run)(void);
  } ways[] = {{"clean", clean}, {"odd", odd}, {"dense", dense}, {"paused", paused}};
  printf("recording %d\n", prof_is_recording());
  for (int i = 0; i < 4; i++)
    if (argc > 1 && strcmp(argv[1], ways[i].word) == 0)
      ways[i].run();
  return 3;
}
