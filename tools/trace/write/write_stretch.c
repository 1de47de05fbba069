/*
 * tools/trace/write/write_stretch.c - see write_stretch.h.
 */
#include "write_stretch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "trace/part_names.h"
#include "write_bursts.h"
#include "write_part.h"
#include "write_ring.h"
#include "write_samples.h"
#include "write_tables.h"
#include "writer_state.h"

prof_status prof_writer_open_stretches(const struct prof_writer_options *options, struct prof_diag *diag,
                                       prof_writer **out) {
  struct prof_writer_options unpacked = *options;
  unpacked.level = PROF_WRITER_UNPACKED;
  prof_status status = prof_writer_open_ring(&unpacked, diag, out);
  if (status == PROF_OK)
    (*out)->facts.keeps_latest = true;
  return status;
}

/* The bytes that a chunk takes. */
static size_t chunk_bytes(const struct prof_format_chunk *head) {
  return sizeof *head + (((size_t)head->packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(PROF_FORMAT_ALIGNMENT - 1u));
}

static size_t facts_bytes(const struct prof_facts *facts) {
  size_t bytes = 0;
  for (size_t i = 0; i < facts->items.count; i++)
    bytes += chunk_bytes(&facts->items.items[i].head);
  for (size_t i = 0; i < facts->paths.count; i++)
    bytes += chunk_bytes(&facts->paths.items[i].head);
  return bytes;
}

static uint8_t *put_fact(const struct prof_kept_fact *fact, uint8_t *to) {
  memcpy(to, &fact->head, sizeof fact->head);
  memcpy(to + sizeof fact->head, fact->packed, fact->head.packed_bytes);
  size_t end = sizeof fact->head + fact->head.packed_bytes;
  memset(to + end, 0, chunk_bytes(&fact->head) - end);
  return to + chunk_bytes(&fact->head);
}

static uint8_t *put_facts(const struct prof_facts *facts, uint8_t *to) {
  for (size_t i = 0; i < facts->items.count; i++)
    to = put_fact(&facts->items.items[i], to);
  for (size_t i = 0; i < facts->paths.count; i++)
    to = put_fact(&facts->paths.items[i], to);
  return to;
}

/* What is no fact; neighbours are copied at once. */
static uint8_t *put_rest(const struct prof_lap *lap, uint8_t *to) {
  size_t begin = 0;
  for (size_t at = 0; at < lap->bytes.count;) {
    struct prof_format_chunk head;
    memcpy(&head, lap->bytes.items + at, sizeof head);
    size_t next = at + chunk_bytes(&head);
    if (prof_facts_hold(head.kind) || prof_facts_are_latest(head.kind)) {
      memcpy(to, lap->bytes.items + begin, at - begin);
      to += at - begin;
      begin = next;
    }
    at = next;
  }
  memcpy(to, lap->bytes.items + begin, lap->bytes.count - begin);
  return to + (lap->bytes.count - begin);
}

/* What the stretch held is lost.  The next ones, which are about as large, have room too. */
static bool make_room(struct prof_held_stretch *stretch, size_t bytes) {
  bytes += PROF_STRETCH_PADDING;
  if (bytes <= stretch->capacity)
    return true;
  prof_stretch_free(stretch);
  bytes += bytes / 4;
  stretch->bytes = calloc(1, bytes);
  stretch->capacity = stretch->bytes != NULL ? bytes : 0;
  return stretch->bytes != NULL;
}

/* What holds at the begin of a stretch, as of then: no fact is, as it changes within. */
static prof_status begin_stretch(prof_writer *writer, uint64_t ticks) {
  PROF_VEC(struct prof_state_change) states = {0};
  struct prof_rate_change rate = writer->facts.rate;
  prof_status status = PROF_OK;
  rate.time = ticks;
  for (size_t i = 0; i < writer->facts.states.count && status == PROF_OK; i++) {
    struct prof_state_change state = writer->facts.states.items[i];
    state.time = ticks;
    status = prof_vec_push(&states, state) ? PROF_OK : PROF_NO_MEMORY;
  }
  if (status == PROF_OK && states.count > 0)
    status = prof_writer_states(writer, states.items, states.count);
  if (status == PROF_OK && writer->facts.has_rate)
    status = prof_writer_rates(writer, &rate, 1);
  prof_vec_fini(&states);
  return status;
}

/* The lap is emptied, its memory kept for the next stretch. */
prof_status prof_writer_take_stretch(prof_writer *writer, uint64_t ticks, struct prof_held_stretch *out) {
  pthread_mutex_lock(&writer->lock);
  struct prof_lap *lap = writer->laps.items.items[writer->laps.items.count - 1];
  struct prof_format_file head;
  prof_writer_file_header(writer, writer->start_realtime_ns, &head);
  size_t facts = facts_bytes(&writer->facts);
  prof_status status = writer->status;
  if (status == PROF_OK && !make_room(out, sizeof head + facts + lap->bytes.count))
    status = prof_writer_fail(writer, PROF_NO_MEMORY, 0);
  if (status == PROF_OK) {
    memcpy(out->bytes, &head, sizeof head);
    uint8_t *end = put_facts(&writer->facts, out->bytes + sizeof head);
    out->facts_end = (size_t)(end - out->bytes);
    out->count = (size_t)(put_rest(lap, end) - out->bytes);
    writer->laps.bytes -= lap->bytes.count;
    lap->bytes.count = 0;
  }
  pthread_mutex_unlock(&writer->lock);
  if (status == PROF_OK)
    status = begin_stretch(writer, ticks);
  if (status != PROF_OK)
    prof_stretch_free(out);
  return status;
}

void prof_writer_forget_paths(prof_writer *writer) {
  pthread_mutex_lock(&writer->lock);
  prof_facts_forget_paths(&writer->facts);
  pthread_mutex_unlock(&writer->lock);
}

void prof_stretch_free(struct prof_held_stretch *stretch) {
  free(stretch->bytes);
  *stretch = (struct prof_held_stretch){0};
}

/* A summary's samples have chains in place of paths. */
static bool is_in_file(const struct prof_format_chunk *head, bool is_fact) {
  return is_fact ? head->kind != PROF_FORMAT_PATHS
                 : head->kind == PROF_FORMAT_STATES || head->kind == PROF_FORMAT_RATES;
}

static prof_status copy_facts(const struct prof_held_stretch *stretch, prof_writer *writer) {
  prof_status status = PROF_OK;
  for (size_t at = sizeof(struct prof_format_file); at < stretch->count && status == PROF_OK;) {
    struct prof_format_chunk head;
    memcpy(&head, stretch->bytes + at, sizeof head);
    if (is_in_file(&head, at < stretch->facts_end))
      status = prof_writer_copy(writer, &head, stretch->bytes + at + sizeof head);
    at += chunk_bytes(&head);
  }
  return status;
}

static prof_status replace(const char *folder, struct prof_diag *diag) {
  char *from = NULL, *to = NULL;
  prof_status status = PROF_OK;
  if (asprintf(&from, "%s/" PROF_NEXT_FILE, folder) < 0 || asprintf(&to, "%s/trace", folder) < 0)
    status = prof_diag_memory(diag);
  else if (rename(from, to) != 0)
    status = prof_diag_system(diag, errno, to, "cannot replace the summary", "keep the folder; record again");
  free(from);
  free(to);
  return status;
}

static prof_status write_sums(prof_writer *writer, const struct prof_stretch_sums *sums) {
  const struct {
    uint16_t kind;
    struct prof_payload *payload;
  } rows[] = {{PROF_FORMAT_SUMMARY, sums->summary},
              {PROF_FORMAT_MEASURES, sums->measures},
              {PROF_FORMAT_TRACKS, sums->tracks},
              {PROF_FORMAT_PMU_SUMS, sums->pmu_sums}};
  prof_status status = PROF_OK;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && status == PROF_OK; i++) {
    struct prof_format_chunk head = {.kind = rows[i].kind};
    if (rows[i].payload != NULL)
      status = prof_writer_payload(writer, &head, rows[i].payload);
  }
  return status;
}

