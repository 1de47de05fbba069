/*
 * tools/trace/read/scan.c - finds the readable chunks of a file, from its first byte to its last.
 *
 * The file is not trusted: a header counts only with its checksum; a length only after comparison with its limit and
 * the file's size.  After damage every multiple of 8 is tried for the next header.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/diag.h"
#include "trace.h"

bool prof_trace_read(const struct prof_trace *trace, uint64_t offset, void *to, size_t bytes) {
  size_t done = 0;
  if (trace->memory) {
    bool inside = offset <= trace->info.file_bytes && trace->info.file_bytes - offset >= bytes;
    if (inside)
      memcpy(to, trace->memory + offset, bytes);
    return inside;
  }
  while (done < bytes) {
    ssize_t result = pread(trace->fd, (char *)to + done, bytes - done, (off_t)(offset + done));
    if (result < 0 && errno == EINTR)
      continue;
    if (result <= 0)
      return false;
    done += (size_t)result;
  }
  return true;
}

static bool is_right(const struct prof_format_chunk *head) {
  bool many = head->kind == PROF_FORMAT_EVENTS || head->kind == PROF_FORMAT_GPU_RECORDS ||
              head->kind == PROF_FORMAT_SAMPLES || head->kind == PROF_FORMAT_SWITCHES ||
              head->kind == PROF_FORMAT_PMU_SAMPLES || head->kind == PROF_FORMAT_WINDOWS;
  uint32_t raw_limit = many ? PROF_FORMAT_EVENTS_RAW_LIMIT : PROF_FORMAT_TABLE_RAW_LIMIT;
  return head->magic == PROF_FORMAT_CHUNK_MAGIC &&
         head->header_crc == crc32(0, (const Bytef *)head, offsetof(struct prof_format_chunk, header_crc)) &&
         head->raw_bytes <= raw_limit && head->packed_bytes <= raw_limit + PROF_FORMAT_PACKED_SLACK;
}

bool prof_trace_chunk_header(const struct prof_trace *trace, uint64_t offset, struct prof_format_chunk *head) {
  return prof_trace_read(trace, offset, head, sizeof *head) && is_right(head);
}

void prof_trace_note_damage(struct prof_trace *trace, uint64_t offset) {
  __atomic_fetch_add(&trace->damage.chunks_damaged, 1, __ATOMIC_RELAXED);
  uint64_t first = __atomic_load_n(&trace->damage.first_offset, __ATOMIC_RELAXED);
  while (offset < first && !__atomic_compare_exchange_n(&trace->damage.first_offset, &first, offset, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void note_skipped(struct prof_trace *trace, uint64_t offset, uint64_t bytes) {
  trace->damage.bytes_skipped += bytes;
  if (bytes && offset < trace->damage.first_offset)
    trace->damage.first_offset = offset;
}

static prof_status refuse(const struct prof_trace *trace, struct prof_diag *diag, prof_status status,
                          const char *remedy, const char *what) {
  return prof_diag_fill(diag, status, trace->path, 0, remedy, "%s", what);
}

static prof_status check_version(const struct prof_trace *trace, const struct prof_format_file *head,
                                 struct prof_diag *diag) {
  if (head->major != PROF_FORMAT_MAJOR)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, trace->path, 8,
                          head->major > PROF_FORMAT_MAJOR ? "use the prof that recorded it, or a newer one"
                                                          : "use the prof that recorded it",
                          "the trace has format version %u.%u, this prof reads %u", head->major, head->minor,
                          PROF_FORMAT_MAJOR);
  if (head->features & ~PROF_FORMAT_FEATURES)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, trace->path, 16, "use the prof that recorded it, or a newer one",
                          "the trace uses features that this prof doesn't know (0x%llx)",
                          (unsigned long long)(head->features & ~PROF_FORMAT_FEATURES));
  return PROF_OK;
}

#define HEADER_LIMIT 4096 /* a later minor version may have a longer header */

