/*
 * tools/tally/sums_shown.c - see sums_shown.h.
 */
#include "tally/sums_shown.h"

#include <string.h>

#include "base/diag.h"
#include "names/loop_frames.h"
#include "tally/sums_move.h"

struct showing {
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_tally_sums all, shown; /* as in the file; with the trace's indices */
  bool recorded;                     /* there are MEASURES */
  uint32_t *nodes, *functions;
  struct prof_tally_numbers processes, threads;
  struct prof_tally_moving moving;
};

static prof_status refuse(const prof_trace *trace, struct prof_diag *diag, const char *what) {
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "leave it out, or record without --mode=summary", "%s", what);
}

static bool hides_calls(const struct prof_filter *filter) {
  return filter->active && (filter->has_only || filter->hides || filter->depth || filter->by_caller);
}

/* ---- what becomes of numbers ---- */

/* 1: all threads of the process are shown, 0: none, -1: some. */
static int shows_process(const struct showing *showing, uint32_t process) {
  size_t count, all = 0, shown = 0;
  const struct prof_thread_info *threads = prof_trace_threads(showing->trace, &count);
  for (size_t i = 0; i < count; i++)
    if (threads[i].process == process) {
      all++;
      shown += !showing->filter->threads || showing->filter->threads[i];
    }
  return shown == all ? 1 : shown == 0 ? 0 : -1;
}

static prof_status number_processes(struct showing *showing, struct prof_diag *diag) {
  size_t count, thread_count;
  const struct prof_process *processes = prof_trace_processes(showing->trace, &count);
  const struct prof_thread_info *threads = prof_trace_threads(showing->trace, &thread_count);
  for (uint32_t i = 0; i < count; i++) {
    const int shows = shows_process(showing, i);
    if (shows < 0)
      return refuse(showing->trace, diag, "a summary keeps measures of processes, not of single threads (--tid)");
    if (shows && !prof_index_add(&showing->processes.to, processes[i].number, i))
      return prof_diag_memory(diag);
  }
  for (uint32_t i = 0; i < thread_count; i++)
    if (!prof_index_add(&showing->threads.to, threads[i].number, i))
      return prof_diag_memory(diag);
  return PROF_OK;
}

/* Functions of keys; PROF_NONE: not known. */
static bool find_functions(struct showing *showing) {
  size_t known;
  prof_trace_functions(showing->trace, &known);
  showing->functions = malloc((showing->all.keys.count + 1) * sizeof *showing->functions);
  for (size_t i = 0; showing->functions && i < showing->all.keys.count; i++) {
    const uint32_t frame = prof_summary_frame_of_key(showing->trace, &showing->all.keys.items[i]);
    showing->functions[i] = frame < known ? frame : PROF_NONE;
  }
  return showing->functions != NULL;
}

/* Nodes of what the filter shows; those of events that it hides are PROF_NONE. */
static bool move_nodes(struct showing *showing) {
  const struct prof_measured_node *nodes = showing->all.paths.nodes.items;
  const size_t count = showing->all.paths.nodes.count;
  size_t known;
  prof_trace_functions(showing->trace, &known);
  struct prof_filter_state *states = calloc(count, sizeof *states);
  showing->nodes = malloc(count * sizeof *showing->nodes);
  bool good = states && showing->nodes;
  if (good)
    showing->nodes[0] = 0;
  for (size_t i = 1; i < count && good; i++) {
    const uint32_t function = nodes[i].function != PROF_NONE ? showing->functions[nodes[i].function] : PROF_NONE;
    states[i] = prof_filter_frame(showing->filter, states[nodes[i].parent],
                                  function != PROF_NONE ? function : (uint32_t)known, false, false, true);
    showing->nodes[i] = showing->nodes[nodes[i].parent];
    if (states[i].shown)
      showing->nodes[i] = prof_measured_path_below(&showing->shown.paths, showing->nodes[i], function);
    good = showing->nodes[i] != UINT32_MAX;
  }
  for (size_t i = 0; i < count && good; i++)
    if (states[i].within_without || (!states[i].within_only && showing->filter->has_only))
      showing->nodes[i] = PROF_NONE;
  free(states);
  return good;
}

/* ---- around a tally ---- */

