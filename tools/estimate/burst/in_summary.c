/*
 * tools/estimate/burst/in_summary.c - see in_summary.h.
 */
#include "estimate/burst/in_summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "names/loop_frames.h"

_Static_assert((int)PROF_BURST_BY_EVENTS == (int)PROF_SUMMARY_BY_EVENTS &&
                   (int)PROF_BURST_BY_COUNTS == (int)PROF_SUMMARY_BY_COUNTS && PROF_BURST_COSTS == PROF_SUMMARY_COSTS,
               "a summary has the same kinds of windows, and costs");

/* PROF_NONE and others in place of a key's frame: callers by PROF_SUMMARY_CALLER_. */
static uint32_t caller_from(const uint32_t *frames, uint32_t caller) {
  static const uint32_t others[PROF_SUMMARY_CALLERS] = {[PROF_SUMMARY_CALLER_UNKNOWN] = PROF_NONE,
                                                        [PROF_SUMMARY_CALLER_ANY] = PROF_BURST_ANY_CALLER,
                                                        [PROF_SUMMARY_CALLER_COUNTED] = PROF_BURST_COUNTED};
  return caller < PROF_SUMMARY_CALLERS ? others[caller] : frames[caller - PROF_SUMMARY_CALLERS];
}

/* Frames by key.  NULL: no memory. */
static uint32_t *frames_by_key(const prof_trace *trace, const struct prof_summary *summary) {
  uint32_t *frames = malloc((summary->keys.count + 1) * sizeof *frames);
  for (size_t i = 0; frames && i < summary->keys.count; i++)
    frames[i] = prof_summary_frame_of_key(trace, &summary->keys.items[i]);
  return frames;
}

/* Indices of threads by number.  false: no memory. */
static bool index_threads(const prof_trace *trace, struct prof_index_map *map) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  bool done = true;
  for (uint32_t i = 0; i < count && done; i++)
    done = prof_index_add(map, threads[i].number, i);
  return done;
}

/* ---- into a summary ---- */

bool prof_bursts_keep_begin(struct prof_bursts_keeping *keeping, const prof_trace *trace,
                            struct prof_summary *summary) {
  size_t count = prof_frame_count(trace);
  *keeping = (struct prof_bursts_keeping){trace, summary, malloc((count + 1) * sizeof *keeping->keys), NULL};
  if (keeping->keys)
    memset(keeping->keys, 0xff, (count + 1) * sizeof *keeping->keys);
  return keeping->keys != NULL;
}

void prof_bursts_keep_fini(struct prof_bursts_keeping *keeping) {
  free(keeping->keys);
  free(keeping->chains);
}

/* UINT32_MAX: no memory. */
static uint32_t key_of(struct prof_bursts_keeping *keeping, uint32_t frame) {
  if (keeping->keys[frame] == UINT32_MAX)
    keeping->keys[frame] = prof_summary_key(keeping->summary, prof_summary_key_of_frame(keeping->trace, frame));
  return keeping->keys[frame];
}

static uint32_t number_of(const struct prof_bursts_keeping *keeping, uint32_t thread) {
  return prof_trace_threads(keeping->trace, NULL)[thread].number;
}

static bool keep_threads(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  struct prof_summary_bursts *to = &keeping->summary->bursts;
  bool done = true;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    to->windows[kind].count += sums->windows[kind].count;
    to->windows[kind].weight += sums->windows[kind].weight;
  }
  for (uint32_t i = 0; i < sums->thread_count && done; i++) {
    const struct prof_burst_thread_sum *from = &sums->threads[i];
    struct prof_summary_window_thread row = {
        .thread = number_of(keeping, i), .events = from->window_events, .life = from->life_ticks};
    memcpy(row.met, from->met, sizeof row.met);
    memcpy(row.ran, from->ran, sizeof row.ran);
    if (row.life > 0 || row.events > 0)
      done = prof_summary_add_window_thread(to, &row);
  }
  return done;
}

