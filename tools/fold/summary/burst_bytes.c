/*
 * tools/fold/summary/burst_bytes.c - what a summary has of functions in bursts, as bytes of SUMMARY, and back.  See
 * bursts.h, docs/trace-format-summary.md.
 */
#include "fold/summary/rows.h"
#include "fold/summary/summary.h"

#define PUT(payload, ...) PROF_ROW_PUT(payload, __VA_ARGS__)
#define PUT_DOUBLES(payload, ...)                                                                                      \
  prof_rows_put_doubles(payload, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))
#define DOUBLE sizeof(double)

/* ---- write ---- */

void prof_summary_put_going(const struct prof_summary *summary, bool inherited, struct prof_payload *payload) {
  uint32_t count = 0;
  for (size_t i = 0; i < summary->going.count; i++)
    count += summary->going.items[i].inherited == inherited;
  prof_payload_u32(payload, count);
  for (size_t i = 0; i < summary->going.count; i++)
    if (summary->going.items[i].inherited == inherited)
      PUT(payload, summary->going.items[i].node, summary->going.items[i].thread, summary->going.items[i].ticks);
}

static void put_windows(const struct prof_summary_bursts *bursts, struct prof_payload *payload) {
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++) {
    PUT(payload, bursts->windows[kind].count);
    PUT_DOUBLES(payload, bursts->windows[kind].weight);
  }
  prof_payload_u32(payload, (uint32_t)bursts->threads.count);
  for (size_t i = 0; i < bursts->threads.count; i++) {
    const struct prof_summary_window_thread *thread = &bursts->threads.items[i];
    PUT(payload, thread->thread, thread->events);
    PUT_DOUBLES(payload, thread->life, thread->met[0], thread->ran[0], thread->met[1], thread->ran[1]);
  }
}

static void put_calls(const struct prof_summary_bursts *bursts, struct prof_payload *payload) {
  prof_payload_u32(payload, (uint32_t)bursts->frames.count);
  for (size_t i = 0; i < bursts->frames.count; i++) {
    const struct prof_summary_frame *frame = &bursts->frames.items[i];
    PUT(payload, frame->thread, frame->key);
    PUT_DOUBLES(payload, frame->ran, frame->events, frame->off, frame->on[0], frame->on_ticks[0], frame->on[1],
                frame->on_ticks[1]);
  }
  prof_payload_u32(payload, (uint32_t)bursts->rates.count);
  for (size_t i = 0; i < bursts->rates.count; i++) {
    const struct prof_summary_rate *rate = &bursts->rates.items[i];
    PUT(payload, rate->thread, rate->key, rate->caller, rate->counted, rate->iterations);
    PUT_DOUBLES(payload, rate->sums[0], rate->sums[1], rate->sums[2], rate->squares, rate->ran, rate->spent,
                rate->least, rate->given, rate->waiting);
  }
  prof_payload_u32(payload, (uint32_t)bursts->places.count);
  for (size_t i = 0; i < bursts->places.count; i++) {
    PUT(payload, bursts->places.items[i].key);
    PUT_DOUBLES(payload, bursts->places.items[i].calls);
  }
}

void prof_summary_put_bursts(const struct prof_summary *summary, struct prof_payload *payload) {
  const struct prof_summary_bursts *bursts = &summary->bursts;
  if (!bursts->used)
    return;
  PUT(payload, bursts->changes, bursts->pooled);
  prof_summary_put_going(summary, true, payload);
  put_windows(bursts, payload);
  put_calls(bursts, payload);
  prof_payload_u32(payload, (uint32_t)bursts->chains.count);
  for (size_t i = 0; i < bursts->chains.count; i++)
    PUT(payload, bursts->chains.items[i].around, bursts->chains.items[i].key, bursts->chains.items[i].kind);
  for (size_t i = 0; i < summary->samples.count; i++) {
    PUT(payload, summary->samples.items[i].chain);
    PUT_DOUBLES(payload, summary->samples.items[i].times);
  }
}

/* ---- read ---- */

bool prof_summary_get_going(struct prof_summary *summary, bool inherited, struct prof_byte_reader *reader) {
  uint64_t value[3];
  for (uint32_t left = prof_rows_count(reader, 3); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 3);
    struct prof_summary_ticks going = {prof_rows_number(reader, value[0], summary->core.node_count),
                                       prof_rows_number(reader, value[1], PROF_ROWS_ANY), value[2], inherited};
    if (!prof_vec_push(&summary->going, going))
      return false;
  }
  return true;
}

