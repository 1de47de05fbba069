/* named.c MODE - zones and points whose names are made while the program runs; C and C++. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prof.h"

static int nothing(int value) {
  return value;
}

static void job(int number) {
  char name[32];
  snprintf(name, sizeof name, "job %d", number % 3);
  PROF_ZONE_NAMED(name);
  memset(name, 'x', sizeof name - 1); /* it was copied */
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "step %d", i);
    PROF_ZONE_NAMED_BEGIN(name);
    { PROF_ZONE("literal"); }
    if (number == 4)
      continue; /* left open: ends with the one around it */
    PROF_ZONE_NAMED_END();
  }
}

static void *thread(void *unused) {
  for (int i = 0; i < 6; i++)
    job(i);
  return unused;
}

static void threads(void) {
  pthread_t all[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&all[i], NULL, thread, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(all[i], NULL);
}

static void points(void) {
  const char *names[] = {"left", "right"};
  for (int i = 0; i < 4; i++) {
    PROF_MARK_NAMED(names[i % 2]);
    PROF_FRAME_NAMED("round");
    PROF_COUNTER_NAMED(names[i % 2], i * 0.5);
    PROF_COUNTER_NAMED("whole", -i);
    PROF_SPAN_NAMED_BEGIN(names[i % 2], i);
    PROF_SPAN_NAMED_END(names[i % 2], i);
  }
}

static void odd(void) {
  char *name = (char *)malloc(65537);
  memset(name, 'l', 65536);
  name[65536] = 0;
  {
    PROF_ZONE_NAMED(name);
    PROF_ZONE_NAMED_BEGIN("");
    PROF_ZONE_NAMED_END();
    PROF_ZONE_NAMED_BEGIN((const char *)NULL);
    PROF_ZONE_NAMED_END();
    PROF_ZONE_NAMED_BEGIN("100% {a|b} \303\274");
    PROF_ZONE_NAMED_END();
  }
  PROF_ZONE_NAMED_END(); /* of none */
  free(name);
}

static void many(void) {
  char name[32];
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 5000; i++) {
      snprintf(name, sizeof name, "name %d", i);
      PROF_ZONE_NAMED(name);
    }
}

static void forks(void) {
  PROF_ZONE_NAMED("outer");
  pid_t child = fork();
  for (int i = 0; i < 3; i++) {
    PROF_ZONE_NAMED(child ? "parent" : "child");
  }
  if (child == 0)
    exit(0);
  waitpid(child, NULL, 0);
  PROF_ZONE_NAMED("child");
}

static void pauses(void) {
  for (int i = 0; i < 4; i++) {
    (void)(i % 2 ? prof_stop() : prof_start());
    PROF_ZONE_NAMED("only even");
  }
  prof_start();
}

/* What is last in a function, where a compiler makes tail calls. */
PROF_PROBE __attribute__((noinline)) static void zone_last(const char *name) {
  PROF_ZONE_NAMED(name);
}

PROF_PROBE __attribute__((noinline)) static void mark_last(const char *name) {
  PROF_MARK_NAMED(name);
}

static void lasts(void) {
  PROF_ZONE_NAMED("outer");
  for (int i = 0; i < 3; i++) {
    PROF_ZONE_NAMED("around");
    zone_last("last");
    mark_last("mark");
  }
}

static jmp_buf back;

__attribute__((noinline)) static void jump(void) {
  PROF_ZONE_NAMED("left");
  longjmp(back, 1);
}

__attribute__((noinline)) static void come_back(void) {
  if (setjmp(back) == 0)
    jump();
}

static void jumps(void) {
  for (int i = 0; i < 3; i++) {
    PROF_ZONE_NAMED("round");
    come_back();
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } modes[] = {{"threads", threads}, {"points", points}, {"odd", odd},     {"many", many},
               {"forks", forks},     {"pauses", pauses}, {"lasts", lasts}, {"jumps", jumps}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
      modes[i].run();
  return nothing(0);
}
