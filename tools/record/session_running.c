/*
 * tools/record/session_running.c - recordings of programs that we didn't start: those whose runtime asked for us
 * (wire/module.h), and those that we join (record/reach.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "module.h"
#include "record/reach.h"
#include "record/session.h"
#include "record/session_state.h"
#include "record/settings.h"
#include "record/signals.h"

enum { COMMAND_BYTES = 65536, COMMAND_WORDS = 1024 };
#define STATUS_UNKNOWN (-1)
#define SERVE_TURN_NS 50000000

/* Writes the command line of a running program, which waits for our answer meanwhile. */
static void write_settings_of(struct prof_session *session, pid_t program) {
  char path[40], line[COMMAND_BYTES + 1], *arguments[COMMAND_WORDS];
  snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)program);
  int fd = open(path, O_RDONLY | O_CLOEXEC), count = 0;
  ssize_t bytes = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
  if (fd >= 0)
    close(fd);
  line[bytes > 0 ? bytes : 0] = 0;
  for (char *at = line; at < line + bytes && count < COMMAND_WORDS; at += strlen(at) + 1)
    arguments[count++] = at;
  prof_settings_write(session->writer, arguments, count, session->options->words, session->options->word_count,
                      session->options->budget, &session->rank);
}

static void answer_and_close(int fd, const char *word, const char *text) {
  char line[512];
  int bytes = snprintf(line, sizeof line, "%s%.400s\n", word, text);
  if (write(fd, line, (size_t)bytes) != bytes)
    errno = 0; /* the program is gone; the pump will notice */
  close(fd);
}

/* Waits until all processes are gone, or a signal ends the recording. */
static void wait_for_end(struct prof_pump *pump, pid_t program, uint64_t stop) {
  const struct timespec turn = {0, SERVE_TURN_NS};
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  sigaddset(&ends, SIGUSR2);
  while (!prof_pump_has_ended(pump)) {
    if (stop != 0 && prof_steady_ns() >= stop) {
      kill(program, SIGTERM);
      stop = 0;
    }
    int number = sigtimedwait(&ends, NULL, &turn);
    if (number == SIGUSR2) {
      prof_pump_snapshot(pump);
    } else if (number > 0) {
      prof_pump_interrupt(pump);
      return;
    }
  }
}

prof_status prof_session_serve(const struct prof_session_options *options, int answer, pid_t program,
                               struct prof_diag *diag) {
  static struct prof_session session;
  struct prof_session_result result = {0};
  struct prof_signals signals;
  char ring[PROF_REGION_PATH_BYTES], text[600];
  result.wait_status = STATUS_UNKNOWN;
  prof_signals_take(&signals);
  session.region.fd = -1;
  prof_status status = prof_region_check_proc(diag);
  if (status == PROF_OK)
    status = prof_session_begin(&session, options, NULL, 0, diag);
  if (status == PROF_OK) {
    write_settings_of(&session, program);
    prof_session_begin_sampling(&session, program, false);
    status = prof_session_start_pump(&session, 0, true, diag);
    if (status != PROF_OK)
      prof_session_undo(&session);
  }
  if (status != PROF_OK) {
    snprintf(text, sizeof text, "%.120s%s%.120s; %.150s", diag->file, *diag->file != 0 ? ": " : "", diag->what,
             diag->remedy);
    answer_and_close(answer, PROF_SERVE_ERROR, text);
    return status;
  }
  prof_region_path(&session.region, ring);
  uint64_t start_ns = prof_steady_ns();
  prof_region_set_bounds(&session.region, &options->bounds);
  answer_and_close(answer, PROF_SERVE_RING, ring);
  prof_asked_begin(&session.asked, &session.pump, session.folder.path, program);
  wait_for_end(&session.pump, program, prof_session_stop_ns(&session));
  prof_pump_saw_end(&session.pump);
  result.wall_ns = prof_steady_ns() - start_ns;
  prof_asked_end(&session.asked);
  prof_pump_finish(&session.pump);
  prof_session_end(&session, &result);
  if (result.written != PROF_OK && diag != NULL)
    *diag = result.write_diag;
  return result.written;
}

/* Signals that end a recording of a program that isn't ours; SIGINT unless we were started without it (&). */
static sigset_t ends_take(const struct prof_signals *signals) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  sigaddset(&ends, SIGUSR2);
  if (signals->interrupt.sa_handler != SIG_IGN)
    sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, NULL);
  if (signals->interrupt.sa_handler != SIG_IGN)
    signal(SIGINT, SIG_DFL);
  return ends;
}

struct usage { /* CPU time of a process that isn't our child: looked at sometimes, as it may end */
  pid_t pid;
  uint64_t user_begin_ns, system_begin_ns, user_ns, system_ns;
};

static void usage_look(struct usage *usage) {
  (void)prof_reach_cpu(usage->pid, &usage->user_ns, &usage->system_ns);
}

