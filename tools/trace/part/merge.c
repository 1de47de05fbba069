/*
 * tools/trace/part/merge.c - see merge.h.
 *
 * Parts of one recording repeat its facts, and snapshots and slices repeat chunks too: each chunk of a group is written
 * once.  EVENTS are known by thread and sequence, others by checksum, size and times.  Of THREAD, CLOCK, SAMPLER, PMU
 * and COUNTS the last one holds, so all are written.  A time that no part has is a gap in the sequence of each thread:
 * readers leave the frames there.
 */
#include "merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/diag.h"
#include "merge_inputs.h"
#include "trace/part_names.h"
#include "trace/read/raw.h"
#include "trace/write/write_part.h"
#include "trace/write/write_tables.h"

struct chunk_key {
  uint64_t first, second;
};

struct known_module { /* written */
  uint32_t crc, bytes, number;
};

struct merging {
  struct prof_merge_inputs inputs;
  const struct prof_merge_input *now; /* is being copied */
  PROF_VEC(struct chunk_key) keys;
  struct prof_index_map key_index;
  PROF_VEC(struct known_module) modules;
  uint32_t next_module;
  PROF_VEC(uint32_t) skipped; /* modules of the present group that are another's */
  prof_writer *writer;
  uint64_t again, added; /* events that are written already; of the present input that are new */
  bool is_damaged;
};

bool prof_merge_is_part(const char *name) {
  return prof_part_number(name) > 0;
}

/* ---- which chunks ---- */

static bool repeats(uint16_t kind) {
  return kind == PROF_FORMAT_THREAD || kind == PROF_FORMAT_CLOCK || kind == PROF_FORMAT_SAMPLER ||
         kind == PROF_FORMAT_COUNTS || kind == PROF_FORMAT_PMU;
}

static struct chunk_key key_of(uint32_t group, const struct prof_format_chunk *head) {
  uint64_t lead = (uint64_t)group << 48 ^ (uint64_t)head->kind << 32;
  if (head->kind == PROF_FORMAT_EVENTS)
    return (struct chunk_key){lead | head->thread, head->sequence};
  return (struct chunk_key){lead | head->payload_crc, head->first_time * 0x9e3779b97f4a7c15u ^ head->last_time ^
                                                          (uint64_t)head->raw_bytes << 32 ^
                                                          (uint64_t)head->packed_bytes << 8 ^ head->thread};
}

/* Is it the first of its kind?  Without memory it counts as that. */
static bool is_new(struct merging *merging, const struct prof_format_chunk *head) {
  struct chunk_key key = key_of(merging->now->group, head);
  uint32_t hash = prof_index_hash(key.first, key.second);
  if (prof_index_find(&merging->key_index, hash, i,
                      merging->keys.items[i].first == key.first && merging->keys.items[i].second == key.second) !=
      UINT32_MAX)
    return false;
  if (prof_vec_push(&merging->keys, key))
    (void)prof_index_add(&merging->key_index, hash, (uint32_t)merging->keys.count - 1);
  return true;
}

/* END and PART are written anew. */
static bool wants(void *context, uint64_t offset, const struct prof_format_chunk *head) {
  struct merging *merging = context;
  (void)offset;
  if (head->kind == PROF_FORMAT_END || head->kind == PROF_FORMAT_PART)
    return false;
  bool fresh = repeats(head->kind) || is_new(merging, head);
  if (head->kind == PROF_FORMAT_EVENTS)
    *(fresh ? &merging->added : &merging->again) += head->events;
  return fresh;
}

/* ---- modules ---- */

/* The number of a written module with the same content; 0: there is none. */
static uint32_t known_module(const struct merging *merging, uint32_t crc, uint32_t bytes) {
  for (size_t i = 0; i < merging->modules.count; i++)
    if (merging->modules.items[i].crc == crc && merging->modules.items[i].bytes == bytes)
      return merging->modules.items[i].number;
  return 0;
}

static bool is_skipped(const struct merging *merging, uint32_t module) {
  for (size_t i = 0; i < merging->skipped.count; i++)
    if (merging->skipped.items[i] == module)
      return true;
  return false;
}

