/*
 * test/support/trace_text_summary.c - prints SUMMARY as tools/fold/summary reads it.  decode.py prints the same.
 */
#include "trace_text_summary.h"

#include <stdio.h>

#include "fold/summary/summary.h"

static void put(const char *what, const char *const names[], const uint64_t *values, size_t count) {
  fputs(what, stdout);
  for (size_t i = 0; i < count; i++)
    printf(" %s=%llu", names[i], (unsigned long long)values[i]);
  putchar('\n');
}
#define PUT(what, names, ...)                                                                                          \
  put(what, (const char *const[]){names}, (const uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / 8)
#define NAMES(...) __VA_ARGS__

static void put_durations(const struct prof_summary *summary, uint32_t key, uint32_t which,
                          const struct prof_histogram *histogram) {
  if (prof_histogram_is_empty(histogram))
    return;
  printf("  durations key=%u which=%u min=%llu max=%llu", key, which, (unsigned long long)prof_histogram_min(histogram),
         (unsigned long long)histogram->max);
  for (uint32_t i = 0; i < PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS; i++)
    if (prof_histogram_at(&summary->core.histograms, histogram, i))
      printf(" %u:%llu", i, (unsigned long long)prof_histogram_at(&summary->core.histograms, histogram, i));
  putchar('\n');
}

static void put_going(const struct prof_summary *summary, bool inherited) {
  for (size_t i = 0; i < summary->going.count; i++)
    if (summary->going.items[i].inherited == inherited)
      PUT(inherited ? "  resumed" : "  going", NAMES("node", "thread", "ticks"), summary->going.items[i].node,
          summary->going.items[i].thread, summary->going.items[i].ticks);
}

static void put_tree(const struct prof_summary *summary) {
  const struct prof_fold_core *core = &summary->core;
  for (uint32_t i = 1; i < core->node_count; i++) {
    const struct prof_fold_node *node = &core->nodes[i];
    bool forker = node->parent && node->function != PROF_FOLD_OTHER && node->function & PROF_FOLD_FORKER;
    uint64_t key = node->parent == 0                   ? node->function
                   : node->function == PROF_FOLD_OTHER ? 0
                                                       : 1 + forker + 2 * (node->function & ~PROF_FOLD_FORKER);
    PUT("  node", NAMES("parent", "key", "calls", "total", "uncounted"), node->parent, key, node->calls, node->total,
        node->uncounted);
  }
  for (size_t i = 0; i < core->opens.count; i++)
    PUT("  inherited", NAMES("node", "ticks"), core->opens.items[i].node, core->opens.items[i].ticks);
  put_going(summary, false);
  for (uint32_t i = 0; i < summary->keys.count; i++) {
    put_durations(summary, i, 0, &core->functions[i]);
    if (!core->calling_of[i])
      continue;
    put_durations(summary, i, 1, &core->callings[core->calling_of[i]].total);
    put_durations(summary, i, 2, &core->callings[core->calling_of[i]].self);
  }
}

static void put_rows(const struct prof_summary *summary) {
  for (size_t i = 0; i < summary->values.count; i++) {
    const struct prof_loop_values *values = &summary->values.items[i].values;
    PUT("  loop", NAMES("key", "known", "empty", "iterations", "min", "max", "entries", "counted"),
        summary->values.items[i].key, values->known_entries, values->empty_entries, values->iterations,
        values->min_iterations, values->max_iterations, values->counted_entries, values->counted_iterations);
  }
  for (size_t i = 0; i < summary->samples.count; i++) {
    const struct prof_summary_sample *sample = &summary->samples.items[i];
    PUT("  sample", NAMES("node", "process", "thread", "tid", "module", "address", "where", "flags", "count"),
        sample->node, sample->process, sample->thread, sample->tid, sample->module, sample->address, sample->where,
        sample->flags, sample->count);
  }
  for (size_t i = 0; i < summary->pauses.count; i++) {
    const struct prof_summary_pause *pause = &summary->pauses.items[i];
    PUT("  pause", NAMES("node", "flags", "count", "ticks"), pause->node, pause->flags, pause->count, pause->ticks);
  }
  for (size_t i = 0; i < summary->cold.count; i++) {
    const struct prof_fold_cold *cold = &summary->cold.items[i];
    printf("  cold calls=%llu total=%llu sum=%llu self=%lld\n", (unsigned long long)cold->calls,
           (unsigned long long)cold->total, (unsigned long long)cold->sum, (long long)cold->self);
  }
}

static void put_doubles(const char *const names[], const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    printf(" %s=%.17g", names[i], values[i]);
  putchar('\n');
}
#define PUT_DOUBLES(names, ...)                                                                                        \
  put_doubles((const char *const[]){names}, (const double[]){__VA_ARGS__},                                             \
              sizeof(double[]){__VA_ARGS__} / sizeof(double))

static void put_calls(const struct prof_summary_bursts *bursts) {
  for (size_t i = 0; i < bursts->frames.count; i++) {
    const struct prof_summary_frame *frame = &bursts->frames.items[i];
    printf("  frame thread=%u key=%u", frame->thread, frame->key);
    PUT_DOUBLES(NAMES("ran", "events", "off", "on0", "ticks0", "on1", "ticks1"), frame->ran, frame->events, frame->off,
                frame->on[0], frame->on_ticks[0], frame->on[1], frame->on_ticks[1]);
  }
  for (size_t i = 0; i < bursts->rates.count; i++) {
    const struct prof_summary_rate *rate = &bursts->rates.items[i];
    printf("  rate thread=%u key=%u caller=%u counted=%llu iterations=%llu", rate->thread, rate->key, rate->caller,
           (unsigned long long)rate->counted, (unsigned long long)rate->iterations);
    PUT_DOUBLES(NAMES("sum", "low", "high", "squares", "ran", "spent", "least", "given", "waiting"), rate->sums[0],
                rate->sums[1], rate->sums[2], rate->squares, rate->ran, rate->spent, rate->least, rate->given,
                rate->waiting);
  }
  for (size_t i = 0; i < bursts->places.count; i++) {
    printf("  place key=%u", bursts->places.items[i].key);
    PUT_DOUBLES(NAMES("calls"), bursts->places.items[i].calls);
  }
}

static void put_bursts(const struct prof_summary *summary) {
  const struct prof_summary_bursts *bursts = &summary->bursts;
  if (!bursts->used)
    return;
  PUT("  bursts", NAMES("changes", "pooled"), bursts->changes, bursts->pooled);
  put_going(summary, true);
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++) {
    printf("  windows count=%llu", (unsigned long long)bursts->windows[kind].count);
    PUT_DOUBLES(NAMES("weight"), bursts->windows[kind].weight);
  }
  for (size_t i = 0; i < bursts->threads.count; i++) {
    const struct prof_summary_window_thread *thread = &bursts->threads.items[i];
    printf("  in-windows thread=%u events=%llu", thread->thread, (unsigned long long)thread->events);
    PUT_DOUBLES(NAMES("life", "met0", "ran0", "met1", "ran1"), thread->life, thread->met[0], thread->ran[0],
                thread->met[1], thread->ran[1]);
  }
  put_calls(bursts);
  for (size_t i = 0; i < bursts->chains.count; i++)
    PUT("  chain", NAMES("around", "key", "kind"), bursts->chains.items[i].around, bursts->chains.items[i].key,
        bursts->chains.items[i].kind);
  for (size_t i = 0; i < summary->samples.count; i++) {
    printf("  of-sample chain=%u", summary->samples.items[i].chain);
    PUT_DOUBLES(NAMES("times"), summary->samples.items[i].times);
  }
}

