/* Clean: threads that wait for messages in an event loop without probes, as in a library.  Each takes a lock once, at
 * its start; one gets more messages. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4, MESSAGES = 2000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[THREADS][2];
static unsigned started;
static unsigned long sums[THREADS];

__attribute__((noinline)) static void handle(unsigned thread, unsigned char message) {
  unsigned long x = message + 1ul;
  for (int round = 0; round < 10000; round++)
    x ^= x * 6364136223846793005ul >> 17;
  sums[thread] += x & 15;
}

__attribute__((noinline, no_instrument_function)) static void event_loop(unsigned thread) {
  struct pollfd wait = {.fd = ends[thread][0], .events = POLLIN};
  unsigned char message;
  while (poll(&wait, 1, -1) == 1 && read(wait.fd, &message, 1) == 1)
    handle(thread, message);
}

static void *work(void *argument) {
  unsigned thread = (unsigned)(uintptr_t)argument;
  pthread_mutex_lock(&lock);
  started++;
  pthread_mutex_unlock(&lock);
  event_loop(thread);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (unsigned i = 0; i < THREADS; i++)
    if (pipe(ends[i]) || pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i))
      return 1;
  for (unsigned i = 0; i < MESSAGES; i++) {
    unsigned to = i % 2 ? 0 : i / 2 % THREADS;
    if (write(ends[to][1], &(unsigned char){(unsigned char)i}, 1) != 1)
      return 1;
    usleep(200);
  }
  for (unsigned i = 0; i < THREADS; i++)
    close(ends[i][1]);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%u %lu\n", started, sums[0] + sums[1]);
  return 0;
}
