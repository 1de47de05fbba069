/* uses.c - touches 32 MiB, works and waits for half a second, or TURNS times 50 ms, forks. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile memory;

__attribute__((noinline)) static void touch(size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4096)
    memory[i]++;
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 10;
  memory = calloc(32, 1 << 20);
  for (int i = 0; i < turns; i++) {
    touch((size_t)32 << 20);
    usleep(50000);
  }
  pid_t child = fork();
  if (child == 0) {
    touch(4096);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
