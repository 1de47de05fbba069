/*
 * points.c - reports of every kind, as C and as C++.  The word says which: "clean"; "dense" (many values in a small
 * function, for a budget); "paused" (recording stops and starts); "requests" (and spans, in two threads).
 */
#include <prof.h>

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "long_name.h"

static volatile int sink;
static int evaluations;

static int next(void) {
  return ++evaluations;
}

enum colour { RED = 3 };

static void numbers(void) {
  static const int64_t signs[] = {INT64_MIN, -1, 0, INT64_MAX};
  for (int i = 0; i < 4; i++)
    PROF_COUNTER("signed", signs[i], "");
  PROF_COUNTER("unsigned", UINT64_MAX, "bytes");
  PROF_COUNTER("short", (short)-2, "");
  PROF_COUNTER("char", 'A', "");
  PROF_COUNTER("enum", RED, "");
  PROF_COUNTER("float", 0.5f, "%");
  PROF_COUNTER("double", -1.0 / 3, "%");
  PROF_COUNTER("double", NAN, "%");
  PROF_COUNTER("double", -INFINITY, "%");
}

static inline void inlined(int value) {
  PROF_VALUE("inlined", value);
}

PROF_PROBE __attribute__((noinline)) static int small(int x) {
  PROF_VALUE("x", x);
  return x * 3 + 1;
}

static void *other(void *unused) {
  for (int i = 0; i < 3; i++) {
    PROF_FRAME("thread's");
    sink += i;
  }
  return unused;
}

/* Requests 7 and 8: each has a part in main's thread, one in another, and one inside of the first. */
static void *serves(void *unused) {
  for (unsigned id = 7; id < 9; id++) {
    PROF_REQUEST(id);
    sink += 1;
    PROF_SPAN_END("queued", id);
  }
  return unused;
}

static void requests(void) {
  pthread_t thread;
  for (int id = 7; id < 9; id++) {
    PROF_SPAN_BEGIN("queued", id);
    PROF_REQUEST(id);
    for (int i = 0; i < 2; i++) {
      PROF_REQUEST(id);
      small(i);
      if (i == 1)
        break;
    }
  }
  PROF_SPAN_BEGIN("left open", UINT64_MAX);
  if (pthread_create(&thread, NULL, serves, NULL) == 0)
    pthread_join(thread, NULL);
}

static void clean(void) {
  pthread_t thread;
  PROF_MARK("a %s %% {att|intel} \"quoted\" \\ \t$0");
  for (int i = 0; i < 4; i++) {
    PROF_FRAME("frame");
    if (i & 1)
      PROF_MARK(LONG_NAME);
    else
      PROF_MARK("");
    PROF_VALUE("next", next());
    inlined(i);
    small(i);
  }
  numbers();
  if (pthread_create(&thread, NULL, other, NULL) == 0)
    pthread_join(thread, NULL);
}

static void dense(void) {
  int x = 1;
  for (int i = 0; i < 100000; i++)
    x = small(x) & 0xff;
  PROF_MARK("end");
  sink = x;
}

static void paused(void) {
  PROF_MARK("before");
  prof_stop();
  PROF_MARK("while stopped");
  prof_start();
  PROF_MARK("after");
}

int main(int argc, char **argv) {
  static const struct {
    const char *word;
    void (*run)(void);
  } ways[] = {{"clean", clean}, {"dense", dense}, {"paused", paused}, {"requests", requests}};
  for (int i = 0; i < 4; i++)
    if (argc > 1 && strcmp(argv[1], ways[i].word) == 0)
      ways[i].run();
  printf("evaluated %d\n", evaluations);
  return 3;
}
