/*
 * tools/estimate/line_readings.c - see line_readings.h.
 */
#include "estimate/line_readings.h"

#include <stdlib.h>
#include <string.h>

#include "names/loop_frames.h"
#include "times.h"

/* The head of a block of slots; false: it is of something else, or damaged. */
static bool read_head(const struct prof_count_block *block, struct prof_times_object *head) {
  const size_t each = sizeof(struct prof_times_slot) + sizeof(struct prof_times_place);
  if (block->bytes < sizeof *head)
    return false;
  memcpy(head, block->objects, sizeof *head);
  return head->magic == PROF_TIMES_MAGIC && head->slot_count <= (block->bytes - sizeof *head) / each;
}

struct prof_line_reading_cost prof_line_reading_cost_of(const prof_trace *trace, uint32_t process) {
  size_t count;
  const struct prof_count_block *blocks = prof_trace_counts(trace, &count);
  struct prof_line_reading_cost found = {0};
  for (size_t i = 0; i < count; i++) {
    struct prof_times_object head;
    if (!read_head(&blocks[i], &head) || head.cost_ticks_x1000 == 0)
      continue;
    if (found.most_ticks <= 0 || blocks[i].process == process)
      found = (struct prof_line_reading_cost){.taken_ticks = head.among_cost_ticks_x1000 / 1000.0,
                                              .most_ticks = head.cost_ticks_x1000 / 1000.0};
    if (blocks[i].process == process)
      break;
  }
  return found;
}

bool prof_line_readings_are(const prof_trace *trace) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (threads[i].line_readings > 0)
      return true;
  return false;
}

/* The function in whose code a node's self time is spent: its index, or the number of functions where unknown. */
static uint32_t function_of(const prof_trace *trace, uint32_t frame) {
  size_t functions;
  uint32_t loop = prof_frame_loop(trace, frame);
  prof_trace_functions(trace, &functions);
  if (loop != PROF_NONE)
    frame = prof_trace_loops(trace, &(size_t){0})[loop].function;
  return frame < functions ? frame : (uint32_t)functions;
}

/* Readings by function, from the slots. */
static void add_slots(const prof_trace *trace, double *of_function) {
  size_t count;
  const struct prof_count_block *blocks = prof_trace_counts(trace, &count);
  for (size_t i = 0; i < count; i++) {
    struct prof_times_object head;
    if (!read_head(&blocks[i], &head))
      continue;
    const uint8_t *slot_at = blocks[i].objects + sizeof head;
    const uint8_t *place_at = slot_at + head.slot_count * sizeof(struct prof_times_slot);
    for (uint32_t j = 0; j < head.slot_count; j++) {
      struct prof_times_slot slot;
      struct prof_times_place place;
      memcpy(&slot, slot_at + j * sizeof slot, sizeof slot);
      memcpy(&place, place_at + j * sizeof place, sizeof place);
      if (slot.visits > 0)
        of_function[function_of(trace, prof_trace_site(trace, place.site).function)] += (double)slot.visits;
    }
  }
}

static double part_of(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/* sums: self time by function. */
static void find(const prof_trace *trace, const struct prof_node *nodes, uint32_t count, double *sums,
                 struct prof_line_readings *out) {
  size_t functions, thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  prof_trace_functions(trace, &functions);
  add_slots(trace, out->of_function);
  for (uint32_t i = 1; i < count; i++)
    if (nodes[i].parent != 0)
      sums[function_of(trace, nodes[i].function)] += (double)nodes[i].self_ticks;
  for (size_t i = 0; i <= functions; i++)
    out->of_function[i] = part_of(out->of_function[i], sums[i]);
  for (uint32_t i = 1; i < count; i++)
    if (nodes[i].parent == 0)
      out->of_thread[nodes[i].thread] =
          part_of((double)threads[nodes[i].thread].line_readings, (double)nodes[i].total_ticks);
    else
      out->scale[nodes[i].thread] +=
          out->of_function[function_of(trace, nodes[i].function)] * (double)nodes[i].self_ticks;
  for (size_t i = 0; i < thread_count; i++)
    out->scale[i] = part_of((double)threads[i].line_readings, out->scale[i]);
}

prof_status prof_line_readings_find(const prof_trace *trace, const struct prof_node *nodes, uint32_t count,
                                    struct prof_line_readings *out) {
  size_t functions, threads;
  prof_trace_functions(trace, &functions);
  prof_trace_threads(trace, &threads);
  double *sums = calloc(functions + 1, sizeof *sums);
  *out = (struct prof_line_readings){.of_function = calloc(functions + 1, sizeof *out->of_function),
                                     .scale = calloc(threads + 1, sizeof *out->scale),
                                     .of_thread = calloc(threads + 1, sizeof *out->of_thread)};
  bool made = sums && out->of_function && out->scale && out->of_thread;
  if (made)
    find(trace, nodes, count, sums, out);
  else
    prof_line_readings_free(out);
  free(sums);
  return made ? PROF_OK : PROF_NO_MEMORY;
}

void prof_line_readings_free(struct prof_line_readings *readings) {
  free(readings->of_function);
  free(readings->scale);
  free(readings->of_thread);
  *readings = (struct prof_line_readings){0};
}

void prof_line_readings_give(const struct prof_line_readings *readings, const prof_trace *trace,
                             struct prof_node *nodes, uint32_t count, bool even) {
  for (uint32_t i = 1; i < count; i++) {
    struct prof_node *node = &nodes[i];
    if (node->parent == 0)
      continue;
    double each = even ? readings->of_thread[node->thread]
                       : readings->of_function[function_of(trace, node->function)] * readings->scale[node->thread];
    node->own_readings = (double)node->self_ticks * each;
  }
}
