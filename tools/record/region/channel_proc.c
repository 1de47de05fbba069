/*
 * tools/record/region/channel_proc.c - see channel_proc.h.
 */
#include "record/region/channel_proc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *task_open(const struct prof_channel *channel, const char *file) {
  char path[80];
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)channel->pid, (long)channel->tid, file);
  return fopen(path, "re");
}

bool prof_channel_comm(const struct prof_channel *channel, char *name, size_t name_bytes) {
  FILE *file = task_open(channel, "comm");
  bool found = file != NULL && fgets(name, (int)name_bytes, file) != NULL;
  if (file != NULL)
    fclose(file);
  if (found)
    name[strcspn(name, "\n")] = 0;
  return found && name[0] != 0;
}

static bool is_title(const char *argument) {
  const char *name_end = strstr(argument, ": ");
  return name_end != NULL && name_end != argument;
}

void prof_channel_look_title(struct prof_channel *channel, const char *executable) {
  char title[sizeof channel->title] = "";
  FILE *file = channel->pid == channel->tid ? task_open(channel, "cmdline") : NULL;
  size_t length = file != NULL ? fread(title, 1, sizeof title - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  title[length] = 0;
  for (length = strlen(title); length > 0 && title[length - 1] == ' ';)
    title[--length] = 0;
  if (is_title(title) && prof_channel_runs(channel, executable))
    memcpy(channel->title, title, sizeof title);
}

/* The first number of schedstat is the time on a processor, in ns. */
bool prof_channel_cpu_read(const struct prof_channel *channel, uint64_t *ns) {
  FILE *file = task_open(channel, "schedstat");
  bool found = file != NULL && fscanf(file, "%" SCNu64, ns) == 1;
  if (file != NULL)
    fclose(file);
  return found;
}

/* The file that its process executes; "": it has ended. */
static void find_executable(const struct prof_channel *channel, char *now, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/exe", (long)channel->pid);
  ssize_t bytes = readlink(path, now, size - 1);
  now[bytes > 0 ? bytes : 0] = 0;
}

bool prof_channel_runs(const struct prof_channel *channel, const char *executable) {
  char now[4096];
  find_executable(channel, now, sizeof now);
  return strcmp(now, executable) == 0;
}

bool prof_channel_runs_other(const struct prof_channel *channel, const char *executable) {
  char now[4096];
  find_executable(channel, now, sizeof now);
  return now[0] != 0 && strcmp(now, executable) != 0;
}
