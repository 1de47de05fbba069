/*
 * test/support/trace_touch.c - see trace_touch.h.
 */
#include "trace_touch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/cursor_inline.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "trace_touch: not so: %s (line %d)\n", #condition, __LINE__);                                    \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

static uint64_t bytes_of(const char *text) {
  return text ? strlen(text) : 0;
}

static uint64_t touch_loops(const prof_trace *trace, size_t modules, size_t functions) {
  size_t loops, in_modules = 0;
  uint64_t sum = 0;
  const struct prof_loop *loop = prof_trace_loops(trace, &loops);
  for (size_t i = 0; i < loops; i++) {
    INSIST(loop[i].module < modules && (loop[i].function == PROF_NONE || loop[i].function < functions));
    INSIST(loop[i].parent == PROF_NONE || (loop[i].parent < loops && loop[loop[i].parent].depth < loop[i].depth));
    sum += bytes_of(loop[i].name) + bytes_of(loop[i].file);
  }
  for (size_t i = 0; i < modules; i++)
    in_modules += prof_trace_modules(trace, &modules)[i].loop_count;
  INSIST(in_modules == loops);
  return sum;
}

static uint64_t touch_packed(const prof_trace *trace, size_t modules) {
  struct prof_packed *packed;
  uint64_t sum = 0;
  if (!prof_trace_is_packed(trace) || prof_trace_packed(trace, NULL, &packed) != PROF_OK)
    return 0;
  for (size_t i = 0; i < packed->line_count; i++) {
    const struct prof_packed_lines *lines = &packed->lines[i];
    INSIST(lines->module < modules);
    sum += bytes_of(lines->reason) + bytes_of(lines->remedy);
    for (uint32_t j = 0; j < lines->address_count; j++) {
      const struct prof_packed_address *at = &lines->addresses[j];
      INSIST(j == 0 || lines->addresses[j - 1].address < at->address);
      INSIST(at->first_frame <= lines->frame_count && at->frame_count <= lines->frame_count - at->first_frame);
    }
    for (uint32_t j = 0; j < lines->frame_count; j++)
      sum += bytes_of(lines->frames[j].function) + bytes_of(lines->frames[j].file) + lines->frames[j].line;
    for (uint32_t j = 0; j < lines->extent_count; j++) {
      INSIST(lines->extents[j].first > 0 && lines->extents[j].first <= lines->extents[j].last);
      sum += bytes_of(lines->extents[j].file);
    }
  }
  for (size_t i = 0; i < packed->source_count; i++) {
    INSIST(packed->sources[i].text[packed->sources[i].bytes] == 0);
    sum += bytes_of(packed->sources[i].path);
  }
  prof_packed_free(packed);
  return sum;
}

static uint64_t touch_facts(const prof_trace *trace) {
  size_t modules, functions, processes, threads, loads, notes;
  const struct prof_module *module = prof_trace_modules(trace, &modules);
  const struct prof_function *function = prof_trace_functions(trace, &functions);
  const struct prof_process *process = prof_trace_processes(trace, &processes);
  const struct prof_thread_info *thread = prof_trace_threads(trace, &threads);
  const struct prof_load *load = prof_trace_loads(trace, &loads);
  const char *const *note = prof_trace_notes(trace, &notes);
  uint64_t sum = bytes_of(prof_trace_setting(trace, "command", NULL)) + bytes_of(prof_trace_info(trace)->path);
  for (size_t i = 0; i < modules; i++) {
    INSIST(module[i].first_function <= functions && module[i].function_count <= functions - module[i].first_function);
    sum += bytes_of(module[i].path) + bytes_of(module[i].compiler);
  }
  for (size_t i = 0; i < functions; i++) {
    INSIST(function[i].module < modules);
    sum += bytes_of(function[i].name) + bytes_of(function[i].file);
  }
  sum += touch_loops(trace, modules, functions) + touch_packed(trace, modules);
  for (size_t i = 0; i < processes; i++) {
    INSIST(process[i].parent == PROF_NONE || process[i].parent < processes);
    uint32_t in_module;
    uint64_t address;
    if (prof_trace_caller(trace, (uint32_t)i, 0x1020, &in_module, &address))
      INSIST(in_module < modules);
    sum += bytes_of(process[i].executable);
  }
  for (size_t i = 0; i < threads; i++) {
    INSIST(thread[i].process < processes);
    sum += bytes_of(thread[i].name) + prof_trace_ns(trace, thread[i].end_ticks);
  }
  for (size_t i = 0; i < loads; i++) {
    INSIST(load[i].module < modules && load[i].process < processes);
    struct prof_site_info site = prof_trace_site(trace, load[i].first_site + load[i].site_count / 2);
    INSIST(site.function == PROF_NONE || site.function < functions);
    size_t loops;
    prof_trace_loops(trace, &loops);
    INSIST(site.loop == PROF_NONE || site.loop < loops);
  }
  size_t slices;
  const struct prof_slice *slice = prof_trace_slices(trace, &slices);
  for (size_t i = 0; i < slices; i++) {
    INSIST(slice[i].process < processes && process[slice[i].process].sliced);
    INSIST(slice[i].end_ticks == 0 || slice[i].begin_ticks <= slice[i].end_ticks);
  }
  const struct prof_part *part = prof_trace_part(trace);
  INSIST(part == NULL || part->begin_ticks < part->end_ticks);
  for (uint32_t i = 0; part != NULL && i < part->thread_count; i++)
    sum += part->threads[i].thread;
  for (size_t i = 0; i < notes; i++)
    sum += bytes_of(note[i]);
  return sum;
}