prof_status prof_stretch_write(const struct prof_held_stretch *stretch, const char *folder,
                               const struct prof_stretch_sums *sums, struct prof_end_record *end,
                               struct prof_diag *diag, prof_writer **out, uint64_t *bytes) {
  struct prof_format_file file;
  memcpy(&file, stretch->bytes, sizeof file);
  struct prof_writer_options options = {.start_realtime_ns = file.start_realtime_ns, .name = PROF_NEXT_FILE};
  memcpy(options.id, file.id, sizeof options.id);
  char *older = NULL;
  if (asprintf(&older, "%s/" PROF_NEXT_FILE, folder) < 0)
    return prof_diag_memory(diag);
  unlink(older); /* of a recorder that was killed */
  prof_status status = prof_writer_open(folder, &options, diag, out);
  if (status == PROF_OK) {
    status = copy_facts(stretch, *out);
    if (status == PROF_OK)
      status = write_sums(*out, sums);
    if (status == PROF_OK && end != NULL)
      status = prof_writer_end(*out, end);
    *bytes = prof_writer_bytes(*out);
    if (status != PROF_OK)
      (void)prof_writer_error(*out, diag);
    else
      status = replace(folder, diag);
    if (status != PROF_OK) {
      (void)!prof_writer_close(*out, NULL);
      *out = NULL;
      unlink(older);
    }
  }
  free(older);
  return status;
}

prof_status prof_stretch_show(const struct prof_held_stretch *stretch, const char *folder, uint64_t begin,
                              struct prof_end_record *end, struct prof_diag *diag) {
  struct prof_format_file file;
  const struct prof_part part = {begin, UINT64_MAX, NULL, 0};
  prof_writer *writer;
  memcpy(&file, stretch->bytes, sizeof file);
  struct prof_writer_options options = {.start_realtime_ns = file.start_realtime_ns};
  memcpy(options.id, file.id, sizeof options.id);
  prof_status status = prof_writer_open(folder, &options, diag, &writer);
  if (status != PROF_OK)
    return status;
  for (size_t at = sizeof file; at < stretch->count && status == PROF_OK;) {
    struct prof_format_chunk head;
    memcpy(&head, stretch->bytes + at, sizeof head);
    if (head.kind != PROF_FORMAT_PART)
      status = prof_writer_copy(writer, &head, stretch->bytes + at + sizeof head);
    at += chunk_bytes(&head);
  }
  if (status == PROF_OK)
    status = prof_writer_part(writer, &part);
  end->events = prof_writer_events(writer);
  if (status == PROF_OK)
    status = prof_writer_end(writer, end);
  prof_status closed = prof_writer_close(writer, diag);
  return closed != PROF_OK ? closed : status;
}
