/* Processes in turn, each with a MiB that it doesn't give back: five forked ones, then two more programs by exec. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void keep(void) {
  char *volatile block = malloc(1 << 20);
  memset(block, 1, 1 << 20);
}

int main(int count, char **arguments) {
  int left = count > 1 ? atoi(arguments[1]) : 3;
  for (int i = 0; count == 1 && i < 5; i++) {
    pid_t child = fork();
    if (child == 0) {
      keep();
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  keep();
  char next[12];
  snprintf(next, sizeof next, "%d", left - 1);
  if (left > 1)
    execl(arguments[0], arguments[0], next, (char *)NULL);
  return left != 1;
}
