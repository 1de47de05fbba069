/*
 * tools/analysis/gpu/gpu_lines.c - see gpu_lines.h.
 *
 *    records ──> sorted by place, equal ones added up ──> file and line, once per place ──> sorted by line ──> rows
 */
#include "analysis/gpu/gpu_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"
#include "fold/gpu_chunks.h"

#define NOT_ISSUED "_not_issued"

struct sample { /* of one place and reason */
  uint64_t cubin, address, count;
  uint32_t source, reason; /* reason: index of `reasons` */
  const char *linkage, *kernel, *file;
  uint32_t line;
};

struct reason {
  uint32_t source;
  uint64_t number;
  const char *name;
  bool idle;
};

struct pass {
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_names *names;
  const struct prof_gpu_line_source *source;
  PROF_VEC(struct sample) samples;
  PROF_VEC(struct reason) reasons;
  struct prof_gpu_line_rows *out;
  bool failed; /* no memory */
};

/* ---- from the trace ---- */

/* "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued": the part between prefix and suffix is the reason. */
static bool take_reason(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct pass *pass = context;
  static const char stalled[] = "stalled_";
  if (chunk->columns[PROF_GPU_KIND][at] != PROF_GPU_NAMED_REASON)
    return true;
  const char *name = prof_trace_gpu_text(pass->trace, chunk->source, chunk->columns[PROF_GPU_NAME][at]);
  const char *begin = strstr(name, stalled);
  size_t length = strlen(name), end = sizeof NOT_ISSUED - 1;
  struct reason reason = {.source = chunk->source,
                          .number = chunk->columns[PROF_GPU_THING][at],
                          .name = begin != NULL ? begin + sizeof stalled - 1 : name,
                          .idle = length > end && strcmp(name + length - end, NOT_ISSUED) == 0};
  return prof_vec_push(&pass->reasons, reason);
}

/* PROF_NONE: no name. */
static uint32_t reason_of(const struct pass *pass, uint32_t source, uint64_t number) {
  for (size_t i = 0; i < pass->reasons.count; i++)
    if (pass->reasons.items[i].source == source && pass->reasons.items[i].number == number)
      return (uint32_t)i;
  return PROF_NONE;
}

static bool take_sample(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct pass *pass = context;
  uint64_t end = chunk->columns[PROF_GPU_START][at] + chunk->columns[PROF_GPU_DURATION][at];
  if (pass->filter->active && (end < pass->filter->begin_ticks || end > pass->filter->end_ticks))
    return true;
  struct sample sample = {
      .cubin = chunk->columns[PROF_GPU_CUBIN_ID][at],
      .address = chunk->columns[PROF_GPU_ADDRESS][at],
      .count = chunk->columns[PROF_GPU_COUNT][at],
      .source = chunk->source,
      .reason = reason_of(pass, chunk->source, chunk->columns[PROF_GPU_KIND][at]),
      .linkage = prof_trace_gpu_text(pass->trace, chunk->source, chunk->columns[PROF_GPU_NAME][at]),
  };
  return prof_vec_push(&pass->samples, sample);
}

/* ---- places, then lines ---- */

static int compare_places(const void *left, const void *right) {
  const struct sample *a = left, *b = right;
  int order = prof_order(a->source, b->source) ?: prof_order(a->cubin, b->cubin) ?: strcmp(a->linkage, b->linkage);
  return order ?: prof_order(a->address, b->address) ?: prof_order(a->reason, b->reason);
}

static bool is_same_place(const struct sample *a, const struct sample *b) {
  return a->source == b->source && a->cubin == b->cubin && a->address == b->address &&
         strcmp(a->linkage, b->linkage) == 0;
}

/* Adds up equal samples. */
static void merge(struct pass *pass) {
  size_t kept = 0;
  prof_vec_sort(&pass->samples, compare_places);
  for (size_t i = 0; i < pass->samples.count; i++) {
    struct sample *last = kept > 0 ? &pass->samples.items[kept - 1] : NULL;
    if (last != NULL && compare_places(last, &pass->samples.items[i]) == 0)
      last->count += pass->samples.items[i].count;
    else
      pass->samples.items[kept++] = pass->samples.items[i];
  }
  pass->samples.count = kept;
}

