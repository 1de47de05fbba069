/*
 * tools/fold/summary/bytes.c - a summary as the payload of SUMMARY, and back.  See summary.h, docs/trace-format.md.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "fold/summary/histogram_bytes.h"
#include "fold/summary/rows.h"
#include "fold/summary/summary.h"

/* ---- write ---- */

#define PUT(payload, ...) PROF_ROW_PUT(payload, __VA_ARGS__)

static uint64_t node_key(const struct prof_fold_node *node) {
  if (node->parent == 0)
    return node->function;
  if (node->function == PROF_FOLD_OTHER)
    return 0;
  uint64_t forker = prof_fold_is_forker(node->function);
  return 1 + 2 * (uint64_t)(node->function & ~PROF_FOLD_FORKER) + forker;
}

static void put_histogram(struct prof_payload *payload, const struct prof_histogram_pool *pool, uint32_t key,
                          uint32_t which, const struct prof_histogram *histogram) {
  if (prof_histogram_is_empty(histogram))
    return;
  PUT(payload, key, which);
  prof_histogram_bytes_put(payload, pool, histogram);
}

static uint32_t histogram_count(const struct prof_summary *summary) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < summary->keys.count; i++) {
    count += !prof_histogram_is_empty(&summary->core.functions[i]);
    const struct prof_fold_calling *calling = &summary->core.callings[summary->core.calling_of[i]];
    if (summary->core.calling_of[i])
      count += !prof_histogram_is_empty(&calling->total) + !prof_histogram_is_empty(&calling->self);
  }
  return count;
}

static void put_histograms(const struct prof_summary *summary, struct prof_payload *payload) {
  const struct prof_fold_core *core = &summary->core;
  prof_payload_u32(payload, histogram_count(summary));
  for (uint32_t i = 0; i < summary->keys.count; i++) {
    put_histogram(payload, &core->histograms, i, 0, &core->functions[i]);
    if (!core->calling_of[i])
      continue;
    put_histogram(payload, &core->histograms, i, 1, &core->callings[core->calling_of[i]].total);
    put_histogram(payload, &core->histograms, i, 2, &core->callings[core->calling_of[i]].self);
  }
}

static void put_tree(const struct prof_summary *summary, struct prof_payload *payload) {
  const struct prof_fold_core *core = &summary->core;
  prof_payload_u32(payload, core->node_count - 1);
  for (uint32_t i = 1; i < core->node_count; i++) {
    const struct prof_fold_node *node = &core->nodes[i];
    PUT(payload, node->parent, node_key(node), node->calls, node->total, node->uncounted);
  }
  prof_payload_u32(payload, (uint32_t)core->opens.count);
  for (size_t i = 0; i < core->opens.count; i++)
    PUT(payload, core->opens.items[i].node, core->opens.items[i].ticks);
  prof_summary_put_going(summary, false, payload);
}

static void put_rows(const struct prof_summary *summary, struct prof_payload *payload) {
  prof_payload_u32(payload, (uint32_t)summary->values.count);
  for (size_t i = 0; i < summary->values.count; i++) {
    const struct prof_loop_values *values = &summary->values.items[i].values;
    PUT(payload, summary->values.items[i].key, values->known_entries, values->empty_entries, values->iterations,
        values->min_iterations, values->max_iterations, values->counted_entries, values->counted_iterations);
  }
  prof_payload_u32(payload, (uint32_t)summary->samples.count);
  for (size_t i = 0; i < summary->samples.count; i++) {
    const struct prof_summary_sample *sample = &summary->samples.items[i];
    PUT(payload, sample->node, sample->process, sample->thread, sample->tid, sample->module, sample->address,
        sample->where, sample->flags, sample->count);
  }
  prof_payload_u32(payload, (uint32_t)summary->pauses.count);
  for (size_t i = 0; i < summary->pauses.count; i++) {
    const struct prof_summary_pause *pause = &summary->pauses.items[i];
    PUT(payload, pause->node, pause->flags, pause->count, pause->ticks);
  }
  prof_payload_u32(payload, (uint32_t)summary->cold.count);
  for (size_t i = 0; i < summary->cold.count; i++) {
    const struct prof_fold_cold *cold = &summary->cold.items[i];
    PUT(payload, cold->calls, cold->total, cold->sum, prof_zigzag((uint64_t)cold->self));
  }
}