/* Gives a module its number; *leave_out: it is another one's, and so are its LOOPS and POINTS. */
static bool number_module(struct merging *merging, uint16_t kind, const uint8_t *payload, uint32_t bytes,
                          bool *leave_out) {
  struct prof_renumber *numbers = &merging->inputs.groups[merging->now->group].numbers;
  uint32_t number;
  *leave_out = false;
  if (bytes < sizeof number)
    return true;
  memcpy(&number, payload, sizeof number);
  if (kind != PROF_FORMAT_MODULE) {
    *leave_out = is_skipped(merging, number);
    return true;
  }
  uint32_t crc = (uint32_t)crc32(0, payload + sizeof number, bytes - (uint32_t)sizeof number);
  uint32_t known = known_module(merging, crc, bytes), own = number;
  if (merging->now->group > 0)
    own = known != 0 ? known : merging->next_module++;
  if (known == 0 && !prof_vec_push(&merging->modules, ((struct known_module){crc, bytes, own})))
    return false;
  if (merging->now->group == 0)
    return true;
  *leave_out = known != 0;
  if (known != 0 && !prof_vec_push(&merging->skipped, number))
    return false;
  return prof_index_add(&numbers->modules, number, own);
}

/* ---- copying ---- */

static prof_status copy_moved(struct merging *merging, const struct prof_raw_chunk *chunk, const uint8_t *bytes,
                              struct prof_diag *diag) {
  struct prof_format_chunk head = chunk->head;
  struct prof_payload payload = {0};
  prof_payload_bytes(&payload, bytes, head.raw_bytes);
  prof_status status = payload.failed
                           ? PROF_NO_MEMORY
                           : prof_renumber_chunk(&merging->inputs.groups[merging->now->group].numbers, &head, &payload);
  head.codec = PROF_FORMAT_STORED;
  if (status == PROF_OK)
    return prof_writer_payload(merging->writer, &head, &payload);
  prof_vec_fini(&payload);
  merging->is_damaged |= status == PROF_CORRUPT;
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : PROF_OK;
}

static prof_status copy_chunk(struct merging *merging, prof_raw *raw, const struct prof_raw_chunk *chunk,
                              struct prof_diag *diag) {
  uint16_t kind = chunk->head.kind;
  bool of_module = kind == PROF_FORMAT_MODULE || kind == PROF_FORMAT_LOOPS || kind == PROF_FORMAT_POINTS;
  bool leave_out = false;
  const uint8_t *bytes;
  if (merging->inputs.group_count == 1 || (merging->now->group == 0 && !of_module))
    return prof_writer_copy(merging->writer, &chunk->head, chunk->packed);
  prof_status status = prof_raw_unpack(raw, chunk, diag, &bytes);
  if (status != PROF_OK) {
    merging->is_damaged = true;
    return status == PROF_NO_MEMORY ? status : PROF_OK;
  }
  if (of_module && !number_module(merging, kind, bytes, chunk->head.raw_bytes, &leave_out))
    return prof_diag_memory(diag);
  if (leave_out)
    return PROF_OK;
  return merging->now->group == 0 ? prof_writer_copy(merging->writer, &chunk->head, chunk->packed)
                                  : copy_moved(merging, chunk, bytes, diag);
}

static prof_status copy_input(struct merging *merging, const struct prof_merge_input *input, struct prof_diag *diag) {
  prof_raw *raw = prof_raw_new(input->trace);
  struct prof_raw_chunk chunk;
  prof_status status = raw == NULL ? prof_diag_memory(diag) : PROF_OK;
  if (merging->now != NULL && merging->now->group != input->group)
    merging->skipped.count = 0;
  merging->now = input;
  merging->added = 0;
  while (status == PROF_OK && (status = prof_raw_next(raw, wants, merging, diag, &chunk)) == PROF_OK)
    status = copy_chunk(merging, raw, &chunk, diag);
  prof_raw_free(raw);
  if (status == PROF_EMPTY && merging->added == 0 && prof_trace_info(input->trace)->events > 0)
    return prof_diag_fill(diag, PROF_USAGE, prof_trace_info(input->trace)->path, PROF_NO_OFFSET, "leave it out",
                          "the other recordings have all of this one");
  return status == PROF_EMPTY ? PROF_OK : status;
}

/* ---- PART and END ---- */

struct rows { /* of PART */
  PROF_VEC(struct prof_part_thread) items;
  struct prof_index_map index; /* by number */
  bool failed;
};

static struct prof_part_thread *row_of(struct rows *rows, uint32_t thread) {
  uint32_t at = prof_index_of(&rows->index, thread);
  return at == UINT32_MAX ? NULL : &rows->items.items[at];
}

