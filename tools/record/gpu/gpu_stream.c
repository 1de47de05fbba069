/*
 * tools/record/gpu/gpu_stream.c - see gpu_stream.h.
 *
 * Segments are not trusted: lengths are checked against the segment, each message is copied before it is read, and
 * after the first malformed one the stream is not read further.
 */
#include "record/gpu/gpu_stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALIGN = 8, WAKE_EVERY = 4, TURN_SEGMENTS = 64 };

static struct prof_thread *record_of(const struct prof_channel_source *source, uint32_t index) {
  return &source->region->threads[index];
}

static struct prof_gpu_stream *find_or_open(struct prof_gpu_streams *streams, const struct prof_channel_source *source,
                                            uint32_t index) {
  for (size_t i = 0; i < streams->open.count; i++)
    if (streams->open.items[i].index == index)
      return &streams->open.items[i];
  const struct prof_thread *record = record_of(source, index);
  struct prof_gpu_stream stream = {.index = index,
                                   .segment = record->first_segment,
                                   .pid = record->pid,
                                   .tid = record->tid,
                                   .flushed_ns = source->now_ns};
  if (!prof_vec_push(&streams->open, stream))
    return NULL;
  struct prof_gpu_stream *opened = &streams->open.items[streams->open.count - 1];
  prof_gpu_batch_init(&opened->batch, source->writer, ++streams->sums.collectors);
  return opened;
}

/* ---- messages ---- */

/* The number of the stream's process, which gets a PROCESS record if it has none. */
static uint32_t find_process(struct prof_gpu_streams *streams, const struct prof_gpu_stream *stream,
                             const struct prof_channel_source *source, uint64_t start_ticks) {
  uint32_t number = prof_processes_of_pid(streams->processes, stream->pid);
  if (number != 0)
    return number;
  char link[40], executable[4096];
  snprintf(link, sizeof link, "/proc/%ld/exe", (long)stream->pid);
  ssize_t bytes = readlink(link, executable, sizeof executable - 1);
  if (bytes <= 0 && !stream->unknowable) /* it has ended, before this was read */
    number = prof_processes_ended_of_pid(streams->processes, stream->pid);
  if (number != 0)
    return number;
  executable[bytes > 0 ? bytes : 0] = 0;
  struct prof_log_process process = {
      .process = __atomic_add_fetch(&source->region->control->processes, 1, __ATOMIC_RELAXED),
      .pid = stream->pid,
      .start = start_ticks,
      .flags = stream->unknowable ? PROF_PROCESS_OTHER_PIDS : 0,
  };
  prof_processes_add(streams->processes, source->writer, &process, executable);
  return process.process;
}

static void take_start(struct prof_gpu_streams *streams, struct prof_gpu_stream *stream,
                       const struct prof_channel_source *source, const struct prof_gpu_start *start) {
  stream->unknowable = (start->flags & PROF_GPU_START_OTHER_PIDS) != 0;
  const struct prof_gpu_source_record record = {
      .source = stream->batch.source,
      .process = find_process(streams, stream, source, start->start),
      .pid = (uint32_t)stream->pid,
      .library_version = start->library_version,
      .driver_version = start->driver_version,
      .flags = start->flags & PROF_GPU_START_OWN_CLOCK ? PROF_FORMAT_GPU_SOURCE_OWN_CLOCK : 0,
      .start_ticks = start->start,
      .library = prof_span((const char *)(start + 1)),
  };
  (void)prof_writer_gpu_source(source->writer, &record);
}

static void take_note(struct prof_gpu_streams *streams, const struct prof_gpu_stream *stream,
                      const struct prof_channel_source *source, const char *text) {
  uint32_t live = prof_processes_of_pid(streams->processes, stream->pid);
  struct prof_note_record note = {.process =
                                      live != 0 ? live : prof_processes_ended_of_pid(streams->processes, stream->pid),
                                  .text = prof_span(text)};
  (void)prof_writer_note(source->writer, &note);
  if (streams->sums.first_note[0] == 0)
    snprintf(streams->sums.first_note, sizeof streams->sums.first_note, "%.500s", text);
}