#define TIMES 64

/* The cursor and the columns must agree. */
static uint64_t touch_events(const prof_trace *trace, const struct prof_chunk *chunk) {
  uint64_t times[TIMES], added = 0;
  struct prof_times position;
  prof_times_begin(&position, chunk);
  struct prof_side side = {chunk->side};
  struct prof_cursor cursor;
  struct prof_step step, other;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    INSIST(chunk->frames[i].edge < chunk->edge_count && chunk->frames[i].entry <= chunk->base_time);
    INSIST(!i || chunk->frames[i].entry >= chunk->frames[i - 1].entry);
  }
  prof_cursor_begin(&cursor, chunk);
  while (prof_cursor_next(&cursor, &step)) {
    uint32_t at = cursor.index - 1;
    uint8_t op = chunk->ops[at];
    if (at % TIMES == 0)
      INSIST(prof_times_next(&position, times, TIMES) > 0);
    if (op >= PROF_CHUNK_OP_FAR) {
      uint64_t more;
      INSIST(prof_side_take(&side, chunk, op, &other, &more));
      INSIST(other.op == step.op && other.value == step.value && other.count == step.count);
      added += more;
    }
    INSIST(step.time == times[at % TIMES] + added);
    if (step.op == PROF_OP_ENTRY) {
      INSIST(step.value < chunk->edge_count);
      prof_trace_site(trace, chunk->edges[step.value].site);
    }
  }
  return cursor.index;
}

static void touch_chunks(const prof_trace *trace, struct trace_touched *out) {
  size_t count, threads, placed = 0;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  const struct prof_thread_info *thread = prof_trace_threads(trace, &threads);
  const uint32_t *order = prof_trace_thread_chunks(trace);
  struct prof_chunk chunk = {0};
  for (size_t t = 0; t < threads; t++)
    for (uint32_t i = 0; i < thread[t].chunk_count; i++, placed++) {
      uint32_t index = order[thread[t].first_chunk + i];
      INSIST(index < count && chunks[index].thread == t);
      INSIST(i || chunks[index].flags & PROF_CHUNK_RUN_BEGIN);
      INSIST(i + 1 < thread[t].chunk_count || chunks[index].flags & PROF_CHUNK_RUN_END);
      out->holes += i && chunks[index].flags & PROF_CHUNK_RUN_BEGIN;
      out->chunks++;
      if (prof_chunk_load(trace, index, NULL, &chunk) == PROF_OK)
        out->events += touch_events(trace, &chunk);
      else
        out->chunks_refused++;
    }
  INSIST(placed == count);
  INSIST(prof_chunk_load(trace, count, NULL, &chunk) == PROF_USAGE);
  prof_chunk_free(&chunk);
}

static void touch_gpu(const prof_trace *trace, struct trace_touched *out) {
  size_t sources, chunks;
  struct prof_gpu_chunk chunk = {0};
  const struct prof_gpu_source *source = prof_trace_gpu_sources(trace, &sources);
  const struct prof_gpu_chunk_ref *ref = prof_trace_gpu_chunks(trace, &chunks);
  uint64_t sum = 0;
  for (size_t i = 0; i < sources; i++)
    sum += bytes_of(source[i].library);
  for (size_t i = 0; i < chunks; i++) {
    INSIST(ref[i].source < sources && ref[i].first_time <= ref[i].last_time);
    if (prof_gpu_chunk_load(trace, i, NULL, &chunk) != PROF_OK) {
      out->gpu_chunks_refused++;
      continue;
    }
    INSIST(chunk.count == ref[i].count && chunk.record == ref[i].record);
    for (uint32_t at = 0; at < chunk.count; at++) {
      for (int column = 0; column < PROF_GPU_COLUMN_COUNT; column++)
        sum += chunk.columns[column][at];
      sum += bytes_of(prof_trace_gpu_text(trace, chunk.source, chunk.columns[PROF_GPU_NAME][at]));
    }
    out->gpu_records += chunk.count;
  }
  prof_gpu_chunk_free(&chunk);
  out->gpu_sum = sum;
}

prof_status trace_touch(const char *path, struct prof_diag *diag, struct trace_touched *out) {
  struct prof_diag unused;
  memset(out, 0, sizeof *out);
  prof_trace *trace;
  prof_status status = prof_trace_open(path, diag ? diag : &unused, &trace);
  INSIST((status == PROF_OK) == (trace != NULL));
  if (status != PROF_OK) {
    INSIST((diag ? diag : &unused)->status == status && *(diag ? diag : &unused)->what);
    return status;
  }
  (void)touch_facts(trace);
  touch_chunks(trace, out);
  touch_gpu(trace, out);
  prof_trace_damage(trace, &out->damage);
  prof_trace_close(trace);
  return PROF_OK;
}
