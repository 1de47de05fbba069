/*
 * tools/command/annotate/annotate_target.c - see annotate_target.h.
 */
#include "annotate_target.h"

#include <fnmatch.h>
#include <string.h>

#include "analysis/lines/annotate.h"
#include "base/diag.h"

#define AROUND 10 /* lines shown before and after FILE:LINE */

/* "app.c:12": returns the line and copies the rest to `file`.  0: no line. */
static uint32_t split_line(const char *word, char *file, size_t size) {
  const char *colon = strrchr(word, ':');
  if (!colon || colon == word || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
      (size_t)(colon - word) >= size)
    return 0;
  memcpy(file, word, (size_t)(colon - word));
  file[colon - word] = 0;
  unsigned long line = strtoul(colon + 1, NULL, 10);
  return line < UINT32_MAX - AROUND ? (uint32_t)line : 0;
}

/* PROF_NOT_FOUND: no file. */
static prof_status find_file(const char *word, const struct prof_line_rows *rows, struct prof_diag *diag,
                             struct prof_annotate_targets *targets) {
  char file[4096];
  uint32_t line = split_line(word, file, sizeof file);
  bool ambiguous, of_line_ambiguous = false;
  struct prof_annotate_target target = {.module = PROF_NONE, .first = 1};
  target.file = prof_annotate_file(rows, word, &ambiguous);
  if (!target.file && line) {
    target.file = prof_annotate_file(rows, file, &of_line_ambiguous);
    target.first = line > AROUND ? line - AROUND : 1;
    target.last = line + AROUND;
  }
  if (target.file)
    return prof_vec_push(&targets->list, target) ? PROF_OK : prof_diag_memory(diag);
  if (ambiguous || of_line_ambiguous)
    return prof_command_usage(diag, "give more of the path; prof lines -s line shows the files",
                              "several files match '%s'", ambiguous ? word : file);
  return PROF_NOT_FOUND;
}

bool prof_annotate_target_of(const struct prof_reader *reader, struct prof_symbols *symbols, uint32_t function,
                             struct prof_annotate_target *out) {
  struct prof_function_extent extent;
  if (!prof_symbols_extent(symbols, function, &extent))
    return false;
  *out = (struct prof_annotate_target){.function = prof_names_function(reader->recording.names, function),
                                       .file = extent.file,
                                       .first = extent.first,
                                       .last = extent.last,
                                       .module = extent.module,
                                       .address = extent.address};
  return true;
}

prof_status prof_annotate_not_known(const struct prof_reader *reader, const struct prof_profile *profile,
                                    uint32_t function, struct prof_diag *diag) {
  const char *name = prof_names_function(reader->recording.names, function);
  if (!prof_figures_are_shown(&profile->functions[function]))
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, "prof report -n 0 shows those that were",
                          "%s was not called, or no filter lets it pass", name);
  return prof_diag_fill(diag, PROF_NOT_FOUND, prof_names_module(reader->recording.names, function), PROF_NO_OFFSET,
                        "compile with -g, and keep the file that was recorded", "the source lines of %s are not known",
                        name);
}

/* Finds called functions.  *unknown: the last match without a call or a known source.  PROF_NOT_FOUND: no match. */
static prof_status find_functions(const char *word, const struct prof_reader *reader,
                                  const struct prof_profile *profile, struct prof_symbols *symbols,
                                  struct prof_diag *diag, struct prof_annotate_targets *targets, uint32_t *unknown) {
  uint8_t *matches;
  prof_status status = prof_filter_match(reader->recording.trace, "annotate", &word, 1, diag, &matches);
  if (status != PROF_OK)
    return status == PROF_USAGE ? PROF_NOT_FOUND : status;
  *unknown = PROF_NONE;
  for (uint32_t i = 0; i + 1 < profile->function_count && status == PROF_OK; i++) {
    struct prof_annotate_target target;
    if (!matches[i])
      continue;
    if (!prof_figures_are_shown(&profile->functions[i]) || !prof_annotate_target_of(reader, symbols, i, &target)) {
      *unknown = i;
      continue;
    }
    if (!prof_vec_push(&targets->list, target))
      status = prof_diag_memory(diag);
  }
  free(matches);
  return status;
}

static bool costs(const struct prof_line_rows *rows, const struct prof_inlined *inlined) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->rows[i].line >= inlined->first && rows->rows[i].line <= inlined->last &&
        strcmp(rows->rows[i].file, inlined->file) == 0)
      return true;
  return false;
}

