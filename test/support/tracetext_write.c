/*
 * test/support/tracetext_write.c - writes a parsed text as a trace: facts first, events in the order of the text, then
 * the threads' final figures.
 */
#include <stdlib.h>

#include "match/fork_stacks.h"
#include "measure.h"
#include "tracetext_parts.h"

#define SITES_PER_FUNCTION 3 /* entry, exit, landed */
#define FUNCTION_BYTES 0x100 /* of link-time addresses */
#define MODULE_BIAS 0x7f0000000000ull
#define MODULE_SPAN 0x1000000ull
#define LOOPS_AT 0x800000ull /* their link-time addresses */

static uint64_t address_of(const struct tracetext *text, uint32_t function) {
  return 0x1000 + (uint64_t)text->functions.items[function].in_module * FUNCTION_BYTES;
}

static uint64_t bias_of(uint32_t module) {
  return MODULE_BIAS + module * MODULE_SPAN;
}

uint64_t prof_tracetext_address(const struct tracetext *text, uint32_t function) {
  return bias_of(text->functions.items[function].module) + address_of(text, function);
}

static uint32_t site_of(const struct tracetext *text, uint32_t function, uint32_t kind) {
  const struct text_function *item = &text->functions.items[function];
  return text->modules.items[item->module].first_site + item->in_module * SITES_PER_FUNCTION + kind - 1;
}

uint32_t prof_tracetext_site(const struct tracetext *text, uint32_t function) {
  return site_of(text, function, PROF_PROBE_ENTRY);
}

static uint32_t loop_site_of(const struct tracetext *text, uint32_t loop, enum text_loop_site which) {
  const struct text_loop *item = &text->loops.items[loop];
  const struct text_module *module = &text->modules.items[text->functions.items[item->function].module];
  return module->first_site + module->function_count * SITES_PER_FUNCTION + item->in_module * TEXT_LOOP_SITES + which;
}

uint32_t prof_tracetext_loop_site(const struct tracetext *text, uint32_t loop) {
  return loop_site_of(text, loop, TEXT_LOOP_ENTRY);
}

/* Sites of points follow those of functions and loops. */
static uint32_t first_point_of(const struct text_module *module) {
  return module->function_count * SITES_PER_FUNCTION + module->loop_count * TEXT_LOOP_SITES;
}

static uint32_t site_count_of(const struct text_module *module) {
  return first_point_of(module) + module->point_count;
}

/* Fills in a loop's sites, its entry and its part in a LOOPS chunk. */
static void take_loop(const struct tracetext *text, uint32_t index, struct prof_site_record *sites,
                      struct prof_loop_record *loops, struct prof_loop_probe_record *probes) {
  static const uint32_t kinds[TEXT_LOOP_SITES] = {
      [TEXT_LOOP_ENTRY] = PROF_PROBE_LOOP_ENTRY | PROF_ROW_HAS_VALUE,
      [TEXT_LOOP_EXIT] = PROF_PROBE_LOOP_EXIT | PROF_ROW_HAS_VALUE,
      [TEXT_LOOP_MAYBE] = PROF_PROBE_LOOP_EXIT | PROF_ROW_HAS_VALUE | PROF_ROW_MAYBE,
      [TEXT_LOOP_COUNT] = PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE,
      [TEXT_LOOP_ENTRIES] = PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE | PROF_ROW_COUNTS_ENTRIES,
  };
  const struct text_loop *loop = &text->loops.items[index];
  const struct text_function *function = &text->functions.items[loop->function];
  uint32_t first = text->modules.items[function->module].first_site, at = loop->in_module;
  for (uint32_t which = 0; which < TEXT_LOOP_SITES; which++) {
    uint32_t site = loop_site_of(text, index, which) - first;
    sites[site] = (struct prof_site_record){LOOPS_AT + 0x10 * site, kinds[which], loop->line, function->in_module};
    bool is_count = which == TEXT_LOOP_COUNT || which == TEXT_LOOP_ENTRIES;
    uint32_t of = is_count && loop->derived ? UINT32_MAX : at; /* none: readers ignore it */
    probes[at * TEXT_LOOP_SITES + which] = (struct prof_loop_probe_record){site, of};
  }
  loops[at] = (struct prof_loop_record){
      .key = index + 1,
      .function = function->in_module,
      .parent = loop->parent == UINT32_MAX ? UINT32_MAX : text->loops.items[loop->parent].in_module,
      .iterations = loop->iterations,
      .line = loop->line,
      .last_line = loop->last_line,
      .flags = loop->flags,
      .depth = loop->depth,
      .name = prof_span(loop->inlined),
      .file = prof_span(loop->file)};
}

