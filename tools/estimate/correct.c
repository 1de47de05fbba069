/*
 * tools/estimate/correct.c - see correct.h.
 */
#include "estimate/correct.h"

#include <math.h>
#include <stdlib.h>

#include "base/whole.h"

static bool calls_library(const prof_trace *trace, uint32_t process) {
  size_t load_count;
  const struct prof_module *modules = prof_trace_modules(trace, &(size_t){0});
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  for (size_t i = 0; i < load_count; i++)
    if (loads[i].process == process && modules[loads[i].module].called_count > 0)
      return true;
  return false;
}

#define RAMP 0.25             /* of a thread's time: the probes' share that leads from no samples to only samples */
#define LIGHT_SAMPLES_ALL 200 /* with so many in sparse-clock intervals, the middle is a third; without, a half */
#define CHANCE 1.96           /* standard errors: 95% */

/* Within 0 and 1. */
static double part(double value) {
  return fmin(fmax(value, 0), 1);
}

double prof_correction_sampled_part(const struct prof_correction *correction, uint64_t light_samples,
                                    uint64_t samples) {
  double enough = part((double)samples / PROF_CORRECT_SAMPLES_LEAST);
  if (correction->state != PROF_CORRECT_DONE)
    return correction->state == PROF_CORRECT_CALLS && enough >= 1 ? 1 : 0;
  double middle = 0.5 - part((double)light_samples / LIGHT_SAMPLES_ALL) / 6;
  return enough * part((correction->share - middle) / RAMP + 0.5);
}

/* How long it wrote events after it had recorded its CPU time. */
static uint64_t unrecorded_ns(const prof_trace *trace, const struct prof_thread_info *thread) {
  bool stale = thread->cpu_ticks && thread->end_ticks > thread->cpu_ticks;
  return stale ? prof_trace_ns(trace, thread->end_ticks - thread->cpu_ticks) : 0;
}

/* With several processes, or while they run, a thread is taken to have gone on as before. */
static double usual_share(const prof_trace *trace, const struct prof_thread_info *thread) {
  uint64_t ticks = thread->cpu_ticks > thread->start_ticks ? thread->cpu_ticks - thread->start_ticks : 0;
  double life_ns = (double)prof_trace_ns(trace, ticks);
  return life_ns > 0 ? part((double)thread->cpu_ns / life_ns) : 1;
}

/* The part of that for which threads can have run: no more than the process's CPU time that no thread recorded. */
static double unrecorded_share(const prof_trace *trace, const struct prof_thread_info *thread) {
  size_t thread_count, process_count;
  const struct prof_trace_info *info = prof_trace_info(trace);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  (void)prof_trace_processes(trace, &process_count);
  double left_ns = (double)(info->user_ns + info->system_ns), sum_ns = 0;
  if (process_count != 1 || left_ns == 0)
    return usual_share(trace, thread);
  for (size_t i = 0; i < thread_count; i++) {
    left_ns -= (double)threads[i].cpu_ns;
    sum_ns += (double)unrecorded_ns(trace, &threads[i]);
  }
  return left_ns <= 0 ? 0 : left_ns < sum_ns ? left_ns / sum_ns : 1;
}

uint64_t prof_thread_used_ns(const prof_trace *trace, const struct prof_thread_info *thread) {
  uint64_t since_ns = unrecorded_ns(trace, thread);
  return thread->cpu_ns + (since_ns ? prof_whole((double)since_ns * unrecorded_share(trace, thread)) : 0);
}

struct prof_correction prof_correction_of(const prof_trace *trace, uint32_t index) {
  size_t thread_count, process_count;
  const struct prof_thread_info *thread = &prof_trace_threads(trace, &thread_count)[index];
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  struct prof_correction out = {.events = thread->events - thread->untimed + thread->left_out,
                                .written = thread->events + thread->left_out,
                                .readings = thread->line_readings};
  if (thread->process < process_count) {
    out.cost_ticks = processes[thread->process].event_cost_among_ticks;
    out.most_ticks = processes[thread->process].event_cost_ticks;
  }
  if (thread->cpu_ticks)
    out.cpu_ticks = prof_trace_ticks(trace, prof_thread_used_ns(trace, thread));
  if (out.readings)
    out.reading = prof_line_reading_cost_of(trace, thread->process);
  bool is_known = out.cost_ticks > 0 && (!out.readings || out.reading.taken_ticks > 0);
  if (out.cpu_ticks)
    out.share = prof_correction_most(&out) / (double)out.cpu_ticks;
  out.state = !is_known                               ? PROF_CORRECT_NO_COST
              : calls_library(trace, thread->process) ? PROF_CORRECT_CALLS
              : !out.cpu_ticks                        ? PROF_CORRECT_NO_CPU
                                                      : PROF_CORRECT_DONE;
  return out;
}

struct prof_event_cost prof_correction_sampled_cost(const struct prof_correction *correction, uint64_t in_probes,
                                                    uint64_t samples) {
  if (correction->state != PROF_CORRECT_DONE || correction->readings || samples == 0 || correction->written == 0)
    return (struct prof_event_cost){0, 0};
  double one =
      (double)correction->cpu_ticks / (double)samples / (double)correction->written; /* a sample of each event */
  double sampled = one * (double)in_probes, sampled_off = one * sqrt((double)in_probes + 1);
  double calibrated = correction->cost_ticks, apart = fabs(sampled - calibrated) - CHANCE * sampled_off;
  double off = fmax(correction->most_ticks - calibrated, apart); /* few samples don't put it in doubt */
  double both = hypot(sampled_off, off), weight = sampled_off * sampled_off / (both * both);
  return (struct prof_event_cost){calibrated * weight + sampled * (1 - weight), sampled_off * off / both};
}

