/*
 * pauses.c - prof_stop and prof_start where calls are open: which of them go on, and which were left meanwhile.
 */
#include <prof.h>
#include <pthread.h>
#include <stddef.h>

#define OWN __attribute__((noinline, noclone))

static volatile int sum;
static pthread_barrier_t both;

void leaf(int n);
void opened(void);
void deep(int start);
void middle(int start);
void job(void);
void rounds(void);
void *worker(void *unused);

OWN void leaf(int n) {
  sum += n;
}

OWN void opened(void) { /* is left while nothing is recorded */
  leaf(1);
  prof_stop();
  leaf(2);
}

OWN void deep(int start) { /* is entered while nothing is recorded */
  leaf(3);
  if (start)
    prof_start();
  leaf(4);
  sum++;
}

OWN void middle(int start) {
  deep(start);
  leaf(5);
  sum++;
}

OWN void job(void) {
  leaf(6);
  sum++;
}

OWN void rounds(void) { /* goes on in a thread that doesn't know of the stop */
  job();
  pthread_barrier_wait(&both);
  pthread_barrier_wait(&both);
  job();
  leaf(7);
  sum++;
}

OWN void *worker(void *unused) {
  rounds();
  leaf(8);
  return unused;
}

int main(void) {
  pthread_t thread;
  leaf(9);
  opened();
  leaf(10);
  prof_start();
  leaf(11);
  prof_stop();
  prof_start();
  middle(0);
  prof_stop();
  middle(1);
  leaf(12);
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_barrier_wait(&both);
  prof_stop();
  prof_start();
  pthread_barrier_wait(&both);
  pthread_join(thread, NULL);
  for (int i = 0; i < 5; i++) {
    if (i == 2)
      prof_stop();
    if (i == 3)
      prof_start();
    leaf(i);
  }
  return 0;
}
