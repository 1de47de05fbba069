/*
 * tools/command/gpu/gpu_time.c - see gpu_time.h.
 */
#include "gpu_time.h"

#include "analysis/gpu/gpu_moments.h"
#include "base/diag.h"

bool prof_gpu_time_is_there(const struct prof_reader *reader) {
  size_t count;
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(reader->recording.trace, &count);
  for (size_t i = 0; i < count; i++)
    if (refs[i].record == PROF_GPU_KERNEL || refs[i].record == PROF_GPU_COPY || refs[i].record == PROF_GPU_SET ||
        refs[i].record == PROF_GPU_GRAPH_RUN)
      return true;
  return false;
}

static prof_status open_study(const struct prof_reader *reader, struct prof_gpu_study *study, struct prof_diag *diag) {
  return prof_gpu_study_open(study, reader->recording.trace, &reader->recording.filter, reader->recording.names,
                             reader->common->demangle, diag);
}

prof_status prof_gpu_time_rows(const struct prof_reader *reader, struct prof_function_rows *rows, enum prof_group by,
                               struct prof_diag *diag) {
  struct prof_gpu_study study;
  if (!prof_gpu_time_is_there(reader))
    return PROF_OK;
  prof_status status = open_study(reader, &study, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_cost_rows(&study, rows, by);
  prof_gpu_study_close(&study);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_gpu_time_tree(const struct prof_reader *reader, struct prof_tree *tree, struct prof_diag *diag) {
  struct prof_gpu_study study;
  if (!prof_gpu_time_is_there(reader))
    return PROF_OK;
  prof_status status = open_study(reader, &study, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_cost_tree(&study, tree);
  prof_gpu_study_close(&study);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_gpu_time_lines(const struct prof_reader *reader, const struct prof_line_source *source,
                                const struct prof_line_options *options, struct prof_line_rows *rows,
                                struct prof_diag *diag) {
  struct prof_gpu_study study;
  struct prof_gpu_moments moments = {0};
  struct prof_line_rows gpu = {0};
  if (!prof_gpu_time_is_there(reader))
    return PROF_OK;
  prof_status status = open_study(reader, &study, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_moments_fold(&study, diag, &moments);
  if (status == PROF_OK && moments.profile != NULL) {
    struct prof_line_options with = *options;
    with.gpu_ticks = moments.ticks;
    status = prof_lines_rank(moments.profile, NULL, reader->recording.names, source, &with, diag, &gpu);
  }
  if (status == PROF_OK && !prof_lines_add_gpu(rows, &gpu, options->sort))
    status = prof_diag_memory(diag);
  prof_lines_free(&gpu);
  prof_gpu_moments_free(&moments);
  prof_gpu_study_close(&study);
  return status;
}
