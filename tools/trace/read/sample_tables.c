/*
 * tools/trace/read/sample_tables.c - takes maps, the sampler's figures and offsets of sample chunks into a trace, and
 * answers questions about them.
 *
 * As in tables.c: a payload is taken as a whole or not at all.  Maps are kept twice: in file order, and by process,
 * begin and time for the search by address.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "trace.h"
#include "trace/bytes.h"

prof_status prof_trace_take_map(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t process = prof_byte_reader_u32(reader), module = prof_byte_reader_u32(reader),
           flags = prof_byte_reader_u32(reader);
  prof_byte_reader_u32(reader);
  struct prof_map map = {.own = flags & PROF_FORMAT_MAP_OWN, .start_ticks = prof_byte_reader_u64(reader)};
  map.begin = prof_byte_reader_u64(reader);
  map.end = prof_byte_reader_u64(reader);
  map.bias = prof_byte_reader_u64(reader);
  map.module = prof_index_of(&trace->module_index, module);
  if (reader->bad || map.module == PROF_NONE || map.begin >= map.end)
    return PROF_CORRUPT;
  map.process = prof_trace_process(trace, process);
  return map.process != PROF_NONE && prof_vec_push(&trace->maps, map) ? PROF_OK : PROF_NO_MEMORY;
}

prof_status prof_trace_take_sampler(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_sampler sampler = {.method = prof_byte_reader_u32(reader), .asked_hz = prof_byte_reader_u32(reader)};
  sampler.period_ns = prof_byte_reader_u64(reader);
  uint32_t flags = prof_byte_reader_u32(reader);
  sampler.kernel = flags & PROF_FORMAT_SAMPLER_KERNEL;
  sampler.switches = flags & PROF_FORMAT_SAMPLER_SWITCHES;
  sampler.error_ticks = prof_byte_reader_u32(reader);
  uint64_t *const figures[] = {&sampler.lost, &sampler.throttled, &sampler.foreign, &sampler.unsampled};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *figures[i] = prof_byte_reader_u64(reader);
  sampler.reason = prof_trace_take_text(&trace->arena, reader);
  if (!reader->bad && reader->at < reader->end) /* since 1.2 */
    sampler.extra_period_ns = prof_byte_reader_u64(reader);
  if (reader->bad)
    return PROF_CORRUPT;
  if (sampler.reason == NULL)
    return PROF_NO_MEMORY;
  trace->sampler = sampler;
  trace->has_sampler = true;
  return PROF_OK;
}

/* A truncated recording may have samples and no SAMPLER: readers get one made from the samples. */
void prof_trace_settle_sampler(struct prof_trace *trace) {
  if (trace->has_sampler || trace->sample_chunks.count == 0)
    return;
  trace->has_sampler = true;
  trace->sampler = (struct prof_sampler){.method = PROF_SAMPLER_UNKNOWN, .reason = "not described in the file"};
  for (size_t i = 0; i < trace->sample_chunks.count; i++)
    trace->sampler.switches |= trace->sample_chunks.items[i].kind == PROF_SAMPLE_SWITCHES;
}

prof_status prof_trace_take_samples(struct prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head) {
  struct prof_sample_chunk_ref ref = {.offset = offset,
                                      .first_time = head->first_time,
                                      .last_time = head->last_time,
                                      .kind = (enum prof_sample_kind)head->kind,
                                      .thread = PROF_NONE,
                                      .count = head->events};
  if (head->thread && (ref.thread = prof_trace_thread(trace, head->thread)) == PROF_NONE)
    return PROF_NO_MEMORY;
  return prof_vec_push(&trace->sample_chunks, ref) ? PROF_OK : PROF_NO_MEMORY;
}

#define LIGHT_BYTES 24

prof_status prof_trace_take_light(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t number = prof_byte_reader_u32(reader), spacing = prof_byte_reader_u32(reader),
           count = prof_byte_reader_u32(reader);
  if (reader->bad || number == 0 || spacing == 0 || !prof_byte_reader_fits(reader, count, LIGHT_BYTES))
    return PROF_CORRUPT;
  size_t before = trace->light.count;
  uint32_t thread = prof_trace_thread(trace, number);
  if (thread == PROF_NONE || !prof_vec_reserve(&trace->light, count))
    return PROF_NO_MEMORY;
  uint64_t last = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_trace_light light = {.thread = thread, .slice = {.begin = prof_byte_reader_u64(reader)}};
    light.slice.end = prof_byte_reader_u64(reader);
    light.slice.events = prof_byte_reader_u64(reader);
    if (light.slice.begin < last || light.slice.end <= light.slice.begin) {
      trace->light.count = before; /* drop all of it */
      return PROF_CORRUPT;
    }
    last = light.slice.end;
    trace->light.items[trace->light.count++] = light;
  }
  return PROF_OK;
}

#define RATE_BYTES 12

prof_status prof_trace_take_rates(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t count = prof_byte_reader_u32(reader);
  size_t before = trace->rates.count;
  if (reader->bad || !prof_byte_reader_fits(reader, count, RATE_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->rates, count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_rate_change change = {.time = prof_byte_reader_u64(reader)};
    change.rate = prof_byte_reader_u32(reader);
    change.lacks_switches = change.rate & PROF_FORMAT_RATE_LACKS_SWITCHES;
    change.rate &= ~PROF_FORMAT_RATE_LACKS_SWITCHES;
    if (change.rate > PROF_RATE_FAST) {
      trace->rates.count = before;
      return PROF_CORRUPT;
    }
    trace->rates.items[trace->rates.count++] = change;
  }
  return PROF_OK;
}

static int compare_rates(const void *left, const void *right) {
  const struct prof_rate_change *a = left, *b = right;
  return prof_order(a->time, b->time) ?: prof_order(a->rate, b->rate);
}

void prof_trace_index_rates(struct prof_trace *trace) {
  prof_vec_sort(&trace->rates, compare_rates);
}

static int compare_light(const void *left, const void *right) {
  const struct prof_trace_light *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->slice.begin, b->slice.begin);
}

