/*
 * tools/analysis/counters.c - see counters.h.
 */
#include "analysis/counters.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/line_parts.h"
#include "base/diag.h"
#include "base/order.h"
#include "estimate/profile_build.h"
#include "names/loop_frames.h"

/* ---- ratios ---- */

static const struct prof_counter_ratio ratios[] = {
    {"instructions_per_cycle", "IPC", "instructions", "cycles", 1, false},
    {"cache_miss_share", "CACHE MISS", "cache-misses", "cache-references", 1, true},
    {"branch_miss_share", "BRANCH MISS", "branch-misses", "branches", 1, true},
    {"l1_miss_share", "L1 MISS", "L1-dcache-load-misses", "L1-dcache-loads", 1, true},
    {"llc_miss_share", "LLC MISS", "LLC-load-misses", "LLC-loads", 1, true},
    {"dtlb_miss_share", "DTLB MISS", "dTLB-load-misses", "dTLB-loads", 1, true},
    {"cache_misses_per_1000", "CACHE/1000", "cache-misses", "instructions", 1000, false},
    {"branch_misses_per_1000", "BRANCH/1000", "branch-misses", "instructions", 1000, false},
};

const struct prof_counter_ratio *prof_counter_ratio(uint32_t index) {
  return index < sizeof ratios / sizeof *ratios ? &ratios[index] : NULL;
}

