/* Waits for results of a thread that waits for a device.  Planted: it looks, and sleeps.  CLEAN: it waits for a
 * condition. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { RESULTS = 4 };
static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
  for (int i = 0; i < RESULTS; i++) {
    struct timespec device = {0, 100000000};
    nanosleep(&device, NULL);
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&ready, 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

__attribute__((noinline)) static void wait_for(int results) {
#ifdef CLEAN
  pthread_mutex_lock(&lock);
  while (atomic_load(&ready) < results)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
#else
  while (atomic_load(&ready) < results)
    usleep(5000);
#endif
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  for (int i = 1; i <= RESULTS; i++)
    wait_for(i);
  pthread_join(thread, NULL);
  printf("%d\n", atomic_load(&ready));
  return 0;
}