prof_status prof_trace_header(struct prof_trace *trace, struct prof_diag *diag, uint64_t *first_chunk) {
  static const char record_again[] = "give the folder that `prof record` wrote";
  struct prof_format_file head;
  *first_chunk = sizeof head;
  if (!trace->info.file_bytes)
    return refuse(trace, diag, PROF_TRUNCATED, "record again; was the disk full?", "the file is empty");
  if (!prof_trace_read(trace, 0, &head, sizeof head)) {
    size_t common = trace->info.file_bytes < sizeof head.magic ? (size_t)trace->info.file_bytes : sizeof head.magic;
    uint8_t magic[sizeof head.magic];
    if (!prof_trace_read(trace, 0, magic, common) || memcmp(magic, PROF_FORMAT_MAGIC, common))
      return refuse(trace, diag, PROF_NOT_A_TRACE, record_again, "this is not a prof trace");
    return refuse(trace, diag, PROF_TRUNCATED, "record again; was the disk full?", "the file ends inside its header");
  }
  bool named = !memcmp(head.magic, PROF_FORMAT_MAGIC, sizeof head.magic);
  bool right = head.header_crc == crc32(0, (const Bytef *)&head, offsetof(struct prof_format_file, header_crc));
  if (named && right) {
    if (head.header_bytes >= sizeof head && head.header_bytes <= HEADER_LIMIT &&
        head.header_bytes % PROF_FORMAT_ALIGNMENT == 0)
      *first_chunk = head.header_bytes;
    trace->info.start_realtime_ns = head.start_realtime_ns;
    memcpy(trace->id, head.id, sizeof trace->id);
    return check_version(trace, &head, diag);
  }
  struct prof_format_chunk chunk;
  if (!named && !prof_trace_chunk_header(trace, sizeof head, &chunk))
    return refuse(trace, diag, PROF_NOT_A_TRACE, record_again, "this is not a prof trace");
  note_skipped(trace, 0, sizeof head);
  return PROF_OK;
}

uint64_t prof_trace_resync(const struct prof_trace *trace, uint64_t offset, uint8_t *buffer, size_t buffer_bytes) {
  uint64_t size = trace->info.file_bytes;
  offset = (offset + PROF_FORMAT_ALIGNMENT - 1) & ~(uint64_t)(PROF_FORMAT_ALIGNMENT - 1);
  while (offset < size && size - offset >= sizeof(struct prof_format_chunk)) {
    size_t bytes = size - offset < buffer_bytes ? (size_t)(size - offset) : buffer_bytes;
    if (!prof_trace_read(trace, offset, buffer, bytes))
      return size;
    size_t at = 0;
    for (; at + sizeof(struct prof_format_chunk) <= bytes; at += PROF_FORMAT_ALIGNMENT) {
      struct prof_format_chunk head;
      uint64_t magic;
      memcpy(&magic, buffer + at, sizeof magic);
      if (magic != PROF_FORMAT_CHUNK_MAGIC)
        continue;
      memcpy(&head, buffer + at, sizeof head);
      if (is_right(&head))
        return offset + at;
    }
    offset += at;
  }
  return size;
}

static prof_status take_events(struct prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head) {
  uint32_t thread = prof_trace_thread(trace, head->thread);
  struct prof_chunk_ref ref = {.offset = offset,
                               .first_time = head->first_time,
                               .last_time = head->last_time,
                               .thread = thread,
                               .sequence = head->sequence,
                               .events = head->events,
                               .untimed = head->untimed,
                               .flags = head->flags & PROF_FORMAT_CHUNK_RESUMED ? PROF_CHUNK_RESUMED : 0};
  return thread != PROF_NONE && prof_vec_push(&trace->chunks, ref) ? PROF_OK : PROF_NO_MEMORY;
}

