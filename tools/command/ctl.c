/*
 * tools/command/ctl.c - `prof ctl`: asks a recording in progress for a snapshot, or how far it is.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command.h"
#include "record/control/control_client.h"

static const char *const words[] = {"status", "snapshot", NULL};

static bool is_word(const char *text) {
  size_t i = 0;
  while (words[i] != NULL && strcmp(words[i], text) != 0)
    i++;
  return words[i] != NULL;
}

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

/* The one recording that is meant. */
static prof_status choose(const struct prof_control_list *list, const char *wanted, struct prof_diag *diag,
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

static prof_status ask(const char *wanted, const char *word, struct prof_diag *diag) {
  struct prof_control_list list = {0};
  const struct prof_control_found *found = NULL;
  char answer[PROF_CONTROL_LINE_BYTES], safe[PROF_CONTROL_LINE_BYTES];
  prof_status status = prof_control_find(&list, diag);
  if (status == PROF_OK)
    status = choose(&list, wanted, diag, &found);
  if (status == PROF_OK) {
    status = prof_control_ask(found, word, diag, answer);
    prof_text_escape(safe, sizeof safe, answer, strlen(answer));
    if (status == PROF_OK)
      printf("%s\n", safe);
    else if (status == PROF_USAGE)
      status = prof_command_usage(diag, "record with --mode=ring or --split", "%.200s", safe);
  }
  prof_vec_fini(&list.items);
  return status;
}

/* Without arguments: all of them. */
static prof_status show_all(struct prof_diag *diag) {
  struct prof_control_list list = {0};
  prof_status status = prof_control_find(&list, diag);
  size_t shown = 0;
  for (size_t i = 0; i < list.items.count && status == PROF_OK; i++) {
    char answer[PROF_CONTROL_LINE_BYTES], safe[PROF_CONTROL_LINE_BYTES];
    if (prof_control_ask(&list.items.items[i], "status", NULL, answer) != PROF_OK)
      continue; /* another user's, or it ended meanwhile */
    prof_text_escape(safe, sizeof safe, answer, strlen(answer));
    printf("%s\n", safe);
    shown++;
  }
  if (status == PROF_OK && shown == 0)
    fprintf(stderr, "prof: none of your programs is being recorded\n");
  prof_vec_fini(&list.items);
  return status;
}

static int run(void *settings, int argc, char **argv) {
  struct prof_diag diag = {0};
  prof_status status;
  (void)settings;
  if (argc == 0)
    status = show_all(&diag);
  else if (argc > 2)
    status = prof_command_usage(&diag, "as in: prof ctl 312 snapshot", "prof ctl takes a program and a word");
  else if (argc == 2 && !is_word(argv[1]))
    status = prof_command_usage(&diag, "give one of: status snapshot", "prof ctl %.40s: unknown word '%.40s'", argv[0],
                                argv[1]);
  else
    status = ask(argv[0], argc == 2 ? argv[1] : "status", &diag);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}

static const struct prof_option options[] = {{0}};

const struct prof_command prof_command_ctl = {
    .name = "ctl",
    .arguments = "[PID|NAME [status|snapshot]]",
    .summary = "Ask a recording in progress for a snapshot, or how far it is",
    .group = "Record",
    .options = options,
    .run = run,
};
