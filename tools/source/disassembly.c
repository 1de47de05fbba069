/*
 * tools/source/disassembly.c - see disassembly.h.
 *
 * A line of objdump:    "  401136:<tab>mov    %edi,-0x4(%rbp)"
 */
#include "source/disassembly.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"

extern char **environ;

/* Starts objdump with its output in *out; 0, or an error number. */
static int start(const char *path, uint64_t low, uint64_t high, pid_t *child, FILE **out) {
  char begin[48], end[48];
  snprintf(begin, sizeof begin, "--start-address=0x%" PRIx64, low);
  snprintf(end, sizeof end, "--stop-address=0x%" PRIx64, high);
  const char *words[] = {"objdump", "-d", "--no-show-raw-insn", "-C", begin, end, "--", path, NULL};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = error ? NULL : fdopen(ends[0], "r");
  if (!*out)
    close(ends[0]);
  return error;
}

static bool take_line(char *line, uint64_t low, uint64_t high, struct prof_instructions *into) {
  char *end;
  uint64_t address = strtoull(line, &end, 16);
  if (end == line || strncmp(end, ":\t", 2) != 0 || address < low || address >= high)
    return true;
  size_t bytes = strcspn(end + 2, "\n");
  const char *text = prof_arena_copy(&into->arena, end + 2, bytes);
  struct prof_instruction instruction = {.address = address, .next = high, .text = text};
  if (into->list.count > 0 && into->list.items[into->list.count - 1].next == high)
    into->list.items[into->list.count - 1].next = address;
  return text && prof_vec_push(&into->list, instruction);
}

prof_status prof_disassemble(const char *path, uint64_t low, uint64_t high, struct prof_diag *diag,
                             struct prof_instructions *into) {
  pid_t child;
  FILE *out;
  int error = start(path, low, high, &child, &out);
  if (error)
    return prof_diag_system(diag, error, NULL, "objdump can't be started",
                            "--asm needs it: apt-get install binutils, or leave --asm out");
  char *line = NULL;
  size_t room = 0, before = into->list.count;
  bool kept = out != NULL;
  while (kept && getline(&line, &room, out) >= 0)
    kept = take_line(line, low, high, into);
  free(line);
  if (out)
    fclose(out);
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    ;
  if (!kept)
    return prof_diag_memory(diag);
  if (into->list.count == before)
    return prof_diag_fill(diag, PROF_IO, path, PROF_NO_OFFSET, "leave --asm out",
                          "objdump shows no instructions from 0x%" PRIx64 " to 0x%" PRIx64, low, high);
  return PROF_OK;
}

void prof_instructions_fini(struct prof_instructions *instructions) {
  prof_vec_fini(&instructions->list);
  prof_arena_fini(&instructions->arena);
}
