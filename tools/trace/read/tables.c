/*
 * tools/trace/read/tables.c - takes payloads of settings, clock, processes, modules, loads, threads, end and notes into
 * a trace.
 *
 * A payload is taken as a whole or not at all: counts are compared with the payload's size before anything is
 * allocated.  A number that no chunk has announced gets an item without facts.
 */
#include <stdio.h>
#include <string.h>

#include "trace.h"
#include "trace/bytes.h"

const char *prof_trace_take_text(struct prof_arena *arena, struct prof_byte_reader *reader) {
  uint32_t bytes = prof_byte_reader_u32(reader);
  const uint8_t *text = prof_byte_reader_bytes(reader, bytes);
  return text ? prof_arena_copy(arena, text, bytes) : NULL;
}

uint32_t prof_trace_thread(struct prof_trace *trace, uint32_t number) {
  const struct prof_thread_info thread = {.number = number, .process = PROF_NONE, .name = ""};
  return prof_index_meet(&trace->thread_index, &trace->threads, number, index, true, thread);
}

uint32_t prof_trace_process(struct prof_trace *trace, uint32_t number) {
  const struct prof_process process = {.number = number, .parent = PROF_NONE, .executable = ""};
  return prof_index_meet(&trace->process_index, &trace->processes, number, index, true, process);
}

/* Has the payload more than version 1.1 writes? */
static bool has_more(const struct prof_byte_reader *reader) {
  return !reader->bad && reader->at < reader->end;
}

static prof_status take_settings(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t count = prof_byte_reader_u32(reader);
  size_t before = trace->settings.count;
  if (!prof_byte_reader_fits(reader, count, 8))
    return PROF_CORRUPT;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_setting setting = {.key = prof_trace_take_text(&trace->arena, reader)};
    setting.bytes = prof_byte_reader_u32(reader);
    const uint8_t *value = prof_byte_reader_bytes(reader, setting.bytes);
    if (reader->bad) {
      trace->settings.count = before; /* drop all of it */
      return PROF_CORRUPT;
    }
    setting.value = prof_arena_copy(&trace->arena, value, setting.bytes);
    if (!setting.key || !setting.value || !prof_vec_push(&trace->settings, setting))
      return PROF_NO_MEMORY;
  }
  return PROF_OK;
}

static prof_status take_clock(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint64_t ticks = prof_byte_reader_u64(reader);
  uint64_t monotonic_ns = prof_byte_reader_u64(reader);
  uint64_t realtime_ns = prof_byte_reader_u64(reader);
  uint64_t frequency_hz = prof_byte_reader_u64(reader);
  uint32_t step = prof_byte_reader_u32(reader), flags = prof_byte_reader_u32(reader),
           source = prof_byte_reader_u32(reader);
  uint32_t skew_ticks = has_more(reader) ? prof_byte_reader_u32(reader) : 0;
  const char *kernel_clock = has_more(reader) ? prof_trace_take_text(&trace->arena, reader) : "";
  if (reader->bad || !frequency_hz)
    return PROF_CORRUPT;
  if (!kernel_clock)
    return PROF_NO_MEMORY;
  if (!trace->has_clock) {
    trace->info.start_ticks = ticks;
    if (realtime_ns) /* the file's header has that of a moment before, long before on a busy machine */
      trace->info.start_realtime_ns = realtime_ns;
  }
  trace->has_clock = true;
  trace->last_clock.ticks = ticks;
  trace->last_clock.monotonic_ns = monotonic_ns;
  trace->info.frequency_hz = frequency_hz;
  trace->info.clock_step_ticks = step ? step : 1;
  trace->info.clock_invariant = flags & PROF_FORMAT_CLOCK_INVARIANT;
  trace->info.clock_compared = flags & PROF_FORMAT_CLOCK_COMPARED;
  trace->info.clock_source = source;
  trace->info.clock_skew_ticks = skew_ticks;
  trace->info.kernel_clock = kernel_clock;
  return PROF_OK;
}

