/* Threads send messages.  Planted: the lock of the list is held while the device takes one.  CLEAN: it is released
 * before. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4, MESSAGES = 120 };
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned next, sent[THREADS];

__attribute__((noinline)) static void send_to_device(unsigned message, unsigned *count) {
  usleep(1500); /* the device */
  *count += message;
}

__attribute__((noinline)) static int send_next(unsigned me) {
  pthread_mutex_lock(&list_lock);
  unsigned message = next++;
#ifdef CLEAN
  pthread_mutex_unlock(&list_lock);
#endif
  if (message < MESSAGES)
    send_to_device(message, &sent[me]);
#ifndef CLEAN
  pthread_mutex_unlock(&list_lock);
#endif
  return message < MESSAGES;
}

static void *work(void *me) {
  while (send_next((unsigned)(unsigned long)me))
    continue;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (unsigned long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", sent[0] + sent[1] + sent[2] + sent[3]);
  return 0;
}