static bool keep_frames(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  bool done = true;
  for (size_t i = 0; i < sums->frames.count && done; i++) {
    const struct prof_burst_frame_sum *from = &sums->frames.items[i];
    struct prof_summary_frame row = {.thread = number_of(keeping, from->thread),
                                     .key = key_of(keeping, from->frame),
                                     .ran = from->burst.ticks,
                                     .events = from->burst.events,
                                     .off = from->off_ticks};
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
      row.on[kind] = from->on[kind].weight;
      row.on_ticks[kind] = from->on[kind].ticks;
    }
    done = row.key != UINT32_MAX && prof_summary_add_frame(&keeping->summary->bursts, &row);
  }
  return done;
}

/* PROF_SUMMARY_CALLER_; UINT32_MAX: no memory. */
static uint32_t caller_of(struct prof_bursts_keeping *keeping, uint32_t caller) {
  if (caller == PROF_NONE)
    return PROF_SUMMARY_CALLER_UNKNOWN;
  if (caller == PROF_BURST_ANY_CALLER)
    return PROF_SUMMARY_CALLER_ANY;
  if (caller == PROF_BURST_COUNTED)
    return PROF_SUMMARY_CALLER_COUNTED;
  uint32_t key = key_of(keeping, caller);
  return key == UINT32_MAX ? key : key + PROF_SUMMARY_CALLERS;
}

static bool keep_rates(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  bool done = true;
  for (size_t i = 0; i < sums->rates.count && done; i++) {
    const struct prof_burst_sum *from = &sums->rates.items[i];
    struct prof_summary_rate row = {.thread = number_of(keeping, from->thread),
                                    .key = key_of(keeping, from->frame),
                                    .caller = caller_of(keeping, from->caller),
                                    .counted = from->rate.counted,
                                    .iterations = from->rate.iterations,
                                    .squares = from->rate.squares,
                                    .ran = from->rate.ran,
                                    .spent = from->rate.spent,
                                    .least = from->rate.least};
    memcpy(row.sums, from->rate.sums, sizeof row.sums);
    done = row.key != UINT32_MAX && row.caller != UINT32_MAX && prof_summary_add_rate(&keeping->summary->bursts, &row);
  }
  return done;
}

static bool keep_places(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  bool done = true;
  for (size_t i = 0; i < sums->places.items.count && done; i++) {
    const struct prof_burst_counted *from = &sums->places.items.items[i];
    struct prof_summary_key key = prof_summary_key_of_frame(keeping->trace, from->frame);
    key.caller = prof_trace_modules(keeping->trace, NULL)[from->from.module].number;
    key.address = from->from.address;
    struct prof_summary_place row = {prof_summary_key(keeping->summary, key), from->calls};
    done = row.key != UINT32_MAX && prof_summary_add_place(&keeping->summary->bursts, row);
  }
  return done;
}

bool prof_bursts_keep_resume(struct prof_bursts_keeping *keeping, struct prof_burst_callers *callers) {
  struct prof_summary_bursts *bursts = &keeping->summary->bursts;
  struct prof_index_map threads = {0};
  uint32_t *frames = frames_by_key(keeping->trace, keeping->summary);
  bool done = frames && index_threads(keeping->trace, &threads);
  for (size_t i = 0; i < bursts->rates.count && done; i++) {
    struct prof_summary_rate *row = &bursts->rates.items[i];
    bool any = row->caller == PROF_SUMMARY_CALLER_ANY;
    uint32_t thread = row->waiting > 0 || any ? prof_index_of(&threads, row->thread) : UINT32_MAX;
    if (thread == UINT32_MAX || frames[row->key] >= prof_frame_count(keeping->trace))
      continue;
    done = any ? prof_burst_callers_resume_frame(callers, thread, frames[row->key], row->given, row->waiting)
               : prof_burst_callers_resume(callers, thread, frames[row->key], caller_from(frames, row->caller), 0,
                                           row->waiting);
    row->waiting = 0;
    row->given = any ? 0 : row->given;
  }
  free(frames);
  prof_index_fini(&threads);
  return done;
}

