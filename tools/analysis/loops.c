/*
 * tools/analysis/loops.c - see loops.h.
 */
#include "analysis/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/whole.h"
#include "names/loop_frames.h"
#include "row.h"

struct item { /* a loop of the trace, by index */
  struct prof_loop_row row;
  bool has_counts; /* it has LOOP_COUNTs */
  bool shown;      /* it ran, or it is inside a loop that ran, and may have run */
  uint32_t teller; /* the nearest enclosing loop with times, or itself; PROF_NONE: none */
  uint32_t around; /* the nearest enclosing loop that is shown; PROF_NONE: none */
  uint32_t place;  /* index of its row */
  uint64_t key;    /* sort key; of an outermost loop the greatest of its nest */
  uint32_t root;   /* the outermost shown loop of its nest */
};

struct study {
  const struct prof_profile *profile;
  struct prof_names *names;
  enum prof_time_kind time;
  const struct prof_loop *loops;
  size_t count;
  struct item *items;
  uint32_t *order; /* loops by depth: enclosing loops come first */
};

/* Finds loops with LOOP_COUNTs: a counter that was never met may still exist. */
static void find_counts(const struct study *study) {
  const prof_trace *trace = study->profile->trace;
  size_t load_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  const struct prof_module *modules = prof_trace_modules(trace, NULL);
  for (size_t i = 0; i < load_count; i++) {
    bool again = false; /* the same module was loaded before */
    for (size_t j = 0; j < i && !again; j++)
      again = loads[j].module == loads[i].module;
    for (uint32_t site = 0; site < loads[i].site_count && !again && modules[loads[i].module].loop_count; site++) {
      struct prof_site_info info = prof_trace_site(trace, loads[i].first_site + site);
      if (info.loop != PROF_NONE && (info.kind & PROF_SITE_KIND_MASK) == PROF_SITE_LOOP_COUNT)
        study->items[info.loop].has_counts = true;
    }
  }
}

static void take_times(const struct study *study, struct prof_loop_row *row, uint64_t *sum_ticks) {
  const prof_trace *trace = study->profile->trace;
  const struct prof_function_figures *figures = &study->profile->loops[row->loop];
  double all = (double)prof_node_total(&study->profile->nodes[0], study->time);
  uint64_t total_ticks = prof_time_part(study->time, figures->total_ticks, &figures->off);
  uint64_t self_ticks = prof_time_part(study->time, figures->self_ticks, &figures->self_off);
  row->has_entries = row->has_times = row->has_self = true;
  row->entries = figures->calls;
  row->total = prof_time_split(trace, figures->total_ticks, &figures->off);
  row->self = prof_time_split(trace, figures->self_ticks, &figures->self_off);
  row->total_ns = prof_time_ns_of(study->time, &row->total);
  row->self_ns = prof_time_ns_of(study->time, &row->self);
  row->self_low_ns = row->self_high_ns = row->self.running;
  row->error_ns = prof_trace_ns(trace, figures->error_ticks);
  row->has_extremes = figures->calls == 0 || prof_figures_have_extremes(figures);
  row->min_ns = prof_trace_ns(trace, figures->min_ticks);
  row->max_ns = prof_trace_ns(trace, figures->max_ticks);
  row->self_share = all > 0 ? (double)self_ticks / all : 0;
  row->total_share = all > 0 ? (double)total_ticks / all : 0;
  *sum_ticks = figures->sum_ticks;
}

