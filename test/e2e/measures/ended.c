/*
 * ended.c - waits without an end: of a thread that is cancelled, and of a process that is killed.  The program goes on
 * for longer than both took.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define NAP_US 50000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void release(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}
APART static void *cancelled(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, NULL);
  for (;;)
    pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}
APART static void killed(void) {
  sleep(1000);
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, cancelled, NULL) != 0)
    abort();
  pid_t child = fork();
  if (child == 0)
    killed();
  usleep(NAP_US);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  usleep(10 * NAP_US);
  return 0;
}
