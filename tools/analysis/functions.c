/*
 * tools/analysis/functions.c - see functions.h.
 *
 * Each grouping maps nodes to groups, by function or by thread.  One walk over the tree sums calls, self and outermost
 * totals; durations come from the functions' histograms.
 */
#include "analysis/functions.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/bounds.h"
#include "base/diag.h"
#include "base/order.h"
#include "estimate/correct_sampled.h"
#include "estimate/share_error.h"
#include "names/function_groups.h"
#include "names/process_groups.h"
#include "names/process_names.h"

struct group {     /* a row being built */
  uint32_t first;  /* a function (or thread, or process) of the group, for its name */
  uint32_t inside; /* how often it is on the path to the current node */
  uint64_t calls, total_ticks, self_ticks;
  uint64_t sum_ticks;   /* of the durations of all calls; each level of a recursion counts */
  uint64_t probe_ticks; /* probe overhead that was removed from its threads' time */
  uint64_t error_ticks; /* of total_ticks */
  struct prof_share_part sampled;
  struct prof_off_ticks off, self_off;
  struct prof_histogram durations, self_durations;
  uint64_t threads, processes; /* of groups of threads: with calls */
  struct prof_bounds bounds;   /* of calls and self_ticks */
};

struct grouping {
  const struct prof_profile *profile;
  const struct prof_samples *samples; /* NULL: none */
  struct prof_weighted sampled;       /* those that the filter shows */
  struct prof_share_error error;      /* of shares of samples */
  struct prof_names *names;
  enum prof_group by;
  enum prof_time_kind time;
  uint32_t *of; /* group of each function; or of each thread */
  struct group *groups;
  uint8_t *counted;                          /* per process: 1, it is in `processes` */
  struct prof_process_groups process_groups; /* by process and command; the trace owns the names of the rows */
  size_t count;
  struct prof_histogram_pool pool; /* of the groups' durations */
};

/* Groups functions by file or module: of each its first function comes first. */
static prof_status group_functions(struct grouping *grouping) {
  size_t count = grouping->profile->function_count;
  if (!prof_function_groups(grouping->names, grouping->by == PROF_BY_FILE, count, grouping->of))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = grouping->of[i];
    if (first == i)
      grouping->groups[grouping->count++].first = i;
    grouping->of[i] = first == i ? (uint32_t)grouping->count - 1 : grouping->of[first];
  }
  return PROF_OK;
}

/* Groups threads by process, or by program. */
static prof_status group_threads(struct grouping *grouping, size_t thread_count) {
  struct prof_process_groups *made = &grouping->process_groups;
  prof_status status = prof_process_groups_make(grouping->profile->trace, grouping->by == PROF_BY_COMMAND, made);
  if (status != PROF_OK)
    return status;
  grouping->count = made->count;
  for (uint32_t i = 0; i < made->count; i++)
    grouping->groups[i].first = made->items[i].process;
  for (size_t i = 0; i < thread_count; i++)
    grouping->of[i] = made->of_thread[i];
  return PROF_OK;
}

static prof_status make_groups(struct grouping *grouping) {
  size_t thread_count, process_count, count = grouping->profile->function_count;
  prof_trace_threads(grouping->profile->trace, &thread_count);
  prof_trace_processes(grouping->profile->trace, &process_count);
  if (prof_group_is_of_threads(grouping->by))
    count = thread_count;
  size_t most = count > process_count ? count : process_count;
  grouping->groups = calloc(most + 1, sizeof *grouping->groups);
  grouping->of = calloc(most + 1, sizeof *grouping->of);
  grouping->counted = calloc(process_count + 1, 1);
  if (!grouping->groups || !grouping->of || !grouping->counted)
    return PROF_NO_MEMORY;
  if (grouping->by == PROF_BY_FILE || grouping->by == PROF_BY_MODULE)
    return group_functions(grouping);
  if (grouping->by == PROF_BY_PROCESS || grouping->by == PROF_BY_COMMAND)
    return group_threads(grouping, thread_count);
  grouping->count = count;
  for (uint32_t i = 0; i < count; i++)
    grouping->groups[i].first = grouping->of[i] = i;
  return PROF_OK;
}

static bool is_loop(const struct grouping *grouping, const struct prof_node *node) {
  return node->function != PROF_NONE && node->function >= grouping->profile->function_count;
}

