/*
 * tools/tally/track_bytes.c - counters in time as the payload of TRACKS, and back: docs/trace-format-summary.md.
 */
#include <string.h>

#include "base/diag.h"
#include "fold/summary/rows.h"
#include "tally/track_tally.h"

#define LEAST_BYTES 31u /* of a row */
#define MOST_SHIFT 62u
enum { FLAG_SUM = 1 };

/* ---- write ---- */

static void put_moment(struct prof_payload *payload, struct prof_track_moment moment, uint64_t begin_ns) {
  prof_payload_varint(payload, moment.time_ns - begin_ns);
  prof_rows_put_doubles(payload, &moment.value, 1);
}

static void put_parts(const struct prof_track_sum *track, uint32_t shift, struct prof_payload *payload) {
  uint64_t before = 0;
  prof_payload_varint(payload, track->parts.count);
  for (size_t i = 0; i < track->parts.count; i++) {
    const struct prof_track_part *part = &track->parts.items[i];
    const uint64_t begin_ns = part->number << shift;
    PROF_ROW_PUT(payload, part->number - before, part->count);
    if (part->count > 1) {
      put_moment(payload, part->least, begin_ns);
      put_moment(payload, part->most, begin_ns);
    }
    put_moment(payload, part->last, begin_ns);
    before = part->number;
  }
}

void prof_track_tally_write(const struct prof_track_tally *tally, struct prof_payload *payload) {
  prof_payload_u32(payload, tally->shift);
  prof_payload_u64(payload, tally->left_out);
  prof_payload_u32(payload, (uint32_t)tally->tracks.count);
  for (size_t i = 0; i < tally->tracks.count; i++) {
    const struct prof_track_sum *track = &tally->tracks.items[i];
    prof_payload_string(payload, track->name, strlen(track->name));
    prof_payload_string(payload, track->unit, strlen(track->unit));
    PROF_ROW_PUT(payload, track->process, track->what, track->is_sum ? FLAG_SUM : 0, track->divisor, track->count,
                 track->others);
    prof_rows_put_doubles(payload, (const double[]){track->amount, track->weight}, 2);
    put_parts(track, tally->shift, payload);
    PROF_ROW_PUT(payload, track->next, track->readings.count);
    for (size_t at = 0; at < track->readings.count; at++)
      PROF_ROW_PUT(payload, track->readings.items[at].time, track->readings.items[at].value);
  }
}

/* ---- read ---- */

static double get_double(struct prof_byte_reader *reader) {
  double value = 0;
  const uint8_t *bytes = prof_byte_reader_bytes(reader, sizeof value);
  if (bytes)
    memcpy(&value, bytes, sizeof value);
  return value;
}

static struct prof_track_moment get_moment(struct prof_byte_reader *reader, uint64_t begin_ns, uint32_t shift) {
  const uint64_t time = prof_byte_reader_varint(reader);
  const struct prof_track_moment moment = {begin_ns + time, get_double(reader)};
  reader->bad |= time >> shift != 0 || !isfinite(moment.value);
  return moment;
}

static size_t get_count(struct prof_byte_reader *reader, size_t least) {
  const uint64_t count = prof_byte_reader_varint(reader);
  reader->bad |= count > (size_t)(reader->end - reader->at) / least;
  return reader->bad ? 0 : (size_t)count;
}

/* false: no memory. */
static bool get_parts(struct prof_track_sum *track, uint32_t shift, struct prof_byte_reader *reader) {
  uint64_t number = 0, values = 0;
  size_t left = get_count(reader, 2);
  for (reader->bad |= shift == 0 && left > 0; left > 0 && !reader->bad; left--) {
    const uint64_t step = prof_byte_reader_varint(reader);
    struct prof_track_part part = {.count = prof_byte_reader_varint(reader)};
    reader->bad |= part.count == 0 || step > (1ull << MOST_SHIFT >> shift) - number ||
                   (step == 0 && track->parts.count > 0) || part.count > track->count - values;
    if (reader->bad)
      break;
    number += step;
    values += part.count;
    part.number = number;
    if (part.count > 1) {
      part.least = get_moment(reader, number << shift, shift);
      part.most = get_moment(reader, number << shift, shift);
    }
    part.last = get_moment(reader, number << shift, shift);
    if (part.count == 1)
      part.least = part.most = part.last;
    if (!prof_vec_push(&track->parts, part))
      return false;
  }
  reader->bad |= values != track->count;
  return true;
}

