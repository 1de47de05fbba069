/*
 * tools/trace/part/renumber.c - see renumber.h.
 *
 * Most numbers have a fixed place, and are changed there.  Numbers of variable length are in the side column of EVENTS,
 * the paths of SAMPLES, and in READINGS: these bytes are written anew.
 */
#include "renumber.h"

#include <stddef.h>
#include <string.h>

struct moving { /* a payload with a place in it */
  const struct prof_renumber *by;
  struct prof_payload *payload;
  struct prof_byte_reader reader; /* of the same bytes */
  bool is_empty;                  /* nothing of it can be told */
};

static uint8_t *here(struct moving *moving, size_t bytes) {
  return (uint8_t *)(uintptr_t)prof_byte_reader_bytes(&moving->reader, bytes);
}

static void skip(struct moving *moving, size_t bytes) {
  (void)prof_byte_reader_bytes(&moving->reader, bytes);
}

static void skip_string(struct moving *moving) {
  uint32_t bytes = prof_byte_reader_u32(&moving->reader);
  skip(moving, bytes);
}

/* A number of which 0 means none. */
static void move_u32(struct moving *moving, uint32_t by) {
  uint8_t *at = here(moving, sizeof by);
  uint32_t number;
  if (at == NULL)
    return;
  memcpy(&number, at, sizeof number);
  number += number != 0 ? by : 0;
  memcpy(at, &number, sizeof number);
}

static void move_process(struct moving *moving) {
  move_u32(moving, moving->by->process);
}

/* A time; 0 and the largest one stay. */
static void move_time(struct moving *moving) {
  uint8_t *at = here(moving, sizeof(uint64_t));
  uint64_t time;
  if (at == NULL)
    return;
  memcpy(&time, at, sizeof time);
  time += time != 0 && time != UINT64_MAX ? moving->by->ticks : 0;
  memcpy(at, &time, sizeof time);
}

static void move_module(struct moving *moving) {
  uint8_t *at = here(moving, sizeof(uint32_t));
  uint32_t number;
  if (at == NULL)
    return;
  memcpy(&number, at, sizeof number);
  uint32_t after = prof_index_of(&moving->by->modules, number);
  if (after != UINT32_MAX)
    memcpy(at, &after, sizeof after);
  else if (number != 0)
    moving->reader.bad = true;
}

/* ---- kinds ---- */

static void move_process_record(struct moving *moving) {
  move_process(moving);
  move_process(moving); /* its parent */
  skip(moving, 8);
  move_time(moving);
}

static void move_load(struct moving *moving) {
  move_process(moving);
  move_module(moving);
  move_u32(moving, moving->by->site);
}

static void move_sites(struct moving *moving) {
  move_process(moving);
  move_module(moving);
  for (uint32_t left = prof_byte_reader_u32(&moving->reader); left > 0 && !moving->reader.bad; left--) {
    move_u32(moving, moving->by->site);
    skip(moving, 8);
    uint8_t *at = here(moving, sizeof(uint32_t));
    uint32_t number;
    if (at != NULL) {
      memcpy(&number, at, sizeof number);
      number += moving->by->called;
      memcpy(at, &number, sizeof number);
    }
    skip(moving, 24);
    skip_string(moving);
    skip_string(moving);
  }
}

static void move_map(struct moving *moving) {
  move_process(moving);
  move_module(moving);
  skip(moving, 8);
  move_time(moving);
}

static void move_thread(struct moving *moving) {
  move_u32(moving, moving->by->thread);
  move_process(moving);
  skip(moving, 8);
  move_time(moving);
  move_time(moving);
  skip(moving, 6 * sizeof(uint64_t));
  skip_string(moving);
  if (moving->reader.at == moving->reader.end)
    return;
  skip(moving, 8); /* CPU time */
  move_time(moving);
}

static void move_times(struct moving *moving, size_t before, size_t times, size_t after) {
  for (uint32_t left = prof_byte_reader_u32(&moving->reader); left > 0 && !moving->reader.bad; left--) {
    skip(moving, before);
    for (size_t i = 0; i < times; i++)
      move_time(moving);
    skip(moving, after);
  }
}

static void move_light(struct moving *moving) {
  move_u32(moving, moving->by->thread);
  skip(moving, 4);
  move_times(moving, 0, 2, 8);
}

static void move_slices(struct moving *moving) {
  move_process(moving);
  move_times(moving, 0, 2, 0);
}

static void move_counts(struct moving *moving) {
  move_process(moving);
  move_u32(moving, moving->by->site);
}

static void move_pack(struct moving *moving) {
  if (prof_byte_reader_u32(&moving->reader) == PROF_FORMAT_PACK_LINES)
    move_module(moving);
}

