/*
 * test/unit/model_case.h - small traces for tests of tools/model: ring events of a few threads, cut into chunks at
 * will.
 *
 * Functions are f0, f1, ...; function f has the sites 1 + 3 f (entry), + 1 (exit), + 2 (landed).  Function
 * CASE_FUNCTIONS is none that the trace knows: one site for all its probes, which no LOAD explains.  The clock runs at
 * 1 GHz from tick CASE_START on: a tick is a nanosecond.
 */
#ifndef PROF_TEST_MODEL_CASE_H
#define PROF_TEST_MODEL_CASE_H

#include <string.h>

#include "match/matcher.h"
#include "row.h"
#include "trace_folder.h"

#define CASE_FUNCTIONS 12
#define CASE_SITES (3 * CASE_FUNCTIONS)
#define CASE_START 1000000ull
#define CASE_MOST_EVENTS 150000
#define CASE_MOST_THREADS 4

struct case_events { /* of one thread */
  struct prof_event events[CASE_MOST_EVENTS];
  bool cut_before[CASE_MOST_EVENTS]; /* a new chunk begins with this event */
  size_t count;
  uint64_t time;
};

static inline void case_clear(struct case_events *events) {
  memset(events->cut_before, 0, events->count);
  events->count = 0;
  events->time = 0;
}

static inline uint32_t case_site(uint32_t function, uint32_t probe) {
  return function < CASE_FUNCTIONS ? 1 + 3 * function + (probe - 1) : CASE_SITES + 1;
}

/* Adds an event `step` ticks after the one before. */
static inline void case_add(struct case_events *to, uint64_t step, uint32_t kind, uint32_t site, uint32_t aux) {
  if (to->count == CASE_MOST_EVENTS)
    abort();
  if (!to->time)
    to->time = CASE_START;
  to->time += step;
  to->events[to->count++] = (struct prof_event){.time = to->time, .what = prof_event_what(site, kind), .aux = aux};
}
/* Called from one of three places, or nobody knows from where. */
static inline void case_enter(struct case_events *to, uint64_t step, uint32_t function) {
  uint32_t place = (uint32_t)(to->count % 4);
  case_add(to, step, PROF_EVENT_ENTRY, case_site(function, PROF_PROBE_ENTRY), place ? 0x2000 + 0x10 * place : 0);
}
static inline void case_exit(struct case_events *to, uint64_t step, uint32_t function) {
  case_add(to, step, PROF_EVENT_EXIT, case_site(function, PROF_PROBE_EXIT), 0);
}
static inline void case_land(struct case_events *to, uint64_t step, uint32_t function) {
  case_add(to, step, PROF_EVENT_LANDED, case_site(function, PROF_PROBE_LANDED), 0);
}

static inline void case_facts(prof_writer *writer) {
  struct prof_function_record functions[CASE_FUNCTIONS];
  struct prof_site_record sites[CASE_SITES];
  char names[CASE_FUNCTIONS][8];
  for (uint32_t f = 0; f < CASE_FUNCTIONS; f++) {
    snprintf(names[f], sizeof names[f], "f%u", f);
    functions[f] = (struct prof_function_record){.key = f + 1,
                                                 .line = 10 * f,
                                                 .language = PROF_LANGUAGE_C,
                                                 .name = prof_span(names[f]),
                                                 .file = prof_span(f % 2 ? "odd.c" : "even.c")};
    for (uint32_t probe = 0; probe < 3; probe++)
      sites[3 * f + probe] = (struct prof_site_record){0x1000 + 0x100 * f + 0x10 * probe, probe + 1, f, f};
  }
  struct prof_clock_record clock = {CASE_START, 0, 0, 1000000000, 1, PROF_FORMAT_CLOCK_INVARIANT, 1};
  struct prof_process_record process = {
      .process = 1, .pid = 100, .start_ticks = CASE_START, .event_cost = 2000, .executable = prof_span("case")};
  struct prof_module_record module = {.module = 1,
                                      .path = prof_span("/case"),
                                      .compiler = prof_span(""),
                                      .functions = functions,
                                      .function_count = CASE_FUNCTIONS,
                                      .sites = sites,
                                      .site_count = CASE_SITES};
  struct prof_load_record load = {1, 1, 1, CASE_SITES, 0, 0x1000, 0x10000, 0};
  (void)prof_writer_clock(writer, &clock);
  (void)prof_writer_process(writer, &process);
  (void)prof_writer_module(writer, &module);
  (void)prof_writer_load(writer, &load);
}