static bool get_readings(struct prof_track_sum *track, struct prof_byte_reader *reader) {
  const uint64_t next = prof_byte_reader_varint(reader);
  for (size_t left = get_count(reader, 2); left > 0 && !reader->bad; left--) {
    const uint64_t time = prof_byte_reader_varint(reader);
    if (!prof_vec_push(&track->readings, ((struct prof_reading){time, prof_byte_reader_varint(reader)})))
      return false;
    const size_t count = track->readings.count;
    reader->bad |= count > 1 && time < track->readings.items[count - 2].time;
  }
  reader->bad |= next > track->readings.count;
  track->next = reader->bad ? 0 : (size_t)next;
  return true;
}

static char *get_text(struct prof_byte_reader *reader) {
  const uint32_t bytes = prof_byte_reader_u32(reader);
  const uint8_t *text = prof_byte_reader_bytes(reader, bytes);
  return strndup(text && !reader->bad ? (const char *)text : "", text && !reader->bad ? bytes : 0);
}

static bool get_track(struct prof_track_tally *tally, struct prof_byte_reader *reader) {
  struct prof_track_sum track = {.name = get_text(reader), .unit = get_text(reader)};
  uint64_t row[6];
  prof_rows_get(reader, row, 6);
  track.process = prof_rows_number(reader, row[0], PROF_ROWS_ANY);
  track.what = prof_rows_number(reader, row[1], PROF_ROWS_ANY);
  track.is_sum = row[2] & FLAG_SUM;
  track.divisor = row[3];
  track.count = row[4];
  track.others = row[5];
  track.amount = get_double(reader);
  track.weight = get_double(reader);
  reader->bad |= track.divisor == 0;
  bool done = track.name && track.unit && get_parts(&track, tally->shift, reader) && get_readings(&track, reader);
  tally->part_count += track.parts.count;
  if (done && prof_vec_push(&tally->tracks, track))
    return true;
  free(track.name);
  free(track.unit);
  prof_vec_fini(&track.parts);
  prof_vec_fini(&track.readings);
  return false;
}

prof_status prof_track_tally_read(const uint8_t *bytes, size_t count, struct prof_track_tally *tally) {
  *tally = (struct prof_track_tally){.part_count = 0};
  struct prof_byte_reader reader = {bytes, bytes + count, false};
  bool done = true;
  tally->shift = prof_byte_reader_u32(&reader);
  tally->left_out = prof_byte_reader_u64(&reader);
  uint32_t left = prof_rows_count(&reader, LEAST_BYTES);
  reader.bad |= tally->shift > MOST_SHIFT || left > PROF_TRACK_ROWS;
  for (; left > 0 && done && !reader.bad; left--)
    done = get_track(tally, &reader);
  return !done ? PROF_NO_MEMORY : reader.bad ? PROF_CORRUPT : PROF_OK;
}

uint32_t prof_track_process(const prof_trace *trace, const struct prof_track_sum *track) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (uint32_t i = 0; i < count && track->process != 0; i++)
    if (processes[i].number == track->process)
      return i;
  return PROF_NONE;
}

/* Is each track's process in the file? */
static bool has_processes(const prof_trace *trace, const struct prof_track_tally *tally) {
  for (size_t i = 0; i < tally->tracks.count; i++) {
    const struct prof_track_sum *track = &tally->tracks.items[i];
    if (track->process != 0 ? prof_track_process(trace, track) == PROF_NONE : track->what == 0)
      return false;
  }
  return true;
}

prof_status prof_track_tally_of(const prof_trace *trace, struct prof_diag *diag, struct prof_track_tally *out) {
  size_t count;
  const uint8_t *bytes = prof_trace_tracks(trace, &count);
  *out = (struct prof_track_tally){.part_count = 0};
  if (!bytes)
    return PROF_EMPTY;
  prof_status status = prof_track_tally_read(bytes, count, out);
  if (status == PROF_OK && !has_processes(trace, out))
    status = PROF_CORRUPT;
  if (status == PROF_CORRUPT)
    return prof_diag_fill(diag, status, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                          "record again; calls can still be shown", "the counters of the summary are malformed");
  for (uint32_t i = 0; i < out->tracks.count && status == PROF_OK; i++)
    if (!prof_track_tally_settle(out, trace, i, true))
      status = PROF_NO_MEMORY;
  return status == PROF_OK ? status : prof_diag_memory(diag);
}
