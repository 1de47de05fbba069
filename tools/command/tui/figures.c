/*
 * tools/command/tui/figures.c - see figures.h.
 */
#include "figures.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cover.h"
#include "base/diag.h"
#include "base/text.h"
#include "command/cover_lines.h"
#include "command/symbols_warn.h"
#include "tui/terminal.h"
#include "view/units.h"
#include "view/width.h"

/* ---- one opened recording ---- */

static void close_opened(struct prof_tui_opened *opened, bool says_flaws) {
  if (!opened)
    return;
  if (opened->symbols && says_flaws)
    prof_symbols_warn(opened->symbols);
  prof_lines_free(&opened->lines);
  prof_loops_free(&opened->loops);
  for (size_t i = 0; i < PROF_TUI_FOLDS; i++) {
    prof_samples_free(opened->folds[i].samples);
    prof_profile_free(opened->folds[i].profile);
  }
  prof_symbols_free(opened->symbols);
  opened->reader.warned = true; /* the screen has shown it */
  prof_reader_close(&opened->reader);
  free(opened);
}

static prof_status open_shown(const struct prof_tui_figures *figures, const struct prof_tui_shown *shown,
                              struct prof_diag *diag, struct prof_tui_opened **out) {
  struct prof_tui_opened *opened = calloc(1, sizeof *opened);
  *out = NULL;
  if (!opened)
    return prof_diag_memory(diag);
  opened->common = *figures->given;
  opened->common.part_told |= figures->on_screen;
  opened->common.loops = false; /* levels of the trees alone: see fold */
  opened->shown = *shown;
  if (shown->pattern[0]) {
    opened->only[0] = opened->shown.pattern;
    opened->common.only.items = opened->only;
    opened->common.only.count = 1;
  }
  if (shown->tid) {
    opened->common.tids.items = &opened->shown.tid;
    opened->common.tids.count = 1;
  }
  if (shown->has_time) {
    opened->common.time = shown->time;
    opened->common.has_time = false; /* no error where it isn't known */
  }
  prof_status status = prof_reader_open(&opened->reader, &opened->common, diag);
  if (status != PROF_OK) {
    free(opened);
    return status;
  }
  if (figures->narrow)
    figures->narrow(figures->context, &opened->reader);
  *out = opened;
  return PROF_OK;
}

/* Workers of a fold ask: once Escape was pressed, each is told. */
static bool is_stopped(void *context) {
  atomic_bool *stopped = context;
  if (!atomic_load(stopped) && prof_tui_terminal_escaped())
    atomic_store(stopped, true);
  return atomic_load(stopped);
}

static prof_status fold_calls(const struct prof_tui_figures *figures, struct prof_tui_opened *opened, unsigned kind,
                              struct prof_diag *diag) {
  struct prof_tui_fold *to = &opened->folds[kind];
  if (to->profile)
    return PROF_OK;
  bool places = kind & PROF_TUI_FOLD_PLACES;
  opened->common.loops_apart = kind & PROF_TUI_FOLD_LOOPS;
  opened->reader.recording.filter.loops = kind == PROF_TUI_FOLD_LEVELS;
  if (!figures->on_screen)
    return prof_reader_fold_samples(&opened->reader, places, &to->profile, &to->samples, diag);
  atomic_bool stopped = false;
  const struct prof_stop stop = {is_stopped, &stopped};
  const struct prof_fold_options options = {.places = places,
                                            .stop = &stop,
                                            .raw = opened->common.raw,
                                            .loops = opened->common.loops_apart,
                                            .max_bytes = opened->common.max_memory};
  prof_status status = prof_recording_fold(&opened->reader.recording, &options, diag, &to->profile, &to->samples);
  if (status == PROF_STOPPED)
    prof_diag_fill(diag, status, NULL, PROF_NO_OFFSET, "the same key reads again", "stopped by Escape");
  return status;
}

static prof_status fold(const struct prof_tui_figures *figures, struct prof_tui_opened *opened, unsigned kind,
                        struct prof_diag *diag) {
  prof_status status = fold_calls(figures, opened, kind, diag);
  return status == PROF_EMPTY && figures->may_be_empty ? PROF_OK : status;
}

prof_status prof_tui_figures_open(struct prof_tui_figures *figures, struct prof_diag *diag) {
  return open_shown(figures, &(struct prof_tui_shown){0}, diag, &figures->now);
}

