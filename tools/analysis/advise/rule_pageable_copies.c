/*
 * tools/analysis/advise/rule_pageable_copies.c - copies between host and GPU from memory that is not pinned.
 *
 * Evidence: the driver's records of copies say which kind of memory the host's side was.
 */
#include <string.h>

#include "analysis/advise/evidence.h"
#include "analysis/gpu/gpu.h"

extern const struct prof_advice_rule prof_rule_pageable_copies;

/* The last function of "main > step"; PROF_NONE: none has this name. */
static uint32_t function_named(const struct prof_evidence *evidence, const char *path) {
  const char *name = path;
  for (const char *at = path; (at = strstr(at, " > ")); at += 3)
    name = at + 3;
  for (uint32_t i = 0; i < evidence->function_count; i++)
    if (evidence->functions[i].calls > 0 && !strcmp(prof_names_function(evidence->recording->names, i), name))
      return i;
  return PROF_NONE;
}

static bool take(struct prof_evidence *evidence, const struct prof_gpu_copy_row *row) {
  double span = (double)prof_trace_ns(evidence->recording->trace, evidence->span_ticks);
  double share = span > 0 ? (double)row->total_ns / span : 0;
  if (strcmp(row->memory, "pageable") != 0 || share < evidence->options->min_share)
    return true;
  struct prof_advice *advice =
      prof_advice_add(evidence, &prof_rule_pageable_copies, function_named(evidence, row->path));
  if (!advice)
    return false;
  share = share < 0.95 ? share : 0.95;
  advice->where = prof_advice_text(evidence, "%s", row->path);
  prof_advice_weigh(advice, (struct prof_interval){share * 0.9, share}, 1.2, 3);
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->count,
                         prof_advice_text(evidence, "copies %s of pageable memory", row->kind));
  prof_advice_figure_add(advice, PROF_ADVICE_BYTES, (double)row->bytes, "in all");
  prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)row->total_ns, "on the GPU's side");
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of the elapsed time");
  return true;
}

static bool find(struct prof_evidence *evidence) {
  const struct prof_recording *recording = evidence->recording;
  struct prof_gpu_study study;
  struct prof_gpu_rows rows = {0};
  struct prof_diag diag;
  prof_status status =
      prof_gpu_study_open(&study, recording->trace, &recording->filter, recording->names, PROF_DEMANGLE_FULL, &diag);
  if (status != PROF_OK)
    return status != PROF_NO_MEMORY;
  status = prof_gpu_rank(&study, PROF_GPU_BY_PATH, &diag, &rows);
  bool done = status != PROF_NO_MEMORY;
  for (size_t i = 0; i < rows.copy_count && done; i++)
    done = take(evidence, &rows.copies[i]);
  prof_gpu_rows_free(&rows);
  prof_gpu_study_close(&study);
  return done;
}

const struct prof_advice_rule prof_rule_pageable_copies = {
    .kind = "pageable-copies",
    .title = "Copies to or from the GPU use pageable memory",
    .of = "elapsed time",
    .why =
        "The driver copies pageable memory into a pinned buffer of its own first, and the program waits for it. Pinned "
        "memory is copied directly, and beside kernels.",
    .before = "float *values = malloc(bytes);\ncudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice);",
    .after = "float *values;\ncudaMallocHost((void **)&values, bytes);\n"
             "cudaMemcpyAsync(device, values, bytes, cudaMemcpyHostToDevice, stream);",
    .check = "gpu --by=path",
    .find = find,
};
