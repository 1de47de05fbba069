/*
 * tools/command/top/follow.c - see follow.h.
 */
#include "follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text.h"
#include "command/command.h"
#include "command/recorder_choose.h"
#include "proftrace.h"
#include "record/pump/orders.h"

uint64_t prof_follow_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A program's file may have the name of a process: only a folder or a path is a recording in any case. */
static bool is_recording(const char *text) {
  struct stat status;
  return strchr(text, '/') != NULL || (stat(text, &status) == 0 && S_ISDIR(status.st_mode));
}

static bool is_same_file(const char *left, const char *right) {
  struct stat a, b;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The folder, or one of its parts. */
static bool is_in(const char *path, const char *folder) {
  char above[PATH_MAX + 4];
  snprintf(above, sizeof above, "%s/..", path);
  return is_same_file(path, folder) || is_same_file(above, folder);
}

static prof_status ask_path(const struct prof_control_found *found, struct prof_diag *diag, char path[PATH_MAX]) {
  char answer[PROF_CONTROL_LINE_BYTES];
  prof_status status = prof_control_ask(found, "where", diag, answer);
  if (status == PROF_OK && strlen(answer) >= PATH_MAX)
    return prof_command_usage(diag, "move the recording", "the path of the recording is too long");
  if (status == PROF_OK)
    strcpy(path, answer);
  return status;
}

static bool ask_where(const struct prof_control_found *found, char path[PATH_MAX]) {
  return ask_path(found, NULL, path) == PROF_OK;
}

/* The recorder that writes into the folder, if it answers. */
static void find_by_folder(struct prof_follow *follow, const struct prof_control_list *list) {
  char path[PATH_MAX];
  for (size_t i = 0; i < list->items.count && follow->recorder.recorder == 0; i++)
    if (ask_where(&list->items.items[i], path) && is_in(follow->path, path))
      follow->recorder = list->items.items[i];
}

/* One that has ended has no recorder that could answer. */
static bool has_ended(const char *path) {
  prof_trace *trace;
  if (prof_trace_open(path, NULL, &trace) != PROF_OK)
    return false;
  bool ended = !prof_trace_info(trace)->in_progress;
  prof_trace_close(trace);
  return ended;
}

/* By its folder; without one that is in progress, the only recording that is. */
static void find_any(struct prof_follow *follow, const struct prof_control_list *list, bool may_be_other) {
  if (!may_be_other && has_ended(follow->path))
    return;
  find_by_folder(follow, list);
  if (follow->recorder.recorder != 0 || !may_be_other || list->items.count != 1)
    return;
  follow->by_process = ask_where(&list->items.items[0], follow->path);
  if (follow->by_process)
    follow->recorder = list->items.items[0];
}

static prof_status find_named(struct prof_follow *follow, const struct prof_control_list *list, const char *wanted,
                              struct prof_diag *diag) {
  const struct prof_control_found *found = NULL;
  prof_status status = prof_recorder_choose(list, wanted, diag, &found);
  if (status != PROF_OK)
    return status;
  follow->recorder = *found;
  return ask_path(found, diag, follow->path);
}

prof_status prof_follow_begin(struct prof_follow *follow, const char *wanted, const char *input, bool has_input,
                              struct prof_diag *diag) {
  struct prof_control_list list = {0};
  *follow = (struct prof_follow){.overhead = -1, .by_process = wanted != NULL && !is_recording(wanted)};
  const char *folder = wanted != NULL && !follow->by_process ? wanted : input;
  if (wanted != NULL && has_input)
    return prof_command_usage(diag, "give one of them", "-i and %.60s: which recording?", wanted);
  snprintf(follow->path, sizeof follow->path, "%s", folder);
  prof_status status = prof_control_find(&list, diag);
  if (status == PROF_OK && follow->by_process)
    status = find_named(follow, &list, wanted, diag);
  else if (status == PROF_OK)
    find_any(follow, &list, !has_input && wanted == NULL);
  else if (!follow->by_process) /* it can still be read */
    status = PROF_OK;
  prof_vec_fini(&list.items);
  return status;
}

static void take_answer(struct prof_follow *follow, const char *answer) {
  uint64_t ticks;
  double added_ns, cpu_ns, budget;
  if (sscanf(answer, PROF_FLUSHED_SCAN, &ticks, &added_ns, &cpu_ns, &budget) != 4)
    return;
  double added = added_ns - follow->added_ns, own = cpu_ns - follow->cpu_ns - added;
  if (budget > 0 && own > 0)
    follow->overhead = added > 0 ? added / own : 0;
  follow->ticks = ticks;
  follow->budget = budget;
  follow->added_ns = added_ns;
  follow->cpu_ns = cpu_ns;
}

static prof_status ask(struct prof_follow *follow, const char *word, char answer[PROF_CONTROL_LINE_BYTES]) {
  uint64_t now_ns = prof_follow_now_ns();
  prof_status status = prof_control_ask(&follow->recorder, word, NULL, answer);
  if (status == PROF_OK) {
    follow->asked_ns = now_ns;
    take_answer(follow, answer);
  }
  return status;
}

/* Of a recording that is kept in memory: the recorder writes its last seconds to a folder. */
static prof_status look(struct prof_follow *follow, struct prof_diag *diag) {
  char answer[PROF_CONTROL_LINE_BYTES], text[200];
  prof_status status = prof_control_ask(&follow->recorder, "look", NULL, answer);
  char *path = answer;
  uint64_t end_ticks = status == PROF_OK ? strtoull(answer, &path, 10) : 0;
  path += *path == ' ';
  if (status == PROF_OK && strlen(path) < sizeof follow->look) {
    strcpy(follow->look, path);
    (void)ask(follow, "figures", answer);
    follow->look_ticks = follow->ticks;
    follow->ticks = end_ticks;
    return PROF_OK;
  }
  follow->look[0] = 0;
  if (status != PROF_USAGE ||
      strncmp(answer, PROF_LOOK_FAILED, strlen(PROF_LOOK_FAILED)) != 0) { /* it ends, or has ended */
    follow->recorder.recorder = 0;
    return PROF_OK;
  }
  size_t length = strcspn(answer, "\t");
  prof_text_escape(text, sizeof text, answer, length);
  return prof_command_usage(diag, answer[length] ? answer + length + 1 : "", "%s", text);
}

prof_status prof_follow_next(struct prof_follow *follow, struct prof_diag *diag) {
  char answer[PROF_CONTROL_LINE_BYTES];
  follow->ticks = follow->look_ticks = follow->asked_ns = 0;
  if (follow->recorder.recorder == 0) {
    follow->look[0] = 0;
    return PROF_OK;
  }
  if (follow->by_process) /* it is renamed once */
    (void)ask_where(&follow->recorder, follow->path);
  prof_status status = ask(follow, "flush", answer);
  if (status == PROF_USAGE && strncmp(answer, PROF_FLUSH_RING, strlen(PROF_FLUSH_RING)) == 0)
    return look(follow, diag);
  follow->look[0] = 0;
  if (status != PROF_OK) /* it ends, or has ended */
    follow->recorder.recorder = 0;
  return PROF_OK;
}