/* message: a copy with a NUL after it.  False: it is malformed. */
static bool take(struct prof_gpu_streams *streams, struct prof_gpu_stream *stream,
                 const struct prof_channel_source *source, const void *message, uint32_t kind, uint32_t bytes) {
  const char *behind = message;
  if (kind >= PROF_GPU_MESSAGE_RECORD)
    return prof_gpu_batch_record(&stream->batch, kind - PROF_GPU_MESSAGE_RECORD, message, bytes);
  if (kind == PROF_GPU_MESSAGE_START && bytes > sizeof(struct prof_gpu_start))
    take_start(streams, stream, source, message);
  else if (kind == PROF_GPU_MESSAGE_TEXT && bytes > sizeof(struct prof_gpu_text_message))
    prof_gpu_batch_text(&stream->batch, ((const struct prof_gpu_text_message *)message)->text,
                        behind + sizeof(struct prof_gpu_text_message));
  else if (kind == PROF_GPU_MESSAGE_NOTE)
    take_note(streams, stream, source, behind + sizeof(struct prof_gpu_head));
  else if (kind == PROF_GPU_MESSAGE_FIGURES && bytes >= sizeof(struct prof_gpu_figures))
    prof_gpu_batch_figures(&stream->batch, message);
  else if (kind == PROF_GPU_MESSAGE_CUBIN)
    return prof_gpu_batch_cubin(&stream->batch, message, bytes);
  else
    return false;
  return true;
}

/* Reads the finished messages in one segment.  Returns their number. */
static uint64_t read_segment(struct prof_gpu_streams *streams, struct prof_gpu_stream *stream,
                             const struct prof_channel_source *source, const struct prof_segment *segment) {
  static union { /* the pump is one thread */
    char bytes[PROF_REGION_SEGMENT_BYTES + ALIGN];
    uint64_t aligned;
  } copy;
  const uint32_t room = PROF_REGION_SEGMENT_BYTES - (uint32_t)sizeof *segment;
  const uint8_t *messages = (const uint8_t *)(segment + 1);
  uint64_t passed = 0;
  while (room - stream->byte >= sizeof(struct prof_gpu_head)) {
    const struct prof_gpu_head *head = (const struct prof_gpu_head *)(messages + stream->byte);
    uint32_t kind = __atomic_load_n(&head->kind, __ATOMIC_ACQUIRE);
    uint32_t bytes = __atomic_load_n(&head->bytes, __ATOMIC_RELAXED);
    if (kind == 0)
      break;
    if (bytes < sizeof *head || bytes % ALIGN != 0 || bytes > room - stream->byte) {
      stream->broken = true;
      break;
    }
    memcpy(copy.bytes, head, bytes);
    copy.bytes[bytes] = 0;
    if (!take(streams, stream, source, copy.bytes, kind, bytes)) {
      stream->broken = true;
      break;
    }
    stream->byte += bytes;
    passed++;
  }
  return passed;
}

static void wipe_and_give_back(const struct prof_channel_source *source, uint32_t index, uint32_t number) {
  struct prof_segment *segment = prof_region_segment(source->region, number);
  struct prof_thread *record = record_of(source, index);
  if (segment == NULL)
    return;
  memset(segment + 1, 0, PROF_REGION_SEGMENT_BYTES - sizeof *segment);
  prof_region_give_back(source->region, number);
  __atomic_store_n(&record->released, record->released + 1, __ATOMIC_SEQ_CST); /* see prof_region_wake_waiters */
}

static uint64_t drain(struct prof_gpu_streams *streams, struct prof_gpu_stream *stream,
                      const struct prof_channel_source *source, enum prof_channel_depth depth) {
  uint64_t passed = 0;
  uint32_t given = 0;
  while (!stream->broken && !source->reading_ended && (given < TURN_SEGMENTS || depth == PROF_CHANNEL_LAST)) {
    struct prof_segment *segment = prof_region_segment(source->region, stream->segment);
    stream->broken = segment == NULL;
    if (stream->broken)
      break;
    uint32_t next = __atomic_load_n(&segment->next, __ATOMIC_ACQUIRE);
    if (next == 0 && depth == PROF_CHANNEL_LEFT)
      break;
    uint64_t before = prof_writer_bytes(source->writer) + prof_gpu_batch_waiting_bytes(&stream->batch);
    if (!prof_room_has(source->room, PROF_REGION_SEGMENT_BYTES))
      break;
    passed += read_segment(streams, stream, source, segment);
    uint64_t after = prof_writer_bytes(source->writer) + prof_gpu_batch_waiting_bytes(&stream->batch);
    prof_room_use(source->room, after > before ? after - before : 0);
    if (next == 0 || stream->broken)
      break;
    wipe_and_give_back(source, stream->index, stream->segment);
    stream->segment = next;
    stream->byte = 0;
    if (++given % WAKE_EVERY == 0)
      prof_region_wake_waiters(source->region, UINT32_MAX);
  }
  if (given % WAKE_EVERY != 0)
    prof_region_wake_waiters(source->region, UINT32_MAX);
  return passed;
}