/* Replaces the bytes from `from` to `to` of the payload by others. */
static void splice(struct moving *moving, size_t from, size_t to, const struct prof_payload *by) {
  struct prof_payload *payload = moving->payload;
  size_t tail = payload->count - to;
  if (by->failed || (by->count > to - from && !prof_vec_reserve(payload, by->count - (to - from)))) {
    payload->failed = true;
    return;
  }
  memmove(payload->items + from + by->count, payload->items + to, tail);
  if (by->count > 0)
    memcpy(payload->items + from, by->items, by->count);
  payload->count = from + by->count + tail;
}

/* Its times are differences, but for the first one. */
static void move_readings(struct moving *moving) {
  struct prof_payload first = {0};
  move_process(moving);
  uint32_t series = prof_byte_reader_u32(&moving->reader), count = prof_byte_reader_u32(&moving->reader);
  for (; series > 0 && !moving->reader.bad; series--) {
    skip(moving, 16);
    skip_string(moving);
    skip_string(moving);
  }
  size_t from = (size_t)(moving->reader.at - moving->payload->items);
  uint64_t time = prof_unzigzag(prof_byte_reader_varint(&moving->reader));
  if (count == 0 || moving->reader.bad)
    return;
  size_t to = (size_t)(moving->reader.at - moving->payload->items);
  prof_payload_varint(&first, prof_zigzag(time + moving->by->ticks));
  splice(moving, from, to, &first);
  prof_vec_fini(&first);
}

/* ---- events ---- */

static void copy_varint(struct prof_byte_reader *from, struct prof_payload *to) {
  prof_payload_varint(to, prof_byte_reader_varint(from));
}

/* The fields of a special step; sites are moved, but not site 0. */
static void move_special(struct moving *moving, struct prof_byte_reader *side, struct prof_payload *to) {
  uint64_t code = prof_byte_reader_varint(side);
  const struct prof_format_special_step *step = prof_format_special_step(code);
  if (step == NULL) {
    side->bad = true;
    return;
  }
  prof_payload_varint(to, code);
  if (step->has_value) {
    uint64_t value = prof_byte_reader_varint(side);
    bool is_site = code == PROF_FORMAT_UNMATCHED || code == PROF_FORMAT_VALUE;
    prof_payload_varint(to, value + (is_site && value != 0 ? moving->by->site : 0));
  }
  if (step->has_count)
    copy_varint(side, to);
  if (step->has_operands) {
    copy_varint(side, to);
    copy_varint(side, to);
  }
}

static void move_events(struct moving *moving) {
  struct prof_format_events fixed;
  const uint8_t *bytes = prof_byte_reader_bytes(&moving->reader, sizeof fixed);
  if (bytes == NULL)
    return;
  memcpy(&fixed, bytes, sizeof fixed);
  for (uint32_t i = 0; i < fixed.edge_count && !moving->reader.bad; i++) {
    move_u32(moving, moving->by->site);
    skip(moving, 4);
  }
  skip(moving, fixed.frame_bytes);
  const uint8_t *ops = prof_byte_reader_bytes(&moving->reader, fixed.op_bytes);
  size_t codes = fixed.table_bytes > 0 ? (size_t)fixed.table_bytes + fixed.event_count : 0;
  skip(moving, codes);
  skip(moving, (size_t)fixed.length_bytes + fixed.delta_bytes);
  struct prof_byte_reader side = moving->reader;
  struct prof_payload moved = {0};
  size_t from = (size_t)(side.at - moving->payload->items);
  for (uint32_t i = 0; i < fixed.op_bytes && ops != NULL && !side.bad && !moving->reader.bad; i++) {
    if (ops[i] == PROF_FORMAT_OP_FAR_EDGE)
      copy_varint(&side, &moved);
    else if (ops[i] == PROF_FORMAT_OP_SPECIAL)
      move_special(moving, &side, &moved);
  }
  moving->reader.bad |= side.bad;
  fixed.base_time += moving->by->ticks;
  fixed.side_bytes = (uint32_t)moved.count;
  memcpy(moving->payload->items, &fixed, sizeof fixed);
  splice(moving, from, moving->payload->count, &moved);
  prof_vec_fini(&moved);
}

/* ---- samples ---- */

static void move_paths(struct moving *moving) {
  uint8_t *at = here(moving, sizeof(uint32_t));
  uint32_t first, count = prof_byte_reader_u32(&moving->reader);
  if (at == NULL || moving->reader.bad)
    return;
  memcpy(&first, at, sizeof first);
  moving->is_empty = (uint64_t)first + moving->by->path + count >= PROF_FORMAT_PATHS_LIMIT;
  first += moving->by->path;
  memcpy(at, &first, sizeof first);
}