/* A thread's row is that of the earliest input that knows it; hidden, if all hide it. */
static void take_thread(struct rows *rows, const struct prof_part_thread *row) {
  struct prof_part_thread *known = row_of(rows, row->thread);
  if (known != NULL) {
    known->hidden &= row->hidden;
    known->events = row->events > known->events ? row->events : known->events;
    known->untimed = row->untimed > known->untimed ? row->untimed : known->untimed;
  } else if (!prof_vec_push(&rows->items, *row) ||
             !prof_index_add(&rows->index, row->thread, (uint32_t)rows->items.count - 1)) {
    rows->failed = true;
  }
}

/* What an input says about its threads; `events` are all of the thread, with those that the input lacks. */
static void take_threads(struct rows *rows, const struct prof_merge_input *input, uint32_t moved) {
  const struct prof_part *part = prof_trace_part(input->trace);
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(input->trace, &count);
  for (size_t i = 0; i < count; i++) {
    struct prof_part_thread row = {.thread = threads[i].number};
    for (uint32_t j = 0; part != NULL && j < part->thread_count; j++)
      if (part->threads[j].thread == threads[i].number)
        row = part->threads[j];
    bool lacks = row.events > 0;
    row.thread += moved;
    row.events = lacks ? threads[i].events : 0;
    row.untimed = lacks ? threads[i].untimed : 0;
    take_thread(rows, &row);
  }
}

/* Of the rows' events, those that were written are not lacking. */
static void subtract_written(struct rows *rows, const prof_trace *written) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(written, &count);
  for (size_t i = 0; i < count; i++) {
    struct prof_part_thread *row = row_of(rows, threads[i].number);
    if (row == NULL)
      continue;
    row->events -= threads[i].events < row->events ? threads[i].events : row->events;
    row->untimed -= threads[i].untimed < row->untimed ? threads[i].untimed : row->untimed;
  }
}

static uint64_t moved_time(uint64_t time, uint64_t by) {
  return time == 0 || time == UINT64_MAX ? time : time + by;
}

/* Writes a PART if an input has one that still says something. */
static prof_status write_part(struct merging *merging, const char *path, struct prof_diag *diag) {
  struct prof_part part = {.begin_ticks = UINT64_MAX, .end_ticks = 0};
  struct rows rows = {0};
  prof_trace *written = NULL;
  for (size_t i = 0; i < merging->inputs.count; i++) {
    const struct prof_merge_input *input = &merging->inputs.items[i];
    const struct prof_part *own = prof_trace_part(input->trace);
    const struct prof_renumber *numbers = &merging->inputs.groups[input->group].numbers;
    uint64_t begin = own ? moved_time(own->begin_ticks, numbers->ticks) : 0;
    uint64_t end = own ? moved_time(own->end_ticks, numbers->ticks) : UINT64_MAX;
    part.begin_ticks = begin < part.begin_ticks ? begin : part.begin_ticks;
    part.end_ticks = end > part.end_ticks ? end : part.end_ticks;
    take_threads(&rows, input, numbers->thread);
  }
  prof_status status = rows.failed ? prof_diag_memory(diag) : prof_trace_open(path, diag, &written);
  if (status == PROF_OK)
    subtract_written(&rows, written);
  prof_trace_close(written);
  part.threads = rows.items.items;
  part.thread_count = (uint32_t)rows.items.count;
  bool says = part.begin_ticks > 0 || part.end_ticks != UINT64_MAX;
  for (uint32_t i = 0; i < part.thread_count; i++)
    says |= part.threads[i].hidden || part.threads[i].events > 0 || part.threads[i].lost > 0;
  if (status == PROF_OK && says)
    status = prof_writer_part(merging->writer, &part);
  prof_vec_fini(&rows.items);
  prof_index_fini(&rows.index);
  return status;
}

static void write_notes(struct merging *merging) {
  struct prof_damage damage;
  size_t lacking;
  char text[100];
  for (size_t i = 0; i < merging->inputs.count; i++) {
    prof_trace_damage(merging->inputs.items[i].trace, &damage);
    (void)prof_trace_lacking(merging->inputs.items[i].trace, &lacking);
    merging->is_damaged |= damage.chunks_damaged > 0 || damage.bytes_skipped > 0 || lacking > 0;
  }
  snprintf(text, sizeof text, "merged from %zu recordings of %u runs", merging->inputs.count,
           merging->inputs.group_count);
  (void)prof_writer_note(merging->writer, &(struct prof_note_record){.text = prof_span(text)});
  if (merging->is_damaged)
    (void)prof_writer_note(
        merging->writer,
        &(struct prof_note_record){.text = prof_span("a recording that this was merged from was damaged")});
}

