/*
 * helper.c - starts a recorder for a program that was started without one (PROF_RECORD set, PROF_RING not).
 *
 * The handshake is in wire/module.h.  The program must not notice the helper.  So two raw clones without exit signal
 * start it: no fork handler runs, no SIGCHLD comes, and wait() never finds it.  This file waits for the process in
 * between.  Runs once, in the start-up text, before main.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "append.h"
#include "helper.h"
#include "injection.h"
#include "module.h"
#include "say.h"
#include "state.h"
#include "system.h"

#define PATHS 16
#define WORDS 64
#define TEXT_BYTES 4096
#define REPLY_BYTES 512
#define FIRST_FD 10 /* of the handshake in the helper: above the standard ones */

extern char **environ;

struct start { /* data of the helper's side, made before the clone */
  char paths[PATHS][TEXT_BYTES];
  int path_count;
  char options[TEXT_BYTES];
  char serve[48];
  int program; /* its pid */
  char *argv[WORDS + 4];
  char **environment;
};

static void path_add(struct start *start, const char *folder, size_t folder_bytes, const char *name) {
  size_t name_bytes = strlen(name) + 1;
  if (start->path_count == PATHS || folder_bytes + name_bytes > TEXT_BYTES)
    return;
  char *path = start->paths[start->path_count];
  memcpy(path, folder, folder_bytes);
  memcpy(path + folder_bytes, name, name_bytes);
  if (access(path, X_OK) == 0)
    start->path_count++;
}

