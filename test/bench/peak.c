/*
 * peak.c FILE COMMAND ARGS... - runs a command and writes the largest resident size of it, in KiB, to FILE.
 *
 * The kernel's figure outlives exec: a child of a large process (a Python, say) begins with that one's size.  This
 * program is small.  Exit status: the command's, 127 when it could not be run.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 127;
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child)
    return 127;
  FILE *out = fopen(argv[1], "w");
  if (!out)
    return 127;
  fprintf(out, "%ld\n", usage.ru_maxrss);
  if (fclose(out) != 0)
    return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