void trace_text_summary(const prof_trace *trace) {
  struct prof_summary summary;
  struct prof_diag diag;
  prof_status status = prof_summary_of(trace, &diag, &summary);
  if (status != PROF_OK) {
    if (status != PROF_EMPTY)
      puts("summary damaged");
    return;
  }
  const struct prof_fold_sums *sums = &summary.sums;
  PUT("summary",
      NAMES("first", "last", "events", "lost", "unmatched", "skipped", "inversions", "stalled", "cut", "deep", "cold"),
      summary.first_time, summary.last_time, sums->events, sums->lost, sums->unmatched, sums->skipped, sums->inversions,
      sums->stalled_ticks, sums->frames_cut, summary.core.too_deep, summary.cold_paths);
  for (size_t i = 0; i < summary.threads.count; i++)
    PUT("  thread", NAMES("number", "events", "untimed"), summary.threads.items[i].number,
        summary.threads.items[i].events, summary.threads.items[i].untimed);
  for (size_t i = 0; i < summary.keys.count; i++) {
    const struct prof_summary_key *key = &summary.keys.items[i];
    PUT("  key", NAMES("kind", "module", "index", "caller", "address"), key->kind, key->module, key->index, key->caller,
        key->address);
  }
  put_tree(&summary);
  put_rows(&summary);
  put_bursts(&summary);
  prof_summary_fini(&summary);
}