/* Fills in the sites of the module's loops, which are written with the functions'; then writes their chunk. */
static void write_loops(const struct tracetext *text, prof_writer *writer, uint32_t module,
                        struct prof_module_record *record, struct prof_site_record *sites) {
  uint32_t count = text->modules.items[module].loop_count;
  struct prof_loop_record *loops = calloc(count + 1, sizeof *loops);
  struct prof_loop_probe_record *probes = calloc(count * TEXT_LOOP_SITES + 1, sizeof *probes);
  if (!loops || !probes)
    abort();
  for (uint32_t i = 0; i < text->loops.count; i++)
    if (text->functions.items[text->loops.items[i].function].module == module)
      take_loop(text, i, sites, loops, probes);
  if (module == 0)
    prof_tracetext_points_sites(text, sites, first_point_of(&text->modules.items[0]));
  (void)prof_writer_module(writer, record);
  if (module == 0)
    prof_tracetext_points_put(text, writer, first_point_of(&text->modules.items[0]));
  struct prof_loops_record all = {module + 1, loops, count, probes, count * TEXT_LOOP_SITES};
  if (count)
    (void)prof_writer_loops(writer, &all);
  free(loops);
  free(probes);
}

/* A zone has the exit by its line in place of a landing. */
#define LINE_EXIT PROF_PROBE_LANDED
static const uint32_t zone_kinds[SITES_PER_FUNCTION] = {PROF_PROBE_ENTRY | PROF_ROW_ZONE,
                                                        PROF_PROBE_EXIT | PROF_ROW_ZONE,
                                                        PROF_PROBE_EXIT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE};

static void write_module(struct tracetext *text, prof_writer *writer, uint32_t index) {
  struct text_module *module = &text->modules.items[index];
  uint32_t count = module->function_count, site_count = site_count_of(module);
  struct prof_function_record *functions = calloc(count + 1, sizeof *functions);
  struct prof_site_record *sites = calloc(site_count + 1, sizeof *sites);
  if (!functions || !sites)
    abort();
  for (uint32_t i = 0; i < text->functions.count; i++) {
    const struct text_function *function = &text->functions.items[i];
    if (function->module != index)
      continue;
    uint32_t at = function->in_module;
    functions[at] = (struct prof_function_record){.key = i + 1,
                                                  .line = function->line,
                                                  .statements = 10,
                                                  .flags = (function->zone ? PROF_FUNCTION_ZONE : 0) |
                                                           (function->iteration ? PROF_FUNCTION_ITERATION : 0),
                                                  .language = (uint16_t)function->language,
                                                  .name = prof_span(function->name),
                                                  .file = prof_span(function->file)};
    for (uint32_t kind = 1; kind <= SITES_PER_FUNCTION; kind++)
      sites[at * SITES_PER_FUNCTION + kind - 1] = (struct prof_site_record){
          address_of(text, i) + 0x10 * (kind - 1), function->zone ? zone_kinds[kind - 1] : kind, function->line, at};
    if (function->zone)
      sites[at * SITES_PER_FUNCTION + LINE_EXIT - 1].function = UINT32_MAX;
  }
  uint8_t build_id[20] = {0xb0, (uint8_t)index};
  struct prof_module_record record = {.module = index + 1,
                                      .build_id = build_id,
                                      .build_id_bytes = sizeof build_id,
                                      .path = prof_span(module->path),
                                      .compiler = prof_span(module->compiler),
                                      .functions = functions,
                                      .function_count = count,
                                      .sites = sites,
                                      .site_count = site_count};
  write_loops(text, writer, index, &record, sites);
  struct prof_load_record load = {.process = module->process ? module->process : text->processes.items[0].process,
                                  .module = index + 1,
                                  .first_site = module->first_site,
                                  .site_count = site_count,
                                  .bias = bias_of(index),
                                  .begin = bias_of(index),
                                  .end = bias_of(index) + MODULE_SPAN};
  (void)prof_writer_load(writer, &load);
  free(functions);
  free(sites);
}

static void write_facts(struct tracetext *text, prof_writer *writer) {
  uint32_t next_site = 1;
  for (size_t i = 0; i < text->modules.count; i++) {
    text->modules.items[i].first_site = next_site;
    next_site += site_count_of(&text->modules.items[i]);
  }
  (void)prof_writer_settings(writer, text->settings.items, (uint32_t)text->settings.count);
  struct prof_clock_record clock = {.ticks = text->start,
                                    .monotonic_ns = 1000000000,
                                    .realtime_ns = 1600000000000000000 + text->started_ns,
                                    .frequency_hz = text->frequency_hz,
                                    .step_ticks = text->step,
                                    .flags = PROF_FORMAT_CLOCK_INVARIANT,
                                    .source = 1};
  (void)prof_writer_clock(writer, &clock);
  for (size_t i = 0; i < text->processes.count; i++)
    (void)prof_writer_process(writer, &text->processes.items[i]);
  for (uint32_t i = 0; i < text->modules.count; i++)
    write_module(text, writer, i);
}

