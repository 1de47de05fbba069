/*
 * tools/trace/part/merge_inputs.c - see merge_inputs.h.
 *
 * Times are ticks of the first recording's clock.  On one machine that has not been started anew all recordings have
 * the same ticks; then they stay.  Else times are moved by what the system's clock said at the beginning.
 */
#include "merge_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "proftrace_pmu.h"
#include "trace/read/raw.h"

#define SAME_CLOCK_NS 100000000 /* the system's clock was read a little before or after the ticks */
#define SAME_RATE 1e-3
#define CALLED_SHIFT 22 /* functions that were found at their first call, of one recording */

static int by_time(const void *left, const void *right) {
  const struct prof_trace_info *a = prof_trace_info(((const struct prof_merge_input *)left)->trace),
                               *b = prof_trace_info(((const struct prof_merge_input *)right)->trace);
  return prof_order(a->start_realtime_ns, b->start_realtime_ns) ?: prof_order(a->last_ticks, b->last_ticks);
}

static bool is_same_id(const prof_trace *left, const prof_trace *right) {
  return memcmp(prof_raw_id(left), prof_raw_id(right), 16) == 0;
}

/* Inputs of a group stand together, in the order of their begin, then of their end.  A part without events has no end,
 * and the system's clock may have been set back between two parts. */
static int by_group(const void *left, const void *right) {
  const struct prof_merge_input *a = left, *b = right;
  const struct prof_trace_info *first = prof_trace_info(a->trace), *second = prof_trace_info(b->trace);
  return prof_order(a->group, b->group) ?: prof_order(first->start_ticks, second->start_ticks)
                                            ?: prof_order(first->last_ticks, second->last_ticks);
}

static void find_groups(struct prof_merge_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    uint32_t group = 0;
    while (group < inputs->group_count && !is_same_id(inputs->groups[group].first, inputs->items[i].trace))
      group++;
    if (group == inputs->group_count)
      inputs->groups[inputs->group_count++] =
          (struct prof_merge_group){.first = inputs->items[i].trace, .begin_ticks = UINT64_MAX};
    inputs->items[i].group = group;
  }
  qsort(inputs->items, inputs->count, sizeof *inputs->items, by_group);
  for (size_t i = inputs->count; i-- > 0;)
    inputs->groups[inputs->items[i].group].first = inputs->items[i].trace;
}

static void raise_to(uint32_t *most, uint32_t number) {
  *most = number > *most ? number : *most;
}

static bool is_sites(void *context, uint64_t offset, const struct prof_format_chunk *head) {
  (void)context, (void)offset;
  return head->kind == PROF_FORMAT_SITES || head->kind == PROF_FORMAT_NAMED;
}

/* Sites that are in no LOAD. */
static prof_status find_called(const prof_trace *trace, struct prof_merge_group *group, struct prof_diag *diag) {
  prof_raw *raw = prof_raw_new(trace);
  struct prof_raw_chunk chunk;
  const uint8_t *payload;
  prof_status status = raw == NULL ? prof_diag_memory(diag) : PROF_OK;
  while (status == PROF_OK && (status = prof_raw_next(raw, is_sites, NULL, diag, &chunk)) == PROF_OK) {
    if (prof_raw_unpack(raw, &chunk, NULL, &payload) != PROF_OK)
      continue; /* its functions are lost, as in every reader */
    struct prof_byte_reader reader = {payload, payload + chunk.head.raw_bytes, false};
    prof_byte_reader_u64(&reader);
    if (chunk.head.kind == PROF_FORMAT_NAMED) {
      raise_to(&group->most_site, prof_byte_reader_u32(&reader));
      continue;
    }
    for (uint32_t left = prof_byte_reader_u32(&reader); left > 0 && !reader.bad; left--) {
      raise_to(&group->most_site, prof_byte_reader_u32(&reader));
      (void)prof_byte_reader_bytes(&reader, 8 + 4 + 24);
      for (int text = 0; text < 2; text++) {
        uint32_t bytes = prof_byte_reader_u32(&reader);
        (void)prof_byte_reader_bytes(&reader, bytes);
      }
    }
  }
  prof_raw_free(raw);
  return status == PROF_EMPTY ? PROF_OK : status;
}