bool prof_trace_index_light(struct prof_trace *trace) {
  size_t count = trace->light.count;
  if (!prof_vec_reserve(&trace->light_slices, count) ||
      !prof_vec_reserve(&trace->light_first, trace->threads.count + 1))
    return false;
  prof_vec_sort(&trace->light, compare_light);
  size_t at = 0;
  for (uint32_t thread = 0; thread <= trace->threads.count; thread++) {
    trace->light_first.items[thread] = trace->light_slices.count;
    for (; at < count && trace->light.items[at].thread == thread; at++)
      trace->light_slices.items[trace->light_slices.count++] = trace->light.items[at].slice;
  }
  trace->light_first.count = trace->threads.count + 1;
  return true;
}

const struct prof_light_slice *prof_trace_light_slices(const struct prof_trace *trace, uint32_t thread, size_t *count) {
  *count = 0;
  if (thread + 1 >= trace->light_first.count)
    return NULL;
  size_t first = trace->light_first.items[thread];
  *count = trace->light_first.items[thread + 1] - first;
  return *count ? &trace->light_slices.items[first] : NULL;
}

/* ---- search by address ---- */

static int compare_maps(const void *left, const void *right) {
  const struct prof_map *a = left, *b = right;
  int order = prof_order(a->process, b->process) ?: prof_order(a->begin, b->begin);
  return order ?: prof_order(a->start_ticks, b->start_ticks);
}

/* reach: the furthest end of the process's maps up to this one, where a search stops. */
bool prof_trace_index_maps(struct prof_trace *trace) {
  size_t count = trace->maps.count;
  if (!prof_vec_reserve(&trace->maps_by_begin, count + 1))
    return false;
  for (size_t i = 0; i < count; i++)
    trace->maps_by_begin.items[i].map = trace->maps.items[i];
  trace->maps_by_begin.count = count;
  prof_vec_sort(&trace->maps_by_begin, compare_maps); /* map is the first member */
  for (size_t i = 0; i < count; i++) {
    struct prof_trace_map *here = &trace->maps_by_begin.items[i];
    const struct prof_trace_map *before = i ? here - 1 : NULL;
    here->reach = here->map.end;
    if (before && before->map.process == here->map.process && before->reach > here->reach)
      here->reach = before->reach;
  }
  return true;
}

/* The process's latest map with the address at that time; NULL: none. */
static const struct prof_map *find_map(const struct prof_trace *trace, uint32_t process, uint64_t address,
                                       uint64_t time) {
  const struct prof_trace_map *maps = trace->maps_by_begin.items;
  /* the first one that begins after the address */
  size_t low =
      prof_search(0, trace->maps_by_begin.count, middle,
                  (prof_order(maps[middle].map.process, process) ?: prof_order(maps[middle].map.begin, address)) <= 0);
  const struct prof_map *found = NULL;
  for (; low > 0 && trace->maps_by_begin.items[low - 1].map.process == process &&
         trace->maps_by_begin.items[low - 1].reach > address;
       low--) {
    const struct prof_map *map = &trace->maps_by_begin.items[low - 1].map;
    if (address < map->end && map->start_ticks <= time && (!found || map->start_ticks > found->start_ticks))
      found = map;
  }
  return found;
}

static const struct prof_load *find_load(const struct prof_trace *trace, uint32_t process, uint64_t address) {
  for (size_t at = trace->loads.count; at--;) {
    const struct prof_load *load = &trace->loads.items[at];
    if (load->process == process && load->begin <= address && address < load->end)
      return load;
  }
  return NULL;
}

#define ANCESTORS_LIMIT 64 /* longest chain of forks that is searched */

bool prof_trace_place(const struct prof_trace *trace, uint32_t process, uint64_t address, uint64_t time,
                      struct prof_place *out) {
  for (int i = 0; i < ANCESTORS_LIMIT && process < trace->processes.count; i++) {
    const struct prof_map *map = find_map(trace, process, address, time);
    const struct prof_load *load = map ? NULL : find_load(trace, process, address);
    if (map || load) {
      *out = map ? (struct prof_place){map->module, address - map->bias, map->own}
                 : (struct prof_place){load->module, address - load->bias, false};
      return true;
    }
    if (!trace->processes.items[process].forked)
      break;
    process = trace->processes.items[process].parent;
  }
  return false;
}

PROF_TRACE_GIVE(prof_trace_maps, struct prof_map, maps)

const struct prof_sampler *prof_trace_sampler(const struct prof_trace *trace) {
  return trace->has_sampler ? &trace->sampler : NULL;
}

PROF_TRACE_GIVE(prof_trace_rates, struct prof_rate_change, rates)
PROF_TRACE_GIVE(prof_trace_sample_chunks, struct prof_sample_chunk_ref, sample_chunks)

void prof_trace_samples_fini(struct prof_trace *trace) {
  prof_vec_fini(&trace->maps);
  prof_vec_fini(&trace->maps_by_begin);
  prof_vec_fini(&trace->sample_chunks);
  prof_vec_fini(&trace->rates);
  prof_vec_fini(&trace->light);
  prof_vec_fini(&trace->light_slices);
  prof_vec_fini(&trace->light_first);
}