static prof_status begin(struct showing *showing, const prof_trace *trace, const struct prof_filter *filter,
                         struct prof_diag *diag) {
  size_t bytes;
  const uint8_t *payload = prof_trace_measures(trace, &bytes);
  *showing = (struct showing){.trace = trace, .filter = filter, .recorded = payload != NULL};
  prof_status status = prof_tally_sums_init(&showing->shown);
  if (status != PROF_OK)
    return prof_diag_memory(diag);
  if (!payload)
    return PROF_OK;
  if (filter->active && filter->by_caller)
    return refuse(trace, diag, "a summary keeps measures by call path: it can't choose them by --caller");
  status = prof_tally_sums_read(payload, bytes, &showing->all);
  if (status == PROF_CORRUPT)
    return prof_diag_fill(diag, status, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                          "record again; calls can still be shown", "the sums of measures are malformed");
  if (status == PROF_OK)
    status = number_processes(showing, diag);
  if (status == PROF_OK && !(find_functions(showing) && move_nodes(showing)))
    status = PROF_NO_MEMORY;
  showing->moving = (struct prof_tally_moving){.from = &showing->all,
                                               .to = &showing->shown,
                                               .nodes = showing->nodes,
                                               .functions = showing->functions,
                                               .processes = &showing->processes,
                                               .threads = &showing->threads};
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}

/* The paths are the caller's. */
static void end(struct showing *showing, struct prof_measured_paths *paths) {
  *paths = showing->shown.paths;
  memset(&showing->shown.paths, 0, sizeof showing->shown.paths);
  prof_tally_sums_fini(&showing->all);
  prof_tally_sums_fini(&showing->shown);
  prof_index_fini(&showing->processes.to);
  prof_index_fini(&showing->threads.to);
  free(showing->nodes);
  free(showing->functions);
}

/* ---- input and output ---- */

static bool take_io(void *context, const struct prof_measured *event) {
  return prof_io_tally_take(context, event);
}

static bool give_io(struct prof_io_tally *from, struct prof_io_tally *to) {
  if (to->by_place) {
    *to = *from;
    *from = (struct prof_io_tally){0};
    return true;
  }
  to->recorded = from->recorded;
  for (size_t i = 0; i < from->sums.count; i++) {
    from->sums.items[i].site = UINT32_MAX;
    if (!prof_io_tally_add(to, &from->sums.items[i], &from->pool))
      return false;
  }
  return true;
}

prof_status prof_io_tally_of(const prof_trace *trace, const struct prof_filter *filter, struct prof_io_tally *tally,
                             struct prof_measured_paths *paths, struct prof_diag *diag) {
  struct showing showing;
  if (!prof_trace_summary(trace, NULL))
    return prof_measured_walk(trace, filter, take_io, tally, paths, diag);
  prof_status status = begin(&showing, trace, filter, diag);
  if (status == PROF_OK && showing.recorded &&
      !(prof_tally_move_io(&showing.moving) && give_io(&showing.shown.io, tally)))
    status = prof_diag_memory(diag);
  end(&showing, paths);
  return status;
}

/* ---- statements ---- */

static bool take_query(void *context, const struct prof_measured *event) {
  return prof_query_tally_take(context, event);
}

static bool give_queries(struct prof_query_tally *from, struct prof_query_tally *to) {
  if (to->by_place) {
    *to = *from;
    *from = (struct prof_query_tally){0};
    return true;
  }
  to->recorded = from->recorded;
  for (size_t i = 0; i < from->sums.count; i++) {
    from->sums.items[i].site = UINT32_MAX;
    if (!prof_query_tally_add(to, &from->sums.items[i], &from->pool))
      return false;
  }
  return true;
}

prof_status prof_query_tally_of(const prof_trace *trace, const struct prof_filter *filter,
                                struct prof_query_tally *tally, struct prof_measured_paths *paths,
                                struct prof_diag *diag) {
  struct showing showing;
  if (!prof_trace_summary(trace, NULL))
    return prof_measured_walk(trace, filter, take_query, tally, paths, diag);
  prof_status status = begin(&showing, trace, filter, diag);
  if (status == PROF_OK && showing.recorded &&
      !(prof_tally_move_queries(&showing.moving) && give_queries(&showing.shown.queries, tally)))
    status = prof_diag_memory(diag);
  end(&showing, paths);
  return status;
}

/* ---- parallel regions ---- */

static bool take_region(void *context, const struct prof_measured *event) {
  return prof_openmp_tally_take(context, event);
}

prof_status prof_openmp_tally_of(const prof_trace *trace, const struct prof_filter *filter,
                                 struct prof_openmp_tally *tally, struct prof_measured_paths *paths,
                                 struct prof_diag *diag) {
  struct showing showing;
  if (!prof_trace_summary(trace, NULL))
    return prof_measured_walk(trace, filter, take_region, tally, paths, diag);
  prof_status status = begin(&showing, trace, filter, diag);
  if (status == PROF_OK && showing.recorded && !prof_tally_move_regions(&showing.moving))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    *tally = showing.shown.regions;
    memset(&showing.shown.regions, 0, sizeof showing.shown.regions);
  }
  end(&showing, paths);
  return status;
}