/* Notes and skips a damaged chunk; only a lack of memory ends the scan. */
static prof_status take_chunk(struct prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head,
                              struct prof_unpacker *unpacker) {
  prof_status status;
  if (head->kind == PROF_FORMAT_EVENTS) {
    bool sane = head->thread && head->events && head->untimed <= head->events && head->first_time <= head->last_time;
    status = sane ? prof_unpack_check(unpacker, trace, offset, head, NULL) : PROF_CORRUPT;
    if (status == PROF_OK)
      status = take_events(trace, offset, head);
  } else if (head->kind == PROF_FORMAT_SAMPLES || head->kind == PROF_FORMAT_SWITCHES ||
             head->kind == PROF_FORMAT_PMU_SAMPLES) {
    bool sane = head->events && head->events <= PROF_FORMAT_SAMPLES_LIMIT && head->first_time <= head->last_time &&
                head->last_time >> 62 == 0;
    status = sane ? prof_unpack_check(unpacker, trace, offset, head, NULL) : PROF_CORRUPT;
    if (status == PROF_OK)
      status = head->kind == PROF_FORMAT_PMU_SAMPLES ? prof_trace_take_pmu_samples(trace, offset, head)
                                                     : prof_trace_take_samples(trace, offset, head);
  } else if (head->kind == PROF_FORMAT_WINDOWS) {
    bool sane = head->events && head->events <= PROF_FORMAT_WINDOWS_LIMIT && head->first_time < head->last_time &&
                head->last_time >> 62 == 0;
    status = sane ? prof_unpack_check(unpacker, trace, offset, head, NULL) : PROF_CORRUPT;
    if (status == PROF_OK)
      status = prof_trace_take_windows(trace, offset, head);
  } else if (head->kind == PROF_FORMAT_PACK) {
    status = prof_unpack_check(unpacker, trace, offset, head, NULL);
    if (status == PROF_OK)
      status = prof_trace_take_pack(trace, offset);
  } else if (head->kind == PROF_FORMAT_GPU_RECORDS) {
    bool sane = head->thread && head->events && head->events <= PROF_FORMAT_GPU_RECORDS_LIMIT &&
                head->first_time <= head->last_time;
    status = sane ? prof_unpack_check(unpacker, trace, offset, head, NULL) : PROF_CORRUPT;
    if (status == PROF_OK)
      status = prof_trace_take_gpu_records(trace, offset, head);
  } else {
    const uint8_t *payload;
    status = prof_unpack(unpacker, trace, offset, head, NULL, &payload);
    if (status == PROF_OK && head->kind == PROF_FORMAT_GPU_CUBIN)
      status = prof_trace_take_gpu_cubin(trace, offset, payload, head->raw_bytes);
    else if (status == PROF_OK)
      status = prof_trace_take_table(trace, head, payload);
  }
  if (status == PROF_NO_MEMORY)
    return status;
  if (status != PROF_OK)
    prof_trace_note_damage(trace, offset);
  return PROF_OK;
}

prof_status prof_trace_scan(struct prof_trace *trace, uint64_t offset, struct prof_diag *diag) {
  struct prof_unpacker unpacker = {0};
  uint8_t *buffer = malloc(PROF_TRACE_RESYNC_BYTES);
  prof_status status = buffer ? PROF_OK : PROF_NO_MEMORY;
  uint64_t size = trace->info.file_bytes;
  while (status == PROF_OK && offset < size) {
    struct prof_format_chunk head;
    if (!prof_trace_chunk_header(trace, offset, &head)) {
      uint64_t next = prof_trace_resync(trace, offset + 1, buffer, PROF_TRACE_RESYNC_BYTES);
      note_skipped(trace, offset, next - offset);
      if (next >= size) {
        trace->tail_bytes = next - offset;
        trace->damage.cut = true;
      }
      offset = next;
      continue;
    }
    if (size - offset - sizeof head < head.packed_bytes) {
      note_skipped(trace, offset, size - offset);
      trace->tail_bytes = size - offset;
      trace->lacks_bytes = head.packed_bytes - (size - offset - sizeof head);
      trace->damage.cut = true;
      break;
    }
    prof_chunk_kinds_add(trace->kinds.found, head.kind);
    status = take_chunk(trace, offset, &head, &unpacker);
    offset += prof_trace_chunk_bytes(&head);
  }
  free(buffer);
  prof_unpacker_fini(&unpacker);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}
