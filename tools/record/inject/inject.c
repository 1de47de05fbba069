/*
 * tools/record/inject/inject.c - see inject.h.
 *
 * A thread of ours is the tracer: the kernel lets all threads go when it ends.
 */
#include "record/inject/inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "late.h"
#include "record/clock/ticks.h"
#include "record/inject/injectable.h"
#include "record/inject/late_call.h"
#include "record/inject/safe_place.h"
#include "record/launch.h"
#include "record/process_text.h"

#define TRY_NS 5000000000u
#define TRY_ROUNDS 100   /* at least: we may stand still ourselves for so long */
#define ROUND_NS 3000000 /* between two looks at the threads */
#define SKIPPED_MAX 64

struct injection {
  pid_t pid;
  char runtime[PATH_MAX];
  struct prof_target target;
  struct prof_tracee tracee;
  struct {
    pid_t tid;
    bool late;            /* it is asked to stop */
  } skipped[SKIPPED_MAX]; /* threads that didn't stop */
  unsigned skipped_count;
  const char *where; /* why the last thread could not be used */
  uint64_t pause_ns;
  prof_status status;
  struct prof_diag *diag;
};

#define REFUSE(remedy, ...) prof_diag_fill(injection->diag, PROF_USAGE, NULL, PROF_NO_OFFSET, remedy, __VA_ARGS__)

/* A call that returns less, or an error, when it is interrupted. */
static bool is_delicate(long call, unsigned long third, unsigned long fourth) {
  static const uint16_t calls[] = {SYS_connect,  SYS_write,    SYS_writev, SYS_sendto, SYS_sendmsg,
                                   SYS_sendmmsg, SYS_sendfile, SYS_splice, SYS_tee,    SYS_vmsplice};
  enum { WAIT_FOR_ALL = 0x100 }; /* MSG_WAITALL */
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (call == calls[i])
      return true;
  return (call == SYS_recvfrom && (fourth & WAIT_FOR_ALL)) || (call == SYS_recvmsg && (third & WAIT_FOR_ALL));
}

static bool may_stop(const struct injection *injection, pid_t tid) {
  char name[64], text[256];
  long call = -1;
  unsigned long first, second, third = 0, fourth = 0;
  snprintf(name, sizeof name, "task/%ld/syscall", (long)tid);
  if (prof_process_text(injection->pid, name, text, sizeof text) == 0 ||
      sscanf(text, "%ld %lx %lx %lx %lx", &call, &first, &second, &third, &fourth) < 1)
    return true;
  return !is_delicate(call, third, fourth);
}

static prof_status explain_answer(struct injection *injection, const struct prof_late_call *call) {
  if (*call->error != 0)
    return prof_diag_fill(injection->diag, PROF_IO, NULL, PROF_NO_OFFSET, "start it with PROF_STANDBY=1",
                          "process %ld can't load the runtime: %.150s", (long)injection->pid, call->error);
  if (call->answer == PROF_LATE_REFUSED || call->answer == PROF_LATE_NONE)
    return prof_diag_fill(injection->diag, PROF_IO, NULL, PROF_NO_OFFSET, "allow it more (ulimit -v, -u)",
                          "process %ld gets no memory or thread for the runtime", (long)injection->pid);
  if (call->answer == PROF_LATE_BUSY)
    return REFUSE("stop that recording first (prof ctl shows it)", "process %ld is recorded already",
                  (long)injection->pid);
  return REFUSE("start it again with PROF_STANDBY=1", "process %ld has a runtime already, which doesn't record",
                (long)injection->pid);
}

/* The thread is at a safe place.  false: look for another one. */
static bool use(struct injection *injection) {
  struct prof_late_call call;
  switch (prof_late_call(&injection->target, &injection->tracee, injection->runtime, &call)) {
  case PROF_LATE_CALL_NO_ROOM:
    injection->where = "at the end of its stack";
    return false;
  case PROF_LATE_CALL_DONE:
    injection->pause_ns = call.pause_ns;
    injection->status = call.answer == PROF_LATE_STANDS ? PROF_OK : explain_answer(injection, &call);
    return true;
  case PROF_LATE_CALL_LOCKED:
    injection->status = REFUSE("try again, or start it with PROF_STANDBY=1",
                               "process %ld is loading a library, and doesn't end that", (long)injection->pid);
    return true;
  case PROF_LATE_CALL_LONG:
    injection->status = REFUSE("try again later", "process %ld still loads the runtime", (long)injection->pid);
    return true;
  case PROF_LATE_CALL_CRASHED:
    injection->status = prof_diag_fill(injection->diag, PROF_IO, NULL, PROF_NO_OFFSET, "start it with PROF_STANDBY=1",
                                       "process %ld can't load the runtime: the loader crashed", (long)injection->pid);
    return true;
  case PROF_LATE_CALL_GONE:
    injection->status = prof_diag_fill(injection->diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, NULL,
                                       "process %ld has ended", (long)injection->pid);
    return true;
  }
  return false;
}

/* What was seen of a thread that stopped says more. */
static void skip(struct injection *injection, pid_t tid, bool late) {
  injection->where = injection->where != NULL ? injection->where : "in a call of the kernel";
  unsigned at = 0;
  while (at < injection->skipped_count && injection->skipped[at].tid != tid)
    at++;
  if (at == SKIPPED_MAX)
    return;
  injection->skipped[at].tid = tid;
  injection->skipped[at].late = late;
  injection->skipped_count += at == injection->skipped_count;
}