/* The last input's end; times of parts and recordings add up.  Without the last one's end there is none. */
static void write_end(struct merging *merging) {
  const struct prof_merge_inputs *inputs = &merging->inputs;
  const struct prof_trace_info *last = prof_trace_info(inputs->items[inputs->count - 1].trace);
  struct prof_end_record end = {.reason = last->end_reason, .wait_status = (uint32_t)last->wait_status};
  for (size_t i = 0; i < inputs->count; i++) {
    const struct prof_trace_info *info = prof_trace_info(inputs->items[i].trace);
    end.wall_ns += info->wall_ns;
    end.user_ns += info->user_ns;
    end.system_ns += info->system_ns;
    end.recorder_cpu_ns += info->recorder_cpu_ns;
    end.lost += info->lost;
    end.minor_faults += info->minor_faults;
    end.major_faults += info->major_faults;
    end.waits += info->waits;
    end.preemptions += info->preemptions;
    end.attach_ns += info->attach_ns;
    end.peak_bytes = info->peak_bytes > end.peak_bytes ? info->peak_bytes : end.peak_bytes;
  }
  end.events = prof_writer_events(merging->writer);
  if (last->complete)
    (void)prof_writer_end(merging->writer, &end); /* the writer keeps the error */
}

/* ---- the file ---- */

static prof_status write_chunks(struct merging *merging, const char *path, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  for (size_t i = 0; i < merging->inputs.count && status == PROF_OK; i++)
    status = copy_input(merging, &merging->inputs.items[i], diag);
  if (status == PROF_OK)
    status = write_part(merging, path, diag);
  if (status == PROF_OK) {
    write_notes(merging);
    write_end(merging);
  }
  return status;
}

static prof_status write_file(struct merging *merging, const char *folder, struct prof_diag *diag,
                              struct prof_merge_result *result) {
  const struct prof_trace_info *first = prof_trace_info(merging->inputs.items[0].trace);
  struct prof_writer_options options = {.start_realtime_ns = first->start_realtime_ns};
  char path[4096];
  if (merging->inputs.group_count == 1)
    memcpy(options.id, prof_raw_id(merging->inputs.items[0].trace), sizeof options.id);
  snprintf(path, sizeof path, "%s/trace", folder);
  prof_status status = prof_writer_open(folder, &options, diag, &merging->writer);
  if (status != PROF_OK)
    return status;
  status = write_chunks(merging, path, diag);
  *result = (struct prof_merge_result){.events = prof_writer_events(merging->writer),
                                       .bytes = prof_writer_bytes(merging->writer),
                                       .recordings = merging->inputs.group_count,
                                       .again = merging->again};
  for (uint32_t i = 0; i < merging->inputs.group_count; i++)
    result->apart |= merging->inputs.groups[i].numbers.ticks != 0;
  struct prof_diag own = {0};
  prof_status closed = prof_writer_close(merging->writer, &own);
  if (status == PROF_OK && closed != PROF_OK)
    *diag = own;
  status = status != PROF_OK ? status : closed;
  if (status != PROF_OK)
    unlink(path);
  return status;
}

prof_status prof_merge_write(const struct prof_merge_choice *choice, const char *folder, struct prof_diag *diag,
                             struct prof_merge_result *result) {
  struct merging merging = {0};
  *result = (struct prof_merge_result){0};
  prof_status status = prof_merge_inputs_find(choice->traces, choice->count, choice->in_turn, diag, &merging.inputs);
  for (uint32_t i = 0; i < merging.inputs.group_count; i++)
    merging.next_module = merging.inputs.groups[i].most_module >= merging.next_module
                              ? merging.inputs.groups[i].most_module + 1
                              : merging.next_module;
  if (status == PROF_OK)
    status = write_file(&merging, folder, diag, result);
  prof_vec_fini(&merging.keys);
  prof_index_fini(&merging.key_index);
  prof_vec_fini(&merging.modules);
  prof_vec_fini(&merging.skipped);
  prof_merge_inputs_fini(&merging.inputs);
  return status;
}
