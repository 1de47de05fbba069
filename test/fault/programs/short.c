/* A short program for recordings of every kind: calls, a loop, a thread, waits; `short forks`: a child besides;
   `short dense`: more probe than program; `short until FILE`: until FILE is there, but soon with few calls, so
   that the recording stays short however long that takes. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((noinline))

static volatile unsigned sink;

OWN static void leaf(unsigned number) {
  sink += number;
}

OWN static void work(unsigned count) {
  for (unsigned i = 0; i < count; i++)
    leaf(i);
}

OWN static void *run(void *unused) {
  for (unsigned i = 0; i < 20; i++) {
    work(300);
    usleep(1000);
  }
  return unused;
}

OWN static void dense(void) {
  struct timespec now, begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    work(10000);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 150);
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  pthread_t thread;
  int rounds = 20;
  if (!strcmp(word, "dense"))
    dense();
  if (!strcmp(word, "forks") && fork() == 0) {
    work(200);
    return 0;
  }
  do {
    if (pthread_create(&thread, NULL, run, NULL) == 0) {
      run(NULL);
      pthread_join(thread, NULL);
    }
  } while (!strcmp(word, "until") && access(argv[2], F_OK) != 0 && --rounds > 0);
  while (!strcmp(word, "until") && access(argv[2], F_OK) != 0) {
    work(1);
    usleep(20000);
  }
  while (wait(NULL) > 0)
    ;
  return 0;
}
