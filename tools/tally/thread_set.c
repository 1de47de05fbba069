/*
 * tools/tally/thread_set.c - see thread_set.h.  Sets are small: few threads meet at one place.
 */
#include "tally/thread_set.h"

bool prof_thread_set_add(struct prof_thread_set *set, uint32_t thread) {
  for (size_t i = set->threads.count; i-- > 0;) /* the latest is the likeliest */
    if (set->threads.items[i] == thread)
      return true;
  return prof_vec_push(&set->threads, thread);
}

bool prof_thread_set_join(struct prof_thread_set *set, const struct prof_thread_set *more) {
  bool good = true;
  for (size_t i = 0; i < more->threads.count && good; i++)
    good = prof_thread_set_add(set, more->threads.items[i]);
  return good;
}

uint64_t prof_thread_set_ns(const struct prof_thread_set *set, const prof_trace *trace) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  uint64_t ticks = 0;
  for (size_t i = 0; i < set->threads.count; i++) {
    const struct prof_thread_info *thread = &threads[set->threads.items[i]];
    ticks += thread->end_ticks > thread->start_ticks ? thread->end_ticks - thread->start_ticks : 0;
  }
  return prof_trace_ns(trace, ticks);
}

void prof_thread_set_fini(struct prof_thread_set *set) {
  prof_vec_fini(&set->threads);
}
