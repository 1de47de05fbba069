/*
 * test/support/tracetext_gpu.c - `gpu` lines of a text: the GPU's work, and its collectors.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/format.h"
#include "trace/write/write_gpu.h"
#include "tracetext_parts.h"

enum { DEFAULT_CONTEXT = 1, DEFAULT_STREAM = 7 };

static const struct {
  const char *word;
  uint32_t record;
} records[] = {
    {"kernel", PROF_GPU_KERNEL},   {"copy", PROF_GPU_COPY},         {"set", PROF_GPU_SET},
    {"wait", PROF_GPU_WAIT},       {"overhead", PROF_GPU_OVERHEAD}, {"graph_run", PROF_GPU_GRAPH_RUN},
    {"memory", PROF_GPU_MEMORY},   {"call", PROF_GPU_CALL},         {"device", PROF_GPU_DEVICE},
    {"context", PROF_GPU_CONTEXT}, {"range", PROF_GPU_RANGE},       {"named", PROF_GPU_NAMED},
    {"frame", PROF_GPU_FRAME},     {"metrics", PROF_GPU_METRICS},
};

static const struct {
  const char *key;
  uint32_t column;
} columns[] = {
    {"for", PROF_GPU_DURATION},
    {"correlation", PROF_GPU_CORRELATION},
    {"device", PROF_GPU_DEVICE_ID},
    {"context", PROF_GPU_CONTEXT_ID},
    {"stream", PROF_GPU_STREAM},
    {"thread", PROF_GPU_THREAD},
    {"function", PROF_GPU_FUNCTION},
    {"registers", PROF_GPU_REGISTERS},
    {"static_shared", PROF_GPU_STATIC_SHARED},
    {"dynamic_shared", PROF_GPU_DYNAMIC_SHARED},
    {"local_bytes", PROF_GPU_LOCAL_BYTES},
    {"graph", PROF_GPU_GRAPH},
    {"graph_node", PROF_GPU_GRAPH_NODE},
    {"bytes", PROF_GPU_BYTES},
    {"kind", PROF_GPU_KIND},
    {"from", PROF_GPU_FROM},
    {"to", PROF_GPU_TO},
    {"flags", PROF_GPU_FLAGS},
    {"value", PROF_GPU_VALUE},
    {"address", PROF_GPU_ADDRESS},
    {"result", PROF_GPU_RESULT},
    {"peer", PROF_GPU_PEER},
    {"multiprocessors", PROF_GPU_MULTIPROCESSORS},
    {"warp_threads", PROF_GPU_WARP_THREADS},
    {"max_warps", PROF_GPU_MAX_WARPS},
    {"max_blocks", PROF_GPU_MAX_BLOCKS},
    {"max_shared", PROF_GPU_MAX_SHARED},
    {"max_registers", PROF_GPU_MAX_REGISTERS},
    {"memory_bytes", PROF_GPU_MEMORY_BYTES},
    {"memory_rate", PROF_GPU_MEMORY_RATE},
    {"clock_rate", PROF_GPU_CLOCK_RATE},
    {"capability", PROF_GPU_CAPABILITY},
    {"thing", PROF_GPU_THING},
    {"utilization", PROF_GPU_UTILIZATION},
    {"memory_utilization", PROF_GPU_MEMORY_UTILIZATION},
    {"power", PROF_GPU_POWER},
    {"energy", PROF_GPU_ENERGY},
    {"parent", PROF_GPU_PARENT},
    {"stack", PROF_GPU_STACK},
};

static const struct {
  const char *key;
  uint32_t figure;
} figures[] = {
    {"dropped", PROF_GPU_DROPPED}, {"untimed", PROF_GPU_UNTIMED}, {"unknown", PROF_GPU_UNKNOWN},
    {"lost", PROF_GPU_LOST_CALLS}, {"hung", PROF_GPU_HUNG},       {"bracket", PROF_GPU_CLOCK_BRACKET},
};

static uint64_t text_number(struct tracetext *text, const char *word) {
  for (size_t i = 0; i < text->gpu_texts.count; i++)
    if (!strcmp(text->gpu_texts.items[i], word))
      return i + 1;
  if (!prof_vec_push(&text->gpu_texts, word))
    abort();
  return text->gpu_texts.count;
}

static void take_shape(const struct tracetext *text, const char *key, uint64_t *to) {
  const char *value = prof_tracetext_option(text, key);
  for (int i = 0; i < 3; i++) {
    char *end = NULL;
    to[i] = value ? strtoull(value, &end, 0) : 1;
    value = end && *end == ',' ? end + 1 : NULL;
  }
}

static uint32_t last_source(const struct tracetext *text) {
  return text->gpu.count ? text->gpu.items[text->gpu.count - 1].source : 0;
}

static prof_status take_source(struct tracetext *text) {
  struct text_gpu_record source = {
      .source = last_source(text) + 1,
      .process = (uint32_t)prof_tracetext_number(text, "process", 1),
      .library_version = (uint32_t)prof_tracetext_number(text, "version", 130001),
      .driver_version = (uint32_t)prof_tracetext_number(text, "driver", 13000),
      .converted = prof_tracetext_number(text, "converted", 0) != 0,
      .library = prof_tracetext_words(text, "library", "/usr/lib/libcupti.so.13"),
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    source.figures[figures[i].figure] = prof_tracetext_number(text, figures[i].key, 0);
  return prof_vec_push(&text->gpu, source) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_record(struct tracetext *text, uint32_t kind) {
  struct text_gpu_record record = {.source = last_source(text), .record = kind};
  const char *at = prof_tracetext_option(text, "at"), *name = prof_tracetext_option(text, "name");
  const char *domain = prof_tracetext_option(text, "domain");
  if (kind <= PROF_GPU_MEMORY && kind != PROF_GPU_OVERHEAD) {
    record.columns[PROF_GPU_CONTEXT_ID] = DEFAULT_CONTEXT;
    record.columns[PROF_GPU_STREAM] = DEFAULT_STREAM;
  }
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    record.columns[columns[i].column] = prof_tracetext_number(text, columns[i].key, record.columns[columns[i].column]);
  if (kind == PROF_GPU_KERNEL) {
    take_shape(text, "grid", record.columns + PROF_GPU_GRID_X);
    take_shape(text, "block", record.columns + PROF_GPU_BLOCK_X);
  }
  record.columns[PROF_GPU_START] = at ? text->start + strtoull(at, NULL, 0) : 0;
  record.columns[PROF_GPU_DOMAIN] = domain ? text_number(text, domain) : 0;
  record.columns[PROF_GPU_NAME] = name ? text_number(text, name) : 0;
  return prof_vec_push(&text->gpu, record) ? PROF_OK : PROF_NO_MEMORY;
}

prof_status prof_tracetext_gpu_line(struct tracetext *text) {
  if (text->word_count > 1 && !strcmp(text->words[1], "source"))
    return take_source(text);
  for (size_t i = 0; text->word_count > 1 && i < sizeof records / sizeof *records; i++)
    if (!strcmp(text->words[1], records[i].word))
      return last_source(text) ? take_record(text, records[i].record)
                               : prof_tracetext_wrong(text, "gpu source must come first", text->words[1]);
  return prof_tracetext_wrong(text, "gpu RECORD [key=value...]", text->words[1]);
}

static void put_source(const struct tracetext *text, prof_writer *writer, const struct text_gpu_record *source) {
  struct prof_gpu_source_record record = {
      .source = source->source,
      .process = source->process,
      .pid = 999 + source->process,
      .library_version = source->library_version,
      .driver_version = source->driver_version,
      .flags = source->converted ? 0 : PROF_FORMAT_GPU_SOURCE_OWN_CLOCK,
      .start_ticks = text->start,
      .library = prof_span(source->library),
  };
  (void)prof_writer_gpu_source(writer, &record);
  for (uint32_t i = 0; i < text->gpu_texts.count; i++) {
    struct prof_gpu_text_record name = {i + 1, prof_span(text->gpu_texts.items[i])};
    (void)prof_writer_gpu_texts(writer, source->source, &name, 1);
  }
  (void)prof_writer_gpu_status(writer, source->source, source->figures);
}

/* Writes a chunk per run of records of one kind. */
static void put_records(prof_writer *writer, const struct text_gpu_record *first, uint32_t count) {
  const uint64_t *given[PROF_GPU_COLUMN_COUNT] = {0};
  uint64_t *values = calloc((size_t)PROF_GPU_COLUMN_COUNT * count, sizeof *values);
  if (!values)
    abort();
  for (uint32_t column = 0; column < PROF_GPU_COLUMN_COUNT; column++) {
    given[column] = values + (size_t)column * count;
    for (uint32_t i = 0; i < count; i++)
      values[(size_t)column * count + i] = first[i].columns[column];
  }
  (void)prof_writer_gpu_records(writer, first->source, first->record, given, count);
  free(values);
}

void prof_tracetext_gpu_put(struct tracetext *text, prof_writer *writer) {
  const struct text_gpu_record *items = text->gpu.items;
  for (size_t i = 0, next; i < text->gpu.count; i = next) {
    next = i + 1;
    if (items[i].record == 0) {
      put_source(text, writer, &items[i]);
      continue;
    }
    while (next < text->gpu.count && items[next].record == items[i].record)
      next++;
    put_records(writer, &items[i], (uint32_t)(next - i));
  }
}

void prof_tracetext_gpu_fini(struct tracetext *text) {
  prof_vec_fini(&text->gpu);
  prof_vec_fini(&text->gpu_texts);
}
