/*
 * tools/command/page/range.c - see range.h.
 */
#include "command/page/range.h"

#include <malloc.h>

#include "estimate/profile_build.h"
#include "estimate/samples_fold.h"

/* With half of the memory: the paths of the whole recording stay. */
static prof_status fold(const struct prof_page_range *range, bool places, bool loops, bool loops_apart,
                        const struct prof_stop *stop, struct prof_diag *diag, struct prof_profile **profile,
                        struct prof_samples **samples) {
  const struct prof_common *common = range->of->common;
  const struct prof_fold_options options = {
      .places = places, .raw = common->raw, .loops = loops_apart, .max_bytes = common->max_memory / 2, .stop = stop};
  struct prof_filter filter = range->recording.filter;
  filter.loops = loops;
  return prof_samples_fold(range->recording.trace, &filter, &options, diag, profile, samples);
}

/* Rows of the figures, then without their nodes: the paths need that memory. */
static prof_status fold_figures(struct prof_page_range *range, pthread_mutex_t *naming, const struct prof_stop *stop,
                                struct prof_diag *diag) {
  const bool loops = range->of->common->loops;
  struct prof_samples *samples = NULL;
  prof_status status = fold(range, loops, range->recording.filter.loops, true, stop, diag, &range->figures, &samples);
  if (status == PROF_OK) {
    pthread_mutex_lock(naming);
    status = prof_view_ranks_make(&range->recording, range->figures, samples, diag, &range->ranks);
    pthread_mutex_unlock(naming);
    prof_cover_of(range->figures, range->recording.time, &range->cover);
    prof_cover_add_samples(&range->cover, range->figures, samples, false);
  }
  if (status == PROF_OK && !loops)
    prof_profile_drop_paths(range->figures);
  prof_samples_free(samples);
  return status;
}

prof_status prof_page_range_read(struct prof_page_range *range, struct prof_page_recording *of, uint64_t begin_ns,
                                 uint64_t end_ns, pthread_mutex_t *naming, const struct prof_stop *stop,
                                 struct prof_diag *diag) {
  *range = (struct prof_page_range){.of = of, .recording = of->reader.recording};
  range->recording.filter =
      prof_filter_within(&of->reader.recording.filter, of->reader.recording.trace, begin_ns, end_ns);
  prof_status status = fold_figures(range, naming, stop, diag);
  if (status == PROF_OK)
    status = fold(range, true, false, false, stop, diag, &range->paths, &range->samples);
  if (status == PROF_OK && !of->common->loops)
    prof_page_cover_paths(&range->cover, range->paths);
  if (status == PROF_OK)
    status = prof_span_slowest_find(&of->reader.recording, &(struct prof_lane_span){begin_ns, end_ns}, stop, diag,
                                    &range->slowest);
  if (status != PROF_EMPTY)
    return status;
  prof_page_range_free(range);
  return PROF_OK;
}

void prof_page_range_free(struct prof_page_range *range) {
  prof_slowest_fini(&range->slowest);
  prof_samples_free(range->samples);
  prof_view_ranks_free(&range->ranks);
  prof_profile_free(range->paths);
  prof_profile_free(range->figures);
  range->figures = range->paths = NULL;
  range->samples = NULL;
  malloc_trim(0);
}
