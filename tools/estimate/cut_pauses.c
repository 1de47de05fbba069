/*
 * tools/estimate/cut_pauses.c - see cut_pauses.h.
 */
#include "estimate/cut_pauses.h"

#include "base/order.h"

static bool any_resumed(const prof_trace *trace) {
  size_t count;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (chunks[i].flags & PROF_CHUNK_RESUMED)
      return true;
  return false;
}

/* Adds the parts of a pause. */
static bool add_parts(const prof_trace *trace, struct prof_pause pause, struct prof_pause_list *out) {
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[pause.thread];
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, NULL);
  const uint32_t *own = prof_trace_thread_chunks(trace) + info->first_chunk;
  size_t at = prof_search(0, info->chunk_count, i, chunks[own[i]].first_time <= pause.begin);
  for (; at < info->chunk_count && chunks[own[at]].first_time < pause.end; at++) {
    struct prof_pause part = pause;
    if (!(chunks[own[at]].flags & PROF_CHUNK_RESUMED) || chunks[own[at]].first_time == pause.begin)
      continue;
    part.end = pause.begin = chunks[own[at]].first_time;
    if (!prof_vec_push(&out->items, part))
      return false;
  }
  return prof_vec_push(&out->items, pause);
}

bool prof_pauses_cut(const prof_trace *trace, struct prof_pause_list *pauses) {
  struct prof_pause_list cut = {0};
  bool done = true;
  if (!any_resumed(trace))
    return true;
  for (size_t i = 0; i < pauses->items.count && done; i++)
    done = add_parts(trace, pauses->items.items[i], &cut);
  prof_vec_fini(&pauses->items);
  *pauses = cut;
  return done;
}
