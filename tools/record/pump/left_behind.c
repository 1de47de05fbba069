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
#include <unistd.h>

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