static bool is_idle(const struct pass *pass, const struct sample *sample) {
  return sample->reason != PROF_NONE && pass->reasons.items[sample->reason].idle;
}

static void count_lost(struct pass *pass, enum prof_gpu_place place, const struct sample *sample) {
  uint64_t *const to[] = {[PROF_GPU_PLACE_NO_CUBIN] = &pass->out->no_cubin,
                          [PROF_GPU_PLACE_NO_LINES] = &pass->out->no_lines,
                          [PROF_GPU_PLACE_UNKNOWN] = &pass->out->unknown};
  if (place != PROF_GPU_PLACE_FOUND && !is_idle(pass, sample))
    *to[place] += sample->count;
}

static void find_lines(struct pass *pass) {
  enum prof_gpu_place place = PROF_GPU_PLACE_UNKNOWN;
  for (size_t i = 0; i < pass->samples.count && !pass->failed; i++) {
    struct sample *sample = &pass->samples.items[i], *before = i > 0 ? sample - 1 : NULL;
    if (before != NULL && strcmp(before->linkage, sample->linkage) == 0)
      sample->kernel = before->kernel;
    else
      sample->kernel = prof_names_other(pass->names, sample->linkage);
    pass->failed |= sample->kernel == NULL;
    if (before != NULL && is_same_place(before, sample)) {
      sample->file = before->file;
      sample->line = before->line;
    } else {
      sample->file = "";
      place = pass->source->find(pass->source->context, sample->source, sample->cubin, sample->linkage, sample->address,
                                 &sample->file, &sample->line);
    }
    count_lost(pass, place, sample);
  }
}

static int compare_lines(const void *left, const void *right, void *context) {
  const struct sample *a = left, *b = right;
  const struct pass *pass = context;
  int order = strcmp(a->linkage, b->linkage) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
  if (order != 0)
    return order;
  if (a->reason == PROF_NONE || b->reason == PROF_NONE)
    return a->reason == b->reason ? 0 : a->reason == PROF_NONE ? 1 : -1;
  /* sorts "barrier" right before "barrier_not_issued" */
  return strcmp(pass->reasons.items[a->reason].name, pass->reasons.items[b->reason].name);
}

static bool is_same_line(const struct sample *a, const struct sample *b) {
  return a->line == b->line && strcmp(a->linkage, b->linkage) == 0 && strcmp(a->file, b->file) == 0;
}

/* ---- rows ---- */

/* Length without "_not_issued". */
static size_t base_length(const char *name, bool idle) {
  return strlen(name) - (idle ? sizeof NOT_ISSUED - 1 : 0);
}

static void add_reason(struct pass *pass, struct prof_gpu_line_row *row, const struct sample *sample) {
  struct prof_gpu_line_rows *out = pass->out;
  const char *name = sample->reason != PROF_NONE ? pass->reasons.items[sample->reason].name : "[unnamed]";
  bool idle = is_idle(pass, sample);
  size_t length = base_length(name, idle);
  struct prof_gpu_reason *reason = NULL;
  for (size_t i = 0; i < row->reason_count && reason == NULL; i++) {
    struct prof_gpu_reason *at = &out->reasons[row->first_reason + i];
    reason = strlen(at->name) == length && memcmp(at->name, name, length) == 0 ? at : NULL;
  }
  if (reason == NULL) {
    reason = &out->reasons[row->first_reason + row->reason_count++];
    *reason = (struct prof_gpu_reason){.name = name};
    /* The reason of all samples has the name without the suffix. */
    for (size_t i = 0; idle && i < pass->reasons.count; i++)
      if (strlen(pass->reasons.items[i].name) == length && memcmp(pass->reasons.items[i].name, name, length) == 0)
        reason->name = pass->reasons.items[i].name;
  }
  *(idle ? &reason->idle : &reason->samples) += sample->count;
  *(idle ? &row->idle : &row->samples) += sample->count;
}

static int compare_reasons(const void *left, const void *right) {
  const struct prof_gpu_reason *a = left, *b = right;
  return prof_order(b->samples, a->samples) ?: strcmp(a->name, b->name);
}