static prof_status measure(const prof_trace *trace, struct prof_merge_group *group, struct prof_diag *diag) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (size_t i = 0; i < count; i++)
    raise_to(&group->most_thread, threads[i].number);
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (size_t i = 0; i < count; i++)
    raise_to(&group->most_process, processes[i].number);
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  for (size_t i = 0; i < count; i++)
    raise_to(&group->most_module, modules[i].number);
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count; i++)
    raise_to(&group->most_site, loads[i].first_site + loads[i].site_count);
  prof_trace_paths(trace, &count);
  raise_to(&group->most_path, (uint32_t)count);
  group->begin_ticks = info->start_ticks < group->begin_ticks ? info->start_ticks : group->begin_ticks;
  group->last_ticks = info->last_ticks > group->last_ticks ? info->last_ticks : group->last_ticks;
  return find_called(trace, group, diag);
}

/* ---- do they fit together? ---- */

static prof_status refuse(const prof_trace *trace, struct prof_diag *diag, const char *what, const char *remedy) {
  return prof_diag_fill(diag, PROF_UNSUPPORTED, prof_trace_info(trace)->path, PROF_NO_OFFSET, remedy, "%s", what);
}

static bool is_foreign(void *context, uint64_t offset, const struct prof_format_chunk *head) {
  (void)context, (void)offset;
  return !prof_renumber_can(head->kind);
}

static prof_status check_kinds(const prof_trace *trace, struct prof_diag *diag) {
  prof_raw *raw = prof_raw_new(trace);
  struct prof_raw_chunk chunk;
  prof_status status = raw == NULL ? prof_diag_memory(diag) : prof_raw_next(raw, is_foreign, NULL, diag, &chunk);
  prof_raw_free(raw);
  if (status != PROF_OK)
    return status == PROF_EMPTY ? PROF_OK : status;
  return refuse(trace, diag, "with a budget or GPU work, only parts of one recording can be merged",
                "record with --full, or give parts of one recording");
}

/* Are the counters of both the same?  Their samples have numbers only. */
static bool counts_the_same(const prof_trace *left, const prof_trace *right) {
  size_t count, others;
  const struct prof_pmu *a = prof_trace_pmus(left, &count), *b = prof_trace_pmus(right, &others);
  bool same = count == others;
  for (size_t i = 0; i < count && same; i++)
    same = a[i].number == b[i].number && strcmp(a[i].name, b[i].name) == 0 &&
           (a[i].flags & PROF_PMU_REFUSED) == (b[i].flags & PROF_PMU_REFUSED);
  return same;
}

static prof_status check(const struct prof_merge_inputs *inputs, struct prof_diag *diag) {
  const prof_trace *first = inputs->items[0].trace;
  const struct prof_trace_info *info = prof_trace_info(first);
  const struct prof_sampler *sampler = prof_trace_sampler(first);
  prof_status status = PROF_OK;
  for (size_t i = 0; i < inputs->count && inputs->count > 1; i++)
    if (prof_trace_summary(inputs->items[i].trace, NULL))
      return refuse(inputs->items[i].trace, diag, "summaries can't be merged",
                    "compare them with prof diff, or record without --mode=summary");
  for (size_t i = 0; i < inputs->count && inputs->group_count > 1 && status == PROF_OK; i++) {
    const prof_trace *trace = inputs->items[i].trace;
    const struct prof_trace_info *other = prof_trace_info(trace);
    const struct prof_sampler *others = prof_trace_sampler(trace);
    double rate = info->frequency_hz > 0 ? (double)other->frequency_hz / (double)info->frequency_hz : 0;
    if (other->clock_source != info->clock_source || fabs(rate - 1) > SAME_RATE)
      return refuse(trace, diag, "its clock has another rate than the first recording's", "record with --clock=os");
    if ((sampler == NULL) != (others == NULL) ||
        (sampler != NULL && (sampler->method != others->method || sampler->switches != others->switches)))
      return refuse(trace, diag, "it was sampled in another way than the first recording",
                    "record both with the same --sample");
    if (!counts_the_same(first, trace))
      return refuse(trace, diag, "it has other hardware counters than the first recording",
                    "record both with the same --counters");
    status = check_kinds(trace, diag);
  }
  return status;
}