/* Names of the same counter. */
static const char *usual(const char *name) {
  static const char *const same[][2] = {{"cpu-cycles", "cycles"}, {"branch-instructions", "branches"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (strncmp(name, same[i][0], strlen(same[i][0])) == 0)
      return same[i][1];
  return name;
}

uint32_t prof_counter_find(const struct prof_pmu *counters, uint32_t count, const char *name) {
  size_t length = strlen(name);
  for (uint32_t i = 0; i < count; i++) {
    const char *given = usual(counters[i].name);
    if (!(counters[i].flags & PROF_PMU_REFUSED) && strncmp(given, name, length) == 0 &&
        (given[length] == 0 || given[length] == ':'))
      return i;
  }
  return UINT32_MAX;
}

/* ---- sums ---- */

struct ranking {
  const prof_trace *trace;
  const struct prof_profile *profile;
  const struct prof_counted *counted;
  struct prof_names *names;
  const struct prof_line_source *source;
  enum prof_counters_by by;
  uint32_t counters;
  size_t keys; /* functions with the unknown one, loops, modules, or lines so far */
  PROF_VEC(double) self;
  double *total; /* by key and counter; NULL: rows have none */
  struct prof_line_parts lines;
  struct prof_counter_rows *out;
};

static bool in_frame(const struct prof_profile *profile, const struct prof_counted_sample *sample) {
  return sample->node != PROF_NONE && sample->node != 0 && profile->nodes[sample->node].parent != 0;
}

/* false: no memory. */
static bool add_self(struct ranking *ranking, uint32_t key, const struct prof_counted_sample *sample) {
  size_t at = (size_t)key * ranking->counters + sample->counter;
  if (at >= ranking->self.count) {
    size_t more = ((size_t)key + 1) * ranking->counters - ranking->self.count;
    if (!prof_vec_reserve(&ranking->self, more))
      return false;
    memset(ranking->self.items + ranking->self.count, 0, more * sizeof *ranking->self.items);
    ranking->self.count += more;
    ranking->keys = ranking->keys > key ? ranking->keys : (size_t)key + 1;
  }
  ranking->self.items[at] += sample->weight;
  return true;
}

/* The line that a sample is of, by its own place: in a library its function, and of the kernel where it was entered. */
static uint32_t line_of(struct ranking *ranking, const struct prof_counted_sample *sample) {
  const struct prof_line_frame *frames = NULL;
  uint32_t count = 0;
  if (sample->module == PROF_NONE)
    return prof_line_part_of(&ranking->lines, "", 0, sample->where == PROF_WHERE_KERNEL ? "[kernel]" : "[unknown]");
  prof_status status =
      ranking->source->find(ranking->source->context, sample->module, sample->address, &frames, &count);
  if (status == PROF_NO_MEMORY)
    return UINT32_MAX;
  const char *path = prof_trace_modules(ranking->trace, NULL)[sample->module].path;
  if (status == PROF_OK && count > 0 && frames[0].file && frames[0].line > 0)
    return prof_line_part_of(&ranking->lines, frames[0].file, frames[0].line,
                             frames[count - 1].function ? frames[count - 1].function : "");
  return prof_line_part_of(&ranking->lines, prof_names_path(ranking->names, path), 0,
                           status == PROF_OK && count > 0 && frames[count - 1].function ? frames[count - 1].function
                                                                                        : "[unknown]");
}

/* PROF_NONE: in no row; UINT32_MAX - 1: no memory. */
#define FAILED (UINT32_MAX - 1)
static uint32_t key_of(struct ranking *ranking, const struct prof_counted_sample *sample) {
  uint32_t part;
  size_t modules;
  switch (ranking->by) {
  case PROF_COUNTERS_BY_LOOP:
    return in_frame(ranking->profile, sample)
               ? prof_frame_loop(ranking->trace, ranking->profile->nodes[sample->node].function)
               : PROF_NONE;
  case PROF_COUNTERS_BY_LINE:
    if (!in_frame(ranking->profile, sample))
      return PROF_NONE;
    part = line_of(ranking, sample);
    return part == UINT32_MAX ? FAILED : ranking->lines.parts.items[part].line;
  case PROF_COUNTERS_BY_MODULE:
    if (!in_frame(ranking->profile, sample))
      return PROF_NONE;
    prof_trace_modules(ranking->trace, &modules);
    return sample->module != PROF_NONE ? sample->module : (uint32_t)modules; /* the last: no module */
  default:
    if (!in_frame(ranking->profile, sample))
      return PROF_NONE;
    return sample->function == PROF_NONE ? (uint32_t)ranking->profile->function_count - 1 : sample->function;
  }
}

/* Adds the sample to each function, or loop, that is open around it, once. */
static void add_total(struct ranking *ranking, const struct prof_counted_sample *sample, uint32_t key) {
  const struct prof_node *nodes = ranking->profile->nodes;
  bool loops = ranking->by == PROF_COUNTERS_BY_LOOP;
  ranking->total[(size_t)key * ranking->counters + sample->counter] += sample->weight;
  for (uint32_t node = sample->node; node != 0 && nodes[node].parent != 0; node = nodes[node].parent) {
    uint32_t loop = prof_frame_loop(ranking->trace, nodes[node].function);
    if ((loop != PROF_NONE) != loops)
      continue;
    uint32_t here = loops                               ? loop
                    : nodes[node].function == PROF_NONE ? (uint32_t)ranking->profile->function_count - 1
                                                        : nodes[node].function;
    bool again = here == key;
    for (uint32_t inner = sample->node; inner != node && !again; inner = nodes[inner].parent)
      again = nodes[inner].function == nodes[node].function;
    if (!again)
      ranking->total[(size_t)here * ranking->counters + sample->counter] += sample->weight;
  }
}

static prof_status sum_up(struct ranking *ranking, struct prof_diag *diag) {
  size_t loop_count;
  prof_trace_loops(ranking->trace, &loop_count);
  bool loops = ranking->by == PROF_COUNTERS_BY_LOOP, functions = ranking->by == PROF_COUNTERS_BY_FUNCTION;
  size_t keys = loops ? loop_count : functions ? ranking->profile->function_count : 0;
  if (loops || functions) {
    ranking->total = calloc(keys * ranking->counters + 1, sizeof *ranking->total);
    if (!ranking->total)
      return prof_diag_memory(diag);
  }
  for (size_t i = 0; i < ranking->counted->count; i++) {
    const struct prof_counted_sample *sample = &ranking->counted->items[i];
    struct prof_counter_sum *sum = &ranking->out->sums[sample->counter];
    uint32_t key = key_of(ranking, sample);
    if (key == FAILED || (key != PROF_NONE && !add_self(ranking, key, sample)))
      return prof_diag_memory(diag);
    *(key == PROF_NONE ? &sum->other : &sum->shown) += sample->weight;
    if (key != PROF_NONE && ranking->total)
      add_total(ranking, sample, key);
  }
  if (ranking->total) /* outer ones have no samples of their own, perhaps */
    for (struct prof_counted_sample last = {.counter = 0}; ranking->keys < keys;)
      if (!add_self(ranking, (uint32_t)keys - 1, &last))
        return prof_diag_memory(diag);
  return PROF_OK;
}

/* ---- rows ---- */

static void name_row(const struct ranking *ranking, uint32_t key, struct prof_counter_row *row) {
  switch (ranking->by) {
  case PROF_COUNTERS_BY_LINE: {
    const struct prof_line *line = &ranking->lines.lines.items[key];
    *row = (struct prof_counter_row){.name = ranking->lines.parts.items[line->first_part].function,
                                     .file = line->file,
                                     .line = line->line,
                                     .index = PROF_NONE};
    break;
  }
  case PROF_COUNTERS_BY_MODULE: {
    size_t count;
    const struct prof_module *modules = prof_trace_modules(ranking->trace, &count);
    *row = (struct prof_counter_row){.name =
                                         key < count ? prof_names_path(ranking->names, modules[key].path) : "[unknown]",
                                     .file = "",
                                     .index = PROF_NONE};
    break;
  }
  default: {
    bool loops = ranking->by == PROF_COUNTERS_BY_LOOP;
    uint32_t frame = loops ? prof_frame_of_loop(ranking->trace, key) : key;
    *row = (struct prof_counter_row){.name = loops ? prof_names_loop_function(ranking->names, key)
                                                   : prof_names_function(ranking->names, frame),
                                     .file = prof_names_file(ranking->names, frame),
                                     .line = prof_names_line(ranking->names, frame),
                                     .index = key};
  }
  }
}

static int compare(const void *left, const void *right, void *context) {
  const struct prof_counter_row *a = left, *b = right;
  uint32_t by = *(const uint32_t *)context;
  int order = prof_order(b->self[by], a->self[by]);
  if (order == 0 && a->total)
    order = prof_order(b->total[by], a->total[by]);
  return order ?: strcmp(a->name, b->name) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
}

static bool has_figures(const struct ranking *ranking, size_t key) {
  bool any = false;
  for (uint32_t i = 0; i < ranking->counters && !any; i++)
    any = ranking->self.items[key * ranking->counters + i] > 0 ||
          (ranking->total && ranking->total[key * ranking->counters + i] > 0);
  return any;
}

static prof_status make_rows(struct ranking *ranking, uint32_t by_counter, struct prof_diag *diag) {
  struct prof_counter_rows *out = ranking->out;
  size_t all = ranking->keys * ranking->counters;
  out->rows = calloc(ranking->keys + 1, sizeof *out->rows);
  out->figures = malloc((2 * all + 1) * sizeof *out->figures);
  if (!out->rows || !out->figures)
    return prof_diag_memory(diag);
  if (all > 0)
    memcpy(out->figures, ranking->self.items, all * sizeof *out->figures);
  if (ranking->total && all > 0)
    memcpy(out->figures + all, ranking->total, all * sizeof *out->figures);
  for (size_t key = 0; key < ranking->keys; key++) {
    if (!has_figures(ranking, key))
      continue;
    struct prof_counter_row *row = &out->rows[out->count++];
    name_row(ranking, (uint32_t)key, row);
    row->self = out->figures + key * ranking->counters;
    row->total = ranking->total ? out->figures + all + key * ranking->counters : NULL;
  }
  qsort_r(out->rows, out->count, sizeof *out->rows, compare, &by_counter);
  return PROF_OK;
}

prof_status prof_counters_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                               const struct prof_line_source *source, enum prof_counters_by by, uint32_t by_counter,
                               struct prof_diag *diag, struct prof_counter_rows *out) {
  struct prof_profile *profile;
  struct prof_counted counted;
  *out = (struct prof_counter_rows){0};
  prof_status status = prof_counted_fold(trace, filter, diag, &profile, &counted);
  struct ranking ranking = {.trace = trace,
                            .profile = profile,
                            .counted = &counted,
                            .names = names,
                            .source = source,
                            .by = by,
                            .counters = counted.counter_count,
                            .out = out};
  out->counters = counted.counters;
  out->counter_count = counted.counter_count;
  out->sums = calloc(counted.counter_count + 1, sizeof *out->sums);
  if (status == PROF_OK && !out->sums)
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    status = sum_up(&ranking, diag);
  if (status == PROF_OK)
    status = make_rows(&ranking, by_counter, diag);
  for (uint32_t i = 0; out->sums && i < counted.counter_count; i++)
    out->sums[i].own = counted.own ? counted.own[i] : 0;
  prof_vec_fini(&ranking.self);
  free(ranking.total);
  prof_line_parts_fini(&ranking.lines);
  prof_counted_free(&counted);
  prof_profile_free(profile);
  return status;
}

void prof_counters_free(struct prof_counter_rows *rows) {
  free(rows->rows);
  free(rows->sums);
  free(rows->figures);
  *rows = (struct prof_counter_rows){0};
}
