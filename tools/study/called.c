/*
 * tools/study/called.c - see called.h: each chunk lists who calls whom in it.
 */
#include "study/called.h"

#include <stdlib.h>
#include <string.h>

#include "names/loop_frames.h"

static int by_text(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool has_namesakes(const struct prof_recording *recording, size_t count) {
  const char **names = calloc(count + 1, sizeof *names);
  bool found = false;
  for (uint32_t i = 0; names && i < count; i++)
    names[i] = prof_names_function(recording->names, i);
  if (names && count > 0)
    qsort(names, count, sizeof *names, by_text);
  for (size_t i = 1; names && i < count && !found; i++)
    found = strcmp(names[i - 1], names[i]) == 0;
  free(names);
  return found;
}

static bool is_shown(const struct prof_filter *filter, const struct prof_chunk_ref *ref) {
  return (!filter->threads || filter->threads[ref->thread]) && ref->first_time < filter->end_ticks &&
         ref->last_time >= filter->begin_ticks;
}

void prof_recording_view_called(const struct prof_recording *recording) {
  size_t count, chunks;
  const struct prof_chunk_ref *refs = prof_trace_chunks(recording->trace, &chunks);
  struct prof_chunk head = {0};
  prof_trace_functions(recording->trace, &count);
  uint8_t *shown = has_namesakes(recording, count) ? calloc(count + 1, 1) : NULL;
  for (size_t i = 0; shown && i < chunks; i++) {
    if (!is_shown(&recording->filter, &refs[i]) || prof_chunk_load_frames(recording->trace, i, NULL, &head) != PROF_OK)
      continue;
    for (uint32_t edge = 0; edge < head.edge_count; edge++) {
      const struct prof_site_frame of = prof_frame_of_site(recording->trace, head.edges[edge].site, false);
      if (of.number < count)
        shown[of.number] = 1;
    }
  }
  prof_chunk_free(&head);
  if (shown)
    prof_names_view(recording->names, shown, count);
  free(shown);
}