void prof_summary_write(const struct prof_summary *summary, struct prof_payload *payload) {
  const struct prof_fold_sums *sums = &summary->sums;
  prof_payload_u64s(payload, summary->first_time, summary->last_time, sums->events, sums->lost, sums->unmatched,
                    sums->skipped, sums->inversions, sums->stalled_ticks, sums->frames_cut, summary->core.too_deep,
                    summary->cold_paths);
  prof_payload_u32(payload, (uint32_t)summary->threads.count);
  for (size_t i = 0; i < summary->threads.count; i++)
    PUT(payload, summary->threads.items[i].number, summary->threads.items[i].events, summary->threads.items[i].untimed);
  prof_payload_u32(payload, (uint32_t)summary->keys.count);
  for (size_t i = 0; i < summary->keys.count; i++) {
    const struct prof_summary_key *key = &summary->keys.items[i];
    PUT(payload, key->kind, key->module, key->index, key->caller, key->address);
  }
  put_tree(summary, payload);
  put_histograms(summary, payload);
  put_rows(summary, payload);
  prof_summary_put_bursts(summary, payload);
}

/* ---- read ---- */

static bool read_names(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[5];
  for (uint32_t left = prof_rows_count(reader, 3); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 3);
    if (!prof_summary_add_thread(
            out, (struct prof_summary_thread){.number = prof_rows_number(reader, value[0], PROF_ROWS_ANY),
                                              .events = value[1],
                                              .untimed = value[2]}))
      return false;
  }
  for (uint32_t left = prof_rows_count(reader, 5), next = 0; left > 0 && !reader->bad; left--, next++) {
    prof_rows_get(reader, value, 5);
    struct prof_summary_key key = {
        prof_rows_number(reader, value[0], PROF_ROWS_ANY), prof_rows_number(reader, value[1], PROF_ROWS_ANY),
        prof_rows_number(reader, value[2], PROF_ROWS_ANY), prof_rows_number(reader, value[3], PROF_ROWS_ANY), value[4]};
    uint32_t index = prof_summary_key(out, key);
    reader->bad |= index != next; /* twice the same */
    if (index == UINT32_MAX)
      return false;
  }
  return true;
}

static bool read_tree(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[5];
  struct prof_fold_core *core = &out->core;
  for (uint32_t left = prof_rows_count(reader, 5), next = 1; left > 0 && !reader->bad; left--, next++) {
    prof_rows_get(reader, value, 5);
    uint32_t parent = prof_rows_number(reader, value[0], next), function = PROF_FOLD_OTHER;
    if (parent == 0)
      function = prof_rows_number(reader, value[1], PROF_FOLD_OTHER);
    else if (value[1] > 0)
      function = prof_rows_number(reader, (value[1] - 1) / 2, out->keys.count) | (value[1] % 2 ? 0 : PROF_FOLD_FORKER);
    uint32_t node = reader->bad ? next : prof_fold_child(core, parent, function);
    if (node == 0)
      return false;
    reader->bad |= node != next;
    if (!reader->bad)
      core->nodes[node] = (struct prof_fold_node){value[2], value[3], parent, function, value[4]};
  }
  for (uint32_t left = prof_rows_count(reader, 2); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 2);
    struct prof_fold_open open = {.ticks = value[1], .node = prof_rows_number(reader, value[0], core->node_count)};
    if (!prof_vec_push(&core->opens, open))
      return false;
  }
  return prof_summary_get_going(out, false, reader);
}

static bool read_histograms(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[2];
  struct prof_fold_core *core = &out->core;
  for (uint32_t left = prof_rows_count(reader, 5); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 2);
    uint32_t key = prof_rows_number(reader, value[0], out->keys.count), which = prof_rows_number(reader, value[1], 3);
    if (reader->bad)
      break;
    struct prof_fold_calling *calling = which > 0 ? prof_fold_calling_of(core, key) : NULL;
    if (which > 0 && !calling)
      return false;
    struct prof_histogram *to = which == 0 ? &core->functions[key] : which == 1 ? &calling->total : &calling->self;
    if (!prof_histogram_bytes_get(reader, &core->histograms, to))
      return false;
  }
  return true;
}

