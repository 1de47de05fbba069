/*
 * tools/fold/summary/give.c - a summary in place of chunks.  See summary.h.
 */
#include <stdlib.h>
#include <string.h>

#include "fold/summary/summary.h"

struct giving {
  const struct prof_summary *summary;
  const prof_trace *trace;
  struct prof_fold_worker *worker;
  uint32_t *frames;  /* by key: number of its frame (loop_frames.h) */
  uint32_t *keys;    /* by key: of the worker's core */
  uint32_t *threads; /* by number less 1: index; PROF_NONE: none */
  uint32_t thread_limit;
  uint32_t *moved;
  struct prof_filter_state *states; /* by node; NULL: nothing is filtered */
  uint8_t *leads;                   /* by node: to a call of a function of --caller; NULL: no such filter */
  bool hides_threads;
};

uint32_t prof_summary_module_at(const prof_trace *trace, uint32_t number) {
  size_t count;
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  for (uint32_t i = 0; number > 0 && i < count; i++)
    if (modules[i].number == number)
      return i;
  return PROF_NONE;
}

/* The function that is number `index` among those of SITES: they stand behind the rows of each module. */
static uint32_t called_at(const prof_trace *trace, uint32_t index) {
  size_t module_count, function_count;
  const struct prof_module *modules = prof_trace_modules(trace, &module_count);
  prof_trace_functions(trace, &function_count);
  uint64_t at = index;
  for (size_t i = 0; i < module_count; i++) /* in the order of the file */
    if (modules[i].first_function <= at)
      at += modules[i].function_count;
  return at < function_count ? (uint32_t)at : PROF_NONE;
}

uint32_t prof_summary_frame_of_key(const prof_trace *trace, const struct prof_summary_key *key) {
  uint32_t module = prof_summary_module_at(trace, key->module), frame = PROF_NONE;
  const struct prof_module *of = module != PROF_NONE ? &prof_trace_modules(trace, NULL)[module] : NULL;
  size_t unknown;
  prof_trace_functions(trace, &unknown);
  if (key->kind == PROF_SUMMARY_FUNCTION && of && key->index < of->function_count)
    frame = of->first_function + key->index;
  else if (key->kind == PROF_SUMMARY_CALLED)
    frame = called_at(trace, key->index);
  else if (key->kind == PROF_SUMMARY_LOOP && of && key->index < of->loop_count)
    frame = prof_frame_of_loop(trace, of->first_loop + key->index);
  return frame != PROF_NONE ? frame : (uint32_t)unknown;
}

static bool is_loop(const struct giving *giving, uint32_t frame) {
  return frame > giving->worker->unknown;
}

/* A loop that is not asked for is part of the function around it. */
static bool is_quiet(const struct giving *giving, uint32_t frame) {
  return is_loop(giving, frame) && !giving->worker->loops;
}

static bool find_keys(struct giving *giving) {
  const struct prof_summary *summary = giving->summary;
  struct prof_call_places *places = giving->worker->places;
  for (size_t i = 0; i < summary->keys.count; i++) {
    const struct prof_summary_key *key = &summary->keys.items[i];
    uint32_t frame = giving->frames[i] = prof_summary_frame_of_key(giving->trace, key);
    giving->keys[i] = frame;
    if (!places || is_quiet(giving, frame))
      continue;
    struct prof_call_place place = {.function = frame == giving->worker->unknown ? PROF_NONE : frame,
                                    .module = prof_summary_module_at(giving->trace, key->caller)};
    place.address = place.module != PROF_NONE ? key->address : 0;
    giving->keys[i] = prof_call_places_add(places, place);
    if (giving->keys[i] == UINT32_MAX)
      return false;
  }
  uint32_t count = places ? prof_call_places_count(places) : giving->worker->core.function_count;
  return prof_fold_widen(&giving->worker->core, count);
}

static uint32_t thread_of(const struct giving *giving, uint32_t number) {
  return number > 0 && number <= giving->thread_limit ? giving->threads[number - 1] : PROF_NONE;
}