/* The function or loop of each site; NULL: no memory. */
static uint32_t *make_map(const struct tracetext *text, uint32_t site_count) {
  uint32_t *functions = calloc(site_count, sizeof *functions);
  for (uint32_t i = 0; functions && i < text->functions.count; i++)
    for (uint32_t kind = 1; kind <= SITES_PER_FUNCTION; kind++)
      functions[site_of(text, i, kind)] = i;
  for (uint32_t i = 0; functions && i < text->loops.count; i++)
    for (uint32_t which = 0; which < TEXT_LOOP_SITES; which++)
      functions[loop_site_of(text, i, which)] =
          ((uint32_t)text->functions.count + i) | (which == TEXT_LOOP_MAYBE ? PROF_MATCHER_MAYBE : 0);
  return functions;
}

/* As in struct prof_site_map; NULL: no memory. */
static uint32_t *make_zones(const struct tracetext *text, uint32_t site_count, uint32_t *functions) {
  uint32_t *zones = calloc(site_count, sizeof *zones);
  for (uint32_t i = 0; zones && functions && i < text->functions.count; i++) {
    if (!text->functions.items[i].zone)
      continue;
    const struct text_function *zone = &text->functions.items[i];
    uint32_t bits = (zone->zone >= 2 ? PROF_MATCHER_BY_NAME : 0) | (zone->zone >= 3 ? PROF_MATCHER_APART : 0);
    zones[site_of(text, i, PROF_PROBE_ENTRY)] =
        zone->iteration ? PROF_MATCHER_ITERATION : PROF_MATCHER_ZONE | zone->line | bits;
    zones[site_of(text, i, LINE_EXIT)] = PROF_MATCHER_ZONE;
    functions[site_of(text, i, LINE_EXIT)] = PROF_MATCHER_NO_FUNCTION;
  }
  return zones;
}

static uint32_t event_site(const struct tracetext *text, const struct text_event *event) {
  if (event->point != UINT32_MAX)
    return text->modules.items[0].first_site + first_point_of(&text->modules.items[0]) + event->point;
  if (event->loop != UINT32_MAX)
    return loop_site_of(text, event->loop, event->loop_site);
  uint32_t kind = event->kind == PROF_EVENT_FRAME ? PROF_EVENT_ENTRY : event->kind;
  kind = event->by_line ? LINE_EXIT : kind;
  return event->function == PROF_MATCHER_NO_FUNCTION ? 0 : site_of(text, event->function, kind);
}

/* Gives a fork's child the frames of its parent, from the fork on. */
static void begin_child(struct text_thread *child, const struct prof_fork_stack *stack) {
  if (!stack || !prof_matcher_inherit(child->matcher, stack))
    abort();
  child->fork_ticks = stack->time;
}

static void put_measure(const struct tracetext *text, const struct text_event *event, prof_matcher *matcher,
                        const struct prof_site_map *map) {
  uint64_t caller = event->by_function ? prof_tracetext_address(text, event->aux) + 0x20 : event->aux;
  struct prof_event slots[] = {{event->time, prof_measure_what(event->loop, caller), (uint32_t)caller},
                               {PROF_EVENT_VALUE_BIT | event->first,
                                prof_event_what((uint32_t)(event->second >> 32), PROF_EVENT_OPERAND),
                                (uint32_t)event->second}};
  prof_matcher_drain(matcher, slots, 2, map, false);
}

static bool is_same(void *context, uint32_t function) {
  return function == *(const uint32_t *)context;
}