static bool read_values(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[8];
  for (uint32_t left = prof_rows_count(reader, 8); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 8);
    struct prof_summary_values row = {prof_rows_number(reader, value[0], out->keys.count),
                                      {.known_entries = value[1],
                                       .empty_entries = value[2],
                                       .iterations = value[3],
                                       .min_iterations = value[4],
                                       .max_iterations = value[5],
                                       .counted_entries = value[6],
                                       .counted_iterations = value[7]}};
    if (!reader->bad && prof_index_meet(&out->known_values, &out->values, row.key, i, true, row) == UINT32_MAX)
      return false;
  }
  return true;
}

static bool read_samples(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[9];
  for (uint32_t left = prof_rows_count(reader, 9); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 9);
    struct prof_summary_sample sample = {.node = prof_rows_number(reader, value[0], out->core.node_count),
                                         .process = prof_rows_number(reader, value[1], PROF_ROWS_ANY),
                                         .thread = prof_rows_number(reader, value[2], PROF_ROWS_ANY),
                                         .tid = prof_rows_number(reader, value[3], PROF_ROWS_ANY),
                                         .module = prof_rows_number(reader, value[4], PROF_ROWS_ANY),
                                         .address = value[5],
                                         .where = (uint8_t)prof_rows_number(reader, value[6], 5),
                                         .flags = (uint8_t)prof_rows_number(reader, value[7], 256),
                                         .count = value[8]};
    sample.times = (double)sample.count;
    if (!reader->bad && !prof_vec_push(&out->samples, sample))
      return false;
  }
  for (uint32_t left = prof_rows_count(reader, 4); left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 4);
    struct prof_summary_pause pause = {prof_rows_number(reader, value[0], out->core.node_count),
                                       prof_rows_number(reader, value[1], PROF_SUMMARY_PAUSE_FLAGS), value[2],
                                       value[3]};
    if (!reader->bad && !prof_summary_add_pause(out, pause))
      return false;
  }
  return true;
}

static bool read_cold(struct prof_summary *out, struct prof_byte_reader *reader) {
  uint64_t value[4];
  uint32_t left = prof_rows_count(reader, 4);
  reader->bad |= left > out->keys.count;
  for (; left > 0 && !reader->bad; left--) {
    prof_rows_get(reader, value, 4);
    struct prof_fold_cold cold = {value[0], value[1], value[2], (int64_t)prof_unzigzag(value[3])};
    if (!prof_vec_push(&out->cold, cold))
      return false;
  }
  return true;
}

prof_status prof_summary_read(const uint8_t *bytes, size_t count, struct prof_summary *out) {
  struct prof_byte_reader reader = {bytes, bytes + count, false};
  if (prof_summary_init(out) != PROF_OK)
    return PROF_NO_MEMORY;
  uint64_t *const figures[] = {
      &out->first_time,      &out->last_time,     &out->sums.events,     &out->sums.lost,
      &out->sums.unmatched,  &out->sums.skipped,  &out->sums.inversions, &out->sums.stalled_ticks,
      &out->sums.frames_cut, &out->core.too_deep, &out->cold_paths,
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *figures[i] = prof_byte_reader_u64(&reader);
  bool done = read_names(out, &reader) && read_tree(out, &reader) && read_histograms(out, &reader) &&
              read_values(out, &reader) && read_samples(out, &reader) && read_cold(out, &reader) &&
              prof_summary_get_bursts(out, &reader);
  if (done && !reader.bad)
    return PROF_OK;
  prof_summary_fini(out);
  return done ? PROF_CORRUPT : PROF_NO_MEMORY;
}

prof_status prof_summary_refuse(const prof_trace *trace, struct prof_diag *diag) {
  if (!prof_trace_summary(trace, NULL))
    return PROF_OK;
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "for that, record without --mode=summary",
                        "a summary has no single calls and no order of time");
}

prof_status prof_summary_of(const prof_trace *trace, struct prof_diag *diag, struct prof_summary *out) {
  size_t count;
  const uint8_t *bytes = prof_trace_summary(trace, &count);
  if (!bytes)
    return PROF_EMPTY;
  prof_status status = prof_summary_read(bytes, count, out);
  bytes = prof_trace_pmu_sums(trace, &count);
  if (status == PROF_OK && bytes && (status = prof_summary_read_counted(bytes, count, out)) != PROF_OK)
    prof_summary_fini(out);
  if (status == PROF_NO_MEMORY)
    return prof_diag_memory(diag);
  return status == PROF_OK ? status
                           : prof_diag_fill(diag, status, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                                            "record again; nothing else is in this file", "the summary is malformed");
}