/* Loops belong to their function. */
static struct group *group_of(const struct grouping *grouping, const struct prof_node *node) {
  while (is_loop(grouping, node))
    node = &grouping->profile->nodes[node->parent];
  if (prof_group_is_of_threads(grouping->by))
    return &grouping->groups[grouping->of[node->thread]];
  uint32_t unknown = (uint32_t)grouping->profile->function_count - 1;
  return &grouping->groups[grouping->of[node->function == PROF_NONE ? unknown : node->function]];
}

/* Counts a thread's node.  Threads of a process need not follow each other, hence `counted`. */
static void count_thread(struct grouping *grouping, const struct prof_node *node) {
  if (!prof_group_is_of_threads(grouping->by))
    return;
  size_t process_count;
  uint32_t process = prof_trace_threads(grouping->profile->trace, NULL)[node->thread].process;
  prof_trace_processes(grouping->profile->trace, &process_count);
  struct group *group = &grouping->groups[grouping->of[node->thread]];
  group->threads++;
  group->probe_ticks += node->taken_ticks;
  if (process < process_count && !grouping->counted[process]) {
    grouping->counted[process] = 1;
    group->processes++;
  }
}

/* Cold paths have figures per function. */
static bool is_counted_apart(const struct grouping *grouping, const struct prof_node *node) {
  return node->cold && !prof_group_is_of_threads(grouping->by);
}

/* Adds cold paths; to files and modules only self times: their outermost call in such a path isn't known. */
static void add_cold(struct grouping *grouping) {
  const struct prof_profile *profile = grouping->profile;
  size_t loop_count;
  const struct prof_loop *loops = prof_trace_loops(profile->trace, &loop_count);
  uint32_t functions = (uint32_t)profile->function_count, all = functions + (profile->loops ? (uint32_t)loop_count : 0);
  for (uint32_t i = 0; profile->cold && !prof_group_is_of_threads(grouping->by) && i < all; i++) {
    const struct prof_cold_figures *cold = &profile->cold[i];
    uint32_t function = i < functions ? i : loops[i - functions].function;
    struct group *group = &grouping->groups[grouping->of[function < functions ? function : functions - 1]];
    group->self_ticks = prof_cold_self(group->self_ticks, cold->self_ticks);
    prof_off_add(&group->self_off, &cold->self_off);
    if (i >= functions)
      continue;
    group->calls += cold->calls;
    group->sum_ticks += cold->sum_ticks;
    bool single = prof_group_is_single(grouping->by);
    group->total_ticks += single ? cold->total_ticks : prof_cold_self(0, cold->self_ticks);
    prof_off_add(&group->off, single ? &cold->off : &cold->self_off);
  }
}

static void walk_nodes(struct grouping *grouping) {
  const struct prof_node *nodes = grouping->profile->nodes;
  uint32_t at = 0;
  for (uint32_t i = 1; i < grouping->profile->node_count; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      if (nodes[at].parent != 0 && !nodes[at].forker && !is_loop(grouping, &nodes[at]) &&
          !is_counted_apart(grouping, &nodes[at]))
        group_of(grouping, &nodes[at])->inside--;
    at = i;
    if (nodes[i].parent == 0) {
      count_thread(grouping, &nodes[i]);
      continue;
    }
    if (is_counted_apart(grouping, &nodes[i]))
      continue;
    struct group *group = group_of(grouping, &nodes[i]);
    group->self_ticks += nodes[i].self_ticks;
    group->sampled.unseen_ticks += prof_share_error_unseen(&grouping->error, &nodes[i]);
    prof_off_add(&group->self_off, &nodes[i].self_off);
    if (is_loop(grouping, &nodes[i]))
      continue;
    if (nodes[i].forker) {
      group->total_ticks += group->inside == 0 ? nodes[i].self_ticks : 0;
      if (group->inside == 0)
        prof_off_add(&group->off, &nodes[i].self_off);
      continue;
    }
    group->calls += nodes[i].calls;
    group->sum_ticks += prof_node_called_ticks(&nodes[i]);
    if (group->inside++ == 0) {
      group->total_ticks += nodes[i].total_ticks;
      prof_off_add(&group->off, &nodes[i].off);
      group->error_ticks = prof_error_add(group->error_ticks, &nodes[i]);
    }
  }
}

