/*
 * tools/command/compiler.c - identifies the compiler that a command runs.
 */
#include "compiler.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"

extern char **environ;

/*
 * "Debian clang version 14.0.6", "gcc-12 (Debian 12.2.0-14) 12.2.0", "g++ (GCC) 13.1.1 20230614 (Red Hat ...)": Clang's
 * version follows `mark`, GCC's the parenthesis.
 */
bool prof_compiler_parse(struct prof_compiler *compiler, const char *line) {
  static const char mark[] = "clang version ";
  const char *number = strstr(line, mark);
  if (number) {
    compiler->family = "clang";
    number += sizeof mark - 1;
  } else {
    compiler->family = "gcc";
    const char *close = strstr(line, ") ");
    number = close ? close + 2 : NULL;
  }
  if (!number || !isdigit((unsigned char)*number))
    return false;
  compiler->major = (unsigned)strtoul(number, NULL, 10);
  return compiler->major > 0;
}

/* Reads the first line that the command prints; its exit status must be 0. */
static prof_status first_line(const char *command, char *line, size_t size, struct prof_diag *diag) {
  static const char remedy[] = "give a compiler's command, as in gcc-12, or its path";
  int ends[2];
  pid_t child;
  if (pipe2(ends, O_CLOEXEC))
    return prof_diag_system(diag, errno, command, "can't ask the compiler", NULL);
  char *arguments[] = {(char *)command, "--version", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  int error = posix_spawnp(&child, command, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *answer = error ? NULL : fdopen(ends[0], "r");
  line[0] = 0;
  if (!answer) {
    close(ends[0]);
    return prof_diag_system(diag, error ? error : errno, command, "can't run the compiler", remedy);
  }
  if (!fgets(line, (int)size, answer))
    line[0] = 0;
  while (getc(answer) != EOF)
    ;
  fclose(answer);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  line[strcspn(line, "\n")] = 0;
  if (status || !line[0])
    return prof_diag_fill(diag, PROF_NOT_FOUND, command, PROF_NO_OFFSET, remedy,
                          "the compiler doesn't answer --version");
  return PROF_OK;
}

prof_status prof_compiler_identify(struct prof_compiler *compiler, const char *command, struct prof_diag *diag) {
  char line[256];
  prof_status status = first_line(command, line, sizeof line, diag);
  if (status != PROF_OK || prof_compiler_parse(compiler, line))
    return status;
  return prof_diag_fill(diag, PROF_UNSUPPORTED, command, PROF_NO_OFFSET, "prof has plugins for GCC and Clang",
                        "this is no compiler that prof knows: \"%.100s\"", line);
}