/* A thread that was asked to stop before is looked at once more; one that others stopped isn't. */
static enum prof_tracee_status hold(struct injection *injection, pid_t tid) {
  for (unsigned i = 0; i < injection->skipped_count; i++)
    if (injection->skipped[i].tid == tid && injection->skipped[i].late) {
      enum prof_tracee_status status = prof_tracee_hold_late(&injection->tracee, tid);
      if (status != PROF_TRACEE_LATE)
        injection->skipped[i] = injection->skipped[--injection->skipped_count];
      return status;
    } else if (injection->skipped[i].tid == tid) {
      return PROF_TRACEE_BUSY;
    }
  return may_stop(injection, tid) ? prof_tracee_hold(&injection->tracee, tid) : PROF_TRACEE_GONE;
}

/* false: look for another one. */
static bool try_thread(struct injection *injection, pid_t tid) {
  enum prof_tracee_status status = hold(injection, tid);
  switch (status) {
  case PROF_TRACEE_HELD:
    break;
  case PROF_TRACEE_REFUSED:
    injection->status = prof_injectable_explain_refusal(injection->pid, errno, injection->diag);
    return true;
  case PROF_TRACEE_BUSY:
  case PROF_TRACEE_LATE:
    skip(injection, tid, status == PROF_TRACEE_LATE);
    return false;
  case PROF_TRACEE_GONE:
    return false;
  }
  const char *where = prof_safe_place_judge(&injection->target, &injection->tracee);
  if (where == NULL)
    return use(injection);
  injection->where = where;
  prof_tracee_release(&injection->tracee);
  return false;
}

/* One look at each thread.  false: none was used, and there may be another moment. */
static bool try_all(struct injection *injection) {
  char path[64];
  bool done = false;
  snprintf(path, sizeof path, "/proc/%ld/task", (long)injection->pid);
  DIR *folder = opendir(path);
  if (folder == NULL) {
    injection->status = prof_diag_fill(injection->diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, NULL,
                                       "process %ld has ended", (long)injection->pid);
    return true;
  }
  for (struct dirent *entry; !done && (entry = readdir(folder)) != NULL;) {
    long tid = strtol(entry->d_name, NULL, 10);
    if (tid > 0)
      done = try_thread(injection, (pid_t)tid);
  }
  closedir(folder);
  return done;
}

/* While a thread of the program waits for us, nobody shall be in our way: root may ask for that. */
static void hurry(void) {
  const struct sched_param first = {.sched_priority = 1};
  (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
}

static void *trace(void *argument) {
  struct injection *injection = argument;
  hurry();
  const struct timespec turn = {0, ROUND_NS};
  uint64_t end_ns = prof_steady_ns() + TRY_NS;
  bool done = false;
  for (int round = 0; !done && (round < TRY_ROUNDS || prof_steady_ns() < end_ns); round++) {
    done = try_all(injection);
    if (!done)
      nanosleep(&turn, NULL);
  }
  if (!done)
    injection->status = REFUSE("start it with PROF_STANDBY=1, or try again",
                               "process %ld: no thread came to a safe place (the last was %s)", (long)injection->pid,
                               injection->where != NULL ? injection->where : "gone");
  return NULL;
}

static prof_status trace_apart(struct injection *injection) {
  char path[64];
  pthread_t thread;
  snprintf(path, sizeof path, "/proc/%ld/mem", (long)injection->pid);
  injection->tracee = (struct prof_tracee){.pid = injection->pid, .memory = open(path, O_RDWR | O_CLOEXEC)};
  if (injection->tracee.memory < 0)
    return prof_injectable_explain_refusal(injection->pid, errno == EACCES ? EPERM : errno, injection->diag);
  int error = pthread_create(&thread, NULL, trace, injection);
  if (error == 0)
    pthread_join(thread, NULL);
  close(injection->tracee.memory);
  return error == 0 ? injection->status : prof_diag_system(injection->diag, error, NULL, "starting a thread", NULL);
}

/* Of a program that starts just now the files are read until the C library is there.  False: they can't be. */
static bool read_target(struct injection *injection) {
  const struct timespec turn = {0, ROUND_NS};
  const uint64_t end_ns = prof_steady_ns() + TRY_NS;
  bool read = prof_target_read(&injection->target, injection->pid);
  for (int round = 0;
       read && prof_target_may_start(&injection->target) && (round < TRY_ROUNDS || prof_steady_ns() < end_ns);
       round++) {
    nanosleep(&turn, NULL);
    prof_target_fini(&injection->target);
    read = prof_target_read(&injection->target, injection->pid);
  }
  return read;
}

prof_status prof_inject(pid_t pid, uint64_t *pause_ns, struct prof_diag *diag) {
  static struct injection injection; /* large */
  injection = (struct injection){.pid = pid, .diag = diag};
  prof_status status = prof_injectable_check(pid, diag);
  if (status == PROF_OK)
    status = prof_launch_find_runtime(injection.runtime, diag);
  if (status != PROF_OK)
    return status;
  status = read_target(&injection) ? prof_injectable_check_files(&injection.target, injection.runtime, diag)
                                   : prof_injectable_explain_refusal(pid, EPERM, diag);
  if (status == PROF_OK)
    status = trace_apart(&injection);
  prof_target_fini(&injection.target);
  *pause_ns = injection.pause_ns;
  return status;
}
