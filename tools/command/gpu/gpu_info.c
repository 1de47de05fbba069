/*
 * tools/command/gpu/gpu_info.c - see gpu_info.h.
 */
#include "gpu_info.h"

#include <stdio.h>

#include "view/units.h"

static const struct prof_column columns[] = {
    {"pid", NULL, PROF_CELL_COUNT},
    {NULL, "PID", PROF_CELL_TEXT},
    {"device", NULL, PROF_CELL_COUNT},
    {NULL, "DEVICE", PROF_CELL_TEXT},
    {"capability", "CAPABILITY", PROF_CELL_TEXT},
    {"multiprocessors", "SMS", PROF_CELL_COUNT},
    {"memory_bytes", NULL, PROF_CELL_COUNT},
    {NULL, "MEMORY", PROF_CELL_TEXT},
    {"driver", "DRIVER", PROF_CELL_TEXT},
    {"cupti", "CUPTI", PROF_CELL_TEXT},
    {"clock", "CLOCK", PROF_CELL_TEXT},
    {"name", "GPU", PROF_CELL_TEXT},
    {"library", "LIBRARY", PROF_CELL_TEXT},
};

static void add_id(struct prof_table *table, uint64_t id) {
  char text[24];
  prof_table_count(table, id);
  snprintf(text, sizeof text, "%llu", (unsigned long long)id);
  prof_table_text(table, text);
}

/* Versions of CUDA (13020: 13.2) and CUPTI (130002: 13.0.2; before 2024 a plain number). */
static void add_version(struct prof_table *table, uint32_t version, bool is_driver) {
  char text[32] = "";
  if (is_driver && version > 0)
    snprintf(text, sizeof text, "%u.%u", version / 1000, version % 1000 / 10);
  else if (version >= 100000)
    snprintf(text, sizeof text, "%u.%u.%u", version / 10000, version % 10000 / 100, version % 100);
  else if (version > 0)
    snprintf(text, sizeof text, "%u", version);
  prof_table_text(table, text);
}

static void add_device(struct prof_table *table, const prof_trace *trace, const struct prof_gpu_source *source,
                       const struct prof_gpu_chunk *chunk, uint32_t at) {
  const uint64_t *const *of = chunk->columns;
  char text[PROF_UNITS_BYTES];
  add_id(table, source->pid);
  add_id(table, of[PROF_GPU_DEVICE_ID][at]);
  snprintf(text, sizeof text, "%llu.%llu", (unsigned long long)(of[PROF_GPU_CAPABILITY][at] / 100),
           (unsigned long long)(of[PROF_GPU_CAPABILITY][at] % 100));
  prof_table_text(table, text);
  prof_table_count(table, of[PROF_GPU_MULTIPROCESSORS][at]);
  prof_table_count(table, of[PROF_GPU_MEMORY_BYTES][at]);
  prof_table_text(table, prof_units_bytes(text, of[PROF_GPU_MEMORY_BYTES][at]));
  add_version(table, source->driver_version, true);
  add_version(table, source->library_version, false);
  prof_table_text(table, source->own_clock ? "shared" : "converted");
  prof_table_text(table, prof_trace_gpu_text(trace, chunk->source, of[PROF_GPU_NAME][at]));
  prof_table_text(table, source->library);
}

/* NULL: no memory.  *rows: their number. */
static struct prof_table *list(const prof_trace *trace, size_t *rows) {
  size_t chunk_count, source_count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(trace, &source_count);
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(trace, &chunk_count);
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  struct prof_gpu_chunk chunk = {0};
  *rows = 0;
  for (size_t i = 0; table != NULL && i < chunk_count; i++) {
    if (refs[i].record != PROF_GPU_DEVICE || prof_gpu_chunk_load(trace, i, NULL, &chunk) != PROF_OK)
      continue;
    for (uint32_t at = 0; at < chunk.count; at++)
      add_device(table, trace, &sources[chunk.source], &chunk, at);
    *rows += chunk.count;
  }
  prof_gpu_chunk_free(&chunk);
  if (table != NULL && prof_table_failed(table)) {
    prof_table_free(table);
    table = NULL;
  }
  return table;
}

/* Figures of samples in kernels: sums over all collectors; of cycles the maximum. */
static bool find_sampling(const prof_trace *trace, uint64_t sums[PROF_GPU_FIGURE_COUNT]) {
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(trace, &count);
  bool any = false;
  for (size_t i = 0; i < count; i++)
    for (int which = PROF_GPU_SAMPLES_ALL; which <= PROF_GPU_SAMPLE_CYCLES; which++) {
      uint64_t value = sources[i].figures[which];
      bool is_sum = which != PROF_GPU_SAMPLE_CYCLES;
      sums[which] = is_sum ? sums[which] + value : value > sums[which] ? value : sums[which];
      any |= value > 0;
    }
  return any;
}

static void print_sampling(const prof_trace *trace, const struct prof_output *output) {
  static const struct {
    size_t which;
    const char *words;
    bool always;
  } figures[] = {
      {PROF_GPU_SAMPLES_ALL, "taken", true},
      {PROF_GPU_SAMPLE_CYCLES, "cycles between two of a multiprocessor", false},
      {PROF_GPU_SAMPLES_DROPPED, "dropped by the hardware", true},
      {PROF_GPU_SAMPLES_FULL, "overflows of its buffer", false},
      {PROF_GPU_SAMPLES_FOREIGN, "in kernels of other programs", false},
      {PROF_GPU_CUBINS_LOST, "GPU programs lost", false},
  };
  uint64_t sums[PROF_GPU_FIGURE_COUNT] = {0};
  char number[PROF_UNITS_BYTES], text[400] = "";
  if (!find_sampling(trace, sums))
    return;
  for (size_t i = 0, used = 0; i < sizeof figures / sizeof *figures; i++)
    if (figures[i].always || sums[figures[i].which] > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used ? "; " : "",
                               prof_units_count(number, sums[figures[i].which]), figures[i].words);
  fputc('\n', output->file);
  prof_output_fact(output, "GPU samples", "%s", text);
}

static void sampling_json(const prof_trace *trace, struct prof_json *json) {
  uint64_t sums[PROF_GPU_FIGURE_COUNT] = {0};
  if (!find_sampling(trace, sums))
    return;
  prof_json_object(json, "gpu_sampling");
  prof_json_count(json, "taken", sums[PROF_GPU_SAMPLES_ALL]);
  prof_json_count(json, "dropped", sums[PROF_GPU_SAMPLES_DROPPED]);
  prof_json_count(json, "foreign", sums[PROF_GPU_SAMPLES_FOREIGN]);
  prof_json_count(json, "full", sums[PROF_GPU_SAMPLES_FULL]);
  prof_json_count(json, "cubins_lost", sums[PROF_GPU_CUBINS_LOST]);
  prof_json_count(json, "cycles", sums[PROF_GPU_SAMPLE_CYCLES]);
  prof_json_object_end(json);
}

void prof_gpu_info_print(const prof_trace *trace, const struct prof_output *output) {
  size_t rows;
  print_sampling(trace, output);
  struct prof_table *table = list(trace, &rows);
  if (table != NULL && rows > 0) {
    fprintf(output->file, "\n");
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
}

void prof_gpu_info_json(const prof_trace *trace, struct prof_json *json) {
  size_t rows;
  sampling_json(trace, json);
  struct prof_table *table = list(trace, &rows);
  if (table != NULL && rows > 0)
    prof_table_json(table, json, "gpus");
  prof_table_free(table);
}
