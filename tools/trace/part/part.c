/*
 * tools/trace/part/part.c - see part.h.
 *
 * Of each thread these EVENTS stay, so that readers find the same as with --range in the whole recording: those that
 * reach into the time, the one before (it shows since when frames are open), the one after (they stay open until then),
 * and the last one before that began with flag 2 (which frames are no new calls).
 */
#include "part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "trace/read/raw.h"
#include "trace/write/write_part.h"

struct copying {
  const prof_trace *trace;
  const struct prof_part_choice *choice;
  const struct prof_chunk_ref *refs;
  size_t ref_count, at; /* at: the next of refs, in file order */
  bool *stays;          /* by chunk of EVENTS */
  struct prof_index_map thread_index;
  bool all_threads;
  bool any; /* a thread that stays was recorded in that time */
  struct prof_part_thread *rows;
  uint32_t row_count;
};

/* Which chunks of a thread stay; counts what they lack. */
static void choose_chunks(struct copying *copying, const struct prof_thread_info *thread, bool stays,
                          struct prof_part_thread *row) {
  const uint32_t *chunks = prof_trace_thread_chunks(copying->trace) + thread->first_chunk;
  const struct prof_part_choice *choice = copying->choice;
  bool over = false, begun = false, reached = false;
  *row = (struct prof_part_thread){
      .thread = thread->number, .hidden = !stays, .events = thread->events, .untimed = thread->untimed};
  for (uint32_t i = 0; i < thread->chunk_count && stays && !over; i++) {
    const struct prof_chunk_ref *ref = &copying->refs[chunks[i]];
    bool before = ref->last_time < choice->begin_ticks &&
                  (i + 1 == thread->chunk_count || copying->refs[chunks[i + 1]].last_time < choice->begin_ticks);
    over = ref->last_time >= choice->end_ticks;
    copying->stays[chunks[i]] = !before;
    begun |= ref->first_time < choice->end_ticks;
    reached |= ref->last_time >= choice->begin_ticks;
  }
  copying->any |= begun && reached;
  uint32_t first = 0;
  while (first < thread->chunk_count && !copying->stays[chunks[first]])
    first++;
  for (uint32_t i = first < thread->chunk_count ? first : 0; i-- > 0;)
    if (copying->refs[chunks[i]].flags & PROF_CHUNK_RESUMED) {
      copying->stays[chunks[i]] = true;
      break;
    }
  for (uint32_t i = 0; i < thread->chunk_count; i++)
    if (copying->stays[chunks[i]]) {
      row->events -= copying->refs[chunks[i]].events;
      row->untimed -= copying->refs[chunks[i]].untimed;
    }
}

/* What an older PART has about the time before holds for a part of that part too. */
static void take_older(struct copying *copying) {
  const struct prof_part *older = prof_trace_part(copying->trace);
  for (uint32_t i = 0; older != NULL && i < older->thread_count; i++) {
    uint32_t index = prof_index_of(&copying->thread_index, older->threads[i].thread);
    if (index == PROF_NONE)
      continue;
    struct prof_part_thread row = older->threads[i], *own = &copying->rows[index];
    row.hidden |= own->hidden;
    row.events = own->events;
    row.untimed = own->untimed;
    *own = row;
  }
}

static prof_status choose(struct copying *copying, struct prof_diag *diag) {
  size_t thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(copying->trace, &thread_count);
  copying->refs = prof_trace_chunks(copying->trace, &copying->ref_count);
  copying->stays = calloc(copying->ref_count + 1, sizeof *copying->stays);
  copying->rows = calloc(thread_count + 1, sizeof *copying->rows);
  copying->row_count = (uint32_t)thread_count;
  copying->all_threads = true;
  if (copying->stays == NULL || copying->rows == NULL)
    return prof_diag_memory(diag);
  for (uint32_t i = 0; i < thread_count; i++) {
    copying->all_threads &= copying->choice->threads[i];
    choose_chunks(copying, &threads[i], copying->choice->threads[i], &copying->rows[i]);
    if (!prof_index_add(&copying->thread_index, threads[i].number, i))
      return prof_diag_memory(diag);
  }
  take_older(copying);
  return PROF_OK;
}

/* END and PART are written anew. */
static bool wants(void *context, uint64_t offset, const struct prof_format_chunk *head) {
  struct copying *copying = context;
  if (head->kind == PROF_FORMAT_END || head->kind == PROF_FORMAT_PART)
    return false;
  if (head->kind == PROF_FORMAT_EVENTS) {
    while (copying->at < copying->ref_count && copying->refs[copying->at].offset < offset)
      copying->at++;
    return copying->at < copying->ref_count && copying->refs[copying->at].offset == offset &&
           copying->stays[copying->at];
  }
  if (head->kind != PROF_FORMAT_SAMPLES && head->kind != PROF_FORMAT_SWITCHES && head->kind != PROF_FORMAT_PMU_SAMPLES)
    return true;
  uint32_t thread = head->thread != 0 ? prof_index_of(&copying->thread_index, head->thread) : PROF_NONE;
  return thread != PROF_NONE ? copying->choice->threads[thread] : copying->all_threads;
}