static prof_status take_process(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t number = prof_byte_reader_u32(reader), parent = prof_byte_reader_u32(reader);
  uint32_t pid = prof_byte_reader_u32(reader), ppid = prof_byte_reader_u32(reader);
  uint64_t start = prof_byte_reader_u64(reader);
  uint32_t cost = prof_byte_reader_u32(reader), flags = prof_byte_reader_u32(reader);
  const char *executable = prof_trace_take_text(&trace->arena, reader);
  uint32_t among = has_more(reader) ? prof_byte_reader_u32(reader) : 0;
  uint32_t count = has_more(reader) ? prof_byte_reader_u32(reader) : 0;
  uint32_t count_among = has_more(reader) ? prof_byte_reader_u32(reader) : 0;
  if (reader->bad)
    return PROF_CORRUPT;
  uint32_t parent_index = parent && parent != number ? prof_trace_process(trace, parent) : PROF_NONE;
  uint32_t index = prof_trace_process(trace, number);
  if (index == PROF_NONE || !executable)
    return PROF_NO_MEMORY;
  trace->processes.items[index] = (struct prof_process){.number = number,
                                                        .parent = parent_index,
                                                        .pid = pid,
                                                        .ppid = ppid,
                                                        .start_ticks = start,
                                                        .event_cost_ticks = cost / 1000.0,
                                                        .event_cost_among_ticks = among / 1000.0,
                                                        .count_cost_ticks = count / 1000.0,
                                                        .count_cost_among_ticks = count_among / 1000.0,
                                                        .forked = flags & PROF_FORMAT_PROCESS_FORKED,
                                                        .sliced = trace->processes.items[index].sliced,
                                                        .executable = executable};
  return PROF_OK;
}

#define FUNCTION_LEAST_BYTES 32
#define SITE_BYTES 20

/* Takes one function; its room is reserved. */
static prof_status take_function(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module) {
  struct prof_function function = {.key = prof_byte_reader_u64(reader), .module = module};
  function.line = prof_byte_reader_u32(reader);
  function.statements = prof_byte_reader_u32(reader);
  function.flags = prof_byte_reader_u32(reader);
  function.language = prof_byte_reader_u16(reader);
  prof_byte_reader_u16(reader);
  function.name = prof_trace_take_text(&trace->arena, reader);
  function.file = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  if (!function.name || !function.file)
    return PROF_NO_MEMORY;
  trace->functions.items[trace->functions.count++] = function;
  return PROF_OK;
}

static prof_status take_functions(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module,
                                  uint32_t count) {
  if (!prof_byte_reader_fits(reader, count, FUNCTION_LEAST_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->functions, count))
    return PROF_NO_MEMORY;
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < count && status == PROF_OK; i++)
    status = take_function(trace, reader, module);
  return status;
}

/* Names a function without a name by the address of its first site. */
static bool name_by_address(struct prof_trace *trace, struct prof_site_info site) {
  struct prof_function *function = &trace->functions.items[site.function];
  if (*function->name)
    return true;
  char text[32];
  int length = snprintf(text, sizeof text, "0x%llx", (unsigned long long)site.address);
  function->name = prof_arena_copy(&trace->arena, text, (size_t)length);
  return function->name != NULL;
}