/* The rates of the same calls are there, from this stretch or one before. */
static bool keep_callers(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  const struct prof_burst_callers *callers = &sums->callers;
  bool done = true;
  for (size_t i = 0; i < callers->frames.count && done; i++) {
    const struct prof_burst_counted_frame *frame = &callers->frames.items[i];
    struct prof_summary_rate row = {.thread = number_of(keeping, frame->thread),
                                    .key = key_of(keeping, frame->frame),
                                    .caller = PROF_SUMMARY_CALLER_ANY,
                                    .given = frame->counted,
                                    .waiting = (double)frame->windows};
    done = row.key != UINT32_MAX && prof_summary_add_rate(&keeping->summary->bursts, &row);
    for (uint32_t at = frame->first; done && at != UINT32_MAX; at = callers->callers.items[at].next) {
      row.caller = caller_of(keeping, callers->callers.items[at].caller);
      row.given = callers->callers.items[at].counted;
      row.waiting = callers->callers.items[at].seen;
      done = row.caller != UINT32_MAX && prof_summary_add_rate(&keeping->summary->bursts, &row);
    }
  }
  return done;
}

bool prof_bursts_keep_sums(struct prof_bursts_keeping *keeping, const struct prof_burst_sums *sums) {
  return keep_threads(keeping, sums) && keep_frames(keeping, sums) && keep_rates(keeping, sums) &&
         keep_callers(keeping, sums) && keep_places(keeping, sums);
}

bool prof_bursts_keep_chains(struct prof_bursts_keeping *keeping, const struct prof_burst_chains *chains) {
  keeping->chains = calloc(chains->items.count + 1, sizeof *keeping->chains);
  bool done = keeping->chains != NULL;
  for (uint32_t i = 0; i < chains->items.count && done; i++) { /* the ones around come first */
    const struct prof_burst_chain *from = &chains->items.items[i];
    struct prof_summary_chain row = {.around = keeping->chains[from->around],
                                     .key = from->link.frame == PROF_NONE ? 0 : key_of(keeping, from->link.frame),
                                     .kind = from->link.kind};
    keeping->chains[i + 1] = row.key != UINT32_MAX ? prof_summary_chain(&keeping->summary->bursts, row) : 0;
    done = keeping->chains[i + 1] != 0;
  }
  return done;
}

/* ---- out of it ---- */

struct loading {
  const prof_trace *trace;
  const struct prof_burst_paths *paths;
  const struct prof_summary *from;
  struct prof_burst_sums *sums;
  struct prof_burst_chains *chains;
  uint32_t *frames;              /* by key */
  struct prof_index_map threads; /* by number */
};

static bool begin(struct loading *loading) {
  size_t count;
  prof_trace_threads(loading->trace, &count);
  loading->sums->thread_count = count;
  loading->sums->threads = calloc(count + 1, sizeof *loading->sums->threads);
  loading->frames = frames_by_key(loading->trace, loading->from);
  return loading->sums->threads && loading->frames && index_threads(loading->trace, &loading->threads);
}

static void load_threads(struct loading *loading) {
  const struct prof_summary_bursts *from = &loading->from->bursts;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    loading->sums->windows[kind] =
        (struct prof_burst_window_sum){from->windows[kind].count, from->windows[kind].weight};
  for (size_t i = 0; i < from->threads.count; i++) {
    const struct prof_summary_window_thread *row = &from->threads.items[i];
    uint32_t thread = prof_index_of(&loading->threads, row->thread);
    if (thread == UINT32_MAX)
      continue;
    struct prof_burst_thread_sum *to = &loading->sums->threads[thread];
    *to = (struct prof_burst_thread_sum){.life_ticks = row->life, .window_events = row->events};
    memcpy(to->met, row->met, sizeof to->met);
    memcpy(to->ran, row->ran, sizeof to->ran);
  }
}

static bool load_frames(struct loading *loading) {
  const struct prof_summary_bursts *from = &loading->from->bursts;
  bool done = true;
  for (size_t i = 0; i < from->frames.count && done; i++) {
    const struct prof_summary_frame *row = &from->frames.items[i];
    struct prof_burst_frame_sum sum = {.thread = prof_index_of(&loading->threads, row->thread),
                                       .frame = loading->frames[row->key],
                                       .burst = {row->ran, row->events},
                                       .off_ticks = row->off};
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
      sum.on[kind] = (struct prof_burst_on){row->on[kind], row->on_ticks[kind]};
    if (sum.thread != UINT32_MAX)
      done = prof_vec_push(&loading->sums->frames, sum);
  }
  return done;
}

