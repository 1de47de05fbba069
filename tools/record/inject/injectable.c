/*
 * tools/record/inject/injectable.c - see injectable.h.
 */
#include "record/inject/injectable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "module.h"
#include "record/process_text.h"

enum { TEXT_BYTES = 8192 };

#define BY_START "start it with " PROF_ENV_STANDBY "=1"
#define REFUSE(remedy, ...) prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, remedy, __VA_ARGS__)

static prof_status explain_tracer(pid_t pid, long tracer, struct prof_diag *diag) {
  char name[64];
  size_t bytes = prof_process_text((pid_t)tracer, "comm", name, sizeof name);
  name[bytes > 0 ? bytes - 1 : 0] = 0;
  return REFUSE("let that go first, or " BY_START, "process %ld is traced by %s (process %ld)", (long)pid,
                *name != 0 ? name : "another program", tracer);
}

/* Filters that it has beyond ours may kill it for what the loader asks of the kernel. */
static bool is_filtered(const char *its, const char *own) {
  long mode = strtol(prof_process_line(its, "\nSeccomp:"), NULL, 10);
  long count = strtol(prof_process_line(its, "\nSeccomp_filters:"), NULL, 10);
  long own_mode = strtol(prof_process_line(own, "\nSeccomp:"), NULL, 10);
  long own_count = strtol(prof_process_line(own, "\nSeccomp_filters:"), NULL, 10);
  return mode != 0 && (mode != own_mode || count != own_count);
}

prof_status prof_injectable_check(pid_t pid, struct prof_diag *diag) {
  char its[TEXT_BYTES], own[TEXT_BYTES];
  if (prof_process_text(pid, "status", its, sizeof its) == 0)
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, NULL, "process %ld has ended", (long)pid);
  (void)prof_process_text(getpid(), "status", own, sizeof own);
  long tracer = strtol(prof_process_line(its, "\nTracerPid:"), NULL, 10);
  if (tracer != 0)
    return explain_tracer(pid, tracer, diag);
  if (is_filtered(its, own))
    return REFUSE(BY_START, "process %ld has a seccomp filter, which may forbid to load the runtime", (long)pid);
  if (strstr(prof_process_line(its, "\nx86_Thread_features:"), "shstk") != NULL)
    return REFUSE(BY_START, "process %ld has a shadow stack, which forbids to load the runtime", (long)pid);
  return PROF_OK;
}

/* Is it the same file in the process's view of the file system? */
static bool sees(pid_t pid, const char *runtime) {
  char path[PATH_MAX + 32];
  struct stat its, own;
  snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, runtime);
  return stat(path, &its) == 0 && stat(runtime, &own) == 0 && its.st_dev == own.st_dev && its.st_ino == own.st_ino;
}

prof_status prof_injectable_check_files(const struct prof_target *target, const char *runtime, struct prof_diag *diag) {
  if (!target->has_program)
    return REFUSE("start it again from its new file", "process %ld: its program's file can't be read, or was replaced",
                  (long)target->pid);
  if (target->call == 0)
    return REFUSE("compile it again with this prof's plugin, or " BY_START,
                  "process %ld was compiled by an older plugin", (long)target->pid);
  if (!target->has_libc || target->dlopen == 0 || target->dlsym == 0 || target->dlerror == 0 ||
      target->errno_location == 0)
    return REFUSE(BY_START, "process %ld has no dlopen of glibc to load the runtime", (long)target->pid);
  if (!sees(target->pid, runtime))
    return prof_diag_fill(diag, PROF_USAGE, runtime, PROF_NO_OFFSET,
                          "install prof where the program runs, or " BY_START,
                          "process %ld doesn't see the runtime's file (a container, chroot?)", (long)target->pid);
  return PROF_OK;
}

/* 0: none; -1: the system has no such setting. */
static int yama_scope(void) {
  FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
  int scope = -1;
  if (file != NULL && fscanf(file, "%d", &scope) != 1)
    scope = -1;
  if (file != NULL)
    fclose(file);
  return scope;
}

prof_status prof_injectable_explain_refusal(pid_t pid, int error, struct prof_diag *diag) {
  char text[TEXT_BYTES];
  int scope = yama_scope();
  if (prof_process_text(pid, "status", text, sizeof text) == 0 || *prof_process_line(text, "\nState:") == 'Z')
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, NULL, "process %ld has ended", (long)pid);
  long tracer = strtol(prof_process_line(text, "\nTracerPid:"), NULL, 10);
  if (tracer != 0)
    return explain_tracer(pid, tracer, diag);
  if (error == EPERM && scope == 3)
    return REFUSE(BY_START, "this system allows no ptrace (kernel.yama.ptrace_scope is 3)");
  if (error == EPERM && scope > 0 && geteuid() != 0)
    return REFUSE("set kernel.yama.ptrace_scope to 0, or " BY_START,
                  "this system forbids ptrace of process %ld (kernel.yama.ptrace_scope is %d)", (long)pid, scope);
  if (error == EPERM)
    return REFUSE(BY_START, "the system forbids ptrace of process %ld (a container, or it has changed its user)",
                  (long)pid);
  return prof_diag_system(diag, error, NULL, "stopping a thread of the program", BY_START);
}
