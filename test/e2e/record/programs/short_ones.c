/* short_ones COUNT MICROSECONDS: so many children in turn, each of which uses so much CPU time. */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sum;

static long used(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

__attribute__((noinline)) static void work(long microseconds) {
  for (long end = used() + microseconds; used() < end;)
    for (int i = 0; i < 1000; i++)
      sum++;
}

int main(int argc, char **argv) {
  for (int i = 0; i < (argc > 2 ? atoi(argv[1]) : 0); i++) {
    pid_t child = fork();
    if (child == 0) {
      work(atol(argv[2]));
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  return 0;
}