/* false: no memory. */
static bool load_caller(struct loading *loading, const struct prof_summary_rate *row,
                        const struct prof_burst_sum *sum) {
  struct prof_burst_callers *callers = &loading->sums->callers;
  if (row->caller == PROF_SUMMARY_CALLER_ANY)
    return prof_burst_callers_resume_frame(callers, sum->thread, sum->frame, row->given, row->waiting);
  return (row->given <= 0 && row->waiting <= 0) ||
         prof_burst_callers_resume(callers, sum->thread, sum->frame, sum->caller, row->given, row->waiting);
}

static bool load_rates(struct loading *loading) {
  const struct prof_summary_bursts *from = &loading->from->bursts;
  bool done = true;
  for (size_t i = 0; i < from->rates.count && done; i++) {
    const struct prof_summary_rate *row = &from->rates.items[i];
    struct prof_burst_sum sum = {.thread = prof_index_of(&loading->threads, row->thread),
                                 .frame = loading->frames[row->key],
                                 .caller = caller_from(loading->frames, row->caller),
                                 .rate = {.squares = row->squares,
                                          .ran = row->ran,
                                          .spent = row->spent,
                                          .least = row->least,
                                          .counted = row->counted,
                                          .iterations = row->iterations}};
    memcpy(sum.rate.sums, row->sums, sizeof sum.rate.sums);
    if (sum.thread != UINT32_MAX)
      done = prof_vec_push(&loading->sums->rates, sum) && load_caller(loading, row, &sum);
  }
  return done;
}

static bool load_places(struct loading *loading) {
  const struct prof_summary_bursts *from = &loading->from->bursts;
  bool done = true;
  for (size_t i = 0; i < from->places.count && done; i++) {
    const struct prof_summary_key *key = &loading->from->keys.items[from->places.items[i].key];
    uint32_t module = prof_summary_module_at(loading->trace, key->caller);
    if (module == PROF_NONE)
      continue;
    struct prof_burst_counted row = {
        .frame = loading->frames[from->places.items[i].key],
        .from = {prof_burst_place_function(loading->paths, module, key->address), module, key->address},
        .calls = from->places.items[i].calls};
    done = prof_vec_push(&loading->sums->places.items, row);
  }
  return done;
}

/* Numbers are those of the file. */
static bool load_chains(struct loading *loading) {
  const struct prof_summary_bursts *from = &loading->from->bursts;
  bool done = true;
  for (size_t i = 0; i < from->chains.count && done; i++) {
    const struct prof_summary_chain *row = &from->chains.items[i];
    bool outside = row->kind == PROF_SUMMARY_LINK_OUTSIDE;
    struct prof_burst_chain chain = {row->around, {outside ? PROF_NONE : loading->frames[row->key], row->kind}};
    done = prof_vec_push(&loading->chains->items, chain);
  }
  return done;
}

prof_status prof_bursts_load(const struct prof_burst_paths *paths, struct prof_burst_sums *sums,
                             struct prof_burst_chains *chains, struct prof_diag *diag) {
  struct prof_summary summary;
  *sums = (struct prof_burst_sums){0};
  *chains = (struct prof_burst_chains){0};
  prof_status status = prof_summary_of(paths->trace, diag, &summary);
  if (status != PROF_OK)
    return status;
  struct loading loading = {.trace = paths->trace, .paths = paths, .from = &summary, .sums = sums, .chains = chains};
  bool done = begin(&loading);
  if (done)
    load_threads(&loading);
  done = done && load_frames(&loading) && load_rates(&loading) && load_places(&loading) && load_chains(&loading);
  prof_burst_callers_finish(&sums->callers);
  prof_burst_sums_sort(sums);
  free(loading.frames);
  prof_index_fini(&loading.threads);
  prof_summary_fini(&summary);
  return done ? PROF_OK : prof_diag_memory(diag);
}
