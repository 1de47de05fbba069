/*
 * tools/record/pump/left_behind.c - see left_behind.h.
 */
#include "record/pump/left_behind.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "record/clock/ticks.h"
#include "record/process_stat.h"

enum prof_left_behind prof_left_behind_ask(const struct prof_region *region, pid_t pid) {
  char path[64], *line = NULL;
  size_t size = 0;
  struct stat own;
  enum prof_left_behind answer = PROF_LEFT_NOT;
  if (fstat(region->fd, &own) != 0)
    return PROF_LEFT_UNKNOWN;
  snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return errno == ENOENT || errno == ESRCH ? PROF_LEFT_NOT : PROF_LEFT_UNKNOWN;
  while (answer == PROF_LEFT_NOT && getline(&line, &size, file) > 0) {
    unsigned device_major, device_minor;
    unsigned long long inode;
    if (sscanf(line, "%*s %*s %*s %x:%x %llu", &device_major, &device_minor, &inode) == 3 && inode == own.st_ino &&
        device_major == major(own.st_dev) && device_minor == minor(own.st_dev))
      answer = PROF_LEFT_THERE;
  }
  if (answer == PROF_LEFT_NOT && ferror(file))
    answer = errno == ESRCH ? PROF_LEFT_NOT : PROF_LEFT_UNKNOWN;
  free(line);
  fclose(file);
  return answer;
}

void prof_left_behind_each(const struct prof_region *region, void (*found)(void *context, pid_t), void *context) {
  DIR *folder = opendir("/proc");
  if (folder == NULL)
    return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    long pid = strspn(entry->d_name, "0123456789") == strlen(entry->d_name) ? strtol(entry->d_name, NULL, 10) : 0;
    if (pid > 0 && pid != (long)getpid() && prof_left_behind_ask(region, (pid_t)pid) == PROF_LEFT_THERE)
      found(context, (pid_t)pid);
  }
  closedir(folder);
}

/* When a process began.  false: it isn't known. */
static bool began_ns(pid_t pid, uint64_t *out) {
  struct prof_process_stat stat;
  struct timespec now;
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0 || !prof_process_stat_of(pid, &stat))
    return false;
  uint64_t boot_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, steady_ns = prof_steady_ns();
  uint64_t age_ns = boot_ns - stat.begin_ns;
  *out = age_ns < steady_ns ? steady_ns - age_ns : 0;
  return true;
}

struct unknown {
  const struct prof_processes *processes;
  uint64_t first_ns, last_ns;
  bool any;
};

static void see(void *context, pid_t pid) {
  struct unknown *unknown = context;
  uint64_t ns;
  if (prof_processes_of_pid(unknown->processes, pid) != 0)
    return;
  unknown->any = true;
  if (!began_ns(pid, &ns)) {
    unknown->first_ns = 0;
    unknown->last_ns = UINT64_MAX;
    return;
  }
  unknown->first_ns = ns < unknown->first_ns ? ns : unknown->first_ns;
  unknown->last_ns = ns > unknown->last_ns ? ns : unknown->last_ns;
}

bool prof_left_behind_unknown(const struct prof_region *region, const struct prof_processes *processes,
                              uint64_t *first_ns, uint64_t *last_ns) {
  struct unknown unknown = {processes, UINT64_MAX, 0, false};
  prof_left_behind_each(region, see, &unknown);
  *first_ns = unknown.first_ns;
  *last_ns = unknown.last_ns;
  return unknown.any;
}