uint64_t prof_error_add(uint64_t sum, const struct prof_node *node) {
  return node->sampled ? (uint64_t)llround(hypot((double)sum, (double)node->error_ticks)) : sum + node->error_ticks;
}

struct node_cost {
  uint64_t events, readings; /* whose cost lies in the node's total time; readings of its own are rounded */
  uint64_t cost_ticks;       /* to be removed from its self time */
};

/* What one thread's nodes, [begin, end), get; [begin] is the thread's own. */
struct pass {
  struct prof_node *nodes;
  struct node_cost *costs;          /* by node; zeroed */
  double cost_ticks, reading_ticks; /* removed for one event, and for one reading of a line */
  double event_error_ticks, reading_error_ticks;
  uint32_t begin, end;
};

/* Counts the events of each node's self time and sets its uncertainty, from the innermost node out. */
static void spread_error(const struct pass *pass) {
  struct prof_node *nodes = pass->nodes;
  struct node_cost *costs = pass->costs;
  for (uint32_t i = pass->begin; i < pass->end; i++)
    nodes[i].own_events += nodes[i].calls;
  for (uint32_t i = pass->begin + 1; i < pass->end; i++)
    if (nodes[i].parent != pass->begin && !nodes[nodes[i].parent].forker)
      nodes[nodes[i].parent].own_events += nodes[i].calls;
  for (uint32_t i = pass->end - 1; i >= pass->begin; i--) {
    costs[i].events += nodes[i].own_events;
    costs[i].readings += (uint64_t)llround(nodes[i].own_readings);
    nodes[i].error_ticks = (uint64_t)llround((double)costs[i].events * pass->event_error_ticks +
                                             (double)costs[i].readings * pass->reading_error_ticks);
    if (i > pass->begin) {
      costs[nodes[i].parent].events += costs[i].events;
      costs[nodes[i].parent].readings += costs[i].readings;
    }
  }
}

/*
 * Takes the cost out of running time, from the innermost node out.  Where a node has less time than its probes cost,
 * the rest is taken from its caller: a short function's probes overlap with the work around it.
 */
static void take_out(const struct pass *pass) {
  struct prof_node *nodes = pass->nodes;
  struct node_cost *costs = pass->costs;
  for (uint32_t i = pass->begin; i < pass->end; i++) {
    costs[i].cost_ticks =
        (uint64_t)llround((double)nodes[i].own_events * pass->cost_ticks + nodes[i].own_readings * pass->reading_ticks);
    nodes[i].taken_ticks = nodes[i].total_ticks;
    nodes[i].total_ticks = 0; /* of the children, until the node itself is reached */
  }
  for (uint32_t i = pass->end - 1; i > pass->begin; i--) {
    struct prof_node *node = &nodes[i];
    uint64_t ran = prof_node_self(node, PROF_TIME_RUNNING), cost = costs[i].cost_ticks, taken = cost < ran ? cost : ran;
    node->self_ticks -= taken;
    node->total_ticks += node->self_ticks;
    nodes[node->parent].total_ticks += node->total_ticks;
    costs[node->parent].cost_ticks += cost - taken;
  }
  for (uint32_t i = pass->begin; i < pass->end; i++)
    nodes[i].taken_ticks -= nodes[i].total_ticks;
}

/* The true cost lies between 0 and the most: how far that is from what was taken. */
static double furthest(double taken_ticks, double most_ticks) {
  return fmax(most_ticks - taken_ticks, taken_ticks);
}

bool prof_correct_nodes(const prof_trace *trace, struct prof_node *nodes, uint32_t count,
                        const struct prof_fold_options *options, struct prof_correction_sums *sums) {
  struct node_cost *costs = calloc(count, sizeof *costs);
  if (!costs)
    return false;
  *sums = (struct prof_correction_sums){0};
  nodes[0].total_ticks = 0;
  for (uint32_t begin = nodes[0].first_child; begin != PROF_NONE; begin = nodes[begin].next_sibling) {
    struct prof_correction correction = prof_correction_of(trace, nodes[begin].thread);
    struct prof_event_cost sampled = {0, 0};
    double among = correction.cost_ticks;
    if (options->event_costs)
      sampled = options->event_costs[nodes[begin].thread];
    if (sampled.ticks > 0)
      correction.cost_ticks = sampled.ticks;
    if (sampled.ticks > correction.most_ticks)
      correction.most_ticks = sampled.ticks;
    bool takes = !options->raw && correction.state == PROF_CORRECT_DONE;
    struct pass pass = {.nodes = nodes, .costs = costs, .begin = begin, .end = count};
    if (nodes[begin].next_sibling != PROF_NONE)
      pass.end = nodes[begin].next_sibling;
    pass.cost_ticks = takes ? correction.cost_ticks : 0;
    pass.reading_ticks = takes ? correction.reading.taken_ticks : 0;
    pass.event_error_ticks = furthest(pass.cost_ticks, correction.most_ticks);
    if (takes && sampled.ticks > 0) /* samples see too little of the program, by what a probe hides */
      pass.event_error_ticks =
          fmin(pass.event_error_ticks,
               fmax(sampled.ticks - among, prof_correction_hides(&correction) / 2) + CHANCE * sampled.off_ticks);
    pass.reading_error_ticks = furthest(pass.reading_ticks, correction.reading.most_ticks);
    spread_error(&pass);
    if (takes)
      take_out(&pass);
    sums->threads++;
    sums->corrected += takes;
    nodes[0].total_ticks += nodes[begin].total_ticks;
  }
  free(costs);
  return true;
}
