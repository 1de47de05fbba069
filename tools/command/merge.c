/*
 * tools/command/merge.c - `prof merge`: several recordings as one.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/text.h"
#include "base/vec.h"
#include "command.h"
#include "hint.h"
#include "trace/part/merge.h"
#include "view/units.h"

struct settings {
  const char *output;
  bool in_turn;
};

struct inputs {
  PROF_VEC(char *) paths; /* owned */
  PROF_VEC(prof_trace *) traces;
};

static bool add_path(struct inputs *inputs, const char *folder, const char *name) {
  char *path = NULL;
  if (asprintf(&path, "%s%s%s", folder, *name ? "/" : "", name) < 0 || !prof_vec_push(&inputs->paths, path)) {
    free(path);
    return false;
  }
  return true;
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* A folder with parts or snapshots stands for all of them. */
static prof_status add_folder(struct inputs *inputs, const char *folder, struct prof_diag *diag) {
  DIR *opened = opendir(folder);
  size_t before = inputs->paths.count;
  bool good = true;
  for (struct dirent *entry; opened && good && (entry = readdir(opened)) != NULL;) {
    char trace[sizeof entry->d_name + sizeof "/trace"];
    struct stat status;
    snprintf(trace, sizeof trace, "%s/trace", entry->d_name);
    if (prof_merge_is_part(entry->d_name) && fstatat(dirfd(opened), trace, &status, 0) == 0)
      good = add_path(inputs, folder, entry->d_name);
  }
  if (opened)
    closedir(opened);
  if (inputs->paths.count > before)
    qsort(inputs->paths.items + before, inputs->paths.count - before, sizeof *inputs->paths.items, by_name);
  else
    good = good && add_path(inputs, folder, "");
  return good ? PROF_OK : prof_diag_memory(diag);
}

static prof_status check_twice(const struct inputs *inputs, const char *path, struct prof_diag *diag) {
  struct stat own, other;
  bool known = stat(path, &own) == 0;
  for (size_t i = 0; i < inputs->traces.count && known; i++)
    if (stat(prof_trace_info(inputs->traces.items[i])->path, &other) == 0 && own.st_dev == other.st_dev &&
        own.st_ino == other.st_ino)
      return prof_diag_fill(diag, PROF_USAGE, path, PROF_NO_OFFSET, "leave one of them out",
                            "the same recording was given twice");
  return PROF_OK;
}

static prof_status open_all(struct inputs *inputs, int count, char **folders, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  for (int i = 0; i < count && status == PROF_OK; i++)
    status = add_folder(inputs, folders[i], diag);
  for (size_t i = 0; i < inputs->paths.count && status == PROF_OK; i++) {
    prof_trace *trace = NULL;
    status = prof_trace_open(inputs->paths.items[i], diag, &trace);
    if (status == PROF_OK)
      status = check_twice(inputs, prof_trace_info(trace)->path, diag);
    if (status == PROF_OK && !prof_vec_push(&inputs->traces, trace))
      status = prof_diag_memory(diag);
    if (status != PROF_OK)
      prof_trace_close(trace);
  }
  if (status == PROF_OK && inputs->traces.count < 2)
    status = prof_command_usage(diag, "as in: prof merge a.data b.data -o both.data", "one recording needs no merging");
  return status;
}

static void tell(const struct settings *settings, const struct inputs *inputs, const struct prof_merge_result *result) {
  char events[PROF_UNITS_BYTES], again[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], path[512], input[PROF_HINT_BYTES];
  prof_text_escape(path, sizeof path, settings->output, strlen(settings->output));
  fprintf(stderr, "prof: %zu recordings of %u run%s, %s events, %s in %s\n", inputs->traces.count, result->recordings,
          result->recordings == 1 ? "" : "s", prof_units_count(events, result->events),
          prof_units_bytes(bytes, result->bytes), path);
  if (result->again > 0)
    fprintf(stderr, "prof: %s events were in several of them, and are there once\n",
            prof_units_count(again, result->again));
  if (result->recordings > 1)
    fprintf(stderr, "prof: runs are placed %s\n",
            settings->in_turn ? "one after the other"
            : result->apart   ? "as the system's clock says"
                              : "as their common clock says");
  prof_hint_input(input, settings->output);
  fprintf(stderr, "prof: next: prof report%s\n", input);
}

static prof_status make_folder(const char *name, struct prof_diag *diag) {
  if (mkdir(name, 0700) == 0)
    return PROF_OK;
  if (errno == EEXIST)
    return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "choose another -o, or remove it",
                          "there is something of that name already");
  return prof_diag_system(diag, errno, name, "cannot make the folder for the recording",
                          "choose a folder that you may write to with -o");
}

static prof_status merge(const struct settings *settings, int count, char **folders, struct prof_diag *diag) {
  struct inputs inputs = {0};
  struct prof_merge_result result;
  prof_status status = open_all(&inputs, count, folders, diag);
  const struct prof_merge_choice choice = {inputs.traces.items, inputs.traces.count, settings->in_turn};
  if (status == PROF_OK)
    status = make_folder(settings->output, diag);
  if (status == PROF_OK) {
    status = prof_merge_write(&choice, settings->output, diag, &result);
    if (status == PROF_OK)
      tell(settings, &inputs, &result);
    else
      rmdir(settings->output);
  }
  for (size_t i = 0; i < inputs.traces.count; i++)
    prof_trace_close(inputs.traces.items[i]);
  for (size_t i = 0; i < inputs.paths.count; i++)
    free(inputs.paths.items[i]);
  prof_vec_fini(&inputs.traces);
  prof_vec_fini(&inputs.paths);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct prof_diag diag = {0};
  prof_status status = PROF_OK;
  if (settings->output == NULL)
    status = prof_command_usage(&diag, "name a folder for it, as in -o both.data", "where to write the recording?");
  else if (argc == 0)
    status = prof_command_usage(&diag, "as in: prof merge a.data b.data -o both.data", "which recordings?");
  else
    status = merge(settings, argc, argv, &diag);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"output", 'o', "DIR", "write the recording to this new folder", PROF_OPTION_TEXT, IN(output), .low = 1,
     .remedy = "name a folder for it, as in -o both.data"},
    {"in-turn", 0, NULL, "place runs one after the other, not when they were", PROF_OPTION_FLAG, IN(in_turn)},
    {0},
};

const struct prof_command prof_command_merge = {
    .name = "merge",
    .arguments = "DIR...",
    .summary = "Join parts of a recording, or several recordings, into one",
    .group = "Export",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
