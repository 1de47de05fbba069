/*
 * tools/command/answer.c - `prof answer NAME...`: figures of functions for a program that asks for its own (prof_read).
 *
 * A recorder runs it (record/reads/answers.h); nobody else needs it.  In: a recording, a process, names.  Out: a struct
 * prof_read_answer for each name (wire/reads.h), on standard output.  Figures are those of prof report.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "analysis/functions.h"
#include "command.h"
#include "reader.h"
#include "reads.h"

/* In the order in which a name is looked for. */
static const char *shown_name(const struct prof_recording *recording, const struct prof_function_row *row) {
  (void)recording;
  return row->name;
}

static const char *zone_name(const struct prof_recording *recording, const struct prof_function_row *row) {
  return prof_function_row_is_zone(row) ? prof_names_plain(recording->names, row->index) : "";
}

static const char *linker_name(const struct prof_recording *recording, const struct prof_function_row *row) {
  size_t count;
  const struct prof_function *functions = prof_trace_functions(recording->trace, &count);
  return row->index < count ? functions[row->index].name : "";
}

static const char *(*const kinds[])(const struct prof_recording *,
                                    const struct prof_function_row *) = {shown_name, zone_name, linker_name};

/* The first of the rows with this name of this kind; *functions: how many there are. */
static const struct prof_function_row *find(const struct prof_recording *recording,
                                            const struct prof_function_rows *rows, const char *name, size_t kind,
                                            uint64_t *functions) {
  const struct prof_function_row *first = NULL;
  *functions = 0;
  for (size_t i = 0; i < rows->count; i++) {
    if (strcmp(kinds[kind](recording, &rows->rows[i]), name) != 0)
      continue;
    first = first ? first : &rows->rows[i];
    ++*functions;
  }
  return first;
}

static void fill(const struct prof_function_row *row, bool has_switches, struct prof_read_figures *out) {
  out->calls = row->calls;
  out->calls_low = row->calls_low;
  out->calls_high = row->has_calls_high ? row->calls_high : UINT64_MAX;
  out->total_ns = row->total.elapsed;
  out->self_ns = row->self.elapsed;
  if (has_switches) {
    out->running_ns = row->total.running;
    out->waiting_ns = row->total.waiting;
    out->self_running_ns = row->self.running;
    out->self_waiting_ns = row->self.waiting;
  }
  out->avg_ns = row->has_durations ? row->avg_ns : 0;
  if (!row->has_extremes)
    return;
  out->min_ns = row->min_ns;
  out->max_ns = row->max_ns;
  out->p50_ns = row->p50_ns;
  out->p95_ns = row->p95_ns;
  out->p99_ns = row->p99_ns;
}

static void answer(const struct prof_recording *recording, const struct prof_function_rows *rows, bool has_switches,
                   const char *name) {
  struct prof_read_answer out = {0};
  const struct prof_function_row *row = NULL;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && !row; kind++)
    row = find(recording, rows, name, kind, &out.figures.functions);
  out.found = row != NULL;
  if (row)
    fill(row, has_switches, &out.figures);
  fwrite(&out, sizeof out, 1, stdout);
}

static prof_status answer_all(const struct prof_reader *reader, char **names, int count, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_function_rows rows = {0};
  prof_status status = prof_reader_fold_samples(reader, false, &profile, &samples, diag);
  if (status == PROF_OK)
    status = prof_functions_rank(profile, samples, reader->recording.names, PROF_BY_FUNCTION, PROF_TIME_ELAPSED,
                                 PROF_SORT_TOTAL, diag, &rows);
  for (int i = 0; i < count && status == PROF_OK; i++)
    answer(&reader->recording, &rows, samples->has_pauses, names[i]);
  prof_functions_free(&rows);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

static int run(void *settings, int argc, char **argv) {
  struct prof_common *common = settings;
  struct prof_reader reader;
  struct prof_diag diag = {0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  common->loops_apart = true; /* as prof report */
  common->part_told = true;
  prof_status status = prof_reader_open(&reader, common, &diag);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  status = answer_all(&reader, argv, argc, &diag);
  prof_reader_close(&reader);
  bool written = fflush(stdout) == 0;
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  return written ? PROF_EXIT_OK : PROF_EXIT_FAILED;
}

const struct prof_command prof_command_answer = {
    .name = "answer",
    .arguments = "NAME...",
    .summary = "Figures of functions for a recorder that a program asks (prof_read)",
    .filters = true,
    .settings_bytes = sizeof(struct prof_common),
    .run = run,
};