static prof_status copy_chunks(struct copying *copying, prof_writer *writer, struct prof_diag *diag) {
  prof_raw *raw = prof_raw_new(copying->trace);
  struct prof_raw_chunk chunk;
  if (raw == NULL)
    return prof_diag_memory(diag);
  prof_status status;
  while ((status = prof_raw_next(raw, wants, copying, diag, &chunk)) == PROF_OK &&
         (status = prof_writer_copy(writer, &chunk.head, chunk.packed)) == PROF_OK)
    ;
  prof_raw_free(raw);
  return status == PROF_EMPTY ? PROF_OK : status;
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static void write_part(const struct copying *copying, prof_writer *writer) {
  const struct prof_part *older = prof_trace_part(copying->trace);
  struct prof_part part = {.begin_ticks = copying->choice->begin_ticks,
                           .end_ticks = copying->choice->end_ticks,
                           .threads = copying->rows,
                           .thread_count = copying->row_count};
  if (older != NULL) {
    part.begin_ticks = later(part.begin_ticks, older->begin_ticks);
    part.end_ticks = part.end_ticks < older->end_ticks ? part.end_ticks : older->end_ticks;
  }
  (void)prof_writer_part(writer, &part); /* the writer keeps the error */
}

/* Readers of the part can't see that the whole was damaged. */
static void write_damage(const struct copying *copying, prof_writer *writer) {
  struct prof_damage damage;
  size_t lacking;
  prof_trace_damage(copying->trace, &damage);
  (void)prof_trace_lacking(copying->trace, &lacking);
  if (damage.chunks_damaged > 0 || damage.bytes_skipped > 0 || lacking > 0)
    (void)prof_writer_note(
        writer, &(struct prof_note_record){.text = prof_span("the recording that this is a part of was damaged")});
}

/* The whole's figures; a whole that was cut short has none. */
static void write_end(const struct copying *copying, prof_writer *writer) {
  const struct prof_trace_info *info = prof_trace_info(copying->trace);
  if (info->complete)
    (void)prof_writer_end(writer, &(struct prof_end_record){.reason = info->end_reason,
                                                            .wait_status = (uint32_t)info->wait_status,
                                                            .wall_ns = info->wall_ns,
                                                            .user_ns = info->user_ns,
                                                            .system_ns = info->system_ns,
                                                            .recorder_cpu_ns = info->recorder_cpu_ns,
                                                            .events = prof_writer_events(writer),
                                                            .lost = info->lost});
}

static prof_status write_file(struct copying *copying, const char *folder, struct prof_diag *diag,
                              struct prof_part_result *result) {
  const struct prof_trace_info *info = prof_trace_info(copying->trace);
  struct prof_writer_options options = {.start_realtime_ns = info->start_realtime_ns};
  prof_writer *writer;
  memcpy(options.id, prof_raw_id(copying->trace), sizeof options.id);
  prof_status status = prof_writer_open(folder, &options, diag, &writer);
  if (status != PROF_OK)
    return status;
  status = copy_chunks(copying, writer, diag);
  write_part(copying, writer);
  write_damage(copying, writer);
  write_end(copying, writer);
  *result = (struct prof_part_result){prof_writer_events(writer), info->events, prof_writer_bytes(writer)};
  prof_status closed = prof_writer_close(writer, diag);
  status = closed != PROF_OK ? closed : status;
  char path[4096];
  if (status != PROF_OK && snprintf(path, sizeof path, "%s/trace", folder) < (int)sizeof path)
    unlink(path);
  return status;
}

prof_status prof_part_write(const prof_trace *trace, const struct prof_part_choice *choice, const char *folder,
                            struct prof_diag *diag, struct prof_part_result *result) {
  struct copying copying = {.trace = trace, .choice = choice};
  *result = (struct prof_part_result){0};
  prof_status status = choose(&copying, diag);
  if (status == PROF_OK && !copying.any)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                            "widen --range, or choose other threads; prof info lists them",
                            "no thread of the choice has events in that time");
  else if (status == PROF_OK)
    status = write_file(&copying, folder, diag, result);
  prof_index_fini(&copying.thread_index);
  free(copying.stays);
  free(copying.rows);
  return status;
}
