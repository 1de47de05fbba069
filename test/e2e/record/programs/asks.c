/* Two threads ask for snapshots at once, three times; then one call of handle is slow.  Prints what prof_snapshot said.
 * Usage: asks FILE: after each round it waits until FILE has grown by a byte. */
#include <prof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { THREADS = 2, ROUNDS = 3 };
static pthread_barrier_t barrier;
static const char *path;
static int answers;

__attribute__((noipa)) static unsigned leaf(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noipa)) static unsigned handle(int is_slow) {
  if (is_slow)
    nanosleep(&(struct timespec){0, 300000000}, NULL);
  return leaf(1);
}

__attribute__((no_instrument_function)) static void wait_for_size(long bytes) {
  struct stat status;
  while (stat(path, &status) == 0 && status.st_size < bytes)
    nanosleep(&(struct timespec){0, 5000000}, NULL);
}

static void *work(void *number) {
  for (long round = 1; round <= ROUNDS; round++) {
    for (int i = 0; i < 1000; i++)
      leaf((unsigned)i);
    pthread_barrier_wait(&barrier);
    __atomic_fetch_add(&answers, prof_snapshot(), __ATOMIC_RELAXED);
    pthread_barrier_wait(&barrier);
    wait_for_size(round);
  }
  return number;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  path = argc > 1 ? argv[1] : "/dev/null";
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 100; i++)
    handle(i == 50);
  wait_for_size(ROUNDS + 1);
  printf("%d\n", answers);
  return 0;
}
