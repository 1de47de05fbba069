/*
 * tools/fold/summary/summary.c - see summary.h: what was folded, added to a summary.
 */
#include "fold/summary/summary.h"

#include <stdlib.h>
#include <string.h>

prof_status prof_summary_init(struct prof_summary *summary) {
  *summary = (struct prof_summary){0};
  return prof_fold_init(&summary->core, 64) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_summary_fini(struct prof_summary *summary) {
  prof_fold_fini(&summary->core);
  prof_vec_fini(&summary->keys);
  prof_index_fini(&summary->known_keys);
  prof_vec_fini(&summary->threads);
  prof_index_fini(&summary->known_threads);
  prof_vec_fini(&summary->values);
  prof_index_fini(&summary->known_values);
  prof_vec_fini(&summary->samples);
  prof_index_fini(&summary->known_samples);
  prof_vec_fini(&summary->pauses);
  prof_index_fini(&summary->known_pauses);
  prof_vec_fini(&summary->counted);
  prof_index_fini(&summary->known_counted);
  prof_index_fini(&summary->known_opens);
  prof_vec_fini(&summary->going);
  prof_vec_fini(&summary->inside);
  prof_vec_fini(&summary->waits);
  prof_vec_fini(&summary->cold);
  prof_summary_bursts_fini(&summary->bursts);
}

uint32_t prof_summary_key(struct prof_summary *summary, struct prof_summary_key key) {
  const struct prof_summary_key *all = summary->keys.items;
  uint32_t hash = prof_index_hash((uint64_t)key.module << 32 | key.index, key.address + key.kind + key.caller);
  uint32_t index =
      prof_index_meet(&summary->known_keys, &summary->keys, hash, i,
                      all[i].kind == key.kind && all[i].module == key.module && all[i].index == key.index &&
                          all[i].caller == key.caller && all[i].address == key.address,
                      key);
  if (index != UINT32_MAX && index >= summary->core.function_count &&
      !prof_fold_widen(&summary->core, summary->core.function_count * 2))
    return UINT32_MAX;
  return index;
}

bool prof_summary_add_thread(struct prof_summary *summary, struct prof_summary_thread thread) {
  uint32_t index = prof_index_meet(&summary->known_threads, &summary->threads, thread.number, i, true,
                                   ((struct prof_summary_thread){.number = thread.number}));
  if (index == UINT32_MAX)
    return false;
  summary->threads.items[index].events += thread.events;
  summary->threads.items[index].untimed += thread.untimed;
  summary->threads.items[index].in_probes += thread.in_probes;
  summary->threads.items[index].placed += thread.placed;
  if (thread.open_time > summary->threads.items[index].open_time)
    summary->threads.items[index].open_time = thread.open_time;
  return true;
}

/* How much of a chunk's time is not forgotten, 0 to 1. */
static double kept_part(const struct prof_chunk_ref *ref, uint64_t begin) {
  if (ref->first_time >= begin)
    return 1;
  return ref->last_time <= begin ? 0 : (double)(ref->last_time - begin) / (double)(ref->last_time - ref->first_time);
}

bool prof_summary_add_events(struct prof_summary *summary, const prof_trace *trace, uint64_t begin) {
  size_t chunk_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &chunk_count);
  for (size_t i = 0; i < chunk_count; i++) {
    const struct prof_chunk_ref *ref = &refs[i];
    double kept = kept_part(ref, begin);
    struct prof_summary_thread thread = {.number = threads[ref->thread].number,
                                         .events = (uint64_t)(ref->events * kept),
                                         .untimed = (uint64_t)(ref->untimed * kept),
                                         .open_time = ref->flags & PROF_CHUNK_RESUMED ? ref->first_time : 0};
    uint64_t first = ref->first_time > begin ? ref->first_time : begin;
    if (!prof_summary_add_thread(summary, thread))
      return false;
    if (kept == 0)
      continue;
    summary->first_time = summary->first_time && summary->first_time < first ? summary->first_time : first;
    summary->last_time = summary->last_time > ref->last_time ? summary->last_time : ref->last_time;
  }
  return true;
}

uint64_t *prof_summary_open_times(const struct prof_summary *summary, const prof_trace *trace) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  uint64_t *times = calloc(count + 1, sizeof *times);
  for (size_t i = 0; times && i < count; i++) {
    uint32_t at = prof_index_of(&summary->known_threads, threads[i].number);
    times[i] = at != UINT32_MAX ? summary->threads.items[at].open_time : 0;
  }
  return times;
}