static bool find_threads(struct giving *giving) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(giving->trace, &count);
  for (size_t i = 0; i < count; i++)
    giving->thread_limit = giving->thread_limit > threads[i].number ? giving->thread_limit : threads[i].number;
  giving->threads = malloc(((size_t)giving->thread_limit + 1) * sizeof *giving->threads);
  if (!giving->threads)
    return false;
  memset(giving->threads, 0xff, ((size_t)giving->thread_limit + 1) * sizeof *giving->threads);
  for (uint32_t i = 0; i < count; i++)
    if (threads[i].number > 0)
      giving->threads[threads[i].number - 1] = i;
  return true;
}

/* Whether a node of a call is shown, by the filter. */
static bool is_shown(struct giving *giving, uint32_t node, uint32_t frame) {
  const struct prof_fold_node *from = &giving->summary->core.nodes[node];
  const struct prof_filter *filter = giving->worker->filter;
  if (is_quiet(giving, frame)) {
    if (giving->states)
      giving->states[node] = giving->states[from->parent];
    return false;
  }
  if (!giving->states)
    return true;
  bool loop = is_loop(giving, frame);
  giving->states[node] = prof_filter_frame(filter, giving->states[from->parent], loop ? giving->worker->unknown : frame,
                                           loop, false, !giving->leads || giving->leads[node]);
  return giving->states[node].shown;
}

/* --caller: single calls aren't known, so all calls of a path that led to one.  false: no memory. */
static bool find_leads(struct giving *giving) {
  const struct prof_fold_core *core = &giving->summary->core;
  const struct prof_filter *filter = giving->worker->filter;
  if (!filter || !filter->by_caller)
    return true;
  giving->leads = calloc(core->node_count, 1);
  for (uint32_t i = core->node_count; giving->leads && i-- > 1;) { /* parents come first */
    const struct prof_fold_node *node = &core->nodes[i];
    uint32_t frame =
        node->parent != 0 && node->function < PROF_FOLD_FORKER ? giving->frames[node->function] : PROF_NONE;
    giving->leads[i] |= frame <= giving->worker->unknown && (filter->flags[frame] & PROF_FILTER_CALLER);
    giving->leads[node->parent] |= giving->leads[i];
  }
  return giving->leads != NULL;
}

/* Outermost in a thread that another one's call forked? */
static bool is_forked(const struct giving *giving, const struct prof_fold_node *from) {
  const struct prof_fold_node *outer = &giving->summary->core.nodes[from->parent];
  return outer->parent != 0 && outer->function != PROF_FOLD_OTHER && prof_fold_is_forker(outer->function);
}

/* Calls and loop entries that have no node of their own: their time is that of the node around them. */
static void hide(struct giving *giving, const struct prof_fold_node *from, uint32_t to, bool loop) {
  struct prof_fold_core *core = &giving->worker->core;
  if (core->nodes[to].parent == 0)
    return;
  if (prof_fold_is_forker(core->nodes[to].function) && is_forked(giving, from)) /* which has no time of its own */
    core->nodes[to].total += from->total;
  core->nodes[to].uncounted += from->calls + from->uncounted;
  giving->worker->sums.hidden += loop ? 0 : from->calls;
}

