/*
 * tools/estimate/switch_spans.c - see switch_spans.h.
 */
#include "estimate/switch_spans.h"

#define LONG_NS 50000000u /* a stretch takes 1 to 3 ms, if the recorder's thread wakes in time */

/* Spans [first, end) are stretches of the time from `begin` to `until`. */
static bool weigh(struct prof_switch_spans *spans, size_t first, size_t end, uint64_t begin, uint64_t until) {
  PROF_VEC(struct prof_sampled_stretch) stretches = {0};
  prof_stretch_parts parts = {0};
  bool done = true;
  for (size_t i = first; i < end && done; i++)
    done = prof_vec_push(&stretches,
                         ((struct prof_sampled_stretch){spans->items.items[i].begin, spans->items.items[i].end}));
  if (done)
    (void)prof_stretch_parts_add(&parts, stretches.items, stretches.count, begin, until, 1, &done);
  for (size_t i = first; i < end && done; i++) {
    double times = prof_stretch_parts_times(&parts, spans->items.items[i].begin);
    spans->items.items[i].times = times > 1 ? times : 1;
  }
  prof_vec_fini(&stretches);
  prof_vec_fini(&parts);
  return done;
}

/* Those before the first change and after the last one may be short. */
static bool is_long(const struct prof_switch_span *span, uint64_t long_ticks) {
  return span->begin == 0 || span->end - span->begin >= long_ticks;
}

/* A long span stands for so much more time. */
static void lengthen(struct prof_switch_span *span, double ticks, uint64_t last) {
  uint64_t end = span->end < last ? span->end : last;
  span->times += end > span->begin ? ticks / (double)(end - span->begin) : 0;
}

/* Without a stretch between long spans, as the recorder did not come to run, these stand for the time between them.
 * next: NULL: there is none. */
static void bridge(struct prof_switch_span *before, struct prof_switch_span *next, uint64_t last) {
  uint64_t until = next != NULL ? next->begin : last;
  double gap = until > before->end ? (double)(until - before->end) : 0;
  lengthen(before, next != NULL ? gap / 2 : gap, last);
  if (next != NULL)
    lengthen(next, gap / 2, last);
}

/* Stretches between two long spans share the time between these. */
static bool weigh_all(struct prof_switch_spans *spans, uint64_t long_ticks, uint64_t last) {
  struct prof_switch_span *items = spans->items.items;
  size_t count = spans->items.count;
  uint64_t begin = 0;
  bool done = true;
  for (size_t i = 0, end; i < count && done; i = end) {
    end = i;
    while (end < count && !is_long(&items[end], long_ticks))
      end++;
    if (end == i && begin > 0)
      bridge(&items[i - 1], &items[end], last); /* there is one: else the loop has ended */
    done = weigh(spans, i, end, begin > 0 ? begin : items[i].begin, end < count ? items[end].begin : last);
    begin = end < count ? items[end].end : last;
    end += end < count;
  }
  if (count > 0 && is_long(&items[count - 1], long_ticks) && items[count - 1].end < last)
    bridge(&items[count - 1], NULL, last);
  return done;
}

bool prof_switch_spans_init(struct prof_switch_spans *spans, const prof_trace *trace) {
  size_t count;
  const struct prof_rate_change *changes = prof_trace_rates(trace, &count);
  uint64_t last = prof_trace_info(trace)->last_ticks;
  struct prof_switch_span span = {.times = 1};
  bool lacks = false, done = true;
  *spans = (struct prof_switch_spans){0};
  for (size_t i = 0; i < count && done; i++) {
    const struct prof_rate_change *change = &changes[i];
    last = change->time > last ? change->time : last;
    if (!lacks && change->lacks_switches && change->time > span.begin) {
      span.end = change->time;
      done = prof_vec_push(&spans->items, span);
    }
    if (lacks && !change->lacks_switches)
      span = (struct prof_switch_span){.begin = change->time, .times = 1};
    span.is_sampled |= change->rate != PROF_RATE_NONE && !change->lacks_switches;
    lacks = change->lacks_switches;
    spans->sparse |= lacks;
  }
  span.end = UINT64_MAX;
  if (done && !lacks)
    done = prof_vec_push(&spans->items, span);
  if (done && spans->sparse)
    done = weigh_all(spans, prof_trace_ticks(trace, LONG_NS), last);
  return done;
}

void prof_switch_spans_fini(struct prof_switch_spans *spans) {
  prof_vec_fini(&spans->items);
}

bool prof_switches_are_sparse(const prof_trace *trace) {
  size_t count;
  const struct prof_rate_change *changes = prof_trace_rates(trace, &count);
  bool sparse = false;
  for (size_t i = 0; i < count && !sparse; i++)
    sparse = changes[i].lacks_switches;
  return sparse;
}