/* Extends the lines to those of the function's own code, if it has any: these begin at its head. */
static void take_head(const struct prof_function_extent *extent, const char *function,
                      struct prof_annotate_target *target) {
  if (!extent->file || strcmp(extent->file, target->file) != 0 || strcmp(function, target->function) != 0)
    return;
  target->first = extent->first < target->first ? extent->first : target->first;
  target->last = extent->last > target->last ? extent->last : target->last;
}

/* Finds inlined functions by debug information. */
static prof_status find_inlined(const char *word, const struct prof_reader *reader, const struct prof_line_rows *rows,
                                uint32_t uncalled, struct prof_symbols *symbols, struct prof_diag *diag,
                                struct prof_annotate_targets *targets) {
  struct prof_function_extent extent = {0};
  if (uncalled != PROF_NONE && !prof_symbols_extent(symbols, uncalled, &extent))
    extent.file = NULL;
  prof_status status = prof_inlined_find(word, symbols, diag, &targets->inlined);
  for (size_t i = 0; i < targets->inlined.list.count && status == PROF_OK; i++) {
    const struct prof_inlined *inlined = &targets->inlined.list.items[i];
    if (word[strcspn(word, "*?[")] && !costs(rows, inlined))
      continue;
    struct prof_annotate_target target = {.function = inlined->function,
                                          .file = inlined->file,
                                          .first = inlined->first,
                                          .last = inlined->last,
                                          .module = inlined->module,
                                          .places = inlined->places.items,
                                          .place_count = inlined->places.count};
    if (extent.file)
      take_head(&extent, prof_names_function(reader->recording.names, uncalled), &target);
    if (!prof_vec_push(&targets->list, target))
      status = prof_diag_memory(diag);
  }
  return status;
}

/* Finds functions of uninstrumented libraries by lines with a cost: from the first to the last of these. */
static prof_status find_met(const char *word, const struct prof_line_rows *rows, struct prof_diag *diag,
                            struct prof_annotate_targets *targets) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_line_row *row = &rows->rows[i];
    if (row->line == 0 || fnmatch(word, row->function, 0) != 0)
      continue;
    struct prof_annotate_target *known = NULL;
    for (size_t j = 0; j < targets->list.count && !known; j++)
      if (!strcmp(targets->list.items[j].function, row->function) && !strcmp(targets->list.items[j].file, row->file))
        known = &targets->list.items[j];
    struct prof_annotate_target target = {
        .function = row->function, .file = row->file, .first = row->line, .last = row->line, .module = PROF_NONE};
    if (known) {
      known->first = row->line < known->first ? row->line : known->first;
      known->last = row->line > known->last ? row->line : known->last;
    } else if (!prof_vec_push(&targets->list, target)) {
      return prof_diag_memory(diag);
    }
  }
  return PROF_OK;
}

/* "x.c", "src/x": more likely a file than a function. */
static bool looks_like_file(const char *word) {
  const char *dot = strrchr(word, '.');
  size_t letters = dot ? strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzCFH+0123456789") : 0;
  return strchr(word, '/') || (letters > 0 && letters <= 4 && !dot[1 + letters] && !strpbrk(word, "*?[(<"));
}

prof_status prof_annotate_targets_find(const char *word, const struct prof_reader *reader,
                                       const struct prof_profile *profile, const struct prof_line_rows *rows,
                                       struct prof_symbols *symbols, struct prof_diag *diag,
                                       struct prof_annotate_targets *targets) {
  uint32_t unknown = PROF_NONE;
  prof_status status = find_file(word, rows, diag, targets);
  if (status != PROF_NOT_FOUND)
    return status;
  status = find_functions(word, reader, profile, symbols, diag, targets, &unknown);
  if ((status != PROF_OK && status != PROF_NOT_FOUND) || targets->list.count > 0)
    return status;
  prof_status other = find_inlined(word, reader, rows, unknown, symbols, diag, targets);
  if (other == PROF_OK && targets->list.count == 0)
    other = find_met(word, rows, diag, targets);
  if (other != PROF_OK || targets->list.count > 0)
    return other;
  if (status == PROF_OK && unknown != PROF_NONE)
    return prof_annotate_not_known(reader, profile, unknown, diag);
  char file[4096];
  bool has_line = split_line(word, file, sizeof file) > 0;
  if (has_line || looks_like_file(word))
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET,
                          "prof lines -n 0 shows its files; programs need -g and must not have moved",
                          "no line of %s has a cost in this recording", has_line ? file : word);
  return PROF_USAGE;
}

void prof_annotate_targets_fini(struct prof_annotate_targets *targets) {
  prof_vec_fini(&targets->list);
  prof_inlined_fini(&targets->inlined);
}