static bool add_node(struct giving *giving, uint32_t node) {
  const struct prof_fold_node *from = &giving->summary->core.nodes[node];
  struct prof_fold_core *core = &giving->worker->core;
  uint32_t outer = giving->moved[from->parent], *moved = &giving->moved[node];
  if (from->parent == 0) {
    uint32_t thread = thread_of(giving, from->function);
    bool shown = thread != PROF_NONE && (!giving->worker->filter || giving->worker->filter->threads[thread]);
    giving->hides_threads |= !shown;
    *moved = shown ? prof_fold_child(core, 0, thread) : PROF_NONE;
    return *moved != 0;
  }
  *moved = outer;
  if (outer == PROF_NONE)
    return true;
  uint32_t function = from->function, key = function & ~PROF_FOLD_FORKER;
  bool other = function == PROF_FOLD_OTHER;
  uint32_t frame = other ? giving->worker->unknown : giving->frames[key];
  if (!other && (!is_shown(giving, node, frame) || (prof_fold_is_forker(function) && is_quiet(giving, frame)))) {
    hide(giving, from, outer, is_loop(giving, frame));
    return true;
  }
  if (!other)
    function = prof_fold_is_forker(function) ? frame | PROF_FOLD_FORKER : giving->keys[key];
  *moved = prof_fold_child(core, outer, function);
  core->nodes[*moved].calls += from->calls;
  core->nodes[*moved].total += from->total;
  core->nodes[*moved].uncounted += from->uncounted;
  return *moved != 0;
}

/* Is it shown as a node of its own? */
static bool has_node(const struct giving *giving, uint32_t node) {
  uint32_t outer = giving->moved[giving->summary->core.nodes[node].parent];
  return giving->moved[node] != PROF_NONE && giving->moved[node] != outer;
}

static bool add_nodes(struct giving *giving) {
  const struct prof_fold_core *from = &giving->summary->core;
  struct prof_fold_core *core = &giving->worker->core;
  giving->moved[0] = 0;
  for (uint32_t i = 1; i < from->node_count; i++)
    if (!add_node(giving, i))
      return false;
  for (size_t i = 0; i < from->opens.count; i++) {
    uint32_t node = from->opens.items[i].node;
    struct prof_fold_open open = {from->opens.items[i].ticks, giving->moved[node]};
    if (has_node(giving, node) && !prof_vec_push(&core->opens, open))
      return false;
  }
  return !core->failed;
}

/* Frames that are open still: calls up to now. */
static bool cut_going(struct giving *giving) {
  const struct prof_summary *summary = giving->summary;
  struct prof_fold_core *core = &giving->worker->core;
  for (size_t i = 0; i < summary->going.count; i++) {
    const struct prof_summary_ticks *going = &summary->going.items[i];
    const struct prof_fold_node *from = &summary->core.nodes[going->node];
    uint32_t to = giving->moved[going->node];
    if (to == PROF_NONE || from->parent == 0 || from->function >= PROF_FOLD_FORKER)
      continue;
    if (core->nodes[to].function != giving->keys[from->function] || core->nodes[to].parent == 0) {
      core->nodes[to].uncounted += core->nodes[to].parent != 0 && !going->inherited;
      continue;
    }
    core->nodes[to].total += going->ticks;
    if (going->inherited) {
      if (!prof_vec_push(&core->opens, ((struct prof_fold_open){going->ticks, to})))
        return false;
      continue;
    }
    core->nodes[to].calls++;
    if (!is_loop(giving, giving->frames[from->function]))
      giving->worker->sums.frames_cut++;
    if (!giving->hides_threads)
      prof_histogram_add(&core->histograms, &core->functions[core->nodes[to].function], going->ticks);
  }
  return !core->histograms.failed;
}

/* How many calls of each key are not shown; NULL: no memory. */
static uint64_t *count_hidden(const struct giving *giving) {
  const struct prof_fold_core *from = &giving->summary->core;
  uint64_t *counts = calloc(giving->summary->keys.count + 1, sizeof *counts);
  for (uint32_t i = 1; counts && giving->states && i < from->node_count; i++)
    if (from->nodes[i].parent != 0 && from->nodes[i].function < PROF_FOLD_FORKER && !has_node(giving, i))
      counts[from->nodes[i].function] += from->nodes[i].calls;
  return counts;
}

/*
 * Durations are those of all calls.  So they are known where all are shown; self times only if what they called is
 * shown too.
 */
