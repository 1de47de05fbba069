/*
 * test/e2e/record/programs/measured.c - allocations, locks and operations of which the numbers are known, for some
 * time.
 *
 * measured MILLISECONDS [PATHS]: one thread holds a lock for so long, while another waits for it; meanwhile the first
 * one allocates, gives back and writes.  Then it allocates once on each of PATHS call paths.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 500, KEPT = 20, BYTES = 100, OF_PATH = 5000, LETTERS = 4 };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, often = PTHREAD_MUTEX_INITIALIZER;
static void *kept[KEPT];
static FILE *sink;

__attribute__((noinline)) static void *make(size_t bytes) {
  return malloc(bytes);
}

__attribute__((noinline)) static void *waits(void *context) {
  pthread_mutex_lock(&held);
  pthread_mutex_unlock(&held);
  return context;
}

__attribute__((noinline)) static void round_of(int round) {
  void *passing = make(BYTES + (size_t)(round % 7) * 50);
  char text = 'x';
  pthread_mutex_lock(&often);
  if (round % (ROUNDS / KEPT) == 0)
    kept[round / (ROUNDS / KEPT)] = make(BYTES);
  pthread_mutex_unlock(&often);
  if (write(fileno(sink), &text, 1) != 1)
    exit(1);
  free(passing);
}

/* A path for each number, in letters. */
__attribute__((noinline)) static void deep_a(unsigned number);
__attribute__((noinline)) static void deep_b(unsigned number);
__attribute__((noinline)) static void deep_c(unsigned number);
__attribute__((noinline)) static void deep_d(unsigned number);
static void (*const deeper[LETTERS])(unsigned) = {deep_a, deep_b, deep_c, deep_d};

#define DEEP(letter)                                                                                                   \
  static void deep_##letter(unsigned number) {                                                                         \
    if (number > 0)                                                                                                    \
      deeper[number % LETTERS](number / LETTERS);                                                                      \
    else                                                                                                               \
      free(make(OF_PATH));                                                                                             \
    __asm__ volatile("");                                                                                              \
  }
DEEP(a)
DEEP(b)
DEEP(c)
DEEP(d)

int main(int argc, char **argv) {
  const long total_ms = argc > 1 ? atol(argv[1]) : 1;
  const unsigned paths = argc > 2 ? (unsigned)atol(argv[2]) : 0;
  const struct timespec step = {total_ms / ROUNDS / 1000, total_ms * (1000000 / ROUNDS) % 1000000000};
  pthread_t thread;
  sink = fopen("/dev/null", "w");
  pthread_mutex_lock(&held);
  if (!sink || pthread_create(&thread, NULL, waits, NULL) != 0)
    return 1;
  for (int i = 0; i < ROUNDS; i++) {
    round_of(i);
    nanosleep(&step, NULL);
  }
  pthread_mutex_unlock(&held);
  pthread_join(thread, NULL);
  for (unsigned i = 0; i < paths; i++)
    deep_a(i + paths);
  for (int i = 0; i < KEPT / 2; i++)
    free(kept[i]);
  return 0;
}