/* ---- numbers and times ---- */

/* By how many ticks a recording is moved; 0: its ticks are those of the first. */
static uint64_t wall_ticks(const struct prof_merge_group *first, const struct prof_merge_group *group) {
  const struct prof_trace_info *from = prof_trace_info(first->first), *to = prof_trace_info(group->first);
  double apart_ns = (double)to->start_realtime_ns - (double)from->start_realtime_ns;
  double apart_ticks = apart_ns / 1e9 * (double)from->frequency_hz;
  double own_ticks = (double)to->start_ticks - (double)from->start_ticks;
  double off_ns = (apart_ticks - own_ticks) / (double)from->frequency_hz * 1e9;
  if (fabs(off_ns) < SAME_CLOCK_NS)
    return 0;
  return from->start_ticks + (uint64_t)(apart_ticks > 0 ? apart_ticks : 0) - to->start_ticks;
}

/* What is added to numbers of the next group's paths. */
static uint32_t path_after(const struct prof_merge_group *before) {
  uint32_t path = before->numbers.path + before->most_path;
  return path < PROF_FORMAT_PATHS_LIMIT ? path : PROF_FORMAT_PATHS_LIMIT;
}

static void number_groups(struct prof_merge_inputs *inputs, bool in_turn) {
  uint64_t end = inputs->groups[0].last_ticks;
  for (uint32_t i = 1; i < inputs->group_count; i++) {
    const struct prof_merge_group *before = &inputs->groups[i - 1];
    struct prof_merge_group *group = &inputs->groups[i];
    group->numbers =
        (struct prof_renumber){.process = before->numbers.process + before->most_process,
                               .thread = before->numbers.thread + before->most_thread,
                               .site = before->numbers.site + before->most_site + 1,
                               .called = i << CALLED_SHIFT,
                               .path = path_after(before),
                               .ticks = in_turn ? end + 1 - group->begin_ticks : wall_ticks(&inputs->groups[0], group)};
    end = group->last_ticks + group->numbers.ticks;
  }
}

prof_status prof_merge_inputs_find(prof_trace *const *traces, size_t count, bool in_turn, struct prof_diag *diag,
                                   struct prof_merge_inputs *inputs) {
  prof_status status = PROF_OK;
  *inputs = (struct prof_merge_inputs){.items = calloc(count + 1, sizeof *inputs->items),
                                       .groups = calloc(count + 1, sizeof *inputs->groups)};
  if (inputs->items == NULL || inputs->groups == NULL)
    return prof_diag_memory(diag);
  for (; inputs->count < count; inputs->count++)
    inputs->items[inputs->count].trace = traces[inputs->count];
  qsort(inputs->items, inputs->count, sizeof *inputs->items, by_time);
  find_groups(inputs);
  status = check(inputs, diag);
  for (size_t i = 0; i < inputs->count && status == PROF_OK; i++)
    status = measure(inputs->items[i].trace, &inputs->groups[inputs->items[i].group], diag);
  if (status == PROF_OK)
    number_groups(inputs, in_turn);
  return status;
}

void prof_merge_inputs_fini(struct prof_merge_inputs *inputs) {
  for (uint32_t i = 0; i < inputs->group_count; i++)
    prof_index_fini(&inputs->groups[i].numbers.modules);
  free(inputs->items);
  free(inputs->groups);
  *inputs = (struct prof_merge_inputs){0};
}
