/*
 * Waits for lines on standard input inside a call, and answers each; a thread waits for ever inside another call.
 *
 *   served    nap N: naps N times for a millisecond; then the thread waits | end
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OWN __attribute__((noinline, noclone))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile int entered, asked, sum;

OWN void rest(void) {
  pthread_mutex_lock(&lock);
  while (!entered)
    pthread_cond_wait(&never, &lock);
  pthread_mutex_unlock(&lock);
  sum++;
}

OWN void nap(void) {
  poll(NULL, 0, 1);
  sum++;
}

OWN char *await(char *line, int bytes) {
  char *got = fgets(line, bytes, stdin);
  sum++;
  return got;
}

static void *worker(void *unused) {
  for (;;) {
    nap();
    if (asked)
      rest();
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  char line[64];
  int count;
  pthread_create(&thread, NULL, worker, NULL);
  while (await(line, sizeof line) && strcmp(line, "end\n") != 0) {
    if (sscanf(line, "nap %d", &count) == 1)
      for (int i = 0; i < count; i++)
        nap();
    asked = 1;
    printf("%s", line);
    fflush(stdout);
  }
  return 3;
}
