/*
 * tools/trace/write/write_ring.c - see write_ring.h.
 *
 * A snapshot's file has all facts first, then PART of its oldest lap, then the other chunks of each lap.
 */
#include "write_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "write_bursts.h"
#include "write_part.h"
#include "write_samples.h"
#include "writer_state.h"

struct prof_snapshot {
  uint8_t id[16];
  uint64_t start_realtime_ns;
  struct prof_laps laps;
  PROF_VEC(uint8_t) facts; /* chunks as in a file */
};

prof_status prof_writer_open_ring(const struct prof_writer_options *options, struct prof_diag *diag,
                                  prof_writer **out) {
  *out = prof_writer_new(options->level ? options->level : 1);
  if (*out == NULL)
    return prof_diag_memory(diag);
  (*out)->rings = (*out)->keeps = true;
  (*out)->serial = 1;
  (*out)->start_realtime_ns = options->start_realtime_ns;
  prof_status status = PROF_OK;
  if (!prof_laps_begin(&(*out)->laps, options->begin_ns))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_writer_find_id(*out, options->id);
  if (status != PROF_OK) {
    (void)!prof_writer_close(*out, diag);
    *out = NULL;
  }
  return status;
}

uint64_t prof_writer_lap_bytes(const prof_writer *writer) {
  return writer->laps.items.items[writer->laps.items.count - 1]->bytes.count;
}

prof_status prof_writer_next_lap(prof_writer *writer, uint64_t now_ns, uint64_t keep_bytes, uint64_t keep_ns) {
  pthread_mutex_lock(&writer->lock);
  prof_status status = writer->status;
  if (status == PROF_OK && !prof_laps_begin(&writer->laps, now_ns))
    status = prof_writer_fail(writer, PROF_NO_MEMORY, 0);
  prof_laps_drop(&writer->laps, keep_bytes ? keep_bytes : UINT64_MAX,
                 keep_ns > 0 && now_ns > keep_ns ? now_ns - keep_ns : 0);
  writer->serial = writer->laps.items.items[writer->laps.items.count - 1]->serial;
  (void)prof_facts_forget(&writer->facts, writer->laps.items.items[0]->serial); /* without memory they stay */
  pthread_mutex_unlock(&writer->lock);
  if (status == PROF_OK && writer->facts.states.count > 0)
    status = prof_writer_states(writer, writer->facts.states.items, writer->facts.states.count);
  if (status == PROF_OK && writer->facts.has_rate)
    status = prof_writer_rates(writer, &writer->facts.rate, 1);
  return status;
}

static bool copy_facts(const struct prof_facts *facts, struct prof_snapshot *snapshot) {
  bool good = true;
  for (size_t i = 0; i < facts->items.count && good; i++) {
    const struct prof_kept_fact *fact = &facts->items.items[i];
    good = prof_vec_reserve(&snapshot->facts, sizeof fact->head + fact->head.packed_bytes + PROF_FORMAT_ALIGNMENT);
    if (!good)
      break;
    uint8_t *to = snapshot->facts.items + snapshot->facts.count;
    memcpy(to, &fact->head, sizeof fact->head);
    memcpy(to + sizeof fact->head, fact->packed, fact->head.packed_bytes);
    snapshot->facts.count +=
        sizeof fact->head + ((fact->head.packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(PROF_FORMAT_ALIGNMENT - 1u));
  }
  return good;
}

prof_status prof_snapshot_take(prof_writer *writer, uint64_t since_ns, struct prof_diag *diag,
                               struct prof_snapshot **out) {
  struct prof_snapshot *snapshot = calloc(1, sizeof *snapshot);
  *out = NULL;
  if (snapshot == NULL)
    return prof_diag_memory(diag);
  pthread_mutex_lock(&writer->lock);
  size_t ended = writer->laps.items.count - 1;
  memcpy(snapshot->id, writer->id, sizeof snapshot->id);
  snapshot->start_realtime_ns = writer->start_realtime_ns;
  bool good = prof_vec_reserve(&snapshot->laps.items, ended) && copy_facts(&writer->facts, snapshot);
  for (size_t i = 0; i < ended && good; i++) {
    if (writer->laps.items.items[i + 1]->begin_ns < since_ns)
      continue;
    __atomic_add_fetch(&writer->laps.items.items[i]->users, 1, __ATOMIC_RELAXED);
    snapshot->laps.items.items[snapshot->laps.items.count++] = writer->laps.items.items[i];
  }
  pthread_mutex_unlock(&writer->lock);
  if (good) {
    *out = snapshot;
    return PROF_OK;
  }
  prof_snapshot_free(snapshot);
  return prof_diag_memory(diag);
}

uint64_t prof_snapshot_begin_ns(const struct prof_snapshot *snapshot) {
  return snapshot->laps.items.count > 0 ? snapshot->laps.items.items[0]->begin_ns : 0;
}

void prof_snapshot_free(struct prof_snapshot *snapshot) {
  if (snapshot == NULL)
    return;
  prof_laps_fini(&snapshot->laps);
  prof_vec_fini(&snapshot->facts);
  free(snapshot);
}

enum place { FACTS, FIRST_LAP, LATER_LAP };

/* A lap's facts are among the others; PART is the first lap's. */
static bool is_wanted(uint16_t kind, enum place place) {
  return place == FACTS || (!prof_facts_hold(kind) && (place == FIRST_LAP || kind != PROF_FORMAT_PART));
}

static prof_status put_chunks(prof_writer *writer, const uint8_t *bytes, size_t count, enum place place) {
  prof_status status = PROF_OK;
  for (size_t at = 0; at < count && status == PROF_OK;) {
    struct prof_format_chunk head;
    memcpy(&head, bytes + at, sizeof head);
    if (is_wanted(head.kind, place))
      status = prof_writer_copy(writer, &head, bytes + at + sizeof head);
    at += sizeof head + ((head.packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(PROF_FORMAT_ALIGNMENT - 1u));
  }
  return status;
}

prof_status prof_snapshot_write(const struct prof_snapshot *snapshot, const char *folder, struct prof_end_record *end,
                                struct prof_diag *diag, uint64_t *bytes) {
  struct prof_writer_options options = {.start_realtime_ns = snapshot->start_realtime_ns};
  prof_writer *writer;
  memcpy(options.id, snapshot->id, sizeof options.id);
  prof_status status = prof_writer_open(folder, &options, diag, &writer);
  if (status != PROF_OK)
    return status;
  status = put_chunks(writer, snapshot->facts.items, snapshot->facts.count, FACTS);
  for (size_t i = 0; i < snapshot->laps.items.count && status == PROF_OK; i++) {
    const struct prof_lap *lap = snapshot->laps.items.items[i];
    status = put_chunks(writer, lap->bytes.items, lap->bytes.count, i == 0 ? FIRST_LAP : LATER_LAP);
  }
  end->events = prof_writer_events(writer);
  if (status == PROF_OK)
    status = prof_writer_end(writer, end);
  *bytes = prof_writer_bytes(writer);
  prof_status closed = prof_writer_close(writer, diag);
  return closed != PROF_OK ? closed : status;
}