void prof_tui_figures_close(struct prof_tui_figures *figures) {
  close_opened(figures->next, false);
  close_opened(figures->now, true);
  *figures = (struct prof_tui_figures){0};
}

prof_status prof_tui_figures_fold(struct prof_tui_figures *figures, unsigned kind, struct prof_diag *diag,
                                  const struct prof_tui_fold **out) {
  prof_status status = fold_calls(figures, figures->now, kind, diag);
  *out = &figures->now->folds[kind];
  return status;
}

prof_status prof_tui_figures_symbols(struct prof_tui_figures *figures, struct prof_diag *diag,
                                     struct prof_symbols **out) {
  struct prof_tui_opened *opened = figures->now;
  prof_status status = opened->symbols ? PROF_OK : prof_symbols_new(&opened->reader.recording, diag, &opened->symbols);
  *out = opened->symbols;
  return status;
}

static prof_status rank_lines(struct prof_tui_opened *opened, const struct prof_tui_fold *places,
                              const struct prof_tui_fold *loops, struct prof_diag *diag) {
  const struct prof_recording *recording = &opened->reader.recording;
  struct prof_line_source source = prof_symbols_source(opened->symbols);
  const struct prof_line_options options = {
      .within = recording->filter.has_only, .time = recording->time, .raw = opened->common.raw};
  size_t loop_count;
  prof_status status =
      prof_lines_rank(places->profile, places->samples, recording->names, &source, &options, diag, &opened->lines);
  prof_trace_loops(recording->trace, &loop_count);
  if (status == PROF_OK && loop_count)
    status =
        prof_loops_rank(loops->profile, recording->names, recording->time, PROF_LOOP_SORT_LINE, diag, &opened->loops);
  return status;
}

prof_status prof_tui_figures_source(struct prof_tui_figures *figures, struct prof_diag *diag,
                                    struct prof_annotate_figures *out) {
  struct prof_tui_opened *opened = figures->now;
  const struct prof_tui_fold *places = NULL, *loops = NULL;
  struct prof_symbols *symbols = NULL;
  prof_status status = prof_tui_figures_symbols(figures, diag, &symbols);
  if (status == PROF_OK)
    status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_PLACES, diag, &places);
  if (status == PROF_OK)
    status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_LOOPS, diag, &loops);
  if (status == PROF_OK && !opened->has_source) {
    prof_lines_free(&opened->lines);
    prof_loops_free(&opened->loops);
    opened->lines = (struct prof_line_rows){0};
    opened->loops = (struct prof_loop_rows){0};
    status = rank_lines(opened, places, loops, diag);
    opened->has_source = status == PROF_OK;
  }
  if (status == PROF_OK)
    *out = (struct prof_annotate_figures){.reader = &opened->reader,
                                          .profile = places->profile,
                                          .samples = places->samples,
                                          .symbols = symbols,
                                          .rows = &opened->lines,
                                          .loops = &opened->loops};
  return status;
}

/* ---- the header ---- */

static const struct prof_profile *any_profile(const struct prof_tui_opened *opened) {
  for (size_t i = PROF_TUI_FOLD_LEVELS; i > 0; i--) /* the first panel has one of these */
    if (opened->folds[i - 1].profile)
      return opened->folds[i - 1].profile;
  return NULL;
}

void prof_tui_figures_shown(const struct prof_tui_figures *figures, char *out, size_t size) {
  const struct prof_tui_opened *opened = figures->now;
  const struct prof_recording *recording = &opened->reader.recording;
  char pattern[PROF_TUI_PATTERN_BYTES * 4];
  size_t used = 0;
  out[0] = 0;
  if (recording->has_switches && recording->time != PROF_TIME_RUNNING)
    used += (size_t)snprintf(out, size, "%s time", prof_time_words[recording->time]);
  if (opened->shown.pattern[0] && used < size) {
    prof_text_escape(pattern, sizeof pattern, opened->shown.pattern, strlen(opened->shown.pattern));
    used += (size_t)snprintf(out + used, size - used, "%s-F %.40s", used ? ", " : "", pattern);
  }
  if (opened->shown.tid && used < size)
    used += (size_t)snprintf(out + used, size - used, "%sthread %u", used ? ", " : "", opened->shown.tid);
  if (used && used < size)
    snprintf(out + used, size - used, ": ");
}