static void write_events(struct tracetext *text, prof_packer *packer) {
  uint32_t site_count = 1;
  for (size_t i = 0; i < text->modules.count; i++)
    site_count += site_count_of(&text->modules.items[i]);
  uint32_t *functions = make_map(text, site_count), *zones = make_zones(text, site_count, functions);
  prof_fork_stacks *forks = prof_fork_stacks_new(1 << 20);
  for (size_t i = 0; i < text->threads.count; i++)
    prof_matcher_keep_forks(text->threads.items[i].matcher = prof_matcher_new(packer, (uint32_t)i + 1), forks);
  struct prof_site_map map = {functions, site_count, NULL, zones};
  for (size_t i = 0; i < text->events.count; i++) {
    const struct text_event *event = &text->events.items[i];
    prof_matcher *matcher = text->threads.items[event->thread].matcher;
    if (!matcher || !functions || !zones || !forks)
      abort();
    if (!event->kind) {
      (void)prof_encoder_flush(prof_matcher_encoder(matcher), false);
      continue;
    }
    if (event->kind == TEXT_LEAVE) {
      prof_matcher_leave(matcher, event->time, is_same, &functions[site_of(text, event->function, PROF_EVENT_ENTRY)]);
      continue;
    }
    if (event->kind == PROF_EVENT_MEASURE) {
      put_measure(text, event, matcher, &map);
      continue;
    }
    uint32_t site = event_site(text, event);
    uint32_t aux = event->aux;
    if (event->by_line)
      aux = text->functions.items[event->function].line;
    if (event->by_function)
      aux = (uint32_t)(prof_tracetext_address(text, aux) + 0x20);
    struct prof_event slots[] = {{event->time, prof_event_what(site, event->kind), aux},
                                 {PROF_EVENT_VALUE_BIT | event->value, prof_event_what(site, PROF_EVENT_VALUE), 0}};
    bool value_only = event->kind == PROF_EVENT_VALUE || event->kind == PROF_EVENT_POINT_VALUE;
    if (event->point != UINT32_MAX) {
      slots[1].what = prof_event_what(site, PROF_EVENT_POINT_VALUE);
      slots[1].aux = (uint32_t)(event->value >> 63);
    }
    prof_matcher_drain(matcher, slots + value_only, 1 + (event->has_value && !value_only), &map, false);
    if (event->kind == PROF_EVENT_FORK)
      begin_child(&text->threads.items[event->aux - 1], prof_fork_stacks_find(forks, event->aux));
  }
  prof_fork_stacks_free(forks);
  free(functions);
  free(zones);
}

static void write_threads(struct tracetext *text, prof_writer *writer) {
  for (uint32_t i = 0; i < text->threads.count; i++) {
    struct text_thread *thread = &text->threads.items[i];
    struct prof_matcher_figures figures;
    (void)prof_encoder_flush(prof_matcher_encoder(thread->matcher), true);
    prof_matcher_figures(thread->matcher, &figures);
    struct prof_thread_record record = {.thread = i + 1,
                                        .process = thread->process,
                                        .tid = thread->tid,
                                        .flags = PROF_FORMAT_THREAD_ENDED,
                                        .start_ticks = thread->fork_ticks ? thread->fork_ticks : text->start,
                                        .end_ticks = figures.last_ticks,
                                        .lost = thread->lost + figures.gap_lost,
                                        .stalled_ticks = figures.stalled_ticks,
                                        .inversions = figures.inversions,
                                        .torn = figures.torn,
                                        .unmatched = figures.unmatched,
                                        .skipped = figures.skipped,
                                        .name = prof_span(thread->title),
                                        .cpu_ns = thread->cpu_ns,
                                        .cpu_ticks = !thread->cpu_ns      ? 0
                                                     : thread->told_ticks ? text->start + thread->told_ticks
                                                                          : figures.last_ticks,
                                        .moves = thread->moves,
                                        .line_readings = thread->line_readings};
    (void)prof_writer_thread(writer, &record);
    text->end.events += figures.events;
    text->end.lost += record.lost;
    prof_matcher_free(thread->matcher);
  }
}

prof_status prof_tracetext_put(struct tracetext *text, const char *directory) {
  struct prof_writer_options options = {.start_realtime_ns = 1600000000000000000 + text->started_ns,
                                        .id = {text->id ? text->id : 1}};
  prof_writer *writer;
  prof_status status = prof_writer_open(directory, &options, text->diag, &writer);
  if (status != PROF_OK)
    return status;
  prof_packer *packer = prof_packer_new(writer);
  if (!packer)
    abort();
  write_facts(text, writer);
  write_events(text, packer);
  write_threads(text, writer);
  prof_tracetext_gpu_put(text, writer);
  prof_tracetext_samples_put(text, writer);
  prof_tracetext_bursts_put(text, writer);
  prof_tracetext_lines_put(text, writer);
  for (size_t i = 0; i < text->files.count; i++)
    (void)prof_writer_file(writer, &text->files.items[i]);
  prof_tracetext_work_put(text, writer);
  for (size_t i = 0; i < text->notes.count; i++)
    (void)prof_writer_note(writer, &text->notes.items[i]);
  if (!text->no_end)
    (void)prof_writer_end(writer, &text->end);
  prof_packer_free(packer);
  return prof_writer_close(writer, text->diag); /* errors are sticky: this one reports the first */
}
