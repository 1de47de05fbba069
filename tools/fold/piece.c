/*
 * tools/fold/piece.c - see piece.h: loading a chunk, finding the functions of its edges, choosing the way.
 */
#include "fold/piece.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"

/* Edges that an op of one byte can name; the table has as many entries at least, so that none leads out of it. */
#define BYTE_EDGES 256

prof_status prof_fold_worker_init(struct prof_fold_worker *worker, const prof_trace *trace,
                                  const struct prof_filter *filter, struct prof_call_places *places, bool loops) {
  size_t function_count, loop_count;
  prof_trace_functions(trace, &function_count);
  prof_trace_loops(trace, &loop_count);
  memset(worker, 0, sizeof *worker);
  worker->trace = trace;
  worker->filter = filter && filter->active ? filter : NULL;
  worker->places = places;
  worker->unknown = (uint32_t)function_count;
  worker->loops = loops && loop_count > 0;
  if (worker->loops) {
    worker->values = calloc(loop_count, sizeof *worker->values);
    if (!worker->values)
      return PROF_NO_MEMORY;
  }
  uint32_t keys = places          ? prof_call_places_count(places)
                  : worker->loops ? prof_frame_count(trace)
                                  : worker->unknown + 1;
  return prof_fold_init(&worker->core, keys) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_fold_worker_fini(struct prof_fold_worker *worker) {
  prof_fold_fini(&worker->core);
  prof_chunk_free(&worker->chunk);
  prof_vec_fini(&worker->edges);
  prof_vec_fini(&worker->numbers);
  prof_vec_fini(&worker->options);
  prof_vec_fini(&worker->pieces);
  prof_vec_fini(&worker->going);
  prof_vec_fini(&worker->inside);
  prof_caller_scan_fini(&worker->caller_scan);
  free(worker->cold);
  free(worker->cold_places);
  free(worker->values);
  worker->cold = worker->cold_places = NULL;
  worker->values = NULL;
}

/* The keys of the chunk's edges, when calls are distinguished by place. */
static bool number_edges(struct prof_fold_worker *worker, uint32_t thread) {
  const struct prof_chunk *chunk = &worker->chunk;
  const struct prof_thread_info *threads = prof_trace_threads(worker->trace, NULL);
  worker->numbers.count = 0;
  if (!prof_vec_reserve(&worker->numbers, chunk->edge_count + 1) ||
      !prof_call_places_number(worker->places, threads[thread].process, chunk->edges, chunk->edge_count,
                               worker->numbers.items))
    return false;
  for (uint32_t i = 0; i < chunk->edge_count; i++)
    worker->edges.items[i].key = worker->numbers.items[i];
  for (size_t i = chunk->edge_count; i < worker->edges.count; i++)
    worker->edges.items[i].key = 0;
  return prof_fold_widen(&worker->core, prof_call_places_count(worker->places));
}

static struct prof_fold_edge make_edge(const struct prof_fold_worker *worker, uint32_t site) {
  const struct prof_site_frame frame = prof_frame_of_site(worker->trace, site, worker->loops);
  uint32_t number = frame.number != PROF_NONE ? frame.number : worker->unknown;
  uint32_t bits = (frame.is_loop ? PROF_FOLD_LOOP : 0) | (frame.is_quiet ? PROF_FOLD_QUIET : 0);
  return (struct prof_fold_edge){number | bits, number, PROF_FOLD_TOP, 0};
}

static bool prepare_edges(struct prof_fold_worker *worker, uint32_t thread) {
  const struct prof_chunk *chunk = &worker->chunk;
  uint32_t unknown = worker->unknown;
  worker->edges.count = 0;
  if (!prof_vec_reserve(&worker->edges, chunk->edge_count + BYTE_EDGES))
    return false;
  worker->has_loops = false;
  for (uint32_t i = 0; i < chunk->edge_count; i++) {
    worker->edges.items[i] = make_edge(worker, chunk->edges[i].site);
    worker->has_loops |= prof_fold_edge_bits(&worker->edges.items[i]) != 0;
  }
  worker->edges.count = chunk->edge_count;
  do
    worker->edges.items[worker->edges.count++] = (struct prof_fold_edge){unknown, unknown, PROF_FOLD_TOP, 0};
  while (worker->edges.count < BYTE_EDGES);
  return !worker->places || number_edges(worker, thread);
}

/*
 * The number of the event that entered a listed frame, by its time: which one of its chunk isn't known, so that it
 * stands where it would be if they followed each other evenly.
 */
static uint32_t serial_at(const struct prof_fold_worker *worker, const struct prof_fold_piece *piece, uint64_t entry) {
  const struct prof_chunk_ref *refs = prof_trace_chunks(worker->trace, NULL);
  const struct prof_thread_info *info = &prof_trace_threads(worker->trace, NULL)[piece->thread];
  const uint32_t *chunks = prof_trace_thread_chunks(worker->trace) + info->first_chunk;
  /* how many begin at or before the entry */
  uint32_t low = (uint32_t)prof_search(0, info->chunk_count, middle, refs[chunks[middle]].first_time <= entry);
  if (low == 0)
    return 0;
  const struct prof_chunk_ref *ref = &refs[chunks[low - 1]];
  double length = (double)(ref->last_time - ref->first_time), part = (double)(entry - ref->first_time);
  uint64_t before = worker->events_before[chunks[low - 1]], latest = worker->events_before[piece->chunk];
  uint32_t timed = ref->events - ref->untimed;
  uint64_t serial = before + (part < length ? (uint64_t)(timed * part / length) : timed);
  return (uint32_t)(serial < latest ? serial : latest);
}

/* Of a frame that was entered in a stretch before: so many events before the first one of this. */
static uint32_t serial_before(const struct prof_fold_worker *worker, uint32_t thread, const struct prof_frame *frame) {
  const struct prof_fold_begun *begun = worker->begun;
  size_t at = (size_t)(frame - worker->chunk.frames);
  if (begun == NULL || at >= begun->first[thread + 1] - begun->first[thread])
    return 0;
  return (uint32_t)-begun->events[begun->first[thread] + at];
}

/* Are frames of that time older than the thread's first chunk? */
static bool is_before(const struct prof_fold_worker *worker, uint32_t thread, uint64_t entry) {
  const struct prof_thread_info *info = &prof_trace_threads(worker->trace, NULL)[thread];
  const uint32_t *chunks = prof_trace_thread_chunks(worker->trace) + info->first_chunk;
  return entry < prof_trace_chunks(worker->trace, NULL)[chunks[0]].first_time;
}

uint64_t prof_fold_frame_begin(struct prof_fold_worker *worker, const struct prof_fold_piece *piece,
                               const struct prof_frame *frame) {
  uint64_t latest = worker->chunk.base_time - worker->chunk.stalled_before;
  bool floored = frame->entry < piece->floor_time;
  uint64_t net = floored ? piece->floor_net : frame->entry - frame->stalled;
  if (!floored && is_before(worker, piece->thread, frame->entry))
    worker->core.serial = serial_before(worker, piece->thread, frame);
  else
    worker->core.serial = serial_at(worker, piece, floored ? piece->floor_time : frame->entry);
  return net < latest ? net : latest;
}

struct prof_mark_run prof_mark_run_begin(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  const struct prof_fold_marks *marks = worker->marks;
  if (marks == NULL)
    return (struct prof_mark_run){0};
  struct prof_mark_run run = {.at = marks->items + marks->first[piece->thread],
                              .end = marks->items + marks->first[piece->thread + 1],
                              .clock_error_ticks = marks->clock_error_ticks,
                              .hand = worker->hand,
                              .options = &worker->options,
                              .failed = &worker->core.failed,
                              .slices = prof_light_slices_of(worker->trace, piece->thread)};
  run.end = run.at + prof_search(0, (size_t)(run.end - run.at), i, run.at[i].time < piece->marks_end);
  prof_mark_run_skip(&run, piece->marks_begin);
  return run;
}

uint32_t prof_fold_outer_node(struct prof_fold_worker *worker, uint32_t function, uint64_t time) {
  uint32_t frames[PROF_FORK_DEPTH], node = worker->core.stack[0].node, count = 0;
  if (prof_fork_paths_is_region(worker->forks, function))
    count = prof_fork_paths_of(worker->forks, worker->thread, function, time, frames);
  for (uint32_t i = 0; i < count; i++)
    if (worker->loops || frames[i] <= worker->unknown)
      node = prof_fold_child(&worker->core, node, frames[i] | PROF_FOLD_FORKER);
  return node;
}

uint32_t prof_fold_function_of(const struct prof_fold_worker *worker, uint32_t node) {
  const struct prof_fold_node *nodes = worker->core.nodes;
  for (; node != 0 && nodes[node].parent != 0; node = nodes[node].parent) {
    uint32_t function = nodes[node].function;
    if (prof_fold_is_forker(function))
      break;
    if (worker->places)
      function = prof_call_places_function(worker->places, function);
    if (function < worker->unknown)
      return function;
    if (prof_frame_loop(worker->trace, function) == PROF_NONE)
      break;
  }
  return PROF_NONE;
}

uint32_t prof_fold_value_loop(struct prof_fold_worker *worker, uint32_t site, uint32_t *kind) {
  struct prof_fold_worker_site *known = &worker->sites[site & (PROF_FOLD_SITES - 1)];
  if (known->site != site || site == 0) {
    struct prof_site_info info = prof_trace_site(worker->trace, site);
    *known = (struct prof_fold_worker_site){site, info.loop, info.kind};
  }
  *kind = known->kind;
  return known->loop;
}

bool prof_fold_is_of_inherited(struct prof_fold_worker *worker, uint32_t loop, uint32_t kind) {
  struct prof_fold_core *core = &worker->core;
  if (core->left_loop == 0 || (kind & PROF_SITE_KIND_MASK) != PROF_SITE_LOOP_EXIT)
    return false;
  uint32_t key = core->nodes[core->left_loop].function;
  if ((worker->places ? prof_call_places_function(worker->places, key) : key) !=
      prof_frame_of_loop(worker->trace, loop))
    return false;
  core->left_loop = 0;
  return true;
}

static void add_entry(struct prof_loop_values *values, uint64_t iterations) {
  if (iterations == 0) {
    values->empty_entries++;
    return;
  }
  values->min_iterations =
      values->known_entries && values->min_iterations < iterations ? values->min_iterations : iterations;
  values->max_iterations = values->max_iterations > iterations ? values->max_iterations : iterations;
  values->known_entries++;
  values->iterations += iterations;
}

void prof_fold_value_add(struct prof_fold_worker *worker, uint32_t loop, uint32_t kind, uint64_t value) {
  if (!worker->values || loop == PROF_NONE)
    return;
  struct prof_loop_values *values = &worker->values[loop];
  if ((kind & PROF_SITE_KIND_MASK) != PROF_SITE_LOOP_COUNT)
    add_entry(values, value);
  else if (kind & PROF_SITE_COUNTS_ENTRIES)
    values->counted_entries += value;
  else
    values->counted_iterations += value;
}

uint64_t prof_fold_loops_among(const struct prof_fold_core *core, uint64_t count) {
  uint64_t loops = 0, held = count > core->beyond ? count - core->beyond : 0;
  for (uint32_t at = core->depth; at > 0 && held > 0; at--, held--)
    loops += core->stack[at].node & PROF_FOLD_LOOP ? 1 : 0;
  return loops;
}

void prof_fold_note_going(struct prof_fold_worker *worker, uint32_t thread, uint64_t net) {
  struct prof_fold_core *core = &worker->core;
  for (uint32_t i = 1; i <= core->depth; i++) {
    struct prof_fold_inside inside = {thread, core->serial - core->stack[i].serial};
    core->failed |= !prof_vec_push(&worker->inside, inside);
  }
  for (uint32_t i = 1; i <= core->depth; i++) {
    const struct prof_fold_frame *frame = &core->stack[i];
    struct prof_fold_going going = {frame->node & PROF_FOLD_NODE, thread, net - frame->entry, i <= core->inherited};
    if (!(frame->node & PROF_FOLD_QUIET))
      core->failed |= !prof_vec_push(&worker->going, going);
  }
}

/* Every call counts, as a whole: no filter but for threads, no end of the range, no frames counted before a hole. */
static bool takes_all(const struct prof_filter *filter, const struct prof_fold_piece *piece) {
  return piece->begin == 0 && piece->end == UINT64_MAX && !piece->cut_in && !piece->counted_until &&
         (!filter || (!filter->has_only && !filter->hides && !filter->depth && !filter->min_ticks));
}

prof_status prof_fold_piece_run(struct prof_fold_worker *worker, const struct prof_fold_piece *piece,
                                struct prof_diag *diag) {
  prof_status status = prof_chunk_load(worker->trace, piece->chunk, diag, &worker->chunk);
  if (status != PROF_OK)
    return status;
  if (!prepare_edges(worker, piece->thread))
    return prof_diag_memory(diag);
  if (worker->callers && !prof_caller_scan_chunk(&worker->caller_scan, worker->trace, worker->filter, &worker->chunk,
                                                 worker->callers[piece->chunk].end))
    return prof_diag_memory(diag);
  worker->thread = piece->thread;
  worker->core.cost = worker->costs ? worker->costs[piece->thread] : 0;
  bool whole = takes_all(worker->filter, piece) ? prof_fold_chunk(worker, piece) : prof_fold_shown(worker, piece);
  worker->sums.inversions += worker->chunk.inversions;
  if (worker->core.failed || worker->core.histograms.failed)
    return prof_diag_memory(diag);
  return whole ? PROF_OK : PROF_CORRUPT;
}