static prof_status take_sites(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t first_function,
                              uint32_t function_count, uint32_t count) {
  if (!prof_byte_reader_fits(reader, count, SITE_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->sites, count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_site_info site = {.loop = PROF_NONE, .point = PROF_NONE, .address = prof_byte_reader_u64(reader)};
    site.kind = prof_byte_reader_u32(reader);
    site.line = prof_byte_reader_u32(reader);
    uint32_t function = prof_byte_reader_u32(reader);
    site.function = function < function_count ? first_function + function : PROF_NONE;
    if (site.function != PROF_NONE && !name_by_address(trace, site))
      return PROF_NO_MEMORY;
    trace->sites.items[trace->sites.count++] = site;
  }
  return PROF_OK;
}

static void take_begins(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t first_site) {
  for (size_t i = first_site; i < trace->sites.count && has_more(reader); i++) {
    struct prof_site_info *site = &trace->sites.items[i];
    if ((site->kind & PROF_SITE_KIND_MASK) != PROF_SITE_ENTRY)
      continue;
    uint32_t bytes = prof_byte_reader_u32(reader);
    site->begin = bytes > 0 && bytes - 1 <= site->address ? site->address - (bytes - 1) : 0;
  }
}

static prof_status take_module(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t number = prof_byte_reader_u32(reader);
  struct prof_module module = {.build_id_bytes = prof_byte_reader_u32(reader)};
  if (module.build_id_bytes > sizeof module.build_id)
    return PROF_CORRUPT;
  const uint8_t *build_id = prof_byte_reader_bytes(reader, module.build_id_bytes);
  module.path = prof_trace_take_text(&trace->arena, reader);
  module.compiler = prof_trace_take_text(&trace->arena, reader);
  uint32_t function_count = prof_byte_reader_u32(reader), site_count = prof_byte_reader_u32(reader);
  if (reader->bad || prof_index_of(&trace->module_index, number) != PROF_NONE)
    return PROF_CORRUPT;
  if (module.build_id_bytes)
    memcpy(module.build_id, build_id, module.build_id_bytes);
  module.first_function = (uint32_t)trace->functions.count;
  module.function_count = function_count;
  module.site_count = site_count;
  module.number = number;
  uint32_t first_site = (uint32_t)trace->sites.count, index = (uint32_t)trace->modules.count;
  if (!module.path || !module.compiler)
    return PROF_NO_MEMORY;
  prof_status status = take_functions(trace, reader, index, function_count);
  if (status == PROF_OK)
    status = take_sites(trace, reader, module.first_function, function_count, site_count);
  if (status == PROF_OK)
    take_begins(trace, reader, first_site);
  if (status != PROF_OK) { /* drop all of it */
    trace->functions.count = module.first_function;
    trace->sites.count = first_site;
    return status;
  }
  bool kept = prof_vec_push(&trace->module_sites, first_site) && prof_vec_push(&trace->modules, module) &&
              prof_index_add(&trace->module_index, number, index);
  return kept ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_load(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t process = prof_byte_reader_u32(reader), module = prof_byte_reader_u32(reader);
  struct prof_load load = {.first_site = prof_byte_reader_u32(reader)};
  load.site_count = prof_byte_reader_u32(reader);
  load.bias = prof_byte_reader_u64(reader);
  load.begin = prof_byte_reader_u64(reader);
  load.end = prof_byte_reader_u64(reader);
  load.skipped = prof_byte_reader_u32(reader);
  load.module = prof_index_of(&trace->module_index, module);
  if (reader->bad || load.module == PROF_NONE || load.begin > load.end ||
      load.site_count > UINT32_MAX - load.first_site)
    return PROF_CORRUPT;
  const struct prof_module *of = &trace->modules.items[load.module];
  if (load.site_count > of->site_count) /* the module has no more; readers visit each site */
    load.site_count = of->site_count;
  load.process = prof_trace_process(trace, process);
  return load.process != PROF_NONE && prof_vec_push(&trace->loads, load) ? PROF_OK : PROF_NO_MEMORY;
}

#define FUNCTION_NAMED 0x40u /* "SITES": a zone whose name was made at run time */
#define CALLED_LEAST_BYTES (16 + FUNCTION_LEAST_BYTES)

/* Takes one entry of SITES.  The first entry with a function's number makes the function. */
/* The last function, or another zone of its name in its module: recordings that were merged have each their own. */
static uint32_t join_named(struct prof_trace *trace) {
  const uint32_t last = (uint32_t)trace->functions.count - 1;
  const struct prof_function *items = trace->functions.items, *function = &items[last];
  uint64_t hash = function->module;
  for (const char *at = function->name; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 0x100000001b3u; /* FNV-1a */
  uint32_t same = prof_index_find(&trace->named_zones, prof_index_hash(hash, 0), i,
                                  items[i].module == function->module && strcmp(items[i].name, function->name) == 0);
  if (same == PROF_NONE)
    return prof_index_add(&trace->named_zones, prof_index_hash(hash, 0), last) ? last : PROF_NONE;
  trace->functions.count--;
  return same;
}

static prof_status take_called(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module) {
  uint32_t id = prof_byte_reader_u32(reader);
  struct prof_site_info site = {
      .loop = PROF_NONE, .point = PROF_NONE, .kind = PROF_SITE_CALLED, .address = prof_byte_reader_u64(reader)};
  uint32_t number = prof_byte_reader_u32(reader);
  site.function = prof_index_of(&trace->called_functions, number);
  prof_status status = take_function(trace, reader, module);
  if (status != PROF_OK)
    return status;
  if (site.function != PROF_NONE) { /* known: this entry repeats it */
    trace->functions.count--;
  } else {
    site.function = (uint32_t)trace->functions.count - 1;
    const bool named = trace->functions.items[site.function].flags & FUNCTION_NAMED;
    trace->modules.items[module].called_count += !named;
    if (named)
      site.function = join_named(trace);
    if (site.function == PROF_NONE || !name_by_address(trace, site) ||
        !prof_index_add(&trace->called_functions, number, site.function))
      return PROF_NO_MEMORY;
  }
  if (prof_index_of(&trace->called_sites, id) != PROF_NONE)
    return PROF_OK;
  bool kept =
      prof_index_add(&trace->called_sites, id, (uint32_t)trace->called.count) && prof_vec_push(&trace->called, site);
  return kept ? PROF_OK : PROF_NO_MEMORY;
}

/* Entries before a damaged one stay: each is complete. */
static prof_status take_called_sites(struct prof_trace *trace, struct prof_byte_reader *reader) {
  prof_byte_reader_u32(reader); /* process: site ids are unique without it */
  uint32_t module = prof_index_of(&trace->module_index, prof_byte_reader_u32(reader));
  uint32_t count = prof_byte_reader_u32(reader);
  if (reader->bad || module == PROF_NONE || !prof_byte_reader_fits(reader, count, CALLED_LEAST_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->functions, count))
    return PROF_NO_MEMORY;
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < count && status == PROF_OK; i++)
    status = take_called(trace, reader, module);
  return status;
}

static prof_status take_thread(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_thread_info thread = {.number = prof_byte_reader_u32(reader)};
  uint32_t process = prof_byte_reader_u32(reader);
  thread.tid = prof_byte_reader_u32(reader);
  prof_byte_reader_u32(reader);
  uint64_t *const figures[] = {&thread.start_ticks, &thread.end_ticks, &thread.lost,      &thread.stalled_ticks,
                               &thread.inversions,  &thread.torn,      &thread.unmatched, &thread.skipped};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *figures[i] = prof_byte_reader_u64(reader);
  thread.name = prof_trace_take_text(&trace->arena, reader);
  uint64_t *const appended[] = {&thread.cpu_ns,        &thread.cpu_ticks, &thread.moves,
                                &thread.line_readings, &thread.too_deep,  &thread.left_out};
  for (size_t i = 0; has_more(reader) && i < sizeof appended / sizeof *appended; i++)
    *appended[i] = prof_byte_reader_u64(reader);
  if (reader->bad || !thread.number)
    return PROF_CORRUPT;
  thread.process = prof_trace_process(trace, process);
  uint32_t index = prof_trace_thread(trace, thread.number);
  if (!thread.name || thread.process == PROF_NONE || index == PROF_NONE)
    return PROF_NO_MEMORY;
  trace->threads.items[index] = thread;
  return PROF_OK;
}

static prof_status take_end(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_trace_info info = trace->info;
  info.end_reason = prof_byte_reader_u32(reader);
  info.wait_status = (int)prof_byte_reader_u32(reader);
  info.wall_ns = prof_byte_reader_u64(reader);
  info.user_ns = prof_byte_reader_u64(reader);
  info.system_ns = prof_byte_reader_u64(reader);
  info.recorder_cpu_ns = prof_byte_reader_u64(reader);
  prof_byte_reader_u64(reader); /* the recorder's counts of events and lost: readers show what they can read */
  prof_byte_reader_u64(reader);
  if (reader->bad)
    return PROF_CORRUPT;
  prof_chunk_kinds_take(&trace->kinds, reader);
  uint64_t *const appended[] = {&info.minor_faults, &info.major_faults, &info.waits,
                                &info.preemptions,  &info.peak_bytes,   &info.attach_ns};
  for (size_t i = 0; i < sizeof appended / sizeof *appended && reader->at < reader->end; i++)
    *appended[i] = prof_byte_reader_u64(reader);
  if (reader->bad)
    return PROF_CORRUPT;
  info.complete = true;
  trace->info = info;
  return PROF_OK;
}

static prof_status take_note(struct prof_trace *trace, struct prof_byte_reader *reader) {
  prof_byte_reader_u32(reader);
  prof_byte_reader_u32(reader);
  const char *note = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  return note && prof_vec_push(&trace->notes, note) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_file(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_file_name file = {.process = prof_trace_process(trace, prof_byte_reader_u32(reader))};
  file.file = prof_byte_reader_u32(reader);
  file.name = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  return file.name && prof_vec_push(&trace->files, file) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_control(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_control_event control = {.ticks = prof_byte_reader_u64(reader)};
  control.what = prof_byte_reader_u32(reader);
  control.text = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  return control.text && prof_vec_push(&trace->controls, control) ? PROF_OK : PROF_NO_MEMORY;
}

static uint32_t module_at(const struct prof_trace *trace, uint32_t process, uint32_t first_site) {
  for (size_t i = trace->loads.count; i > 0; i--) {
    const struct prof_load *load = &trace->loads.items[i - 1];
    if (load->first_site == first_site && load->process == process)
      return load->module;
  }
  return PROF_NONE;
}

/* Counters or times, by their first word. */
static uint64_t kind_of_objects(const uint8_t *objects, size_t bytes) {
  uint64_t word = 0;
  for (size_t at = 0; word == 0 && bytes - at >= sizeof word; at += sizeof word)
    memcpy(&word, objects + at, sizeof word);
  return word;
}

/* Later objects of the same load and kind replace earlier ones. */
static prof_status take_counts(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t process = prof_trace_process(trace, prof_byte_reader_u32(reader)), first_site = prof_byte_reader_u32(reader);
  uint32_t bytes = prof_byte_reader_u32(reader);
  const uint8_t *objects = prof_byte_reader_bytes(reader, bytes);
  if (reader->bad)
    return PROF_CORRUPT;
  objects = (const uint8_t *)prof_arena_copy(&trace->arena, objects, bytes);
  if (process == PROF_NONE || !objects)
    return PROF_NO_MEMORY;
  struct prof_count_block block = {process, module_at(trace, process, first_site), objects, bytes};
  for (size_t i = 0; i < trace->counts.count; i++)
    if (trace->counts_sites.items[i] == first_site && trace->counts.items[i].process == process &&
        kind_of_objects(trace->counts.items[i].objects, trace->counts.items[i].bytes) ==
            kind_of_objects(block.objects, block.bytes)) {
      trace->counts.items[i] = block;
      return PROF_OK;
    }
  bool made = prof_vec_push(&trace->counts_sites, first_site) && prof_vec_push(&trace->counts, block);
  return made ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_slices(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t process = prof_trace_process(trace, prof_byte_reader_u32(reader)), count = prof_byte_reader_u32(reader);
  if (reader->bad || !prof_byte_reader_fits(reader, count, 2 * sizeof(uint64_t)))
    return PROF_CORRUPT;
  if (process == PROF_NONE || !prof_vec_reserve(&trace->slices, count))
    return PROF_NO_MEMORY;
  size_t before = trace->slices.count;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_slice slice = {.process = process};
    slice.begin_ticks = prof_byte_reader_u64(reader);
    slice.end_ticks = prof_byte_reader_u64(reader);
    if (slice.end_ticks != 0 && slice.end_ticks < slice.begin_ticks) {
      trace->slices.count = before; /* drop all of it */
      return PROF_CORRUPT;
    }
    trace->slices.items[trace->slices.count++] = slice;
  }
  trace->processes.items[process].sliced = true;
  return PROF_OK;
}

prof_status prof_trace_take_table(struct prof_trace *trace, const struct prof_format_chunk *head,
                                  const uint8_t *payload) {
  static prof_status (*const takers[])(struct prof_trace *, struct prof_byte_reader *) = {
      [PROF_FORMAT_SETTINGS] = take_settings,
      [PROF_FORMAT_CLOCK] = take_clock,
      [PROF_FORMAT_PROCESS] = take_process,
      [PROF_FORMAT_MODULE] = take_module,
      [PROF_FORMAT_LOAD] = take_load,
      [PROF_FORMAT_THREAD] = take_thread,
      [PROF_FORMAT_END] = take_end,
      [PROF_FORMAT_NOTE] = take_note,
      [PROF_FORMAT_SITES] = take_called_sites,
      [PROF_FORMAT_LOOPS] = prof_trace_take_loops,
      [PROF_FORMAT_MAP] = prof_trace_take_map,
      [PROF_FORMAT_SAMPLER] = prof_trace_take_sampler,
      [PROF_FORMAT_LIGHT] = prof_trace_take_light,
      [PROF_FORMAT_SLICES] = take_slices,
      [PROF_FORMAT_COUNTS] = take_counts,
      [PROF_FORMAT_FILE] = take_file,
      [PROF_FORMAT_PMU] = prof_trace_take_pmus,
      [PROF_FORMAT_GPU_SOURCE] = prof_trace_take_gpu_source,
      [PROF_FORMAT_GPU_TEXT] = prof_trace_take_gpu_text,
      [PROF_FORMAT_GPU_STATUS] = prof_trace_take_gpu_status,
      [PROF_FORMAT_STATES] = prof_trace_take_states,
      [PROF_FORMAT_PATHS] = prof_trace_take_paths,
      [PROF_FORMAT_PART] = prof_trace_take_part,
      [PROF_FORMAT_POINTS] = prof_trace_take_points,
      [PROF_FORMAT_NAMED] = prof_trace_take_named,
      [PROF_FORMAT_RATES] = prof_trace_take_rates,
      [PROF_FORMAT_CONTROL] = take_control,
      [PROF_FORMAT_READINGS] = prof_trace_take_readings,
      [PROF_FORMAT_SUMMARY] = prof_trace_take_summary,
      [PROF_FORMAT_MEASURES] = prof_trace_take_measures,
      [PROF_FORMAT_TRACKS] = prof_trace_take_tracks,
      [PROF_FORMAT_PMU_SUMS] = prof_trace_take_pmu_sums,
  };
  if (head->kind >= sizeof takers / sizeof *takers || !takers[head->kind])
    return PROF_OK; /* of a later version */
  struct prof_byte_reader reader = {payload, payload + head->raw_bytes, false};
  return takers[head->kind](trace, &reader);
}
