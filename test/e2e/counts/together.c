/* Threads and a child count into the same counters; then the program kills itself.  "counted: N" is what a line counts.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 1000, CHILD_ROUNDS = 500 };

static volatile int sink;

static void work(int rounds) {
  for (int i = 0; i < rounds; i++)
    sink = i; /* counted: 4500 */
}

static void *run(void *nothing) {
  work(ROUNDS); /* counted: 4 */
  return nothing;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run, NULL); /* counted: 4 */
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pid_t child = fork(); /* counted: 1 */
  if (child == 0) {
    work(CHILD_ROUNDS); /* counted: 1 */
    _exit(0);
  }
  waitpid(child, NULL, 0);
  raise(SIGKILL);
  return 0;
}
