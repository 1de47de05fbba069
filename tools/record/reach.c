/*
 * tools/record/reach.c - see reach.h.
 */
#include "record/reach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "module.h"
#include "record/clock/ticks.h"
#include "record/inject/inject.h"
#include "record/process_stat.h"
#include "record/process_text.h"
#include "record/pump/left_behind.h"
#include "source/no_probes.h"
#include "standby.h"

#define TURN_NS 1000000
#define START_NS 2000000000u   /* it may just start */
#define LOADED_NS 20000000000u /* its thread was made, and has to run */
#define STARTED_NS 3000000000u
#define ANSWER_NS 10000000000u
#define LEAVE_NS 2000000000u
#define LEAVE_FORKED_NS 100000000u /* some turns of theirs */

enum { TEXT_BYTES = 4096, ENVIRONMENT_BYTES = 1 << 21 };

/* The tid of the thread that waits for recorders; 0: there is none. */
static pid_t find_thread(pid_t pid) {
  char path[64], name[64], text[64];
  pid_t found = 0;
  snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
  DIR *folder = opendir(path);
  if (folder == NULL)
    return 0;
  for (struct dirent *entry; found == 0 && (entry = readdir(folder)) != NULL;) {
    long tid = strtol(entry->d_name, NULL, 10);
    snprintf(name, sizeof name, "task/%ld/comm", tid);
    if (tid > 0 && prof_process_text(pid, name, text, sizeof text) > 0 && strcmp(text, PROF_STANDBY_THREAD "\n") == 0)
      found = (pid_t)tid;
  }
  closedir(folder);
  return found;
}

static void nap(void) {
  const struct timespec turn = {0, TURN_NS};
  nanosleep(&turn, NULL);
}

static bool wait_for_thread(struct prof_reach *reach, uint64_t most_ns) {
  for (uint64_t end_ns = prof_steady_ns() + most_ns;
       reach->tid == 0 && prof_steady_ns() < end_ns && kill(reach->pid, 0) == 0; nap())
    reach->tid = find_thread(reach->pid);
  return reach->tid != 0;
}

/* A variable of the process at its start; false: not set, empty, or cut. */
static bool find_variable(pid_t pid, const char *name, char *out, size_t out_bytes) {
  char *text = malloc(ENVIRONMENT_BYTES);
  size_t name_bytes = strlen(name), bytes = 0;
  *out = 0;
  if (text != NULL)
    bytes = prof_process_text(pid, "environ", text, ENVIRONMENT_BYTES);
  for (size_t at = 0; at < bytes && *out == 0; at += strlen(text + at) + 1)
    if (strncmp(text + at, name, name_bytes) == 0 && text[at + name_bytes] == '=' &&
        strlen(text + at + name_bytes + 1) < out_bytes)
      strcpy(out, text + at + name_bytes + 1);
  free(text);
  return *out != 0;
}

/* As its start-up text saw it: set, not empty, not "0". */
static bool is_prepared(pid_t pid) {
  char value[16];
  return find_variable(pid, PROF_ENV_STANDBY, value, sizeof value) && strcmp(value, "0") != 0;
}

/* Is it recorded from its start?  Then the region's file is a descriptor of its recorder, who hasn't closed it. */
static bool has_recorder(pid_t pid) {
  char path[64];
  struct prof_control control = {.magic = 0};
  struct prof_region region = {
      .fd = find_variable(pid, PROF_ENV_RING, path, sizeof path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1};
  if (region.fd < 0)
    return false;
  bool has = prof_left_behind_ask(&region, pid) == PROF_LEFT_THERE &&
             pread(region.fd, &control, sizeof control, 0) == sizeof control &&
             control.recorder_state == PROF_RECORDER_RUNNING;
  close(region.fd);
  return has;
}

/* Is a file of this name mapped? */
static bool has_file(pid_t pid, const char *name) {
  char path[64], *line = NULL;
  size_t size = 0;
  bool found = false;
  snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
  FILE *file = fopen(path, "re");
  while (file != NULL && !found && getline(&line, &size, file) > 0)
    found = strstr(line, name) != NULL;
  free(line);
  if (file != NULL)
    fclose(file);
  return found;
}

#define REFUSE(...) prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, __VA_ARGS__)

static const struct refusal {
  const char *what, *remedy;
} refusals[] = {
    [PROF_STANDBY_BUSY] = {"is recorded already", "stop that recording first (prof ctl shows it)"},
    [PROF_STANDBY_CLOCK] = {"was recorded with another clock before", "give --clock as for its first recording"},
    [PROF_STANDBY_MEMORY] = {"has no memory for a recording", "allow it more (ulimit -v)"},
};

static prof_status explain_end(pid_t pid, struct prof_diag *diag) {
  return REFUSE("give the number of one that runs", "process %ld has ended", (long)pid);
}

/* PROF_OK: nothing forbids to make one. */
static prof_status explain_no_thread(pid_t pid, struct prof_diag *diag) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
  enum prof_no_probes probes = prof_no_probes_find(path);
  struct prof_no_probes_text text = prof_no_probes_text(probes);
  if (has_recorder(pid))
    return REFUSE(refusals[PROF_STANDBY_BUSY].remedy, "process %ld is recorded already", (long)pid);
  if (probes != PROF_PROBES_THERE && probes != PROF_NO_PROBES_UNREADABLE)
    return REFUSE(text.remedy, "process %ld can't be recorded: its program %s", (long)pid, text.reason);
  if (is_prepared(pid))
    return REFUSE("compile it again with this prof's plugin", "process %ld doesn't know " PROF_ENV_STANDBY, (long)pid);
  return PROF_OK;
}