static bool add_durations(struct giving *giving) {
  const struct prof_summary *summary = giving->summary;
  const struct prof_filter *filter = giving->worker->filter;
  bool hides = giving->states && (filter->hides || filter->depth), done = true;
  uint64_t *hidden = count_hidden(giving);
  for (uint32_t i = 0; hidden && i < summary->keys.count && done && !giving->hides_threads; i++)
    if (!is_quiet(giving, giving->frames[i]) && hidden[i] == 0 && !(hides && summary->core.calling_of[i]))
      done = prof_fold_merge_function(&giving->worker->core, giving->keys[i], &summary->core, i);
  free(hidden);
  return hidden && done;
}

static bool add_figures(struct giving *giving) {
  const struct prof_summary *summary = giving->summary;
  struct prof_fold_worker *worker = giving->worker;
  if (!add_durations(giving))
    return false;
  for (size_t i = 0; i < summary->values.count && worker->values; i++) {
    uint32_t loop = prof_frame_loop(giving->trace, giving->frames[summary->values.items[i].key]);
    if (loop != PROF_NONE)
      prof_loop_values_add(&worker->values[loop], &summary->values.items[i].values);
  }
  return cut_going(giving);
}

static void add_cold_row(struct prof_fold_cold *to, const struct prof_fold_cold *from) {
  to->calls += from->calls;
  to->total += from->total;
  to->sum += from->sum;
  to->self += from->self;
}

/* Of hidden loops, the self time is their functions'. */
static bool add_cold(struct giving *giving) {
  const struct prof_summary *summary = giving->summary;
  struct prof_fold_worker *worker = giving->worker;
  if (summary->cold.count == 0)
    return true;
  worker->cold = calloc(prof_frame_count(giving->trace), sizeof *worker->cold);
  if (worker->places) {
    worker->cold_place_count = prof_call_places_count(worker->places);
    worker->cold_places = calloc(worker->cold_place_count, sizeof *worker->cold_places);
  }
  if (!worker->cold || (worker->places && !worker->cold_places))
    return false;
  for (uint32_t i = 0; i < summary->cold.count; i++) {
    const struct prof_fold_cold *from = &summary->cold.items[i];
    uint32_t frame = giving->frames[i];
    if (is_quiet(giving, frame)) {
      uint32_t function = prof_trace_loops(giving->trace, NULL)[prof_frame_loop(giving->trace, frame)].function;
      worker->cold[function < worker->unknown ? function : worker->unknown].self += from->self;
      continue;
    }
    add_cold_row(&worker->cold[frame], from);
    if (worker->cold_places)
      add_cold_row(&worker->cold_places[giving->keys[i]], from);
  }
  worker->cold_paths = summary->cold_paths;
  for (uint32_t i = 1; i < worker->core.node_count; i++)
    worker->cold_ticks += worker->core.nodes[i].function == PROF_FOLD_OTHER ? worker->core.nodes[i].total : 0;
  return true;
}

prof_status prof_summary_give(const struct prof_summary *summary, struct prof_fold_worker *worker, uint32_t *moved) {
  struct giving giving = {.summary = summary, .trace = worker->trace, .worker = worker, .moved = moved};
  const struct prof_filter *filter = worker->filter;
  size_t count = summary->keys.count + 1;
  giving.frames = malloc(count * sizeof *giving.frames);
  giving.keys = malloc(count * sizeof *giving.keys);
  bool filters = filter && (filter->has_only || filter->hides || filter->depth);
  giving.states = filters ? calloc(summary->core.node_count, sizeof *giving.states) : NULL;
  worker->sums = summary->sums;
  worker->core.too_deep = summary->core.too_deep;
  bool done = giving.frames && giving.keys && (giving.states || !filters) && find_threads(&giving) &&
              find_keys(&giving) && find_leads(&giving) && add_nodes(&giving) && add_figures(&giving) &&
              add_cold(&giving);
  free(giving.frames);
  free(giving.keys);
  free(giving.threads);
  free(giving.states);
  free(giving.leads);
  return done && !worker->core.failed && !worker->core.histograms.failed ? PROF_OK : PROF_NO_MEMORY;
}