/* ---- the end ---- */

static void add_sums(struct prof_gpu_sums *sums, const struct prof_gpu_batch *batch) {
  sums->kernels += batch->added[PROF_GPU_KERNEL];
  sums->copies += batch->added[PROF_GPU_COPY];
  sums->sets += batch->added[PROF_GPU_SET];
  sums->calls += batch->added[PROF_GPU_CALL];
  sums->dropped += batch->figures[PROF_GPU_DROPPED];
  sums->untimed += batch->figures[PROF_GPU_UNTIMED];
  sums->lost += batch->figures[PROF_GPU_LOST_CALLS] + batch->figures[PROF_GPU_LOST_RECORDS];
}

/* gone: its thread writes no more, so the record and the last segment can be reused. */
static void close_stream(struct prof_gpu_streams *streams, size_t at, const struct prof_channel_source *source,
                         bool gone) {
  struct prof_gpu_stream *stream = &streams->open.items[at];
  drain(streams, stream, source, PROF_CHANNEL_LAST);
  prof_gpu_batch_flush(&stream->batch);
  add_sums(&streams->sums, &stream->batch);
  prof_gpu_batch_fini(&stream->batch);
  if (gone) {
    struct prof_thread *record = record_of(source, stream->index);
    if (!stream->broken)
      wipe_and_give_back(source, stream->index, stream->segment);
    record->content = PROF_THREAD_EVENTS;
    __atomic_store_n(&record->state, PROF_THREAD_FREE, __ATOMIC_RELEASE);
  }
  streams->open.items[at] = streams->open.items[--streams->open.count];
}

static bool is_gone(const struct prof_gpu_stream *stream) {
  return !stream->unknowable && syscall(SYS_tgkill, stream->pid, stream->tid, 0) != 0 && errno == ESRCH;
}

uint64_t prof_gpu_streams_serve(struct prof_gpu_streams *streams, const struct prof_channel_source *source,
                                uint32_t index, enum prof_channel_depth depth) {
  struct prof_gpu_stream *stream = find_or_open(streams, source, index);
  if (stream == NULL)
    return 0;
  if (__atomic_load_n(&record_of(source, index)->state, __ATOMIC_ACQUIRE) == PROF_THREAD_ENDED) {
    close_stream(streams, (size_t)(stream - streams->open.items), source, true);
    return 1;
  }
  return drain(streams, stream, source, depth);
}

uint64_t prof_gpu_streams_waiting_bytes(const struct prof_gpu_streams *streams) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < streams->open.count; i++)
    bytes += prof_gpu_batch_waiting_bytes(&streams->open.items[i].batch);
  return bytes;
}

void prof_gpu_streams_flush(struct prof_gpu_streams *streams) {
  for (size_t i = 0; i < streams->open.count; i++)
    prof_gpu_batch_flush(&streams->open.items[i].batch);
}

void prof_gpu_streams_reap(struct prof_gpu_streams *streams, const struct prof_channel_source *source,
                           uint64_t before_ns) {
  for (size_t i = streams->open.count; i > 0; i--) {
    struct prof_gpu_stream *stream = &streams->open.items[i - 1];
    if (is_gone(stream)) {
      close_stream(streams, i - 1, source, true);
    } else if (stream->flushed_ns <= before_ns) {
      prof_gpu_batch_flush(&stream->batch);
      stream->flushed_ns = source->now_ns;
    }
  }
}

void prof_gpu_streams_finish(struct prof_gpu_streams *streams, const struct prof_channel_source *source) {
  while (streams->open.count > 0)
    close_stream(streams, streams->open.count - 1, source, is_gone(&streams->open.items[streams->open.count - 1]));
  prof_vec_fini(&streams->open);
}