static void usage_begin(struct usage *usage) {
  usage_look(usage);
  usage->user_begin_ns = usage->user_ns;
  usage->system_begin_ns = usage->system_ns;
}

enum stayed { STAYED_ENDED, STAYED_OVER, STAYED_SIGNAL };

/* Until the end of all processes, the time, or a signal.  usage: NULL: the pump doesn't run yet. */
static enum stayed stay(struct prof_session *session, struct usage *usage, const sigset_t *ends, uint64_t until_ns) {
  const struct timespec turn = {0, SERVE_TURN_NS};
  for (uint64_t now_ns; (now_ns = prof_steady_ns()) < until_ns;) {
    const struct timespec rest = {0, (long)(until_ns - now_ns)};
    int number = sigtimedwait(ends, NULL, until_ns - now_ns < SERVE_TURN_NS ? &rest : &turn);
    if (usage != NULL)
      usage_look(usage);
    if (usage != NULL && prof_pump_has_ended(&session->pump))
      return STAYED_ENDED;
    if (number == SIGUSR2 && usage != NULL)
      prof_pump_snapshot(&session->pump);
    else if (number > 0)
      return STAYED_SIGNAL;
  }
  return usage != NULL && prof_pump_has_ended(&session->pump) ? STAYED_ENDED : STAYED_OVER;
}

/* The region is the program's until it has left. */
static void record_joined(struct prof_session *session, const struct prof_reach *reach, const sigset_t *ends,
                          uint64_t length_ns, struct prof_session_result *result) {
  struct usage usage = {.pid = reach->pid};
  uint64_t start_ns = prof_steady_ns();
  usage_begin(&usage);
  result->written = prof_session_start_pump(session, reach->pid, true, &result->write_diag);
  bool pumping = result->written == PROF_OK;
  if (pumping) {
    prof_asked_begin(&session->asked, &session->pump, session->folder.path, reach->pid);
    enum stayed stayed = stay(session, &usage, ends, length_ns > 0 ? start_ns + length_ns : UINT64_MAX);
    if (stayed == STAYED_SIGNAL)
      prof_pump_interrupt(&session->pump);
    result->left = stayed == STAYED_OVER;
  }
  if (pumping)
    prof_pump_saw_end(&session->pump);
  usage_look(&usage);
  result->user_ns = usage.user_ns - usage.user_begin_ns;
  result->system_ns = usage.system_ns - usage.system_begin_ns;
  prof_reach_leave(reach, &session->region);
  result->wall_ns = prof_steady_ns() - start_ns;
  prof_asked_end(&session->asked);
  if (pumping)
    prof_pump_finish(&session->pump);
}

static void say_prepared(const struct prof_session *session, const struct prof_reach *reach) {
  char text[160];
  snprintf(text, sizeof text, "the runtime was loaded into process %ld; one thread stopped for %.1f ms",
           (long)reach->pid, (double)reach->pause_ns / 1e6);
  if (reach->pause_ns > 0 && session->options->say != NULL)
    session->options->say(text);
}

/* --delay; the program may end or change meanwhile. */
static prof_status wait_before(struct prof_session *session, struct prof_reach *reach, const sigset_t *ends,
                               uint64_t delay_ns, struct prof_diag *diag) {
  if (stay(session, NULL, ends, prof_steady_ns() + delay_ns) == STAYED_OVER)
    return prof_reach_find(reach->pid, reach, diag);
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, NULL, "ended during --delay: nothing was recorded");
}

prof_status prof_session_join(const struct prof_session_options *options, pid_t pid, struct prof_diag *diag,
                              struct prof_session_result *result) {
  static struct prof_session session;
  struct prof_signals signals;
  struct prof_reach reach;
  struct prof_session_options whole = *options; /* the program doesn't know of bounds */
  whole.bounds = (struct prof_region_bounds){0};
  *result = (struct prof_session_result){0};
  prof_status status = prof_reach_find(pid, &reach, diag);
  if (status != PROF_OK)
    return status;
  prof_signals_take(&signals);
  sigset_t ends = ends_take(&signals);
  status = prof_session_begin(&session, &whole, NULL, 0, diag);
  if (status != PROF_OK)
    return status;
  session.joined = true;
  say_prepared(&session, &reach);
  if (options->bounds.delay_ns > 0)
    status = wait_before(&session, &reach, &ends, options->bounds.delay_ns, diag);
  if (status == PROF_OK) {
    write_settings_of(&session, pid);
    prof_session_begin_sampling(&session, pid, false);
    status = prof_reach_join(&reach, &session.region, diag);
  }
  if (status != PROF_OK) {
    prof_session_undo(&session);
    return status;
  }
  record_joined(&session, &reach, &ends, options->bounds.duration_ns, result);
  prof_session_end(&session, result);
  return PROF_OK;
}