bool prof_summary_begun(const struct prof_summary *summary, const prof_trace *trace, struct prof_fold_begun *out) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  struct prof_index_map numbers = {0};
  out->first = calloc(count + 2, sizeof *out->first);
  out->events = malloc((summary->inside.count + 1) * sizeof *out->events);
  bool done = out->first && out->events;
  for (uint32_t i = 0; i < count && done; i++)
    done = prof_index_add(&numbers, threads[i].number, i);
  for (size_t i = 0; i < summary->inside.count && done; i++) {
    uint32_t thread = prof_index_of(&numbers, summary->inside.items[i].thread);
    out->first[(thread < count ? thread : count) + 1]++;
  }
  for (size_t i = 0; i <= count && done; i++)
    out->first[i + 1] += out->first[i];
  uint32_t *next = done ? malloc((count + 2) * sizeof *next) : NULL;
  if (next)
    memcpy(next, out->first, (count + 2) * sizeof *next);
  for (size_t i = 0; i < summary->inside.count && next; i++) {
    uint32_t thread = prof_index_of(&numbers, summary->inside.items[i].thread);
    out->events[next[thread < count ? thread : count]++] = summary->inside.items[i].events;
  }
  free(next);
  prof_index_fini(&numbers);
  return next != NULL;
}

bool prof_summary_add_sample(struct prof_summary *summary, struct prof_summary_sample sample) {
  const struct prof_summary_sample *all = summary->samples.items;
  const uint64_t count = sample.count;
  const double times = sample.times;
  uint32_t hash =
      prof_index_hash((uint64_t)sample.node << 32 | sample.tid,
                      sample.address + sample.module + ((uint64_t)sample.flags << 40) + ((uint64_t)sample.chain << 20));
  sample.count = 0;
  sample.times = 0;
  uint32_t index = prof_index_meet(
      &summary->known_samples, &summary->samples, hash, i,
      all[i].node == sample.node && all[i].address == sample.address && all[i].module == sample.module &&
          all[i].tid == sample.tid && all[i].thread == sample.thread && all[i].process == sample.process &&
          all[i].where == sample.where && all[i].flags == sample.flags && all[i].chain == sample.chain,
      sample);
  if (index == UINT32_MAX)
    return false;
  summary->samples.items[index].count += count;
  summary->samples.items[index].times += times;
  return true;
}

bool prof_summary_add_pause(struct prof_summary *summary, struct prof_summary_pause pause) {
  const struct prof_summary_pause *all = summary->pauses.items;
  uint32_t index = prof_index_meet(&summary->known_pauses, &summary->pauses, prof_index_hash(pause.node, pause.flags),
                                   i, all[i].node == pause.node && all[i].flags == pause.flags,
                                   ((struct prof_summary_pause){.node = pause.node, .flags = pause.flags}));
  if (index == UINT32_MAX)
    return false;
  summary->pauses.items[index].count += pause.count;
  summary->pauses.items[index].ticks += pause.ticks;
  return true;
}

bool prof_summary_add_inherited(struct prof_summary *summary, uint32_t node, uint64_t ticks) {
  uint32_t at = prof_index_meet(&summary->known_opens, &summary->core.opens, node, i, true,
                                ((struct prof_fold_open){.node = node}));
  if (at == UINT32_MAX)
    return false;
  summary->core.opens.items[at].ticks += ticks;
  return true;
}

void prof_summary_take_rows(struct prof_summary *summary, struct prof_summary *rows) {
  prof_vec_fini(&summary->samples);
  prof_index_fini(&summary->known_samples);
  prof_vec_fini(&summary->pauses);
  prof_index_fini(&summary->known_pauses);
  prof_vec_fini(&summary->counted);
  prof_index_fini(&summary->known_counted);
  prof_vec_fini(&summary->core.opens);
  prof_index_fini(&summary->known_opens);
  memcpy(&summary->samples, &rows->samples, sizeof summary->samples);
  memcpy(&summary->pauses, &rows->pauses, sizeof summary->pauses);
  memcpy(&summary->counted, &rows->counted, sizeof summary->counted);
  memcpy(&summary->core.opens, &rows->core.opens, sizeof summary->core.opens);
  summary->known_samples = rows->known_samples;
  summary->known_pauses = rows->known_pauses;
  summary->known_counted = rows->known_counted;
  summary->known_opens = rows->known_opens;
  *rows = (struct prof_summary){0};
}