static void move_samples(struct moving *moving) {
  struct prof_format_samples fixed;
  if (moving->payload->count < sizeof fixed) {
    moving->reader.bad = true;
    return;
  }
  memcpy(&fixed, moving->payload->items, sizeof fixed);
  move_process(moving);
  skip(moving, sizeof fixed - sizeof fixed.process);
  skip(moving, (size_t)fixed.time_bytes + fixed.address_bytes + fixed.flag_bytes + fixed.processor_bytes);
  if (fixed.path_bytes == 0 || moving->by->path == 0 || moving->reader.bad)
    return;
  struct prof_payload moved = {0};
  size_t from = (size_t)(moving->reader.at - moving->payload->items);
  for (uint32_t i = 0; i < fixed.record_count && !moving->reader.bad; i++) {
    uint64_t path = prof_byte_reader_varint(&moving->reader);
    bool fits = path != 0 && path < PROF_FORMAT_PATHS_LIMIT - moving->by->path;
    prof_payload_varint(&moved, fits ? path + moving->by->path : 0);
  }
  fixed.path_bytes = (uint32_t)moved.count;
  memcpy(moving->payload->items + offsetof(struct prof_format_samples, path_bytes), &fixed.path_bytes,
         sizeof fixed.path_bytes);
  splice(moving, from, moving->payload->count, &moved);
  prof_vec_fini(&moved);
}

static void move_control(struct moving *moving) {
  move_time(moving);
}

static void move_nothing(struct moving *moving) {
  (void)moving;
}

static void (*const kinds[PROF_FORMAT_KINDS])(struct moving *) = {
    [PROF_FORMAT_SETTINGS] = move_nothing,
    [PROF_FORMAT_CLOCK] = move_nothing,
    [PROF_FORMAT_PROCESS] = move_process_record,
    [PROF_FORMAT_MODULE] = move_module,
    [PROF_FORMAT_LOAD] = move_load,
    [PROF_FORMAT_THREAD] = move_thread,
    [PROF_FORMAT_EVENTS] = move_events,
    [PROF_FORMAT_END] = move_nothing,
    [PROF_FORMAT_NOTE] = move_process,
    [PROF_FORMAT_SITES] = move_sites,
    [PROF_FORMAT_LOOPS] = move_module,
    [PROF_FORMAT_MAP] = move_map,
    [PROF_FORMAT_SAMPLER] = move_nothing,
    [PROF_FORMAT_LIGHT] = move_light,
    [PROF_FORMAT_SLICES] = move_slices,
    [PROF_FORMAT_SAMPLES] = move_samples,
    [PROF_FORMAT_PATHS] = move_paths,
    [PROF_FORMAT_SWITCHES] = move_process,
    [PROF_FORMAT_COUNTS] = move_counts,
    [PROF_FORMAT_PACK] = move_pack,
    [PROF_FORMAT_FILE] = move_process,
    [PROF_FORMAT_PMU] = move_nothing,
    [PROF_FORMAT_PMU_SAMPLES] = move_process,
    [PROF_FORMAT_PART] = move_nothing,
    [PROF_FORMAT_POINTS] = move_module,
    [PROF_FORMAT_NAMED] = move_load,
    [PROF_FORMAT_CONTROL] = move_control,
    [PROF_FORMAT_READINGS] = move_readings,
};

bool prof_renumber_can(uint16_t kind) {
  return kind < PROF_FORMAT_KINDS && kinds[kind] != NULL;
}

/* Of several recordings only the first one's hold. */
static bool is_of_one(uint16_t kind) {
  return kind == PROF_FORMAT_SETTINGS || kind == PROF_FORMAT_CLOCK || kind == PROF_FORMAT_SAMPLER ||
         kind == PROF_FORMAT_PMU;
}

prof_status prof_renumber_chunk(const struct prof_renumber *by, struct prof_format_chunk *head,
                                struct prof_payload *payload) {
  struct moving moving = {
      .by = by, .payload = payload, .reader = {payload->items, payload->items + payload->count, false}};
  uint32_t process = 0;
  if (!prof_renumber_can(head->kind) || is_of_one(head->kind))
    return PROF_EMPTY;
  if (payload->count >= sizeof process)
    memcpy(&process, payload->items, sizeof process);
  if (head->kind == PROF_FORMAT_READINGS && process == 0) /* of another machine, or of the same time */
    return PROF_EMPTY;
  kinds[head->kind](&moving);
  if (payload->failed)
    return PROF_NO_MEMORY;
  if (moving.reader.bad)
    return PROF_CORRUPT;
  if (moving.is_empty)
    return PROF_EMPTY;
  head->thread += head->thread != 0 ? by->thread : 0;
  if (head->first_time != 0 || head->last_time != 0) {
    head->first_time += by->ticks;
    head->last_time += by->ticks;
  }
  return PROF_OK;
}
