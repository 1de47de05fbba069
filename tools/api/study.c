/*
 * tools/api/study.c - libprofstudy: see include/prof_study.h.
 *
 * One fold serves functions, totals and the tree; loops and lines have their own, made at the first request.
 */
#include "prof_study.h"

#include <stdlib.h>

#include "analysis/functions.h"
#include "analysis/gpu/gpu.h"
#include "analysis/lines/lines.h"
#include "analysis/loops.h"
#include "analysis/tree.h"
#include "base/diag.h"
#include "study/recording.h"
#include "study/symbols.h"

struct fold {
  struct prof_profile *profile; /* NULL: not folded yet */
  struct prof_samples *samples;
};

struct prof_study {
  struct prof_recording recording;
  enum prof_demangle demangle;
  bool raw;
  uint32_t depth;
  uint64_t max_bytes;
  struct fold plain, loops, places;
  struct prof_function_rows functions;
  struct prof_tree tree;
  struct prof_loop_rows loop_rows;
  struct prof_symbols *symbols;
  struct prof_line_rows lines;
  struct prof_gpu_study gpu;
  bool has_gpu;
  struct prof_gpu_rows gpu_rows;
};

static prof_status fold(const struct prof_study *study, bool loops, bool places, struct prof_diag *diag,
                        struct fold *out) {
  const struct prof_fold_options options = {
      .raw = study->raw, .loops = loops, .places = places, .max_bytes = study->max_bytes};
  return out->profile ? PROF_OK : prof_recording_fold(&study->recording, &options, diag, &out->profile, &out->samples);
}

static void fold_free(struct fold *fold) {
  prof_samples_free(fold->samples);
  prof_profile_free(fold->profile);
}

prof_status prof_study_open(const char *path, const struct prof_study_options *options, struct prof_diag *diag,
                            prof_study **out) {
  static const struct prof_study_options everything = {0};
  const struct prof_study_options *of = options ? options : &everything;
  const struct prof_recording_spec spec = {
      .path = path,
      .shown = {.only = of->only,
                .only_count = of->only_count,
                .without = of->without,
                .without_count = of->without_count,
                .tids = of->tids,
                .tid_count = of->tid_count,
                .pids = of->pids,
                .pid_count = of->pid_count,
                .commands = of->commands,
                .command_count = of->command_count,
                .depth = of->depth,
                .min_ns = of->min_ns},
      .range = {.begin_ns = of->begin_ns, .end_ns = of->end_ns ? of->end_ns : UINT64_MAX},
      .demangle = of->demangle,
      .time = of->time,
  };
  struct prof_study *study = calloc(1, sizeof *study);
  *out = NULL;
  if (!study)
    return prof_diag_memory(diag);
  study->demangle = of->demangle;
  study->raw = of->raw;
  study->depth = of->depth;
  study->max_bytes = of->max_bytes;
  prof_status status = prof_recording_open(&study->recording, &spec, diag);
  if (status == PROF_OK)
    status = fold(study, false, false, diag, &study->plain);
  if (status == PROF_OK)
    *out = study;
  else
    prof_study_close(study);
  return status;
}

void prof_study_close(prof_study *study) {
  if (!study)
    return;
  prof_gpu_rows_free(&study->gpu_rows);
  if (study->has_gpu)
    prof_gpu_study_close(&study->gpu);
  prof_lines_free(&study->lines);
  prof_symbols_free(study->symbols);
  prof_loops_free(&study->loop_rows);
  prof_tree_free(&study->tree);
  prof_functions_free(&study->functions);
  fold_free(&study->places);
  fold_free(&study->loops);
  fold_free(&study->plain);
  prof_recording_close(&study->recording);
  free(study);
}

void prof_study_totals(const prof_study *study, struct prof_study_totals *out) {
  const struct prof_coverage *coverage = &study->plain.profile->coverage;
  const prof_trace *trace = study->recording.trace;
  *out = (struct prof_study_totals){.calls = coverage->calls,
                                    .events = coverage->events,
                                    .lost_events = coverage->lost,
                                    .threads = coverage->threads,
                                    .time = prof_time_split(trace, coverage->thread_ticks, &coverage->off),
                                    .error_ns = prof_trace_ns(trace, coverage->error_ticks),
                                    .overhead_ns = prof_trace_ns(trace, coverage->taken_ticks),
                                    .span_ns = prof_trace_ns(trace, coverage->span_ticks)};
}

