/* Calls at the ends of functions, which compilers make jumps: a thread's function, and the part of an OpenMP region. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *keeps(void *bytes) {
  return malloc((size_t)bytes); /* keeps */
}

static void *writes(void *text) {
  return (void *)write(1, text, 5); /* writes */
}

int main(void) {
  pthread_t thread;
  void *block;
  pthread_create(&thread, NULL, keeps, (void *)1000);
  pthread_join(thread, &block);
  free(block);
  pthread_create(&thread, NULL, writes, "tail\n");
  pthread_join(thread, NULL);
#pragma omp parallel num_threads(2) /* naps */
  usleep(1000);                     /* naps */
  return 0;
}