/* Iterations of an instrumented loop: reported per entry, or the same each time. */
static void take_told(const struct study *study, struct prof_loop_row *row) {
  const struct prof_loop_values *values = &study->profile->loop_values[row->loop];
  uint64_t told = values->known_entries + values->empty_entries, sum_ticks, known = values->known_entries;
  take_times(study, row, &sum_ticks);
  if (told == 0 && row->flags & PROF_LOOP_CONSTANT) {
    uint64_t each = study->loops[row->loop].iterations;
    row->has_iterations = row->has_range = row->entries > 0;
    row->iterations = row->entries * each;
    row->min_iterations = row->max_iterations = each;
    known = row->entries;
  } else {
    row->has_iterations = told > 0;
    row->has_range = known > 0;
    row->iterations = values->iterations;
    row->empty_entries = values->empty_entries < row->entries ? values->empty_entries : row->entries;
    row->unknown_entries = row->entries > told ? row->entries - told : 0;
    row->min_iterations = values->min_iterations;
    row->max_iterations = values->max_iterations;
  }
  if (!known)
    return;
  row->has_mean = true;
  row->avg_iterations = (double)row->iterations / (double)known;
  uint64_t not_empty = row->entries - row->empty_entries;
  /* Entries without a report may be the long ones: a main loop that longjmp or exit leaves. */
  row->has_each = row->iterations > 0 && not_empty > 0 && row->unknown_entries == 0;
  if (row->has_each)
    row->each_ns = (double)prof_trace_ns(study->profile->trace, sum_ticks) / (double)not_empty / row->avg_iterations;
}

/* Own running time that samples tell: of a loop in bursts all that is known, and of one around it what is left. */
static void take_samples(const struct study *study, const struct prof_estimated_loop *of, struct prof_loop_row *row) {
  const prof_trace *trace = study->profile->trace;
  double all_ns = (double)prof_trace_ns(trace, prof_node_total(&study->profile->nodes[0], study->time));
  row->has_self = of->timed && (row->has_times || study->time == PROF_TIME_RUNNING);
  row->self_is_estimated = of->timed;
  if (!of->timed)
    return;
  row->self.running = prof_trace_ns(trace, of->self_ticks);
  row->self.elapsed = row->self.running + (row->has_times ? row->self.waiting + row->self.preempted : 0);
  row->self_low_ns = prof_trace_ns(trace, of->self_ticks - of->self_below_ticks);
  row->self_high_ns = prof_trace_ns(trace, of->self_ticks + of->self_above_ticks);
  row->self_ns = prof_time_ns_of(study->time, &row->self);
  row->self_share = all_ns > 0 ? (double)row->self_ns / all_ns : 0;
}

/* Entries that windows tell.  The loop's other times are its function's. */
static void take_bursts(const struct study *study, struct prof_loop_row *row) {
  const struct prof_estimated_loop *of =
      study->profile->estimated_loops ? &study->profile->estimated_loops[row->loop] : NULL;
  row->entries_low = row->entries_high = row->entries;
  if (of && of->in_bursts)
    row->has_times = row->has_range = row->has_each = row->has_extremes = row->has_self = false;
  if (of && (of->in_bursts || of->timed))
    take_samples(study, of, row);
  if (!of || !of->in_bursts)
    return;
  row->estimated = true;
  row->has_entries = row->has_iterations = !of->unknown;
  row->entries += of->entries;
  row->iterations += of->iterations;
  row->entries_low = prof_whole((double)row->entries - sqrt(of->entries_below2) + 0.5);
  row->entries_high = prof_whole((double)row->entries + sqrt(of->entries_above2) + 0.5);
  row->has_mean = row->has_entries && row->entries > 0;
  row->avg_iterations = row->has_mean ? (double)row->iterations / (double)row->entries : 0;
}

/* Iterations of a loop without events: counted, or derived from its parent. */
static void take_counted(const struct study *study, struct prof_loop_row *row) {
  const struct prof_loop *loop = &study->loops[row->loop];
  const struct prof_loop_values *values = &study->profile->loop_values[row->loop];
  if (study->items[row->loop].has_counts) {
    row->has_entries = row->has_iterations = true;
    row->entries = values->counted_entries;
    row->iterations = values->counted_iterations;
  } else if (loop->flags & PROF_LOOP_COUNTED && loop->flags & PROF_LOOP_CONSTANT && loop->parent != PROF_NONE) {
    const struct prof_loop_row *parent = &study->items[loop->parent].row;
    row->has_entries = row->has_iterations = parent->has_iterations;
    row->entries = parent->iterations;
    row->iterations = parent->iterations * loop->iterations;
    row->has_range = row->entries > 0;
    row->min_iterations = row->max_iterations = loop->iterations;
  }
  row->has_mean = row->has_entries && row->entries > 0;
  if (row->has_mean)
    row->avg_iterations = (double)row->iterations / (double)row->entries;
}