static int compare_rows(const void *left, const void *right) {
  const struct prof_gpu_line_row *a = left, *b = right;
  int order = prof_order(b->samples, a->samples) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
  return order ?: strcmp(a->linkage, b->linkage);
}

static void make_rows(struct pass *pass) {
  struct prof_gpu_line_rows *out = pass->out;
  qsort_r(pass->samples.items, pass->samples.count, sizeof *pass->samples.items, compare_lines, pass);
  out->rows = calloc(pass->samples.count + 1, sizeof *out->rows);
  out->reasons = calloc(pass->samples.count + 1, sizeof *out->reasons);
  pass->failed |= out->rows == NULL || out->reasons == NULL;
  size_t reasons = 0;
  for (size_t i = 0, next; i < pass->samples.count && !pass->failed; i = next) {
    const struct sample *first = &pass->samples.items[i];
    struct prof_gpu_line_row *row = &out->rows[out->count++];
    *row = (struct prof_gpu_line_row){.file = first->file,
                                      .line = first->line,
                                      .kernel = first->kernel,
                                      .linkage = first->linkage,
                                      .first_reason = reasons};
    for (next = i; next < pass->samples.count && is_same_line(first, &pass->samples.items[next]); next++)
      add_reason(pass, row, &pass->samples.items[next]);
    reasons += row->reason_count;
    qsort(out->reasons + row->first_reason, row->reason_count, sizeof *out->reasons, compare_reasons);
    out->samples += row->samples;
  }
  for (size_t i = 0; i < out->count && out->samples > 0; i++)
    out->rows[i].share = (double)out->rows[i].samples / (double)out->samples;
  if (out->count > 0)
    qsort(out->rows, out->count, sizeof *out->rows, compare_rows);
}

static void take_figures(struct pass *pass) {
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(pass->trace, &count);
  for (size_t i = 0; i < count; i++) {
    const uint64_t *figures = sources[i].figures;
    pass->out->taken += figures[PROF_GPU_SAMPLES_ALL];
    pass->out->dropped += figures[PROF_GPU_SAMPLES_DROPPED];
    pass->out->foreign += figures[PROF_GPU_SAMPLES_FOREIGN];
    pass->out->full += figures[PROF_GPU_SAMPLES_FULL];
    pass->out->cubins_lost += figures[PROF_GPU_CUBINS_LOST];
    if (figures[PROF_GPU_SAMPLE_CYCLES] > pass->out->cycles)
      pass->out->cycles = figures[PROF_GPU_SAMPLE_CYCLES];
  }
}

prof_status prof_gpu_lines_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                                const struct prof_gpu_line_source *source, struct prof_diag *diag,
                                struct prof_gpu_line_rows *out) {
  struct pass pass = {.trace = trace, .filter = filter, .names = names, .source = source, .out = out};
  *out = (struct prof_gpu_line_rows){0};
  prof_status status = prof_gpu_records_visit(trace, 1u << PROF_GPU_NAMED, take_reason, &pass, &out->damaged);
  if (status == PROF_OK)
    status = prof_gpu_records_visit(trace, 1u << PROF_GPU_SAMPLE, take_sample, &pass, &out->damaged);
  pass.failed = status != PROF_OK;
  merge(&pass);
  find_lines(&pass);
  if (!pass.failed && pass.samples.count > 0)
    make_rows(&pass);
  take_figures(&pass);
  bool empty = pass.samples.count == 0;
  prof_vec_fini(&pass.samples);
  prof_vec_fini(&pass.reasons);
  if (!pass.failed && !empty)
    return PROF_OK;
  prof_gpu_lines_free(out);
  if (pass.failed)
    return prof_diag_memory(diag);
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        filter->active ? "leave out the range, or record with prof record --gpu-lines"
                                       : "record with prof record --gpu-lines; prof info shows why it could not be",
                        "there are no samples of kernels in this recording");
}

void prof_gpu_lines_free(struct prof_gpu_line_rows *rows) {
  free(rows->rows);
  free(rows->reasons);
  rows->rows = NULL;
  rows->reasons = NULL;
  rows->count = 0;
}