/* ---- what was folded ---- */

struct adding {
  struct prof_summary *summary;
  const prof_trace *trace;
  const struct prof_fold_worker *worker;
  const struct prof_fold_core *from;
  const struct prof_call_place *places; /* by the fold's key */
  uint32_t *keys;                       /* likewise: index of the summary's; UINT32_MAX: not looked up yet */
};

struct prof_summary_key prof_summary_key_of_frame(const prof_trace *trace, uint32_t frame) {
  size_t module_count, function_count;
  const struct prof_module *modules = prof_trace_modules(trace, &module_count);
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  struct prof_summary_key key = {0};
  uint32_t loop = prof_frame_loop(trace, frame);
  if (loop != PROF_NONE) {
    const struct prof_module *module = &modules[prof_trace_loops(trace, NULL)[loop].module];
    return (struct prof_summary_key){
        .kind = PROF_SUMMARY_LOOP, .module = module->number, .index = loop - module->first_loop};
  }
  if (frame >= function_count)
    return key;
  const struct prof_module *module = &modules[functions[frame].module];
  key.module = module->number;
  key.kind = PROF_SUMMARY_FUNCTION;
  key.index = frame - module->first_function;
  if (frame >= module->first_function && key.index < module->function_count)
    return key;
  key = (struct prof_summary_key){.kind = PROF_SUMMARY_CALLED, .index = frame};
  for (size_t i = 0; i < module_count; i++) /* those of rows that stand before it */
    if (modules[i].first_function < frame)
      key.index -= modules[i].function_count;
  return key;
}

/* Of a key of the fold: a place. */
static uint32_t key_of(struct adding *adding, uint32_t function) {
  if (function >= adding->from->function_count)
    return UINT32_MAX;
  if (adding->keys[function] == UINT32_MAX) {
    const struct prof_call_place *place = &adding->places[function];
    struct prof_summary_key key = prof_summary_key_of_frame(adding->trace, place->function);
    if (place->module != PROF_NONE) {
      key.caller = prof_trace_modules(adding->trace, NULL)[place->module].number;
      key.address = place->address;
    }
    adding->keys[function] = prof_summary_key(adding->summary, key);
  }
  return adding->keys[function];
}

/* The function of a node of the summary; PROF_FOLD_TOP: no memory. */
static uint32_t function_of(struct adding *adding, const struct prof_fold_node *node) {
  if (node->parent == 0)
    return prof_trace_threads(adding->trace, NULL)[node->function].number;
  if (node->function == PROF_FOLD_OTHER)
    return PROF_FOLD_OTHER;
  if (!prof_fold_is_forker(node->function)) {
    uint32_t key = key_of(adding, node->function);
    return key == UINT32_MAX ? PROF_FOLD_TOP : key;
  }
  uint32_t key =
      prof_summary_key(adding->summary, prof_summary_key_of_frame(adding->trace, node->function - PROF_FOLD_FORKER));
  return key == UINT32_MAX ? PROF_FOLD_TOP : key | PROF_FOLD_FORKER;
}

static bool add_nodes(struct adding *adding, uint32_t *moved) {
  struct prof_fold_core *core = &adding->summary->core;
  moved[0] = 0;
  for (uint32_t i = 1; i < adding->from->node_count; i++) { /* parents come first */
    const struct prof_fold_node *node = &adding->from->nodes[i];
    uint32_t function = function_of(adding, node);
    moved[i] = function != PROF_FOLD_TOP ? prof_fold_child(core, moved[node->parent], function) : 0;
    if (moved[i] == 0)
      return false;
    core->nodes[moved[i]].calls += node->calls;
    core->nodes[moved[i]].total += node->total;
    core->nodes[moved[i]].uncounted += node->uncounted;
  }
  for (size_t i = 0; i < adding->from->opens.count; i++)
    if (!prof_summary_add_inherited(adding->summary, moved[adding->from->opens.items[i].node],
                                    adding->from->opens.items[i].ticks))
      return false;
  return !core->failed;
}