static uint64_t key_of(const struct prof_loop_row *row, enum prof_loop_sort sort) {
  const uint64_t keys[] = {[PROF_LOOP_SORT_SELF] = row->self_ns,
                           [PROF_LOOP_SORT_TOTAL] = row->total.elapsed,
                           [PROF_LOOP_SORT_RUNNING] = row->self.running,
                           [PROF_LOOP_SORT_WAITING] = row->self.waiting,
                           [PROF_LOOP_SORT_ELAPSED] = row->self.elapsed,
                           [PROF_LOOP_SORT_ENTRIES] = row->entries,
                           [PROF_LOOP_SORT_ITERATIONS] = row->iterations,
                           [PROF_LOOP_SORT_EACH] = prof_whole(row->each_ns * 1000),
                           [PROF_LOOP_SORT_LINE] = 0};
  return keys[sort];
}

static bool ran(const struct prof_loop_row *row) {
  return row->entries > 0 || (row->estimated && row->self_ns > 0);
}

/* Sets the item's fields; those of enclosing loops are set already. */
static void place_item(const struct study *study, uint32_t index, enum prof_loop_sort sort) {
  struct item *item = &study->items[index];
  uint32_t parent = study->loops[index].parent;
  const struct item *around = parent == PROF_NONE ? NULL : &study->items[parent];
  item->teller = item->row.has_times || item->row.estimated ? index : around ? around->teller : PROF_NONE;
  item->shown = item->teller != PROF_NONE && ran(&study->items[item->teller].row);
  item->around = around ? around->shown ? parent : around->around : PROF_NONE;
  item->root = item->around == PROF_NONE ? index : study->items[item->around].root;
  item->key = key_of(&item->row, sort);
  if (item->shown && item->key > study->items[item->root].key)
    study->items[item->root].key = item->key;
}

static void make_row(const struct study *study, uint32_t index) {
  const struct prof_loop *loop = &study->loops[index];
  struct prof_loop_row *row = &study->items[index].row;
  *row = (struct prof_loop_row){.loop = index,
                                .parent = PROF_NONE,
                                .function = prof_names_function(study->names, loop->function),
                                .inlined = loop->name[0] ? prof_names_loop_function(study->names, index) : "",
                                .file = prof_names_file(study->names, prof_frame_of_loop(study->profile->trace, index)),
                                .line = loop->line,
                                .last_line = loop->last_line,
                                .depth = loop->depth,
                                .flags = loop->flags};
  if (study->profile->loops[index].calls || loop->flags & PROF_LOOP_PROBED)
    take_told(study, row);
  else
    take_counted(study, row);
  take_bursts(study, row);
}

static int by_depth(const void *a, const void *b, void *context) {
  const struct study *study = context;
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  uint32_t left_depth = study->loops[left].depth, right_depth = study->loops[right].depth;
  return prof_order(left_depth, right_depth) ?: prof_order(left, right);
}

static int by_place(const struct prof_loop_row *left, const struct prof_loop_row *right) {
  int order = strcmp(left->file, right->file);
  order = order ?: prof_order(left->line, right->line) ?: strcmp(left->function, right->function);
  return order ?: prof_order(left->loop, right->loop);
}

/* Outermost loops first, by key; then the loops of each enclosing loop together, by index of its row. */
static int by_around(const void *a, const void *b, void *context) {
  const struct study *study = context;
  const struct item *left = &study->items[*(const uint32_t *)a], *right = &study->items[*(const uint32_t *)b];
  if (left->around != right->around) /* PROF_NONE + 1 is 0 */
    return left->around + 1 < right->around + 1 ? -1 : 1;
  if (left->around == PROF_NONE && left->key != right->key)
    return left->key > right->key ? -1 : 1;
  return by_place(&left->row, &right->row);
}

/* The first loop of `around` among the shown ones in the order above. */
static size_t first_in(const struct study *study, size_t shown, uint32_t around) {
  return prof_search(0, shown, middle, study->items[study->order[middle]].around + 1 < around + 1);
}