/* In a recording with a budget: of groups of threads by node, of others by function. */
static void add_bounds(struct grouping *grouping) {
  const struct prof_profile *profile = grouping->profile;
  bool threads = prof_group_is_of_threads(grouping->by);
  for (uint32_t i = 1; profile->estimated_nodes && threads && i < profile->node_count; i++)
    if (profile->nodes[i].parent != 0)
      prof_bounds_add(&group_of(grouping, &profile->nodes[i])->bounds, &profile->estimated_nodes[i],
                      profile->nodes[i].calls);
  for (size_t i = 0; profile->estimated_functions && !threads && i < profile->function_count; i++)
    prof_bounds_add(&grouping->groups[grouping->of[i]].bounds, &profile->estimated_functions[i],
                    profile->functions[i].calls);
}

static void show_bounds(const struct grouping *grouping, const struct group *group, struct prof_function_row *row) {
  const prof_trace *trace = grouping->profile->trace;
  struct prof_bounds bounds = group->bounds;
  if (prof_group_is_of_threads(grouping->by)) /* the sum of a thread's self times is exact */
    bounds = (struct prof_bounds){bounds.what & (PROF_ESTIMATED_CALLS | PROF_ESTIMATED_UNKNOWN), bounds.calls_below2,
                                  bounds.calls_above2};
  struct prof_bounds_shown shown = prof_bounds_show(&bounds, group->calls, group->self_ticks);
  row->estimated = bounds.what != 0;
  row->calls_estimated = shown.calls_estimated;
  row->total_estimated = shown.total_estimated;
  row->self_estimated = shown.self_estimated;
  row->has_calls_high = shown.has_calls_high;
  row->calls_low = shown.calls_low;
  row->calls_high = shown.calls_high;
  row->self_low_ns = prof_trace_ns(trace, shown.self_low_ticks);
  row->self_high_ns = prof_trace_ns(trace, shown.self_high_ticks);
}

static void count_samples(struct grouping *grouping) {
  for (size_t i = 0; grouping->samples && i < grouping->samples->count; i++)
    if (prof_sample_counts(grouping->profile, &grouping->samples->items[i]))
      prof_weighted_add(&grouping->sampled, 1, grouping->samples->items[i].weight_ticks);
}

static void add_samples(struct grouping *grouping) {
  for (size_t i = 0; grouping->samples && i < grouping->samples->count; i++) {
    const struct prof_sample *sample = &grouping->samples->items[i];
    if (!prof_sample_counts(grouping->profile, sample))
      continue;
    struct group *group = group_of(grouping, &grouping->profile->nodes[sample->node]);
    double disturbed = prof_share_error_disturbed(&grouping->error, sample->thread);
    prof_weighted_add(&group->sampled.met, 1, sample->weight_ticks);
    group->sampled.disturbed_ticks += sample->weight_ticks * disturbed;
  }
}

static prof_status add_durations(struct grouping *grouping) {
  const struct prof_profile *profile = grouping->profile;
  if (prof_group_is_of_threads(grouping->by))
    return PROF_OK;
  for (size_t i = 0; i < profile->function_count; i++) {
    struct group *group = &grouping->groups[grouping->of[i]];
    const struct prof_function_figures *figures = &profile->functions[i];
    if (!figures->durations)
      continue;
    prof_histogram_merge(&grouping->pool, &group->durations, profile->histograms, figures->durations);
    prof_histogram_merge(&grouping->pool, &group->self_durations, profile->histograms, figures->self_durations);
  }
  return grouping->pool.failed ? PROF_NO_MEMORY : PROF_OK;
}

static void name_threads(const struct grouping *grouping, const struct group *group, struct prof_function_row *row) {
  const prof_trace *trace = grouping->profile->trace;
  size_t process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  uint32_t process = grouping->by == PROF_BY_THREAD ? threads[group->first].process : group->first;
  row->index = group->first;
  row->name = prof_process_name(trace, process);
  row->processes = group->processes;
  row->threads = group->threads;
  if (grouping->by == PROF_BY_COMMAND) {
    row->program = prof_process_program(trace, process);
    row->name = grouping->process_groups.items[group - grouping->groups].name;
    return;
  }
  row->pid = process < process_count ? processes[process].pid : 0;
  row->command = row->name;
  if (grouping->by == PROF_BY_PROCESS) {
    row->name = prof_process_title(trace, process);
    row->program = prof_process_program(trace, process);
  } else {
    row->name = prof_thread_name(trace, group->first);
    row->tid = threads[group->first].tid;
  }
}

