/*
 * tools/export/perfetto_file.c - see perfetto_file.h.
 */
#include "perfetto_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BATCH_BYTES (256u * 1024)

/* Fields of the messages. */
enum { TRACE_PACKET = 1 };
enum {
  PACKET_CLOCKS = 6,
  PACKET_TIME = 8,
  PACKET_SEQUENCE = 10,
  PACKET_EVENT = 11,
  PACKET_INTERNED = 12,
  PACKET_FLAGS = 13,
  PACKET_COMPRESSED = 50,
  PACKET_DEFAULTS = 59,
  PACKET_TRACK = 60,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { DEFAULTS_EVENT = 11, DEFAULTS_CLOCK = 58 };
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME, CLOCK_INCREMENTAL };
enum { CLOCK_BOOTTIME = 6, CLOCK_OWN = 64 }; /* trace time; the first number that a sequence may give a clock */
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME_NUMBER, EVENT_TRACK, EVENT_NAME = 23, EVENT_FLOW = 47 };
enum { EVENT_COUNT = 44, EVENT_FLOW_END = 48 };
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum { INTERNED_NAME = 2, NAME_NUMBER = 1, NAME_TEXT };
enum { ANNOTATION_NUMBER = 3, ANNOTATION_VALUE = 5, ANNOTATION_TEXT, ANNOTATION_NAME = 10 };
enum { TRACK_UUID = 1, TRACK_NAME, TRACK_PROCESS, TRACK_THREAD, TRACK_PARENT, TRACK_COUNTER = 8, COUNTER_UNIT = 6 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID, THREAD_NAME = 5 };

static void flush(struct prof_perfetto_file *out) {
  uLongf bytes = compressBound(out->batch.bytes.count);
  Bytef *packed = out->batch.bytes.count ? malloc(bytes) : NULL;
  if (!out->batch.bytes.count || out->failed)
    return;
  out->failed = !packed || compress(packed, &bytes, out->batch.bytes.items, out->batch.bytes.count) != Z_OK;
  if (!out->failed) {
    prof_proto_clear(&out->packet);
    prof_proto_bytes(&out->packet, PACKET_COMPRESSED, packed, bytes);
    prof_proto_clear(&out->part);
    prof_proto_message(&out->part, TRACE_PACKET, &out->packet);
    out->failed = out->part.failed;
    fwrite(out->part.bytes.items, 1, out->part.bytes.count, out->file);
  }
  free(packed);
  prof_proto_clear(&out->batch);
}

/* Adds the packet to the batch. */
static void put_packet(struct prof_perfetto_file *out) {
  prof_proto_message(&out->batch, TRACE_PACKET, &out->packet);
  out->failed |= out->batch.failed;
  if (out->batch.bytes.count >= BATCH_BYTES)
    flush(out);
}

/* ---- tracks: `part` has the descriptor ---- */

static void begin_track(struct prof_perfetto_file *out, uint64_t uuid) {
  prof_proto_clear(&out->part);
  prof_proto_clear(&out->inner);
  prof_proto_number(&out->part, TRACK_UUID, uuid);
}

static void end_track(struct prof_perfetto_file *out) {
  prof_proto_clear(&out->packet);
  prof_proto_message(&out->packet, PACKET_TRACK, &out->part);
  put_packet(out);
}

void prof_perfetto_process(struct prof_perfetto_file *out, uint64_t uuid, uint32_t pid, const char *name) {
  begin_track(out, uuid);
  prof_proto_number(&out->inner, PROCESS_PID, pid);
  prof_proto_text(&out->inner, PROCESS_NAME, name);
  prof_proto_message(&out->part, TRACK_PROCESS, &out->inner);
  end_track(out);
}

void prof_perfetto_thread(struct prof_perfetto_file *out, uint64_t uuid, uint32_t pid, uint32_t tid, const char *name) {
  begin_track(out, uuid);
  prof_proto_number(&out->inner, THREAD_PID, pid);
  prof_proto_number(&out->inner, THREAD_TID, tid);
  prof_proto_text(&out->inner, THREAD_NAME, name);
  prof_proto_message(&out->part, TRACK_THREAD, &out->inner);
  end_track(out);
}

void prof_perfetto_track(struct prof_perfetto_file *out, uint64_t uuid, uint64_t parent, const char *name) {
  begin_track(out, uuid);
  prof_proto_text(&out->part, TRACK_NAME, name);
  if (parent)
    prof_proto_number(&out->part, TRACK_PARENT, parent);
  end_track(out);
}

void prof_perfetto_counter_track(struct prof_perfetto_file *out, uint64_t uuid, uint64_t parent, const char *name,
                                 const char *unit) {
  begin_track(out, uuid);
  prof_proto_text(&out->part, TRACK_NAME, name);
  if (parent)
    prof_proto_number(&out->part, TRACK_PARENT, parent);
  if (*unit)
    prof_proto_text(&out->inner, COUNTER_UNIT, unit);
  prof_proto_message(&out->part, TRACK_COUNTER, &out->inner);
  end_track(out);
}

/* ---- events ---- */

static void put_clock(struct prof_perfetto_file *out, uint64_t id, bool incremental) {
  prof_proto_clear(&out->inner);
  prof_proto_number(&out->inner, CLOCK_ID, id);
  prof_proto_number(&out->inner, CLOCK_TIME, 0);
  if (incremental)
    prof_proto_number(&out->inner, CLOCK_INCREMENTAL, 1);
  prof_proto_message(&out->part, CLOCKS_CLOCK, &out->inner);
}