/* Of the last ones so many are zones, which may end in other functions than they began in. */
static uint32_t case_zones;

static inline bool case_is_zone(uint32_t function) {
  return function < CASE_FUNCTIONS && function >= CASE_FUNCTIONS - case_zones;
}

static struct prof_keep_rules *case_rules; /* a filter while recording; NULL: every call is written */

/* Writes a trace of the threads into a new folder; each gets tid 100 + its index.  more: writes what else there is. */
static inline void case_write_with(struct trace_folder *folder, const struct case_events *threads,
                                   uint32_t thread_count, void (*more)(prof_writer *, void *), void *context) {
  static uint32_t functions[CASE_SITES + 1], zones[CASE_SITES + 1];
  struct prof_site_map map = {functions, CASE_SITES + 1, NULL, case_zones ? zones : NULL};
  for (uint32_t site = 0; site <= CASE_SITES; site++) {
    functions[site] = site ? (site - 1) / 3 : PROF_MATCHER_NO_FUNCTION;
    bool begins = site && case_is_zone(functions[site]) && site == case_site(functions[site], PROF_PROBE_ENTRY);
    zones[site] = begins ? (PROF_MATCHER_ZONE | PROF_MATCHER_APART) + 10 * functions[site] : 0;
  }
  trace_folder_make(folder);
  prof_writer *writer;
  if (prof_writer_open(folder->path, NULL, NULL, &writer) != PROF_OK)
    abort();
  prof_packer *packer = prof_packer_new(writer);
  case_facts(writer);
  for (uint32_t i = 0; i < thread_count; i++) {
    prof_matcher *matcher = prof_matcher_new(packer, i + 1);
    struct prof_matcher_figures figures;
    if (case_rules && !prof_matcher_keep(matcher, case_rules))
      abort();
    for (size_t j = 0, count; j < threads[i].count; j += count) {
      struct prof_event events[64];
      if (threads[i].cut_before[j] && prof_encoder_flush(prof_matcher_encoder(matcher), false) != PROF_OK)
        abort();
      for (count = 0; count < 64 && j + count < threads[i].count && !(count && threads[i].cut_before[j + count]);)
        events[count] = threads[i].events[j + count], count++;
      prof_matcher_drain(matcher, events, count, &map, false);
    }
    prof_matcher_settle(matcher);
    if (prof_encoder_flush(prof_matcher_encoder(matcher), true) != PROF_OK)
      abort();
    char name[24];
    prof_matcher_figures(matcher, &figures);
    snprintf(name, sizeof name, "thread-%u", i);
    struct prof_thread_record record = {.thread = i + 1,
                                        .process = 1,
                                        .tid = 100 + i,
                                        .flags = PROF_FORMAT_THREAD_ENDED,
                                        .start_ticks = CASE_START,
                                        .end_ticks = threads[i].time,
                                        .left_out = figures.left_out,
                                        .name = prof_span(name)};
    (void)prof_writer_thread(writer, &record);
    prof_matcher_free(matcher);
  }
  if (more)
    more(writer, context);
  struct prof_end_record end = {.reason = 1};
  (void)prof_writer_end(writer, &end);
  prof_packer_free(packer);
  if (prof_writer_close(writer, NULL) != PROF_OK)
    abort();
}

static inline void case_write(struct trace_folder *folder, const struct case_events *threads, uint32_t thread_count) {
  case_write_with(folder, threads, thread_count, NULL, NULL);
}

static inline prof_trace *case_open(const struct trace_folder *folder) {
  prof_trace *trace;
  struct prof_diag diag;
  if (prof_trace_open(folder->path, &diag, &trace) != PROF_OK) {
    fprintf(stderr, "%s\n", diag.what);
    abort();
  }
  return trace;
}

/* The trace again with one byte changed: in chunk `index`'s header (it is gone) or payload (it is damaged). */
static inline void case_damage(const struct trace_folder *folder, size_t index, bool header) {
  prof_trace *trace = case_open(folder);
  size_t count, bytes;
  uint64_t offset = prof_trace_chunks(trace, &count)[index].offset;
  prof_trace_close(trace);
  unsigned char *data = trace_folder_read(folder, &bytes);
  data[offset + (header ? 20 : sizeof(struct prof_format_chunk) + 3)] ^= 0x40;
  trace_folder_write(folder, data, bytes);
  free(data);
}

/* Numbers that look random: xorshift64 (G. Marsaglia, 2003). */
static inline uint64_t case_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#endif