/* Depth first: `next` goes along the loops of `around`, then up. */
static void lay_out(const struct study *study, size_t shown, uint32_t *places, struct prof_loop_rows *out) {
  uint32_t around = PROF_NONE;
  for (size_t next = 0;;) {
    bool more = next < shown && study->items[study->order[next]].around == around;
    if (!more && around == PROF_NONE)
      return;
    if (!more) {
      next = places[around] + (size_t)1;
      around = study->items[around].around;
      continue;
    }
    uint32_t loop = study->order[next];
    struct item *item = &study->items[loop];
    item->place = (uint32_t)out->count;
    if (around != PROF_NONE) {
      item->row.parent = study->items[around].place;
      item->row.level = out->rows[item->row.parent].level + 1;
    }
    out->rows[out->count++] = item->row;
    places[loop] = (uint32_t)next;
    around = loop;
    next = first_in(study, shown, loop);
  }
}

static prof_status rank(struct study *study, enum prof_loop_sort sort, uint32_t *places, struct prof_loop_rows *out) {
  find_counts(study);
  for (uint32_t i = 0; i < study->count; i++)
    study->order[i] = i;
  qsort_r(study->order, study->count, sizeof *study->order, by_depth, study);
  for (size_t i = 0; i < study->count; i++) {
    make_row(study, study->order[i]);
    place_item(study, study->order[i], sort);
  }
  out->rows = malloc((study->count + 1) * sizeof *out->rows);
  if (!out->rows)
    return PROF_NO_MEMORY;
  size_t shown = 0;
  for (uint32_t i = 0; i < study->count; i++) {
    if (study->items[i].shown)
      study->order[shown++] = i;
    else
      out->never_entered += study->items[i].row.has_times;
  }
  qsort_r(study->order, shown, sizeof *study->order, by_around, study);
  lay_out(study, shown, places, out);
  return PROF_OK;
}

prof_status prof_loops_rank(const struct prof_profile *profile, struct prof_names *names, enum prof_time_kind time,
                            enum prof_loop_sort sort, struct prof_diag *diag, struct prof_loop_rows *out) {
  struct study study = {.profile = profile, .names = names, .time = time};
  *out = (struct prof_loop_rows){0};
  if (!profile->loops)
    return PROF_OK;
  study.loops = prof_trace_loops(profile->trace, &study.count);
  study.items = calloc(study.count + 1, sizeof *study.items);
  study.order = malloc((study.count + 1) * sizeof *study.order);
  uint32_t *places = malloc((study.count + 1) * sizeof *places);
  prof_status status = study.items && study.order && places ? rank(&study, sort, places, out) : PROF_NO_MEMORY;
  free(study.items);
  free(study.order);
  free(places);
  return status == PROF_OK ? status : prof_diag_memory(diag);
}

void prof_loops_free(struct prof_loop_rows *rows) {
  free(rows->rows);
  *rows = (struct prof_loop_rows){0};
}

const struct prof_loop_row *prof_loops_hottest(const struct prof_loop_rows *rows) {
  const struct prof_loop_row *hottest = NULL;
  double unknown = 1;
  bool in_bursts = false; /* without a time */
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_loop_row *row = &rows->rows[i];
    in_bursts |= row->estimated && !row->has_self;
    if (!row->has_self || (row->estimated && row->self_ns == 0))
      continue;
    unknown -= row->self_share;
    if (!hottest || row->self_ns > hottest->self_ns)
      hottest = row;
  }
  return hottest && in_bursts && hottest->self_share < unknown ? NULL : hottest;
}

/* The end of a path from a compiler's command line that the full path must share: "../src/app.c" gives "src/app.c". */
static const char *sure_end(const char *path) {
  const char *end = path;
  for (const char *at = path; (at = strstr(at, "../")) != NULL; at += 3)
    if (at == path || at[-1] == '/')
      end = at + 3;
  while (strncmp(end, "./", 2) == 0)
    end += 2;
  return end;
}

bool prof_loop_may_be_in(const struct prof_loop_row *row, const char *file) {
  const char *end = sure_end(row->file);
  size_t length = strlen(file), bytes = strlen(end);
  return bytes > 0 && bytes <= length && strcmp(file + length - bytes, end) == 0 &&
         (bytes == length || file[length - bytes - 1] == '/');
}
