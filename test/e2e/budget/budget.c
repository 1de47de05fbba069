/*
 * budget.c - a dense program with coarse functions of known counts: budget WORD [LIBRARY].
 *
 * A coarse call makes 20,000 tiny ones.  Its last line is a sum that recording must not change.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prof.h"

enum { TINY = 20000, ROUNDS = 12000, THREADS = 4, LOADS = 12, TURNS = 30000, TREES = 20000, LEVELS = 12, STATUS = 3 };

__attribute__((noinline)) unsigned tiny(unsigned x) {
  __asm__("" : "+r"(x));
  return x * 2654435761u + 1;
}

__attribute__((noinline)) unsigned small(unsigned x) {
  return tiny(x) ^ tiny(x + 1);
}

__attribute__((noinline)) unsigned coarse(unsigned x) {
  for (int i = 0; i < TINY / 2; i++)
    x += small(x);
  __asm__ volatile("" ::: "memory"); /* no compiler moves it across prof_stop */
  return x;
}

__attribute__((noinline)) unsigned rounds(unsigned x, int count) {
  for (int i = 0; i < count; i++)
    x ^= coarse(x);
  return x;
}

static void *work(void *x) {
  return (void *)(size_t)rounds((unsigned)(size_t)x, ROUNDS / THREADS);
}

static unsigned on_threads(void) {
  pthread_t threads[THREADS];
  unsigned sum = 0;
  for (size_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
      exit(1);
  for (size_t i = 0; i < THREADS; i++) {
    void *x;
    pthread_join(threads[i], &x);
    sum += (unsigned)(size_t)x;
  }
  return sum;
}

struct pipes {
  int there[2], back[2];
};

static void *answer(void *context) {
  const struct pipes *pipes = context;
  char byte;
  while (read(pipes->there[0], &byte, 1) == 1)
    if (write(pipes->back[1], &byte, 1) != 1)
      exit(1);
  return NULL;
}

/* Two threads that only wait for each other. */
static unsigned in_turns(void) {
  struct pipes pipes;
  pthread_t thread;
  unsigned sum = 0;
  if (pipe(pipes.there) != 0 || pipe(pipes.back) != 0 || pthread_create(&thread, NULL, answer, &pipes) != 0)
    exit(1);
  for (int i = 0; i < TURNS; i++) {
    char byte = (char)i;
    if (write(pipes.there[1], &byte, 1) != 1 || read(pipes.back[0], &byte, 1) != 1)
      exit(1);
    sum = tiny(sum + (unsigned char)byte);
  }
  close(pipes.there[1]);
  pthread_join(thread, NULL);
  return sum;
}

/* The one that makes no calls leaves by exit: its exit handlers run in text that the parent goes on with. */
static void in_child(unsigned x, int count) {
  fflush(stdout);
  pid_t child = fork();
  int status = 1;
  if (child == 0 && count == 0)
    exit(0);
  if (child == 0)
    _exit(rounds(x, count) == 0);
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    exit(1);
}

/* Children begin in burst and always functions of their parent. */
static unsigned in_children(void) {
  in_child(0, 0);
  unsigned sum = rounds(1, ROUNDS / 4);
  for (unsigned i = 0; i < 3; i++)
    in_child(i, ROUNDS / 4);
  return sum;
}

/* A program that leaves a daemon behind: who loaded its text exits at once. */
static unsigned in_daemon(const char *name) {
  int ends[2];
  char byte;
  fflush(stdout);
  if (pipe(ends) != 0)
    exit(1);
  pid_t child = fork();
  if (child == 0)
    execl("/proc/self/exe", name, "daemonize", NULL), _exit(1);
  close(ends[1]); /* the daemon has it until its end */
  if (child < 0 || waitpid(child, NULL, 0) != child || read(ends[0], &byte, 1) != 0)
    exit(1);
  return 1;
}

static unsigned daemonize(void) {
  if (fork() != 0)
    exit(0);
  sleep(1); /* its first call is late */
  return rounds(1, ROUNDS);
}

static unsigned in_libraries(const char *library) {
  unsigned sum = 0;
  for (int i = 0; i < LOADS; i++) {
    void *handle = dlopen(library, RTLD_NOW);
    unsigned (*plug)(unsigned, int) = handle ? (unsigned (*)(unsigned, int))dlsym(handle, "plug_rounds") : NULL;
    if (!plug)
      exit(1);
    sum += plug((unsigned)i, ROUNDS / LOADS);
    dlclose(handle);
  }
  return sum;
}

static unsigned with_stops(void) {
  unsigned sum = 0;
  for (int i = 0; i < 10; i++) {
    sum ^= rounds((unsigned)i, ROUNDS / 20);
    prof_stop();
    sum ^= rounds((unsigned)i + 100, ROUNDS / 20);
    prof_start();
  }
  return sum;
}

static jmp_buf target;

__attribute__((noinline)) void thrower(unsigned x) {
  if (x)
    longjmp(target, 1);
}

/* Dense, so that the landing function is in state burst; thrower's frames must not stay open. */
__attribute__((noinline)) unsigned lander(unsigned x) {
  if (setjmp(target) == 0) {
    if (x % 1024 == 0)
      thrower(1);
    return tiny(x);
  }
  return x;
}

static unsigned with_jumps(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < ROUNDS * 256u; i++)
    sum += lander(i);
  return sum;
}

/* A level has twice the calls of the one around it. */
__attribute__((noinline)) unsigned levels(unsigned depth, unsigned x) {
  x = tiny(x);
  if (depth > 0) {
    x += levels(depth - 1, x);
    x ^= levels(depth - 1, x + 1);
  }
  __asm__ volatile("" : "+r"(x));
  return x;
}

static unsigned in_levels(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < TREES; i++)
    sum ^= levels(LEVELS, i);
  return sum;
}

static unsigned for_ever(void) {
  unsigned x = rounds(0, ROUNDS / 100);
  printf("ready\n");
  fflush(stdout);
  for (;;)
    x = rounds(x, 1);
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  unsigned sum = 0;
  if (strcmp(word, "plain") == 0)
    sum = rounds(1, ROUNDS);
  else if (strcmp(word, "levels") == 0)
    sum = in_levels();
  else if (strcmp(word, "threads") == 0)
    sum = on_threads();
  else if (strcmp(word, "turns") == 0)
    sum = in_turns();
  else if (strcmp(word, "fork") == 0)
    sum = in_children();
  else if (strcmp(word, "daemon") == 0)
    sum = in_daemon(argv[0]);
  else if (strcmp(word, "daemonize") == 0)
    sum = daemonize();
  else if (strcmp(word, "libraries") == 0 && argc > 2)
    sum = in_libraries(argv[2]);
  else if (strcmp(word, "stops") == 0)
    sum = with_stops();
  else if (strcmp(word, "jumps") == 0)
    sum = with_jumps();
  else if (strcmp(word, "ever") == 0)
    sum = for_ever();
  else if (strcmp(word, "exec") == 0)
    sum = rounds(1, ROUNDS / 2), printf("%u\n", sum), fflush(stdout), execl("/proc/self/exe", argv[0], "plain", NULL);
  else if (strcmp(word, "short") == 0)
    sum = tiny(1);
  else
    return 1;
  printf("%u\n", sum);
  return STATUS;
}
