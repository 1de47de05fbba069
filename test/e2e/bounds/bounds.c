/*
 * test/e2e/bounds/bounds.c - a program that knows when it is recorded.  bounds WHAT
 *
 *    what happens outside is in functions called outside..., the rest in those called inside...
 *    Nothing depends on how fast it runs: it waits until prof_is_recording says what it is to wait for.  On a busy
 *    machine that may have come and gone before it looks: then it goes on, and the test tries longer times.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../include/prof.h"
#include "../../gpu/double/nvtx.h"

#define KEPT __attribute__((noinline, noclone))
enum { EXIT_STATUS = 3, BURN_MS = 60, GIVES_UP_MS = 20000 };
static volatile unsigned long sum;

KEPT static void outside(void) {
  sum += 3;
}
KEPT static void inside_leaf(void) {
  sum += 5;
}
KEPT static void inside(void) {
  inside_leaf();
  sum += 7;
}

static void times(void (*function)(void), int count) {
  for (int i = 0; i < count; i++)
    function();
}

static void wait_until(int recording) {
  for (int i = 0; i < GIVES_UP_MS && prof_is_recording() != recording; i++)
    usleep(1000);
}

static double cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
KEPT static void outside_burn(void) {
  for (double end = cpu_ms() + BURN_MS; cpu_ms() < end;)
    for (int i = 0; i < 10000; i++)
      sum += (unsigned long)i;
}
KEPT static void inside_burn(void) {
  for (double end = cpu_ms() + BURN_MS; cpu_ms() < end;)
    for (int i = 0; i < 10000; i++)
      sum ^= (unsigned long)i;
}

/* Said to the test: whether it was off all the while, so that it must not be there. */
static void before(void) {
  int first = prof_is_recording();
  times(outside, 5);
  printf("before %d %d\n", first, prof_is_recording());
}

static int after_delay(void) {
  before();
  wait_until(1);
  times(inside, 7);
  return EXIT_STATUS;
}

/* Open when recording ends. */
KEPT static void inside_until_end(void) {
  inside();
  wait_until(0);
  sum++;
}

static int until_end(void) {
  inside_until_end();
  times(outside, 5);
  return EXIT_STATUS;
}

static int for_a_time(void) {
  before();
  wait_until(1);
  return until_end();
}

static int forked(void) {
  before();
  fflush(stdout);
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    wait_until(1);
    times(inside, 2);
    _exit(EXIT_STATUS);
  }
  waitpid(child, &status, 0);
  wait_until(1);
  inside();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Its frame is not known when the range begins in it. */
KEPT static void outside_begins(void) {
  nvtxRangePushA("x");
  inside();
  sum++;
}
KEPT static void inside_ends(void) {
  nvtxRangePop();
  sum++;
}

static int ranges(void) {
  times(outside, 2);
  outside_burn();
  nvtxRangePushA("x");
  times(inside, 3);
  inside_burn();
  nvtxRangePop();
  times(outside, 2);
  nvtxRangePushA("y");
  times(outside, 2);
  nvtxRangePop();
  outside_begins();
  inside_ends();
  times(outside, 2);
  uint64_t number = nvtxRangeStartA("x");
  nvtxRangePushA("x"); /* within one another: as long as one is open */
  inside();
  nvtxRangePop();
  inside();
  nvtxRangeEnd(number);
  outside_burn();
  return EXIT_STATUS;
}

static void *run(void *function) {
  times((void (*)(void))function, 100);
  return NULL;
}

static void in_thread(void (*function)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, (void *)function) == 0)
    pthread_join(thread, NULL);
}

static int threads(void) {
  in_thread(outside);
  nvtxRangePushA("x");
  in_thread(inside);
  nvtxRangePop();
  in_thread(outside);
  return EXIT_STATUS;
}

/* What the program switches off stays off. */
static int switched(void) {
  prof_stop();
  nvtxRangePushA("x");
  times(outside, 2);
  prof_start();
  inside();
  nvtxRangePop();
  prof_start();
  outside();
  printf("at last %d\n", prof_is_recording());
  return EXIT_STATUS;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    int (*run)(void);
  } modes[] = {{"delay", after_delay}, {"duration", until_end}, {"both", for_a_time},  {"fork", forked},
               {"ranges", ranges},     {"threads", threads},    {"switched", switched}};
  for (size_t i = 0; count == 2 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(arguments[1], modes[i].name) == 0) {
      int status = modes[i].run();
      printf("went on to its end\n");
      return status;
    }
  return 2;
}