prof_status prof_study_functions(prof_study *study, enum prof_group by, enum prof_sort sort, struct prof_diag *diag,
                                 const struct prof_function_row **rows, size_t *count) {
  prof_functions_free(&study->functions);
  study->functions = (struct prof_function_rows){0};
  prof_status status = prof_functions_rank(study->plain.profile, study->plain.samples, study->recording.names, by,
                                           study->recording.time, sort, diag, &study->functions);
  prof_functions_name_zones(&study->functions, study->recording.names);
  *rows = study->functions.rows;
  *count = study->functions.count;
  return status;
}

prof_status prof_study_tree(prof_study *study, double min_share, struct prof_diag *diag,
                            const struct prof_tree_node **nodes, uint32_t *count) {
  const struct prof_tree_limits limits = {.time = study->recording.time, .min_share = min_share, .depth = study->depth};
  prof_tree_free(&study->tree);
  study->tree = (struct prof_tree){0};
  prof_status status = prof_tree_select(study->plain.profile, NULL, &limits, diag, &study->tree);
  *nodes = study->tree.nodes;
  *count = study->tree.count;
  return status;
}

const char *prof_study_function_name(prof_study *study, uint32_t function) {
  return prof_names_function(study->recording.names, function);
}

prof_status prof_study_loops(prof_study *study, enum prof_loop_sort sort, struct prof_diag *diag,
                             const struct prof_loop_row **rows, size_t *count) {
  prof_loops_free(&study->loop_rows);
  study->loop_rows = (struct prof_loop_rows){0};
  prof_status status = fold(study, true, false, diag, &study->loops);
  if (status == PROF_OK)
    status = prof_loops_rank(study->loops.profile, study->recording.names, study->recording.time, sort, diag,
                             &study->loop_rows);
  *rows = study->loop_rows.rows;
  *count = study->loop_rows.count;
  return status;
}

prof_status prof_study_lines(prof_study *study, enum prof_line_sort sort, struct prof_diag *diag,
                             const struct prof_line_row **rows, size_t *count) {
  prof_lines_free(&study->lines);
  study->lines = (struct prof_line_rows){0};
  prof_status status = fold(study, false, true, diag, &study->places);
  if (status == PROF_OK && !study->symbols)
    status = prof_symbols_new(&study->recording, diag, &study->symbols);
  if (status == PROF_OK) {
    struct prof_line_source source = prof_symbols_source(study->symbols);
    const struct prof_line_options options = {
        .raw = study->raw, .within = study->recording.filter.has_only, .time = study->recording.time, .sort = sort};
    status = prof_lines_rank(study->places.profile, study->places.samples, study->recording.names, &source, &options,
                             diag, &study->lines);
  }
  *rows = study->lines.rows;
  *count = study->lines.count;
  return status;
}

prof_status prof_study_gpu(prof_study *study, struct prof_diag *diag, const struct prof_gpu_kernel_row **kernels,
                           size_t *kernel_count, const struct prof_gpu_copy_row **copies, size_t *copy_count) {
  const struct prof_recording *recording = &study->recording;
  prof_gpu_rows_free(&study->gpu_rows);
  study->gpu_rows = (struct prof_gpu_rows){0};
  prof_status status = PROF_OK;
  if (!study->has_gpu)
    status =
        prof_gpu_study_open(&study->gpu, recording->trace, &recording->filter, recording->names, study->demangle, diag);
  study->has_gpu |= status == PROF_OK;
  if (status == PROF_OK)
    status = prof_gpu_rank(&study->gpu, PROF_GPU_BY_KERNEL, diag, &study->gpu_rows);
  *kernels = study->gpu_rows.kernels;
  *kernel_count = study->gpu_rows.kernel_count;
  *copies = study->gpu_rows.copies;
  *copy_count = study->gpu_rows.copy_count;
  return status;
}
