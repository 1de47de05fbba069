/*
 * tools/analysis/gpu/gpu_study.c - see gpu_study.h.
 */
#include "analysis/gpu/gpu_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/gpu_groups.h"
#include "base/diag.h"
#include "base/order.h"
#include "fold/gpu_chunks.h"

enum { PATH_BYTES = 4096, PATH_FRAMES = 256, CXX = 2 /* wire/row.h: nvcc's language */ };

static const char *keep(struct prof_arena *arena, const char *text) {
  const char *copy = prof_arena_copy(arena, text, strlen(text));
  return copy != NULL ? copy : "";
}

/* ---- names of kernels ---- */

/* Also for functions of uninstrumented programs; names of C don't change. */
static const char *name_of(struct prof_gpu_study *study, const char *linkage, enum prof_demangle demangle) {
  struct prof_name_buffer buffer = {0};
  const char *name = *linkage != 0 ? prof_name_demangle(linkage, CXX, demangle, &buffer) : "[unnamed]";
  name = keep(&study->texts, name);
  free(buffer.text);
  return name;
}

struct sorted_name {
  const char *name;
  uint32_t index;
};

static int compare_names(const void *left, const void *right) {
  return strcmp(((const struct sorted_name *)left)->name, ((const struct sorted_name *)right)->name);
}

/* Uses the long name where short ones are equal. */
static bool tell_apart(struct prof_gpu_study *study, size_t count) {
  struct sorted_name *sorted = malloc((count + 1) * sizeof *sorted);
  if (sorted == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = (struct sorted_name){study->short_kernels[i], i};
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t i = 0, next; i < count; i = next) {
    for (next = i + 1; next < count && strcmp(sorted[i].name, sorted[next].name) == 0; next++)
      ;
    for (size_t same = i; same < next && next - i > 1; same++)
      study->short_kernels[sorted[same].index] = study->kernels[sorted[same].index];
  }
  free(sorted);
  return true;
}

static bool name_kernels(struct prof_gpu_study *study) {
  size_t count = study->timeline.kernel_names.count;
  study->kernels = prof_arena_array(&study->texts, count + 1, sizeof *study->kernels);
  study->short_kernels = prof_arena_array(&study->texts, count + 1, sizeof *study->short_kernels);
  if (study->kernels == NULL || study->short_kernels == NULL)
    return false;
  for (size_t i = 0; i < count; i++) {
    const char *linkage = study->timeline.kernel_names.items[i];
    study->kernels[i] = name_of(study, linkage, study->demangle);
    study->short_kernels[i] =
        study->demangle == PROF_DEMANGLE_NO ? study->kernels[i] : name_of(study, linkage, PROF_DEMANGLE_SHORT);
  }
  size_t functions, frames = prof_gpu_join_name_count(study->join);
  prof_trace_functions(study->trace, &functions);
  study->first_frame = (uint32_t)functions;
  study->frames = prof_arena_array(&study->texts, frames + 1, sizeof *study->frames);
  for (size_t i = 0; study->frames != NULL && i < frames; i++)
    study->frames[i] =
        name_of(study, prof_gpu_join_name(study->join, study->first_frame + (uint32_t)i), study->demangle);
  return study->frames != NULL && tell_apart(study, count);
}

const char *prof_gpu_study_what(struct prof_gpu_study *study, const struct prof_gpu_span *span, bool is_short) {
  char text[64];
  if (span->record == PROF_GPU_KERNEL)
    return (is_short ? study->short_kernels : study->kernels)[span->name];
  if (span->record != PROF_GPU_GRAPH_RUN)
    return prof_gpu_copy_kind(span->name);
  snprintf(text, sizeof text, "graph %u", span->name);
  return keep(&study->texts, text);
}

/* ---- paths ---- */

/* A function of a path, as shown. */
static const char *function_name(struct prof_gpu_study *study, uint32_t function) {
  const char *linkage = prof_gpu_join_name(study->join, function);
  return linkage == NULL ? prof_names_function(study->names, function) : study->frames[function - study->first_frame];
}

const char *prof_gpu_study_path(struct prof_gpu_study *study, uint32_t path) {
  uint32_t frames[PATH_FRAMES], count = 0;
  char text[PATH_BYTES] = "";
  size_t used = 0;
  for (uint32_t at = path; at != 0; at = prof_gpu_join_parent(study->join, at)) {
    memmove(frames + 1, frames, (count < PATH_FRAMES ? count : PATH_FRAMES - 1) * sizeof *frames);
    frames[0] = at;
    count += count < PATH_FRAMES;
  }
  if (study->filter->depth > 0 && count > study->filter->depth)
    count = study->filter->depth;
  for (uint32_t i = 0; i < count && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " > " : "",
                             function_name(study, prof_gpu_join_function(study->join, frames[i])));
  return keep(&study->texts, text);
}

uint32_t prof_gpu_study_shown_path(const struct prof_gpu_study *study, uint32_t path) {
  uint32_t depth = 0, most = study->filter->depth;
  for (uint32_t at = path; at != 0; at = prof_gpu_join_parent(study->join, at))
    depth++;
  for (; most > 0 && depth > most; depth--)
    path = prof_gpu_join_parent(study->join, path);
  return path;
}

const char *prof_gpu_study_function(struct prof_gpu_study *study, uint32_t path) {
  return path == 0 ? "" : function_name(study, prof_gpu_join_function(study->join, path));
}