void prof_tui_figures_header(void *context, size_t width, bool utf8, char *out, size_t size) {
  const struct prof_tui_opened *opened = ((struct prof_tui_figures *)context)->now;
  const struct prof_profile *profile = any_profile(opened);
  char *text = NULL;
  size_t bytes;
  prof_tui_figures_shown(context, out, size);
  size_t used = strlen(out), taken = prof_text_width(out);
  FILE *file = profile && taken + 1 < width ? open_memstream(&text, &bytes) : NULL;
  if (!file)
    return;
  struct prof_cover cover;
  prof_cover_of(profile, opened->reader.recording.time, &cover);
  const struct prof_output output = {.file = file, .style = {.utf8 = utf8, .width = width - taken}, .compact = true};
  prof_cover_lines(&cover, &output);
  fclose(file);
  if (text)
    snprintf(out + used, size - used, "%.*s", (int)strcspn(text, "\n"), text);
  free(text);
}

const char *prof_tui_figures_warning(void *context) {
  const struct prof_tui_figures *figures = context;
  struct prof_tui_opened *opened = figures->now;
  char text[PROF_WARNING_BYTES];
  (figures->grows ? prof_warning_losses : prof_warning_text)(opened->reader.recording.trace, text);
  opened->warning[0] = 0;
  if (text[0])
    snprintf(opened->warning, sizeof opened->warning, "%.*s; details: prof info", (int)sizeof opened->warning - 30,
             text);
  return opened->warning;
}

/* ---- threads ---- */

static bool is_before(const struct prof_thread_info *threads, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (threads[j].tid == threads[i].tid && threads[j].events)
      return true;
  return false;
}

char *prof_tui_figures_threads(void *context) {
  const struct prof_tui_opened *opened = ((struct prof_tui_figures *)context)->now;
  char *text = NULL, name[256], events[PROF_UNITS_BYTES];
  size_t bytes, count;
  const struct prof_thread_info *threads = prof_trace_threads(opened->reader.recording.trace, &count);
  FILE *file = open_memstream(&text, &bytes);
  if (!file)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!threads[i].events || is_before(threads, i))
      continue;
    prof_text_escape(name, sizeof name, threads[i].name, strlen(threads[i].name));
    fprintf(file, "%-8u %s, %s events\n", threads[i].tid, name[0] ? name : "thread",
            prof_units_count(events, threads[i].events));
  }
  fclose(file);
  return text;
}

/* ---- changes ---- */

/* Opens and folds anew, so that nothing can fail later. */
static prof_status open_next(struct prof_tui_figures *figures, struct prof_diag *diag) {
  prof_status status = open_shown(figures, &figures->wanted, diag, &figures->next);
  if (status == PROF_OK)
    status = fold(figures, figures->next, PROF_TUI_FOLD_LOOPS | PROF_TUI_FOLD_PLACES, diag);
  if (status != PROF_OK) {
    close_opened(figures->next, false);
    figures->next = NULL;
  }
  return status;
}

prof_status prof_tui_figures_prepare(void *context, enum prof_tui_change change, const char *text, uint32_t number,
                                     struct prof_diag *diag) {
  struct prof_tui_figures *figures = context;
  const struct prof_recording *recording = &figures->now->reader.recording;
  figures->wanted = figures->now->shown;
  figures->wanted.has_time = true;
  figures->wanted.time = recording->time;
  switch (change) {
  case PROF_TUI_CHANGE_TIME:
    if (!recording->has_switches)
      return prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "all times are elapsed",
                            "no scheduler switches were recorded");
    figures->wanted.time = (recording->time + 1) % PROF_TIME_KINDS;
    return PROF_OK;
  case PROF_TUI_CHANGE_FILTER:
    snprintf(figures->wanted.pattern, sizeof figures->wanted.pattern, "%s", text);
    break;
  case PROF_TUI_CHANGE_THREAD:
    figures->wanted.tid = number;
    break;
  case PROF_TUI_CHANGE_AGAIN:
    break;
  }
  return open_next(figures, diag);
}

void prof_tui_figures_commit(void *context) {
  struct prof_tui_figures *figures = context;
  if (figures->next) {
    close_opened(figures->now, false);
    figures->now = figures->next;
    figures->next = NULL;
    return;
  }
  figures->now->shown = figures->wanted;
  figures->now->reader.recording.time = figures->wanted.time;
  figures->now->has_source = false;
}
