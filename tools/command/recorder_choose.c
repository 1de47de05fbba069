/*
 * tools/command/recorder_choose.c - see recorder_choose.h.
 */
#include "recorder_choose.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command.h"

/* The number of a process; 0: it is none. */
static long pid_of(const char *text) {
  char *end;
  errno = 0;
  long pid = strtol(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == 0 && errno == 0 && pid > 0 ? pid : 0;
}

static bool fits(const struct prof_control_found *found, const char *wanted) {
  long pid = pid_of(wanted);
  return pid != 0 ? found->program == pid || found->recorder == pid
                  : found->name[0] != 0 && strncmp(found->name, wanted, sizeof found->name - 1) == 0;
}

/* "312 server, 415 worker" */
static void list_all(const struct prof_control_list *list, char *out, size_t out_bytes) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < list->items.count && used < out_bytes; i++) {
    char name[64];
    prof_text_escape(name, sizeof name, list->items.items[i].name, strlen(list->items.items[i].name));
    used += (size_t)snprintf(out + used, out_bytes - used, "%s%ld %s", i > 0 ? ", " : "",
                             (long)list->items.items[i].program, name);
  }
}

prof_status prof_recorder_choose(const struct prof_control_list *list, const char *wanted, struct prof_diag *diag,
                                 const struct prof_control_found **out) {
  char all[200], remedy[256];
  size_t count = 0;
  for (size_t i = 0; i < list->items.count; i++)
    if (fits(&list->items.items[i], wanted)) {
      *out = &list->items.items[i];
      count++;
    }
  list_all(list, all, sizeof all);
  snprintf(remedy, sizeof remedy, "%s%s", all[0] != 0 ? "being recorded: " : "start it with: prof record", all);
  if (count == 1)
    return PROF_OK;
  if (count > 1)
    return prof_command_usage(diag, remedy, "several programs of the name %.40s are being recorded", wanted);
  long pid = pid_of(wanted);
  bool lives = pid != 0 && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);
  return prof_command_usage(diag, remedy, "%s %.40s %s", pid != 0 ? "process" : "no program called", wanted,
                            pid == 0 ? "is being recorded"
                            : lives  ? "is not being recorded"
                                     : "does not exist");
}
