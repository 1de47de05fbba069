/*
 * titles.c TEXT SECONDS - two children that write over their arguments what they do, as servers do for ps, and live so
 * long.  TEXT makes room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 1000 };

__attribute__((noinline)) static unsigned work(unsigned x) {
  __asm__("" : "+r"(x));
  return x + 1;
}

static int child(char *arguments, size_t bytes, int number, unsigned seconds) {
  unsigned sum = 0;
  memset(arguments, 0, bytes);
  snprintf(arguments, bytes, "server: worker \"%d\" ", number);
  for (int i = 0; i < CALLS; i++)
    sum = work(sum);
  sleep(seconds);
  return sum != CALLS;
}

int main(int argc, char **argv) {
  size_t bytes = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[0]);
  unsigned seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
  int all = 0, status;
  work(0);
  for (int i = 1; i <= 2; i++) {
    pid_t made = fork();
    if (made == 0)
      _exit(child(argv[0], bytes, i, seconds));
    all |= made < 0;
  }
  while (wait(&status) > 0)
    all |= status != 0;
  return all;
}