static bool get_windows(struct prof_summary_bursts *bursts, struct prof_byte_reader *reader) {
  uint64_t value[2];
  double sum[5];
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++) {
    bursts->windows[kind].count = prof_byte_reader_varint(reader);
    prof_rows_get_doubles(reader, &bursts->windows[kind].weight, 1);
  }
  for (uint32_t left = prof_rows_count(reader, 2 + 5 * DOUBLE); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 2);
    prof_rows_get_doubles(reader, sum, 5);
    const struct prof_summary_window_thread thread = {.thread = prof_rows_number(reader, value[0], PROF_ROWS_ANY),
                                                      .events = value[1],
                                                      .life = sum[0],
                                                      .met = {sum[1], sum[3]},
                                                      .ran = {sum[2], sum[4]}};
    if (!reader->bad && !prof_summary_add_window_thread(bursts, &thread))
      return false;
  }
  return true;
}

static bool get_frames(struct prof_summary_bursts *bursts, struct prof_byte_reader *reader, size_t keys) {
  uint64_t value[2];
  double sum[7];
  for (uint32_t left = prof_rows_count(reader, 2 + 7 * DOUBLE); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 2);
    prof_rows_get_doubles(reader, sum, 7);
    const struct prof_summary_frame frame = {.thread = prof_rows_number(reader, value[0], PROF_ROWS_ANY),
                                             .key = prof_rows_number(reader, value[1], keys),
                                             .ran = sum[0],
                                             .events = sum[1],
                                             .off = sum[2],
                                             .on = {sum[3], sum[5]},
                                             .on_ticks = {sum[4], sum[6]}};
    if (!reader->bad && !prof_summary_add_frame(bursts, &frame))
      return false;
  }
  return true;
}

static bool get_rates(struct prof_summary_bursts *bursts, struct prof_byte_reader *reader, size_t keys) {
  uint64_t value[5];
  double sum[9];
  for (uint32_t left = prof_rows_count(reader, 5 + 9 * DOUBLE); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 5);
    prof_rows_get_doubles(reader, sum, 9);
    const struct prof_summary_rate rate = {.thread = prof_rows_number(reader, value[0], PROF_ROWS_ANY),
                                           .key = prof_rows_number(reader, value[1], keys),
                                           .caller = prof_rows_number(reader, value[2], keys + PROF_SUMMARY_CALLERS),
                                           .counted = value[3],
                                           .iterations = value[4],
                                           .sums = {sum[0], sum[1], sum[2]},
                                           .squares = sum[3],
                                           .ran = sum[4],
                                           .spent = sum[5],
                                           .least = sum[6],
                                           .given = sum[7],
                                           .waiting = sum[8]};
    if (!reader->bad && !prof_summary_add_rate(bursts, &rate))
      return false;
  }
  for (uint32_t left = prof_rows_count(reader, 1 + DOUBLE); left > 0 && !reader->bad; left--) {
    struct prof_summary_place place = {.key = prof_rows_number(reader, prof_byte_reader_varint(reader), keys)};
    prof_rows_get_doubles(reader, &place.calls, 1);
    if (!reader->bad && !prof_summary_add_place(bursts, place))
      return false;
  }
  return true;
}

static bool get_chains(struct prof_summary *summary, struct prof_byte_reader *reader) {
  struct prof_summary_bursts *bursts = &summary->bursts;
  uint64_t value[3];
  for (uint32_t left = prof_rows_count(reader, 3), next = 1; left > 0 && !reader->bad; left--, next++) {
    prof_rows_get(reader, value, 3);
    size_t keys = value[2] == PROF_SUMMARY_LINK_OUTSIDE ? 1 : summary->keys.count;
    const struct prof_summary_chain chain = {.around = prof_rows_number(reader, value[0], next),
                                             .key = prof_rows_number(reader, value[1], keys),
                                             .kind =
                                                 (uint8_t)prof_rows_number(reader, value[2], PROF_SUMMARY_LINK_KINDS)};
    if (reader->bad)
      break;
    uint32_t number = prof_summary_chain(bursts, chain);
    if (number == 0)
      return false;
    reader->bad |= number != next; /* twice the same */
  }
  for (size_t i = 0; i < summary->samples.count && !reader->bad; i++) {
    struct prof_summary_sample *sample = &summary->samples.items[i];
    sample->chain = prof_rows_number(reader, prof_byte_reader_varint(reader), bursts->chains.count + 1);
    prof_rows_get_doubles(reader, &sample->times, 1);
  }
  return true;
}

bool prof_summary_get_bursts(struct prof_summary *summary, struct prof_byte_reader *reader) {
  struct prof_summary_bursts *bursts = &summary->bursts;
  size_t keys = summary->keys.count;
  bursts->used = reader->at < reader->end && !reader->bad;
  if (!bursts->used)
    return true;
  bursts->changes = prof_byte_reader_varint(reader);
  bursts->pooled = prof_byte_reader_varint(reader);
  return prof_summary_get_going(summary, true, reader) && get_windows(bursts, reader) &&
         get_frames(bursts, reader, keys) && get_rates(bursts, reader, keys) && get_chains(summary, reader);
}
