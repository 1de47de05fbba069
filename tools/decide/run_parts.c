/*
 * tools/decide/run_parts.c - see run_parts.h.
 *
 * Lines move when code above them changes.  So a loop is known by its number among the loops of its function, and a
 * line by its distance from the first line of its function.
 */
#include "decide/run_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/lines/lines.h"
#include "analysis/loops.h"
#include "base/diag.h"
#include "estimate/samples_fold.h"
#include "study/symbols.h"

#define NAME_BYTES PROF_RUN_LINE_NAME_BYTES
#define LEAST_SHARE 0.001   /* of all lines: colder ones are left out */
#define OVERDISPERSION 1.26 /* samples scatter so much more than counts */

/* Its number among the loops of its function, in the order of the source, from 1 on. */
static uint32_t number_of(const prof_trace *trace, uint32_t loop) {
  size_t count;
  const struct prof_loop *loops = prof_trace_loops(trace, &count), *own = &loops[loop];
  const struct prof_module *module = &prof_trace_modules(trace, NULL)[own->module];
  uint32_t number = 1;
  for (uint32_t i = module->first_loop; i < module->first_loop + module->loop_count; i++) {
    const struct prof_loop *other = &loops[i];
    if (other->function != own->function || i == loop)
      continue;
    const int order = strcmp(other->file, own->file) ?: (int)(other->line > own->line) - (int)(other->line < own->line);
    number += order < 0 || (order == 0 && (other->depth < own->depth || (other->depth == own->depth && i < loop)));
  }
  return number;
}

prof_status prof_run_add_loops(struct prof_run *run, const struct prof_recording *recording,
                               const struct prof_profile *profile, struct prof_diag *diag) {
  struct prof_loop_rows loops;
  char name[NAME_BYTES];
  prof_status status = prof_loops_rank(profile, recording->names, PROF_TIME_RUNNING, PROF_LOOP_SORT_SELF, diag, &loops);
  if (status != PROF_OK)
    return status;
  for (size_t i = 0; status == PROF_OK && i < loops.count; i++) {
    const struct prof_loop_row *from = &loops.rows[i];
    if (!from->has_times)
      continue;
    snprintf(name, sizeof name, "%.4000s, loop %u", from->function, number_of(recording->trace, from->loop));
    const struct prof_run_row row = {.kind = PROF_RUN_LOOP,
                                     .name = name,
                                     .file = from->file,
                                     .line = from->line,
                                     .calls = from->has_iterations ? from->iterations : 0,
                                     .raw_ns = from->self.running,
                                     .self_ns = from->self.running,
                                     .waiting_ns = from->self.waiting,
                                     .preempted_ns = from->self.preempted,
                                     .total_ns = from->total.elapsed};
    if (!prof_run_add(run, &row))
      status = prof_diag_memory(diag);
  }
  prof_loops_free(&loops);
  return status;
}

/* The first line of a function of the recording; 0: not known. */
static uint32_t first_line(const struct prof_recording *recording, const char *function, const char *file) {
  size_t count;
  (void)prof_trace_functions(recording->trace, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(prof_names_function(recording->names, i), function) &&
        !strcmp(prof_run_base(prof_names_file(recording->names, i)), prof_run_base(file)))
      return prof_names_line(recording->names, i);
  return 0;
}

const char *prof_run_line_name(const struct prof_recording *recording, const char *function, const char *file,
                               uint32_t line, char out[PROF_RUN_LINE_NAME_BYTES]) {
  const uint32_t first = function && function[0] ? first_line(recording, function, file) : 0;
  if (first && first <= line)
    snprintf(out, PROF_RUN_LINE_NAME_BYTES, "%.4000s+%u", function, line - first);
  else
    snprintf(out, PROF_RUN_LINE_NAME_BYTES, "%.4000s:%u", prof_run_base(file), line);
  return out;
}

static prof_status add_line_rows(struct prof_run *run, const struct prof_recording *recording,
                                 const struct prof_line_rows *lines, struct prof_diag *diag) {
  char name[NAME_BYTES];
  for (size_t i = 0; i < lines->count; i++) {
    const struct prof_line_row *from = &lines->rows[i];
    if (!from->line || (double)from->self.running < LEAST_SHARE * (double)lines->self.running || !from->samples)
      continue;
    const struct prof_run_row row = {.kind = PROF_RUN_LINE,
                                     .name =
                                         prof_run_line_name(recording, from->function, from->file, from->line, name),
                                     .file = from->file,
                                     .line = from->line,
                                     .raw_ns = from->self.running,
                                     .self_ns = from->self.running,
                                     .waiting_ns = from->self.waiting,
                                     .noise = sqrt(OVERDISPERSION / (double)from->samples)};
    if (!prof_run_add(run, &row))
      return prof_diag_memory(diag);
  }
  return PROF_OK;
}

prof_status prof_run_add_lines(struct prof_run *run, const struct prof_recording *recording, struct prof_diag *diag) {
  const struct prof_fold_options options = {.places = true};
  const struct prof_line_options shown = {.time = PROF_TIME_RUNNING, .sort = PROF_LINE_SORT_SELF};
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_symbols *symbols = NULL;
  struct prof_line_rows lines = {0};
  prof_status status = prof_recording_fold(recording, &options, diag, &profile, &samples);
  if (status == PROF_OK)
    status = prof_symbols_new(recording, diag, &symbols);
  if (status == PROF_OK) {
    const struct prof_line_source source = prof_symbols_source(symbols);
    status = prof_lines_rank(profile, samples, recording->names, &source, &shown, diag, &lines);
  }
  if (status == PROF_OK)
    status = add_line_rows(run, recording, &lines, diag);
  prof_lines_free(&lines);
  prof_symbols_free(symbols);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}
