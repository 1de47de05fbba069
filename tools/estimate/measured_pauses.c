/*
 * tools/estimate/measured_pauses.c - see measured_pauses.h.
 */
#include "estimate/measured_pauses.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/measured.h"
#include "fold/summary/summary.h"
#include "measure.h"

struct wait {                    /* of a thread; begin 0: it doesn't wait */
  uint64_t begin, second, until; /* until: it ends there at the latest */
};

struct finding {
  const struct prof_filter *filter;
  struct wait *waits;
  struct prof_pause_list *out;
};

bool prof_pauses_are_measured(const prof_trace *trace) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  return !(sampler && sampler->switches) && prof_measured_asked(trace, "--locks");
}

bool prof_pauses_are_known(const prof_trace *trace) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  return (sampler && sampler->switches) || prof_measured_asked(trace, "--locks");
}

/* False: no memory. */
static bool end_wait(struct finding *finding, uint32_t thread, uint64_t now) {
  const struct prof_filter *filter = finding->filter;
  struct wait *wait = &finding->waits[thread];
  struct prof_pause pause = {.begin = wait->begin, .end = now, .thread = thread, .node = PROF_NONE, .waits = true};
  wait->begin = 0;
  if (pause.begin == 0 || (filter && filter->threads && !filter->threads[thread]))
    return true;
  if (filter && pause.begin < filter->begin_ticks)
    pause.begin = filter->begin_ticks;
  if (filter && pause.end > filter->end_ticks)
    pause.end = filter->end_ticks;
  return pause.begin >= pause.end || prof_vec_push(&finding->out->items, pause);
}

static bool take(void *context, const struct prof_measured *event) {
  struct finding *finding = context;
  struct wait *wait = &finding->waits[event->thread];
  if (event->operation == PROF_MEASURE_WAITS && wait->begin == 0)
    *wait = (struct wait){event->time_ticks, event->second, event->ends_ticks};
  else if ((event->operation == PROF_MEASURE_TAKEN || event->operation == PROF_MEASURE_GOES_ON) &&
           event->second == wait->second)
    return end_wait(finding, event->thread, event->time_ticks);
  return true;
}

/* Of a wait without an end: it ended before the thread's last event; a thread without a later one waits until it ends.
 */
static uint64_t last_moment(const prof_trace *trace, uint32_t thread, const struct wait *wait) {
  size_t count;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  uint64_t last = 0;
  for (size_t i = 0; i < count; i++)
    if (chunks[i].thread == thread && chunks[i].last_time > last)
      last = chunks[i].last_time;
  return last > wait->begin ? last : wait->until;
}

/* Those of the stretch before, from its begin on. */
static void begin_waits(const prof_trace *trace, const struct prof_stretch_span *stretch, struct finding *finding) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  const uint64_t last = prof_trace_info(trace)->last_ticks;
  for (size_t i = 0; i < stretch->waits->waits.count; i++)
    for (size_t k = 0; k < count; k++)
      if (threads[k].number == stretch->waits->waits.items[i].thread)
        finding->waits[k] = (struct wait){stretch->begin, stretch->waits->waits.items[i].what,
                                          threads[k].end_ticks ? threads[k].end_ticks : last};
  stretch->waits->waits.count = 0;
}

/* At the stretch's end: a wait of a thread that goes on does so too.  False: no memory. */
static bool cut_wait(const prof_trace *trace, const struct prof_stretch_span *stretch, struct finding *finding,
                     uint32_t thread) {
  const struct prof_thread_info *of = &prof_trace_threads(trace, NULL)[thread];
  const struct wait *wait = &finding->waits[thread];
  if (!stretch || stretch->end == UINT64_MAX || (of->end_ticks && of->end_ticks <= stretch->end))
    return end_wait(finding, thread, last_moment(trace, thread, wait));
  return prof_vec_push(&stretch->waits->waits, ((struct prof_summary_wait){of->number, wait->second})) &&
         end_wait(finding, thread, stretch->end);
}

static int by_time(const void *left, const void *right) {
  const struct prof_pause *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->begin, b->begin);
}

prof_status prof_measured_pauses_find(const prof_trace *trace, const struct prof_filter *filter,
                                      const struct prof_stretch_span *stretch, struct prof_diag *diag,
                                      struct prof_pause_list *out) {
  const struct prof_filter all = {.end_ticks = UINT64_MAX};
  struct prof_measured_paths paths = {0};
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  struct finding finding = {filter, calloc(thread_count + 1, sizeof *finding.waits), out};
  stretch = stretch && stretch->waits ? stretch : NULL;
  if (finding.waits && stretch)
    begin_waits(trace, stretch, &finding);
  prof_status status =
      finding.waits ? prof_measured_walk(trace, &all, take, &finding, &paths, diag) : prof_diag_memory(diag);
  for (uint32_t i = 0; status == PROF_OK && i < thread_count; i++)
    if (finding.waits[i].begin != 0 && !cut_wait(trace, stretch, &finding, i))
      status = prof_diag_memory(diag);
  if (out->items.count)
    qsort(out->items.items, out->items.count, sizeof *out->items.items, by_time);
  free(finding.waits);
  prof_measured_paths_fini(&paths);
  return status;
}