/* At time 0 the sequence's own clock is 0, too. */
void prof_perfetto_sequence(struct prof_perfetto_file *out, uint64_t track) {
  out->sequence++;
  out->last_ns = 0;
  prof_proto_clear(&out->packet);
  prof_proto_number(&out->packet, PACKET_SEQUENCE, out->sequence);
  prof_proto_number(&out->packet, PACKET_FLAGS, FLAG_CLEARED);
  prof_proto_clear(&out->part);
  put_clock(out, CLOCK_BOOTTIME, false);
  put_clock(out, CLOCK_OWN, true);
  prof_proto_message(&out->packet, PACKET_CLOCKS, &out->part);
  prof_proto_clear(&out->inner);
  prof_proto_number(&out->inner, EVENT_TRACK, track);
  prof_proto_clear(&out->part);
  prof_proto_message(&out->part, DEFAULTS_EVENT, &out->inner);
  prof_proto_number(&out->part, DEFAULTS_CLOCK, CLOCK_OWN);
  prof_proto_message(&out->packet, PACKET_DEFAULTS, &out->part);
  put_packet(out);
}

static void begin_packet(struct prof_perfetto_file *out, uint64_t time_ns, uint64_t type) {
  prof_proto_clear(&out->packet);
  prof_proto_clear(&out->event);
  prof_proto_number(&out->packet, PACKET_TIME, time_ns > out->last_ns ? time_ns - out->last_ns : 0);
  prof_proto_number(&out->packet, PACKET_SEQUENCE, out->sequence);
  prof_proto_number(&out->packet, PACKET_FLAGS, FLAG_NEEDS_STATE);
  prof_proto_number(&out->event, EVENT_TYPE, type);
  out->last_ns = time_ns > out->last_ns ? time_ns : out->last_ns;
}

static void put_double(struct prof_proto *message, uint32_t field, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  prof_proto_fixed64(message, field, bits);
}

static void end_packet(struct prof_perfetto_file *out) {
  prof_proto_message(&out->packet, PACKET_EVENT, &out->event);
  out->failed |= out->packet.failed;
  put_packet(out);
}

static void add_name(struct prof_perfetto_file *out, const struct prof_perfetto_event *event) {
  if (event->name_number == 0) {
    prof_proto_text(&out->event, EVENT_NAME, event->name);
    return;
  }
  prof_proto_number(&out->event, EVENT_NAME_NUMBER, event->name_number);
  if (event->name == NULL)
    return;
  prof_proto_clear(&out->inner);
  prof_proto_number(&out->inner, NAME_NUMBER, event->name_number);
  prof_proto_text(&out->inner, NAME_TEXT, event->name);
  prof_proto_clear(&out->part);
  prof_proto_message(&out->part, INTERNED_NAME, &out->inner);
  prof_proto_message(&out->packet, PACKET_INTERNED, &out->part);
}

void prof_perfetto_begin(struct prof_perfetto_file *out, const struct prof_perfetto_event *event) {
  begin_packet(out, event->time_ns, TYPE_BEGIN);
  add_name(out, event);
  if (event->flow)
    prof_proto_fixed64(&out->event, event->ends_flow ? EVENT_FLOW_END : EVENT_FLOW, event->flow);
  end_packet(out);
}

void prof_perfetto_end(struct prof_perfetto_file *out, uint64_t time_ns) {
  begin_packet(out, time_ns, TYPE_END);
  end_packet(out);
}

/* value, text: NULL: it is `number`. */
static void put_instant(struct prof_perfetto_file *out, const struct prof_perfetto_event *event, const char *key,
                        uint64_t number, const double *value, const char *text) {
  begin_packet(out, event->time_ns, TYPE_INSTANT);
  add_name(out, event);
  prof_proto_clear(&out->inner);
  if (key)
    prof_proto_text(&out->inner, ANNOTATION_NAME, key);
  if (key && value)
    put_double(&out->inner, ANNOTATION_VALUE, *value);
  else if (key && text)
    prof_proto_text(&out->inner, ANNOTATION_TEXT, text);
  else if (key)
    prof_proto_number(&out->inner, ANNOTATION_NUMBER, number);
  if (key)
    prof_proto_message(&out->event, EVENT_ANNOTATION, &out->inner);
  end_packet(out);
}

void prof_perfetto_instant(struct prof_perfetto_file *out, const struct prof_perfetto_event *event, const char *key,
                           uint64_t number) {
  put_instant(out, event, key, number, NULL, NULL);
}

void prof_perfetto_value(struct prof_perfetto_file *out, const struct prof_perfetto_event *event, const char *key,
                         double value) {
  put_instant(out, event, key, 0, &value, NULL);
}

void prof_perfetto_text(struct prof_perfetto_file *out, const struct prof_perfetto_event *event, const char *key,
                        const char *text) {
  put_instant(out, event, key, 0, NULL, text);
}

void prof_perfetto_count(struct prof_perfetto_file *out, uint64_t time_ns, double value) {
  begin_packet(out, time_ns, TYPE_COUNTER);
  put_double(&out->event, EVENT_COUNT, value);
  end_packet(out);
}

bool prof_perfetto_finish(struct prof_perfetto_file *out) {
  flush(out);
  struct prof_proto *const all[] = {&out->batch, &out->packet, &out->event, &out->part, &out->inner};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    prof_proto_fini(all[i]);
  return !out->failed;
}
