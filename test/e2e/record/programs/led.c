/* Calls of a function on some paths only: by recursion, in threads, in a forked child, and after it was called last.
 * Usage: led [ROUNDS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __clang__
#define FAR __attribute__((noinline)) static
#else
#define FAR __attribute__((noinline, noclone)) static
#endif

FAR unsigned target(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

FAR unsigned other(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 2;
}

/* Leads to the target where `depth` is even. */
FAR unsigned down(unsigned x, unsigned depth) {
  x = other(x);
  if (depth > 0)
    x = down(x, depth - 1) + 1;
  else if (x % 2)
    x = target(x);
  __asm__ volatile("" : "+r"(x));
  return x;
}

FAR unsigned around(unsigned x, unsigned round) {
  x = other(x);
  x += down(round, round % 4);
  __asm__ volatile("" : "+r"(x));
  return x;
}

static void *work(void *argument) {
  unsigned rounds = *(unsigned *)argument, x = 0;
  for (unsigned i = 0; i < rounds; i++)
    x += around(x, i);
  return (void *)(size_t)(x != 0);
}

FAR void *idle(void *argument) {
  unsigned x = 0;
  for (unsigned i = 0; i < *(unsigned *)argument; i++)
    x += other(x);
  return (void *)(size_t)(x != 0);
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, &rounds);
  pthread_create(&threads[1], NULL, idle, &rounds);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  work(&rounds);
  pid_t child = fork();
  if (child == 0) {
    work(&rounds);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  for (unsigned i = 0; i < 1000 * rounds; i++)
    rounds += other(i) == 0;
  puts("1");
  return 0;
}
