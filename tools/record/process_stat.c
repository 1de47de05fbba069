/*
 * tools/record/process_stat.c - see process_stat.h.
 */
#include "record/process_stat.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool prof_process_stat_parse(const char *text, struct prof_process_stat *out) {
  const char *behind_name = strrchr(text, ')'); /* no later field has one */
  struct prof_process_stat stat;
  if (behind_name == NULL || sscanf(behind_name + 1,
                                    " %c %*d %*d %*d %*d %*d %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %" SCNu64
                                    " %" SCNu64 " %" SCNu64 " %*d %*d %*d %*d %" SCNu64,
                                    &stat.state, &stat.minor_faults, &stat.major_faults, &stat.user_ns, &stat.system_ns,
                                    &stat.child_user_ns, &stat.child_system_ns, &stat.begin_ns) != 8)
    return false;
  const long steps_per_second = sysconf(_SC_CLK_TCK);
  const uint64_t step_ns = 1000000000u / (steps_per_second > 0 ? (uint64_t)steps_per_second : 100);
  stat.user_ns *= step_ns;
  stat.system_ns *= step_ns;
  stat.child_user_ns *= step_ns;
  stat.child_system_ns *= step_ns;
  stat.begin_ns *= step_ns;
  *out = stat;
  return true;
}

bool prof_process_stat_read(const char *path, struct prof_process_stat *out) {
  char text[1024]; /* 52 numbers and a name of 63 bytes at most; what is used stands in front */
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t bytes = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
  if (fd >= 0)
    close(fd);
  text[bytes > 0 ? bytes : 0] = 0;
  return prof_process_stat_parse(text, out);
}

bool prof_process_stat_of(pid_t pid, struct prof_process_stat *out) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  return prof_process_stat_read(path, out);
}