static void name_row(const struct grouping *grouping, const struct group *group, struct prof_function_row *row) {
  bool known = group->first + 1 < grouping->profile->function_count;
  row->module = row->file = row->command = row->program = row->kind = "";
  row->index = known ? group->first : PROF_NONE;
  switch (grouping->by) {
  case PROF_BY_FUNCTION:
  case PROF_BY_ZONE:
  case PROF_BY_ITERATION:
    row->kind = prof_names_kind(grouping->names, group->first) ?: "function";
    row->name = prof_names_function(grouping->names, group->first);
    row->module = prof_names_module(grouping->names, group->first);
    row->file = prof_names_file(grouping->names, group->first);
    row->line = prof_names_line(grouping->names, group->first);
    break;
  case PROF_BY_FILE:
    row->file = prof_names_file(grouping->names, group->first);
    row->name = row->file[0] ? row->file : "[unknown]";
    break;
  case PROF_BY_MODULE:
    row->module = prof_names_module(grouping->names, group->first);
    row->name = row->module[0] ? row->module : "[unknown]";
    break;
  case PROF_BY_THREAD:
  case PROF_BY_PROCESS:
  case PROF_BY_COMMAND:
    name_threads(grouping, group, row);
    break;
  }
}

/* p50, p95 and p99 of durations; zeros without durations. */
static void percentiles(const struct grouping *grouping, const struct prof_histogram *durations, uint64_t ns[3]) {
  static const double quantiles[] = {0.50, 0.95, 0.99};
  prof_histogram_quantiles(&grouping->pool, durations, quantiles, 3, ns);
  for (int i = 0; i < 3; i++)
    ns[i] = prof_trace_ns(grouping->profile->trace, ns[i]);
}

static struct prof_function_row make_row(const struct grouping *grouping, const struct group *group) {
  const prof_trace *trace = grouping->profile->trace;
  double all = (double)prof_node_total(&grouping->profile->nodes[0], grouping->time);
  double total = (double)prof_time_part(grouping->time, group->total_ticks, &group->off);
  double self = (double)prof_time_part(grouping->time, group->self_ticks, &group->self_off);
  struct prof_function_row row = {.calls = group->calls,
                                  .total = prof_time_split(trace, group->total_ticks, &group->off),
                                  .self = prof_time_split(trace, group->self_ticks, &group->self_off),
                                  .error_ns = prof_trace_ns(trace, group->error_ticks),
                                  .self_share = all > 0 ? self / all : 0,
                                  .total_share = all > 0 ? total / all : 0};
  row.self_ns = prof_time_ns_of(grouping->time, &row.self);
  row.probe_ns = prof_trace_ns(trace, group->probe_ticks);
  row.measured_ns = row.total.elapsed + row.probe_ns;
  struct prof_interval interval = prof_share_error_interval(&grouping->error, &group->sampled, &grouping->sampled);
  row.samples = group->sampled.met.count;
  row.sample_share = prof_weighted_share(&group->sampled.met, &grouping->sampled);
  row.sample_share_low = interval.low;
  row.sample_share_high = interval.high;
  name_row(grouping, group, &row);
  show_bounds(grouping, group, &row);
  row.has_durations = !prof_group_is_of_threads(grouping->by) && group->calls > 0;
  if (!row.has_durations)
    return row;
  const struct prof_histogram *durations = &group->durations;
  struct prof_call_times call =
      prof_call_times_of(prof_trace_ns(trace, prof_histogram_min(durations)), prof_trace_ns(trace, durations->max),
                         prof_trace_ns(trace, group->sum_ticks), group->calls);
  row.avg_ns = call.mean;
  row.timed_calls = prof_histogram_count(&grouping->pool, &group->durations);
  const struct prof_bounds_shown shown = {.calls_estimated = row.calls_estimated, .has_calls_high = row.has_calls_high};
  row.has_extremes = prof_bounds_know_extremes(&shown, group->calls, row.timed_calls);
  if (!row.has_extremes)
    return row;
  uint64_t ns[3], self_ns[3];
  percentiles(grouping, &group->durations, ns);
  percentiles(grouping, &group->self_durations, self_ns);
  row.has_self = !prof_histogram_is_empty(&group->self_durations);
  row.min_ns = call.min;
  row.max_ns = call.max;
  for (int i = 0; i < 3 && group->calls == 1; i++)
    ns[i] = row.avg_ns, self_ns[i] = row.self.elapsed;
  row.p50_ns = ns[0], row.p95_ns = ns[1], row.p99_ns = ns[2];
  row.self_p50_ns = self_ns[0], row.self_p95_ns = self_ns[1], row.self_p99_ns = self_ns[2];
  return row;
}

