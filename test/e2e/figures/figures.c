/* figures WORD [COUNT] - asks for its own figures.  Each line: the name, what prof_read returned, calls, their bounds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <prof.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define LEAF "leaf(unsigned int)"
#define LINKER_LEAF "_Z4leafj"
#else
#define LEAF "leaf"
#define LINKER_LEAF "leaf"
#endif
#define PLAIN __attribute__((no_instrument_function))

enum { THREADS = 50, ROUNDS = 3 };
static pthread_barrier_t barrier;
static volatile sig_atomic_t handled;

PROF_PROBE __attribute__((noinline)) unsigned leaf(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

PROF_PROBE __attribute__((noinline)) unsigned part(unsigned x) {
  PROF_ZONE("a zone");
  x = leaf(x);
  __asm__ volatile("" : "+r"(x));
  return x;
}

static PLAIN void call(unsigned count) {
  for (unsigned i = 0; i < count; i++)
    part(i);
}

/* So dense that a budget has it recorded in bursts. */
PROF_PROBE __attribute__((noinline)) unsigned middle(unsigned x) {
  for (int i = 0; i < 200; i++)
    __asm__ volatile("" : "+r"(x));
  x = leaf(x);
  __asm__ volatile("" : "+r"(x));
  return x;
}

static PLAIN int in_order(const struct prof_figures *f) {
  return f->functions == 1 && f->time_ns > 0 && f->calls_low <= f->calls && f->calls <= f->calls_high &&
         f->self_ns <= f->total_ns && f->min_ns <= f->p50_ns && f->p50_ns <= f->p99_ns && f->p99_ns <= f->max_ns;
}

static PLAIN void ask_as(const char *shown, const char *name) {
  struct prof_figures f, zeros;
  memset(&f, 1, sizeof f);
  memset(&zeros, 0, sizeof zeros);
  errno = 77;
  int found = prof_read(name, &f);
  int sound = errno == 77 && (found ? in_order(&f) : memcmp(&f, &zeros, sizeof f) == 0);
  printf("%s: %s%d %llu %llu %llu\n", shown, sound ? "" : "wrong ", found, (unsigned long long)f.calls,
         (unsigned long long)f.calls_low, (unsigned long long)f.calls_high);
  fflush(stdout);
}

static PLAIN void ask(const char *name) {
  ask_as(name, name);
}

static PLAIN void await_input(void) {
  printf("ready\n");
  fflush(stdout);
  (void)getchar();
}

static PLAIN void names(unsigned count) {
  static char name[65536];
  call(count);
  ask(LEAF);
  ask(LINKER_LEAF);
  ask("a zone");
  ask("a zone [zone]");
  ask("main");
  ask("nothing");
  ask("-x");
  ask("--help");
  ask_as("empty", "");
  ask_as("null", NULL);
  ask_as("control", "\033[31mleaf\n\001");
  memset(name, 'n', sizeof name - 1);
  ask_as("long", name);
  printf("no figures: %d\n", prof_read(LEAF, NULL));
  call(count);
  ask(LEAF);
}

static PLAIN void *call_and_ask(void *errors) {
  struct prof_figures f;
  for (unsigned round = 1; round <= ROUNDS; round++) {
    call(10);
    pthread_barrier_wait(&barrier);
    int found = prof_read(LEAF, &f);
    if (!found || f.calls != 10 * THREADS * round)
      __atomic_fetch_add((int *)errors, 1, __ATOMIC_RELAXED);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

static PLAIN void threads(unsigned count) {
  pthread_t all[THREADS];
  int errors = 0;
  (void)count;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], NULL, call_and_ask, &errors);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], NULL);
  printf("errors: %d\n", errors);
}

static PLAIN void forks(unsigned count) {
  call(count);
  for (unsigned i = 1; i <= 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      ask("nothing");
      call(i);
      ask(LEAF);
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  ask(LEAF);
}

static PLAIN void handle(int number) {
  struct prof_figures f;
  (void)number;
  handled += prof_read(LEAF, &f) && f.calls > 0;
}

static PLAIN void handlers(unsigned count) {
  struct prof_figures f;
  call(count);
  signal(SIGALRM, handle);
  int asked = 0, missed = 0;
  while (asked++ < 20 || handled == 0) {
    ualarm(500, 0);
    missed += !prof_read(LEAF, &f);
  }
  printf("missed: %d\n", missed);
}

static PLAIN void at_exit(void) {
  ask(LEAF);
}

static PLAIN void vforks(unsigned count) {
  call(count);
  pid_t child = vfork();
  if (child == 0) {
    struct prof_figures f;
    _exit(prof_read(LEAF, &f) && f.calls == count ? 5 : 6);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("status: %d\n", WEXITSTATUS(status));
  atexit(at_exit);
}

static PLAIN void stops(unsigned count) {
  call(count);
  prof_stop();
  call(count);
  ask(LEAF);
  prof_start();
  call(count);
  ask(LEAF);
}

static PLAIN void joined(unsigned count) {
  printf("ready\n");
  fflush(stdout);
  while (!prof_is_recording())
    usleep(1000);
  call(count);
  ask(LEAF);
  (void)getchar();
  ask(LEAF);
}

static PLAIN void dense(unsigned count) {
  for (int round = 0; round < 3; round++) {
    for (unsigned i = 0; i < count; i++)
      middle(i);
    ask(LEAF);
  }
}

static PLAIN void later(unsigned count) {
  call(count);
  ask(LEAF);
  await_input();
  ask(LEAF);
  call(count);
  await_input();
  ask(LEAF);
}

static PLAIN void *ask_for_ever(void *unused) {
  struct prof_figures f;
  for (;;) {
    call(100);
    prof_read(LEAF, &f);
  }
  return unused;
}

static PLAIN void for_ever(unsigned count) {
  pthread_t thread;
  call(count);
  ask(LEAF);
  for (int i = 0; i < 4; i++)
    pthread_create(&thread, NULL, ask_for_ever, NULL);
  await_input();
}

__attribute__((constructor)) static PLAIN void before_main(void) {
  struct prof_figures f;
  if (getenv("FIGURES_EARLY") != NULL)
    printf("early: %d\n", prof_read(LEAF, &f));
}

static const struct {
  const char *word;
  void (*run)(unsigned count);
} ways[] = {{"names", names}, {"threads", threads}, {"forks", forks}, {"handlers", handlers}, {"vforks", vforks},
            {"stops", stops}, {"joined", joined},   {"later", later}, {"dense", dense},       {"for_ever", for_ever}};

int main(int argc, char **argv) {
  unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
  for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(argv[1], ways[i].word) == 0)
      ways[i].run(count);
  return 0;
}