/* $PROF_HELPER; or where an install and a build tree have it; or the PATH. */
static void paths_find(struct start *start) {
  const char *chosen = secure_getenv(PROF_ENV_HELPER), *search = secure_getenv("PATH");
  Dl_info own;
  if (chosen && *chosen) {
    path_add(start, "", 0, chosen);
    return;
  }
  const char *slash = dladdr((void *)(uintptr_t)prof_helper_start, &own) ? strrchr(own.dli_fname, '/') : NULL;
  if (slash) {
    static const char *const beside[] = {"/prof", "/../bin/prof", "/../../bin/prof", "/../tools/prof"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
      path_add(start, own.dli_fname, (size_t)(slash - own.dli_fname), beside[i]);
  }
  while (search && *search) {
    const char *end = strchrnul(search, ':');
    if (end > search)
      path_add(start, search, (size_t)(end - search), "/prof");
    search = *end ? end + 1 : end;
  }
}

static void words_split(struct start *start) {
  const char *options = secure_getenv(PROF_ENV_OPTIONS);
  int count = 0;
  static char name[] = "prof", verb[] = "record";
  start->argv[count++] = name;
  start->argv[count++] = verb;
  start->argv[count++] = start->serve;
  if (options && strlen(options) < sizeof start->options) {
    char *rest;
    memcpy(start->options, options, strlen(options) + 1);
    char *word = strtok_r(start->options, " \t\n", &rest);
    for (; word && count < WORDS + 3; word = strtok_r(NULL, " \t\n", &rest))
      start->argv[count++] = word;
  }
  start->argv[count] = NULL;
}

static bool is_variable(const char *entry, const char *name) {
  size_t bytes = strlen(name);
  return strncmp(entry, name, bytes) == 0 && entry[bytes] == '=';
}

/* The program's environment without the variables that make a process record.  NULL: no memory. */
static char **environment_copy(void) {
  size_t count = 0, kept = 0;
  while (environ && environ[count])
    count++;
  char **copy = prof_memory_map((count + 1) * sizeof *copy);
  for (size_t i = 0; copy && i < count; i++)
    if (!is_variable(environ[i], PROF_ENV_RECORD) && !is_variable(environ[i], PROF_ENV_RING))
      copy[kept++] = environ[i];
  return copy;
}

static long plain_fork(void) {
  return prof_syscall(SYS_clone, 0, 0, 0, 0, 0, 0);
}

static _Noreturn void plain_exit(void) {
  for (;;)
    prof_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

static void descriptors_close(unsigned from, unsigned to) {
  if (from <= to && prof_syscall(SYS_close_range, from, to, 0, 0, 0, 0) < 0)
    for (unsigned fd = from; fd <= to && fd < 65536; fd++)
      close((int)fd);
}

/* In the helper's process: becomes `prof record`, or reports on the handshake why not. */
static _Noreturn void helper_run(struct start *start, int reply) {
  static const char failed[] = PROF_SERVE_ERROR "`prof` could not be started as a helper; check PROF_HELPER\n";
  uint64_t none = 0;
  setsid();
  int fd = fcntl(reply, F_DUPFD, FIRST_FD), null = open("/dev/null", O_RDWR);
  if (fd >= 0 && null >= 0) {
    dup2(null, 0);
    dup2(null, 1);
    if (fcntl(2, F_GETFD) < 0)
      dup2(null, 2);
    descriptors_close(3, (unsigned)fd - 1);
    descriptors_close((unsigned)fd + 1, ~0u);
    char *at = prof_append_number(start->serve + strlen(start->serve), (unsigned)fd);
    prof_append_number(prof_append(at, ","), (unsigned)start->program);
    prof_signals_restore(none);
    for (int i = 0; i < start->path_count; i++)
      execve(start->paths[i], start->argv, start->environment);
    (void)!write(fd, failed, sizeof failed - 1);
  }
  plain_exit();
}

/* One line, without its newline.  false: none came in time. */
static bool reply_read(int fd, char *reply) {
  size_t count = 0;
  int64_t end = prof_monotonic_ns() + PROF_SERVE_TIMEOUT_MS * 1000000ll;
  while (count < REPLY_BYTES - 1) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int64_t left_ms = (end - prof_monotonic_ns()) / 1000000;
    int ready = left_ms > 0 ? poll(&wait, 1, (int)left_ms) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      break;
    ssize_t got = read(fd, reply + count, REPLY_BYTES - 1 - count);
    if (got <= 0)
      break;
    count += (size_t)got;
    reply[count] = 0;
    char *newline = strchr(reply, '\n');
    if (newline) {
      *newline = 0;
      return true;
    }
  }
  return false;
}

/* true: the helper runs; its reply comes through *fd. */
static bool helper_detach(struct start *start, int *fd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  uint64_t mask = prof_signals_block();
  long between = plain_fork();
  if (between == 0) {
    if (plain_fork() == 0)
      helper_run(start, ends[1]);
    plain_exit();
  }
  if (between > 0)
    while (prof_syscall(SYS_wait4, between, 0, __WALL, 0, 0, 0) == -EINTR)
      ;
  prof_signals_restore(mask);
  close(ends[1]);
  *fd = ends[0];
  if (between < 0)
    close(ends[0]);
  return between > 0;
}

const char *prof_helper_start(void) {
  static char reply[REPLY_BYTES];
  struct start *start = prof_memory_map(sizeof *start);
  char **environment = environment_copy();
  int fd;
  if (!start || !environment) {
    prof_say("no memory to start a recorder; nothing is recorded", NULL);
    return NULL;
  }
  paths_find(start);
  memcpy(start->serve, PROF_SERVE_OPTION, sizeof PROF_SERVE_OPTION);
  start->program = (int)getpid();
  words_split(start);
  start->environment = environment;
  const char *path = NULL;
  if (start->path_count == 0) {
    prof_say("nothing is recorded: no `prof` found; set PROF_HELPER to its path, or run `prof record`", NULL);
  } else if (!helper_detach(start, &fd)) {
    prof_say("no recorder could be started, nothing is recorded; run the program with `prof record`", strerror(errno));
  } else {
    bool answered = reply_read(fd, reply);
    close(fd);
    if (answered && strncmp(reply, PROF_SERVE_RING, strlen(PROF_SERVE_RING)) == 0)
      path = reply + strlen(PROF_SERVE_RING);
    else if (answered && strncmp(reply, PROF_SERVE_ERROR, strlen(PROF_SERVE_ERROR)) == 0)
      prof_say("nothing is recorded", reply + strlen(PROF_SERVE_ERROR));
    else
      prof_say("the recorder gave no answer, nothing is recorded; run the program with `prof record`", NULL);
  }
  prof_syscall(SYS_munmap, (long)start, sizeof *start, 0, 0, 0, 0);
  if (path && setenv(PROF_ENV_RING, path, 1) != 0)
    path = NULL;
  if (path)
    prof_injection_set(secure_getenv(PROF_ENV_OPTIONS));
  return path;
}
