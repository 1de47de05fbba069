/* parked.c - a worker sleeps between two calls, and is there when the process ends: by exit, _exit or SIGKILL. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile int sum;
static pthread_barrier_t both;

__attribute__((noinline)) static void work(int n) {
  for (int i = 0; i < n; i++)
    sum += i;
}

static void *worker(void *unused) {
  work(10);
  usleep(300000);
  work(10);
  pthread_barrier_wait(&both);
  pause();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  const char *way = argc > 1 ? argv[1] : "";
  pthread_barrier_init(&both, NULL, 2);
  if (pthread_create(&thread, NULL, worker, NULL) != 0)
    return 1;
  work(10);
  pthread_barrier_wait(&both);
  if (!strcmp(way, "_exit"))
    _exit(0);
  if (!strcmp(way, "kill"))
    kill(getpid(), SIGKILL);
  return 0;
}