/* The process has no thread that waits for recorders. */
static prof_status prepare(struct prof_reach *reach, struct prof_diag *diag) {
  prof_status status = explain_no_thread(reach->pid, diag);
  if (status == PROF_OK)
    status = prof_inject(reach->pid, &reach->pause_ns, diag);
  /* One that was killed has loaded the runtime, whose thread has not come to run yet. */
  if (status == PROF_USAGE && has_file(reach->pid, "/" PROF_RUNTIME_FILE) && wait_for_thread(reach, STARTED_NS))
    return PROF_OK;
  if (status == PROF_OK && !wait_for_thread(reach, LOADED_NS))
    return explain_end(reach->pid, diag);
  return status;
}

static bool is_elsewhere(pid_t pid) {
  char path[64];
  struct stat its, own;
  snprintf(path, sizeof path, "/proc/%ld/ns/pid", (long)pid);
  return stat(path, &its) == 0 && stat("/proc/self/ns/pid", &own) == 0 && its.st_ino != own.st_ino;
}

prof_status prof_reach_find(pid_t pid, struct prof_reach *reach, struct prof_diag *diag) {
  char text[TEXT_BYTES];
  if (prof_process_text(pid, "status", text, sizeof text) == 0)
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, "give the number that ps shows",
                          "there is no process %ld", (long)pid);
  long group = strtol(prof_process_line(text, "\nTgid:"), NULL, 10);
  char *effective;
  unsigned long user = strtoul(prof_process_line(text, "\nUid:"), &effective, 10);
  char state = *prof_process_line(text, "\nState:");
  if (group != (long)pid)
    return REFUSE("give the process's number", "%ld is a thread of process %ld", (long)pid, group);
  if (geteuid() == 0) /* the program opens our region as the user that it is now */
    user = strtoul(effective, NULL, 10);
  if (user != geteuid())
    return REFUSE("run prof record as that user", "process %ld is another user's", (long)pid);
  if (state == 'Z' || state == 'X')
    return explain_end(pid, diag);
  if (state == 'T' || state == 't')
    return REFUSE(state == 'T' ? "let it continue (kill -CONT) and try again" : "let it continue and try again",
                  "process %ld is stopped%s", (long)pid, state == 'T' ? "" : " by a debugger");
  if (is_elsewhere(pid))
    return REFUSE("run prof record where the program runs", "process %ld is in another pid namespace (a container?)",
                  (long)pid);
  *reach = (struct prof_reach){.pid = pid, .tid = find_thread(pid)};
  if (reach->tid == 0 && is_prepared(pid))
    (void)wait_for_thread(reach, START_NS);
  return reach->tid != 0 ? PROF_OK : prepare(reach, diag);
}

static bool send(const struct prof_reach *reach, const struct prof_region *region) {
  siginfo_t info = {.si_signo = PROF_STANDBY_SIGNAL, .si_code = SI_QUEUE};
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = (void *)(uintptr_t)prof_standby_value((int32_t)getpid(), region->fd);
  return syscall(SYS_rt_tgsigqueueinfo, reach->pid, reach->tid, PROF_STANDBY_SIGNAL, &info) == 0;
}

static bool lives(const struct prof_reach *reach) {
  return syscall(SYS_tgkill, reach->pid, reach->tid, 0) == 0 || errno == EPERM;
}

prof_status prof_reach_join(const struct prof_reach *reach, const struct prof_region *region, struct prof_diag *diag) {
  uint32_t answer = PROF_STANDBY_NONE;
  if (!send(reach, region))
    return errno == ESRCH
               ? explain_end(reach->pid, diag)
               : prof_diag_system(diag, errno, NULL, "sending a signal to the program", "run prof record as its user");
  uint64_t end_ns = prof_steady_ns() + ANSWER_NS;
  while (answer == PROF_STANDBY_NONE && prof_steady_ns() < end_ns && lives(reach)) {
    nap();
    answer = __atomic_load_n(&region->control->answer, __ATOMIC_ACQUIRE);
  }
  if (answer == PROF_STANDBY_ATTACHED)
    return PROF_OK;
  if (answer < sizeof refusals / sizeof *refusals && refusals[answer].what != NULL)
    return REFUSE(refusals[answer].remedy, "process %ld %s", (long)reach->pid, refusals[answer].what);
  if (!lives(reach))
    return explain_end(reach->pid, diag);
  return prof_diag_fill(diag, PROF_IO, NULL, PROF_NO_OFFSET,
                        "try again; use the prof that its runtime comes from, and the same user",
                        "process %ld gave no answer", (long)reach->pid);
}

void prof_reach_leave(const struct prof_reach *reach, const struct prof_region *region) {
  struct prof_control *control = region->control;
  __atomic_store_n(&control->detach, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &control->detach, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
  uint64_t end_ns = prof_steady_ns() + LEAVE_NS;
  while (__atomic_load_n(&control->answer, __ATOMIC_SEQ_CST) != PROF_STANDBY_LEFT && prof_steady_ns() < end_ns &&
         lives(reach))
    nap();
  while (prof_left_behind_ask(region, reach->pid) == PROF_LEFT_THERE && prof_steady_ns() < end_ns)
    nap(); /* its last word comes before it gives the memory back */
  end_ns = prof_steady_ns() + LEAVE_FORKED_NS;
  while (__atomic_load_n(&control->attached, __ATOMIC_SEQ_CST) != 0 && prof_steady_ns() < end_ns)
    nap();
}

bool prof_reach_cpu(pid_t pid, uint64_t *user_ns, uint64_t *system_ns) {
  struct prof_process_stat stat;
  if (!prof_process_stat_of(pid, &stat))
    return false;
  *user_ns = stat.user_ns;
  *system_ns = stat.system_ns;
  return true;
}