static uint64_t sort_value(const struct prof_function_row *row, enum prof_sort sort) {
  const uint64_t values[] = {[PROF_SORT_SELF] = row->self_ns,
                             [PROF_SORT_TOTAL] = row->total.elapsed,
                             [PROF_SORT_RUNNING] = row->self.running,
                             [PROF_SORT_WAITING] = row->self.waiting,
                             [PROF_SORT_ELAPSED] = row->self.elapsed,
                             [PROF_SORT_CALLS] = row->calls,
                             [PROF_SORT_MIN] = row->min_ns,
                             [PROF_SORT_AVG] = row->avg_ns,
                             [PROF_SORT_MAX] = row->max_ns,
                             [PROF_SORT_P50] = row->p50_ns,
                             [PROF_SORT_P95] = row->p95_ns,
                             [PROF_SORT_P99] = row->p99_ns,
                             [PROF_SORT_NAME] = 0};
  return values[sort];
}

static int by_value(const void *a, const void *b, void *sort) {
  const struct prof_function_row *left = a, *right = b;
  uint64_t left_value = sort_value(left, *(enum prof_sort *)sort),
           right_value = sort_value(right, *(enum prof_sort *)sort);
  int order = prof_order(right_value, left_value) ?: strcmp(left->name, right->name);
  return order ?: prof_order(left->index, right->index);
}

static bool is_wanted(const struct grouping *grouping, const struct group *group) {
  const char *kind = prof_names_kind(grouping->names, group->first), *wanted = grouping->by == PROF_BY_ZONE ? "zone"
                                                                               : grouping->by == PROF_BY_ITERATION
                                                                                   ? "iteration"
                                                                                   : NULL;
  return (group->calls || group->total_ticks) && (!wanted || (kind && strcmp(kind, wanted) == 0));
}

static prof_status rank(struct grouping *grouping, enum prof_sort sort, struct prof_function_rows *out) {
  prof_status status = make_groups(grouping);
  if (status == PROF_OK) {
    count_samples(grouping);
    status = prof_share_error_find(grouping->profile, grouping->samples, &grouping->sampled, &grouping->error);
  }
  if (status == PROF_OK) {
    add_samples(grouping);
    walk_nodes(grouping);
    add_cold(grouping);
    add_bounds(grouping);
    status = add_durations(grouping);
  }
  out->rows = status == PROF_OK ? malloc((grouping->count ? grouping->count : 1) * sizeof *out->rows) : NULL;
  if (!out->rows)
    return PROF_NO_MEMORY;
  for (size_t i = 0; i < grouping->count; i++)
    if (is_wanted(grouping, &grouping->groups[i]))
      out->rows[out->count++] = make_row(grouping, &grouping->groups[i]);
  qsort_r(out->rows, out->count, sizeof *out->rows, by_value, &sort);
  return PROF_OK;
}

prof_status prof_functions_rank(const struct prof_profile *profile, const struct prof_samples *samples,
                                struct prof_names *names, enum prof_group by, enum prof_time_kind time,
                                enum prof_sort sort, struct prof_diag *diag, struct prof_function_rows *out) {
  struct grouping grouping = {.profile = profile, .samples = samples, .names = names, .by = by, .time = time};
  memset(out, 0, sizeof *out);
  prof_status status = rank(&grouping, sort, out);
  free(grouping.groups);
  free(grouping.of);
  free(grouping.counted);
  prof_process_groups_free(&grouping.process_groups);
  prof_share_error_free(&grouping.error);
  prof_histogram_pool_free(&grouping.pool);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

void prof_functions_name_zones(const struct prof_function_rows *rows, struct prof_names *names) {
  for (size_t i = 0; i < rows->count; i++)
    if (prof_function_row_is_zone(&rows->rows[i]))
      rows->rows[i].name = prof_names_plain(names, rows->rows[i].index);
}

void prof_functions_free(struct prof_function_rows *rows) {
  free(rows->rows);
  memset(rows, 0, sizeof *rows);
}
