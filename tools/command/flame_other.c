/*
 * tools/command/flame_other.c - the profile that `prof flame --against` compares with: a recording, or a foreign file.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/compare/known_functions.h"
#include "base/diag.h"
#include "base/text.h"
#include "flame_change.h"
#include "view/flame_change_svg.h"

void prof_flame_other_fini(struct prof_flame_other *other) {
  prof_path_sums_fini(&other->paths);
  prof_path_sums_fini(&other->all);
}

/* A file of another tool has no such parts; showing them on one side would compare unlike things. */
static prof_status check_import(const struct prof_flame_change *change, struct prof_diag *diag) {
  const struct prof_common *common = change->common;
  const bool filters = common->only.count || common->without.count || common->commands.count || common->tids.count ||
                       common->pids.count || common->depth || common->min_ns || common->range.begin_ns ||
                       common->range.end_ns != UINT64_MAX || common->range.begin_is_share || common->range.end_is_share;
  const char *other = filters         ? "filters"
                      : common->loops ? "--loops"
                      : common->lines ? "--lines"
                      : common->split ? "--by"
                      : change->gpu   ? "--gpu"
                                      : NULL;
  return other ? prof_command_usage(diag, "leave them out, or give a recording as --against",
                                    "%s can't be applied to a file of another tool", other)
               : PROF_OK;
}

/* perf and callgrind measure what a recording doesn't instrument. */
static prof_status keep_known(const struct prof_flame_change *change, const struct prof_reader *reader,
                              struct prof_flame_other *other, struct prof_diag *diag) {
  const struct prof_importer *importer = prof_importer_of(&other->paths);
  const bool wanted = change->frames ? change->frames == PROF_FLAME_FRAMES_KNOWN
                                     : importer && importer->whole && other->paths.has_paths;
  if (!wanted)
    return PROF_OK;
  struct prof_path_sums known;
  prof_status status = prof_paths_keep_known(&other->paths, reader->recording.trace, reader->recording.names, diag,
                                             &known, &other->outside);
  if (status != PROF_OK)
    return status;
  other->known_only = true;
  other->all = other->paths;
  other->paths = known;
  return PROF_OK;
}

static prof_status open_import(const struct prof_flame_change *change, const struct prof_reader *reader,
                               struct prof_flame_other *other, struct prof_diag *diag) {
  const struct prof_importer *importer = change->importer ? prof_importers[change->importer - 1] : NULL;
  prof_status status = check_import(change, diag);
  if (status == PROF_OK)
    status = prof_import_file(change->against, importer, change->event, diag, &other->paths);
  if (status != PROF_OK)
    return status;
  status = keep_known(change, reader, other, diag);
  if (status != PROF_OK) {
    prof_flame_other_fini(other);
    return status;
  }
  char text[PROF_WEIGHT_TEXT_BYTES];
  if (other->paths.lost)
    fprintf(stderr, "prof: %s lost %s\n", change->against,
            prof_weight_text(text, PROF_PATHS_SAMPLES, (double)other->paths.lost));
  if (!other->paths.has_paths)
    fprintf(stderr, "prof: %s has no call paths: compares functions by self time\n", change->against);
  if (other->outside > 0)
    fprintf(stderr, "prof: %s: %s in no function of the recording left out; --against-frames=all keeps it\n",
            change->against, prof_weight_text(text, other->paths.unit, other->outside));
  return PROF_OK;
}

/* The same questions of another recording; numbers of processes and threads are those of one recording. */
static prof_status open_recording(const struct prof_flame_change *change, const struct prof_reader *reader,
                                  struct prof_reader *second, prof_flame_paths *paths, struct prof_flame_other *other,
                                  struct prof_diag *diag) {
  static const char *const words[PROF_TIME_KINDS] = {"running", "waiting", "elapsed"};
  prof_status status = PROF_OK;
  if (change->common->split == PROF_SPLIT_PROCESS)
    status = prof_command_usage(diag, "use --by=command", "processes of two recordings have different numbers");
  else if (change->event)
    status = prof_command_usage(diag, "leave out --against-event", "a recording has no events");
  else if (second->recording.time != reader->recording.time)
    status = prof_command_usage(diag, "--time=elapsed", "one recording has %s time, the other %s time only",
                                words[reader->recording.time], words[second->recording.time]);
  if (status == PROF_OK)
    status = paths(change, second, &other->paths, diag);
  if (status != PROF_OK)
    return status;
  prof_flame_command(second->recording.trace, other->command, sizeof other->command);
  if (change->frames != PROF_FLAME_FRAMES_KNOWN)
    return PROF_OK;
  status = keep_known(change, reader, other, diag);
  if (status != PROF_OK)
    prof_flame_other_fini(other);
  return status;
}

/* Only times can be compared as times; folded stacks don't say what they count. */
static prof_status check_absolute(const struct prof_flame_change *change, struct prof_flame_other *other,
                                  struct prof_diag *diag) {
  if (!change->absolute || other->paths.unit == PROF_PATHS_NS || other->paths.unit == PROF_PATHS_COUNTS)
    return PROF_OK;
  prof_status status =
      prof_command_usage(diag, "leave out --absolute: shares are compared then", "%s counts %s, no time",
                         change->against, prof_paths_unit_words[other->paths.unit]);
  prof_flame_other_fini(other);
  return status;
}

static prof_status open_other(const struct prof_flame_change *change, const struct prof_reader *reader,
                              prof_flame_paths *paths, struct prof_flame_other *out, struct prof_diag *diag) {
  struct prof_common common = *change->common;
  struct prof_reader second;
  *out = (struct prof_flame_other){.known_only = false};
  if (change->importer)
    return open_import(change, reader, out, diag);
  common.input = change->against;
  common.tids.count = common.pids.count = 0;
  prof_status status = prof_reader_open(&second, &common, diag);
  if (status == PROF_NOT_A_TRACE)
    return open_import(change, reader, out, diag);
  if (status != PROF_OK) {
    if (!diag->file[0]) /* which of the two it is about */
      prof_text_escape(diag->file, sizeof diag->file, change->against, strlen(change->against));
    return status;
  }
  status = open_recording(change, reader, &second, paths, out, diag);
  prof_reader_warn(&second, NULL);
  prof_reader_close(&second);
  return status;
}

prof_status prof_flame_other_open(const struct prof_flame_change *change, const struct prof_reader *reader,
                                  prof_flame_paths *paths, struct prof_flame_other *out, struct prof_diag *diag) {
  prof_status status = open_other(change, reader, paths, out, diag);
  return status == PROF_OK ? check_absolute(change, out, diag) : status;
}