static bool add_histograms(struct adding *adding) {
  struct prof_fold_core *core = &adding->summary->core;
  for (uint32_t i = 0; i < adding->from->function_count; i++) {
    bool calls = adding->from->calling_of[i] != 0;
    if (!calls && prof_histogram_is_empty(&adding->from->functions[i]))
      continue;
    uint32_t key = key_of(adding, i);
    if (key == UINT32_MAX || !prof_fold_merge_function(core, key, adding->from, i))
      return false;
  }
  return !core->histograms.failed;
}

static bool add_values(struct adding *adding) {
  size_t loops;
  prof_trace_loops(adding->trace, &loops);
  for (uint32_t i = 0; adding->worker->values && i < loops; i++) {
    const struct prof_loop_values *from = &adding->worker->values[i];
    if (!(from->known_entries || from->empty_entries || from->counted_entries || from->counted_iterations))
      continue;
    uint32_t key = prof_summary_key(adding->summary,
                                    prof_summary_key_of_frame(adding->trace, prof_frame_of_loop(adding->trace, i)));
    uint32_t at = key == UINT32_MAX ? key
                                    : prof_index_meet(&adding->summary->known_values, &adding->summary->values, key,
                                                      at_, true, ((struct prof_summary_values){.key = key}));
    if (at == UINT32_MAX)
      return false;
    prof_loop_values_add(&adding->summary->values.items[at].values, from);
  }
  return true;
}

/* Threads with events here say what is open of them now. */
static bool add_going(struct adding *adding, const uint32_t *moved) {
  size_t thread_count, left = 0;
  const struct prof_thread_info *threads = prof_trace_threads(adding->trace, &thread_count);
  struct prof_summary *summary = adding->summary;
  struct prof_index_map seen = {0};
  bool done = true;
  for (size_t i = 0; i < thread_count && done; i++)
    if (threads[i].chunk_count > 0)
      done = prof_index_add(&seen, threads[i].number, (uint32_t)i);
  for (size_t i = 0; i < summary->going.count && done; i++)
    if (prof_index_of(&seen, summary->going.items[i].thread) == UINT32_MAX)
      summary->going.items[left++] = summary->going.items[i];
  summary->going.count = left;
  left = 0;
  for (size_t i = 0; i < summary->inside.count && done; i++)
    if (prof_index_of(&seen, summary->inside.items[i].thread) == UINT32_MAX)
      summary->inside.items[left++] = summary->inside.items[i];
  summary->inside.count = left;
  for (size_t i = 0; i < adding->worker->inside.count && done; i++) {
    const struct prof_fold_inside *inside = &adding->worker->inside.items[i];
    struct prof_summary_inside row = {threads[inside->thread].number, inside->events};
    done = prof_vec_push(&summary->inside, row);
  }
  for (size_t i = 0; i < adding->worker->going.count && done; i++) {
    const struct prof_fold_going *going = &adding->worker->going.items[i];
    struct prof_summary_ticks row = {moved[going->node], threads[going->thread].number, going->ticks, going->inherited};
    done = prof_vec_push(&summary->going, row);
  }
  prof_index_fini(&seen);
  return done;
}

prof_status prof_summary_add(struct prof_summary *summary, const prof_trace *trace, struct prof_fold_worker *worker,
                             uint32_t *moved) {
  uint32_t *final = NULL;
  struct prof_call_place *sorted = NULL, *places = NULL;
  struct adding adding = {.summary = summary, .trace = trace, .worker = worker, .from = &worker->core};
  uint32_t count = worker->places ? prof_call_places_count(worker->places) : 0;
  adding.keys = malloc((count + 1) * sizeof *adding.keys);
  adding.places = places = malloc((count + 1) * sizeof *places);
  bool done = adding.keys && places && worker->places && prof_fold_widen(&worker->core, count) &&
              prof_call_places_finish(worker->places, &sorted, &final);
  for (uint32_t i = 0; i < count && done; i++) {
    places[i] = sorted[final[i]];
    adding.keys[i] = UINT32_MAX;
  }
  done =
      done && add_nodes(&adding, moved) && add_histograms(&adding) && add_values(&adding) && add_going(&adding, moved);
  summary->added_nodes = worker->core.node_count;
  prof_fold_sums_add(&summary->sums, &worker->sums);
  summary->core.too_deep += worker->core.too_deep;
  free(sorted);
  free(final);
  free(places);
  free(adding.keys);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
