/*
 * tools/command/overhead/timed_run.c - see timed_run.h.
 */
#include "timed_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "record/launch.h"

#define GRACE_NS 2000000000u /* between SIGTERM and SIGKILL */

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t ns_of(const struct timeval *time) {
  return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000;
}

/* false: errno is set. */
static bool redirect(const struct prof_timed_streams *streams) {
  int input = open(streams->input ? streams->input : "/dev/null", O_RDONLY | O_CLOEXEC);
  int output = streams->shown ? STDERR_FILENO : open("/dev/null", O_WRONLY | O_CLOEXEC);
  return input >= 0 && output >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
         dup2(output, STDERR_FILENO) >= 0;
}

static void run_child(const char *executable, char *const *argv, const struct prof_timed_streams *streams, int report) {
  if (redirect(streams)) {
    if (executable)
      execv(executable, argv);
    else
      execvp(argv[0], argv);
  }
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

/* Waits until it ends, at most so long (0: any time); true: it has to be ended. */
static bool outlasts(pid_t pid, uint64_t limit_ns) {
  const int descriptor = limit_ns ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
  const uint64_t end_ns = now_ns() + limit_ns;
  bool ended = descriptor < 0; /* an older kernel: no limit */
  for (uint64_t now = now_ns(); !ended && now < end_ns; now = now_ns()) {
    struct pollfd child = {.fd = descriptor, .events = POLLIN};
    const uint64_t left_ms = (end_ns - now) / 1000000 + 1;
    ended = poll(&child, 1, left_ms > INT_MAX ? INT_MAX : (int)left_ms) > 0;
  }
  if (descriptor >= 0)
    close(descriptor);
  return !ended;
}

/* Waits for the program; ends it at its limit, with time to clean up. */
static void await(pid_t pid, uint64_t limit_ns, struct prof_timed_run *run, struct rusage *usage) {
  run->timed_out = outlasts(pid, limit_ns);
  if (run->timed_out) {
    kill(pid, SIGTERM);
    if (outlasts(pid, GRACE_NS))
      kill(pid, SIGKILL);
  }
  while (wait4(pid, &run->wait_status, 0, usage) < 0 && errno == EINTR)
    ;
}

prof_status prof_timed_run(const char *executable, char *const *argv, const struct prof_timed_streams *streams,
                           struct prof_timed_run *run, struct prof_diag *diag) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL}, interrupt, quit, child;
  struct rusage usage = {0};
  int pipe_fds[2], error = 0;
  if (streams->input && access(streams->input, R_OK))
    return prof_diag_system(diag, errno, streams->input, "can't be read", "give --stdin a file");
  if (pipe2(pipe_fds, O_CLOEXEC))
    return prof_diag_system(diag, errno, NULL, "can't make a pipe", "close other programs");
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  sigaction(SIGCHLD, &normal, &child); /* it may be ignored */
  uint64_t begin_ns = now_ns();
  pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    sigaction(SIGCHLD, &child, NULL);
    run_child(executable, argv, streams, pipe_fds[1]);
  }
  int forked = errno;
  close(pipe_fds[1]);
  bool failed = pid > 0 && read(pipe_fds[0], &error, sizeof error) == sizeof error;
  close(pipe_fds[0]);
  if (pid > 0)
    await(pid, failed ? 0 : streams->limit_ns, run, &usage);
  run->wall_ns = now_ns() - begin_ns;
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  sigaction(SIGCHLD, &child, NULL);
  if (pid < 0)
    return prof_diag_system(diag, forked, NULL, "can't start a process", "close other programs");
  if (failed)
    return prof_launch_explain(argv[0], error, diag);
  run->cpu_ns = ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
  return PROF_OK;
}