/* ---- locks ---- */

static bool take_lock(void *context, const struct prof_measured *event) {
  return prof_lock_states_take(context, event);
}

/* Waits that go on end with their threads, or with the recording. */
static void end_waits(const prof_trace *trace, struct prof_lock_states *states) {
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  const uint64_t last = prof_trace_info(trace)->last_ticks;
  for (size_t i = 0; i < states->locks.count; i++)
    for (size_t k = 0; k < states->locks.items[i].waiting.count; k++) {
      struct prof_lock_wait *wait = &states->locks.items[i].waiting.items[k];
      const uint64_t ended = threads[wait->thread].end_ticks;
      wait->until = ended > wait->begin ? ended : last;
    }
}

prof_status prof_lock_states_of(const prof_trace *trace, const struct prof_filter *filter,
                                struct prof_lock_states *states, struct prof_measured_paths *paths,
                                struct prof_diag *diag) {
  struct showing showing;
  if (!prof_trace_summary(trace, NULL))
    return prof_measured_walk(trace, filter, take_lock, states, paths, diag);
  prof_status status = begin(&showing, trace, filter, diag);
  if (status == PROF_OK && showing.recorded && hides_calls(filter))
    status =
        refuse(trace, diag, "a summary keeps the waits for a lock together: no filter of calls (-F -N -D) can act");
  if (status == PROF_OK && showing.recorded && !prof_tally_move_locks(&showing.moving))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    end_waits(trace, &showing.shown.locks);
    *states = showing.shown.locks;
    memset(&showing.shown.locks, 0, sizeof showing.shown.locks);
  }
  end(&showing, paths);
  return status;
}

/* ---- memory ---- */

/* False: no memory. */
static bool give_groups(const struct prof_memory_tally *from, struct prof_memory_tally *to) {
  for (size_t i = 0; i < from->groups.count; i++) {
    const struct prof_memory_group *group = &from->groups.items[i];
    const uint32_t site = (uint32_t)(group->key / 128);
    struct prof_memory_group fresh = {.mapped = group->mapped, .key = site};
    uint32_t at = site;
    if (to->by != PROF_MEMORY_BY_PLACE) {
      if (!prof_memory_group_key(to, from->sites.items.items[site].node, group->key % 128, &fresh))
        return false;
      at = prof_memory_group_meet(to, &fresh);
    }
    while (to->by == PROF_MEMORY_BY_PLACE && to->groups.count <= site) {
      fresh.key = to->groups.count;
      if (!prof_vec_push(&to->groups, fresh))
        return false;
    }
    if (at == UINT32_MAX)
      return false;
    struct prof_memory_figures *sum = &to->groups.items[at].sum;
    to->groups.items[at].mapped = group->mapped; /* one operation of a site, one kind */
    sum->calls += group->sum.calls;
    sum->bytes += group->sum.bytes;
    sum->live_calls += group->sum.live_calls;
    sum->live_bytes += group->sum.live_bytes;
    sum->peak_bytes += group->sum.peak_bytes;
    sum->temporary += group->sum.temporary;
  }
  return true;
}

prof_status prof_memory_tally_of(const prof_trace *trace, const struct prof_filter *filter,
                                 struct prof_memory_tally *tally, struct prof_measured_paths *paths,
                                 struct prof_diag *diag) {
  struct showing showing;
  prof_status status = begin(&showing, trace, filter, diag);
  const size_t groups = showing.all.memory.groups.count;
  if (status == PROF_OK && showing.recorded && !prof_tally_move_memory(&showing.moving))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    struct prof_memory_tally *from = &showing.shown.memory;
    tally->paths = &showing.shown.paths;
    if (!give_groups(from, tally))
      status = prof_diag_memory(diag);
    if (tally->by == PROF_MEMORY_BY_PLACE) {
      tally->sites = from->sites;
      from->sites = (struct prof_call_sites){0};
    }
    for (size_t i = 0; i < 2; i++) {
      tally->totals[i] = from->totals[i];
      tally->totals[i].peak_count = 0; /* groups have what they had then */
    }
    tally->frees = from->frees;
    tally->unknown_frees = from->unknown_frees;
    tally->unfollowed_calls = from->unfollowed_calls;
    tally->unfollowed_bytes = from->unfollowed_bytes;
    tally->live_processes = from->live_processes;
    tally->recorded = groups > 0;
  }
  end(&showing, paths);
  tally->paths = paths;
  return status;
}