const char *prof_gpu_study_file(struct prof_gpu_study *study, uint32_t path) {
  uint32_t function = path == 0 ? PROF_NONE : prof_gpu_join_function(study->join, path);
  return function < study->first_frame ? prof_names_file(study->names, function) : "";
}

struct prof_gpu_sum prof_gpu_study_sum(struct prof_gpu_study *study, const struct prof_gpu_group *group, uint32_t path,
                                       uint32_t source, uint32_t call, uint64_t whole) {
  return (struct prof_gpu_sum){.path = prof_gpu_study_path(study, path),
                               .call = call != 0 ? prof_trace_gpu_text(study->trace, source, call) : "",
                               .count = group->count,
                               .total_ns = prof_trace_ns(study->trace, group->total),
                               .max_ns = prof_trace_ns(study->trace, group->max),
                               .share = whole > 0 ? (double)group->total / (double)whole : 0};
}

int prof_gpu_sum_compare(const struct prof_gpu_sum *a, const struct prof_gpu_sum *b) {
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->path, b->path) ?: strcmp(a->call, b->call);
}

const struct prof_gpu_api_call *prof_gpu_study_call(const struct prof_gpu_study *study, uint32_t call) {
  return call < study->call_count ? &study->calls[call] : NULL;
}

/* ---- the filter ---- */

static bool all_are_shown(const struct prof_filter *filter, const prof_trace *trace) {
  size_t count;
  prof_trace_threads(trace, &count);
  for (size_t i = 0; filter->active && i < count; i++)
    if (!filter->threads[i])
      return false;
  return true;
}

/* The filter's state after a path's innermost frame. */
static struct prof_filter_state state_of(const struct prof_gpu_study *study, uint32_t path) {
  size_t unknown;
  prof_trace_functions(study->trace, &unknown);
  if (path == 0)
    return (struct prof_filter_state){0};
  uint32_t function = prof_gpu_join_function(study->join, path);
  uint8_t flags = study->filter->flags[function < unknown ? function : unknown];
  return prof_filter_enter(study->filter, state_of(study, prof_gpu_join_parent(study->join, path)), flags);
}

bool prof_gpu_study_shows(const struct prof_gpu_study *study, uint32_t path, uint32_t thread) {
  const struct prof_filter *filter = study->filter;
  if (!filter->active)
    return true;
  if (thread == PROF_NONE ? !study->all_threads : !filter->threads[thread])
    return false;
  struct prof_filter_state state = state_of(study, path);
  return !state.within_without && (!filter->has_only || state.within_only);
}

bool prof_gpu_study_clip(const struct prof_gpu_study *study, uint64_t *begin, uint64_t *end) {
  if (!study->filter->active)
    return *begin < *end;
  *begin = *begin < study->filter->begin_ticks ? study->filter->begin_ticks : *begin;
  *end = *end > study->filter->end_ticks ? study->filter->end_ticks : *end;
  return *begin < *end;
}

/* ---- the program's names ---- */

static bool take_name(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct prof_gpu_study *study = context;
  return prof_vec_push(&study->named,
                       (struct prof_gpu_named){.source = chunk->source,
                                               .kind = (uint32_t)chunk->columns[PROF_GPU_KIND][at],
                                               .thing = chunk->columns[PROF_GPU_THING][at],
                                               .name = prof_trace_gpu_text(study->trace, chunk->source,
                                                                           chunk->columns[PROF_GPU_NAME][at])});
}

const char *prof_gpu_study_name(const struct prof_gpu_study *study, uint32_t kind, uint32_t source, uint64_t thing) {
  for (size_t i = study->named.count; i > 0; i--) { /* the last name is valid */
    const struct prof_gpu_named *named = &study->named.items[i - 1];
    if (named->kind == kind && named->source == source && named->thing == thing)
      return named->name;
  }
  return "";
}

/* ---- begin and end ---- */

prof_status prof_gpu_study_open(struct prof_gpu_study *study, const prof_trace *trace, const struct prof_filter *filter,
                                struct prof_names *names, enum prof_demangle demangle, struct prof_diag *diag) {
  size_t chunks;
  *study = (struct prof_gpu_study){.trace = trace, .filter = filter, .names = names, .demangle = demangle};
  prof_trace_gpu_chunks(trace, &chunks);
  if (chunks == 0)
    return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                          "prof record --gpu=on says why, if the program uses CUDA",
                          "this recording has no GPU activity");
  study->all_threads = all_are_shown(filter, trace);
  prof_status status = prof_gpu_join_new(trace, diag, &study->join);
  if (status == PROF_OK)
    status = prof_gpu_timeline_load(trace, study->join, &study->timeline);
  if (status == PROF_OK)
    status = prof_gpu_nodes_load(trace, &study->nodes);
  if (status == PROF_OK)
    study->calls = prof_gpu_join_calls(study->join, &study->call_count);
  if (status == PROF_OK &&
      (!name_kernels(study) || prof_gpu_records_visit(trace, 1u << PROF_GPU_NAMED, take_name, study, NULL) != PROF_OK))
    status = PROF_NO_MEMORY;
  if (status != PROF_OK) {
    prof_gpu_study_close(study);
    return prof_diag_memory(diag);
  }
  return PROF_OK;
}

void prof_gpu_study_close(struct prof_gpu_study *study) {
  prof_gpu_join_free(study->join);
  prof_gpu_timeline_fini(&study->timeline);
  prof_gpu_nodes_fini(&study->nodes);
  prof_vec_fini(&study->named);
  prof_arena_fini(&study->texts);
  *study = (struct prof_gpu_study){0};
}
