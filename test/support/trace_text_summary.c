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
  for (size_t i = 0; i < summary->going.count; i++)
    PUT("  going", NAMES("node", "thread", "ticks"), summary->going.items[i].node, summary->going.items[i].thread,
        summary->going.items[i].ticks);
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
  prof_summary_fini(&summary);
}
