/*
 * tools/command/page/old.c - see old.h.
 */
#include "command/page/old.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/command.h"
#include "command/decide/groups.h"

#define SAME 0.05 /* as `prof diff` takes without options */
#define MIN_SHARE 0.01

/* The same questions of the other recording; numbers of processes and threads are those of one recording. */
static prof_status open_old(struct prof_page_old *old, const char *word, const struct prof_common *common,
                            struct prof_diag *diag) {
  prof_status status = prof_groups_first(word, diag, &old->path);
  if (status != PROF_OK)
    return status;
  if (prof_baseline_is(old->path))
    return prof_command_usage(diag, "give a recording first: --against=old.1 --against=old.baseline",
                              "%s is a baseline: it has no call paths", old->path);
  old->common = *common;
  old->common.input = old->path;
  old->common.tids.count = old->common.pids.count = 0;
  status = prof_reader_open(&old->reader, &old->common, diag);
  if (status != PROF_OK && !diag->file[0]) /* which of the two it is about */
    prof_text_escape(diag->file, sizeof diag->file, old->path, strlen(old->path));
  return status;
}

prof_status prof_page_old_check(const struct prof_page_against *against, const struct prof_common *common,
                                struct prof_diag *diag) {
  struct prof_page_old old = {.tree = NULL};
  prof_status status = open_old(&old, against->old.items[0], common, diag);
  old.reader.warned = true; /* when it is read */
  prof_page_old_close(&old);
  return status;
}

/* Functions as `prof report` has them. */
static prof_status rank(struct prof_page_old *old, struct prof_diag *diag) {
  const struct prof_recording *recording = &old->reader.recording;
  struct prof_profile *figures = NULL;
  struct prof_samples *samples = NULL;
  old->common.loops_apart = true;
  prof_status status = prof_reader_fold_samples(&old->reader, false, &figures, &samples, diag);
  old->common.loops_apart = false;
  if (status == PROF_OK)
    status = prof_functions_rank(figures, samples, recording->names, PROF_BY_FUNCTION, recording->time, PROF_SORT_SELF,
                                 diag, &old->functions);
  prof_samples_free(samples);
  if (old->common.loops && status == PROF_OK)
    old->tree = figures;
  else
    prof_profile_free(figures);
  return status;
}

static prof_status judge(struct prof_page_old *old, const struct prof_page_against *against,
                         const struct prof_common *common, struct prof_diag *diag) {
  static const struct prof_run_wanted wanted = {.loops = false};
  const struct prof_diff_options options = {.same = SAME, .min_share = MIN_SHARE};
  char **now = malloc((against->more.count + 1) * sizeof *now), **before = (char **)(uintptr_t)against->old.items;
  if (!now)
    return prof_diag_memory(diag);
  now[0] = (char *)(uintptr_t)common->input;
  for (size_t i = 0; i < against->more.count; i++)
    now[i + 1] = (char *)(uintptr_t)against->more.items[i];
  prof_status status = prof_groups_read(before, against->old.count, &wanted, "old", diag, &old->groups[PROF_OLD]);
  if (status == PROF_OK)
    status = prof_groups_read(now, against->more.count + 1, &wanted, "new", diag, &old->groups[PROF_NEW]);
  if (status == PROF_OK)
    status = prof_diff_make(old->groups, &options, diag, &old->diff);
  free(now);
  if (status == PROF_OK)
    old->shown.diff = &old->diff;
  return status;
}

prof_status prof_page_old_read(struct prof_page_old *old, const struct prof_page_against *against,
                               const struct prof_common *common, const struct prof_recording *recording,
                               struct prof_diag *diag) {
  prof_status status = open_old(old, against->old.items[0], common, diag);
  if (status == PROF_OK)
    status = rank(old, diag);
  if (status == PROF_OK && !old->tree)
    status = prof_reader_fold(&old->reader, &old->tree, diag);
  if (status == PROF_OK && !recording->filter.active)
    status = judge(old, against, common, diag);
  old->shown.recording = &old->reader.recording;
  old->shown.functions = &old->functions;
  old->shown.tree = old->tree;
  for (int side = 0; side < 2; side++)
    old->shown.runs[side] = old->groups[side].count;
  return status;
}

void prof_page_old_forget(struct prof_page_old *old) {
  prof_diff_fini(&old->diff);
  for (int side = 0; side < 2; side++)
    prof_run_group_fini(&old->groups[side]);
  prof_profile_free(old->tree);
  prof_functions_free(&old->functions);
  old->tree = NULL;
  old->functions = (struct prof_function_rows){NULL, 0};
}

void prof_page_old_close(struct prof_page_old *old) {
  prof_page_old_forget(old);
  prof_reader_close(&old->reader);
  free(old->path);
}
