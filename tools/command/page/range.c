/*
 * tools/command/page/range.c - see range.h.
 */
#include "command/page/range.h"

#include "estimate/samples_fold.h"

static prof_status fold(const struct prof_page_range *range, bool places, bool loops, bool loops_apart,
                        const struct prof_stop *stop, struct prof_diag *diag, struct prof_profile **profile,
                        struct prof_samples **samples) {
  const struct prof_common *common = range->of->common;
  const struct prof_fold_options options = {
      .places = places, .raw = common->raw, .loops = loops_apart, .max_bytes = common->max_memory, .stop = stop};
  struct prof_filter filter = range->recording.filter;
  filter.loops = loops;
  return prof_samples_fold(range->recording.trace, &filter, &options, diag, profile, samples);
}

prof_status prof_page_range_read(struct prof_page_range *range, struct prof_page_recording *of, uint64_t begin_ns,
                                 uint64_t end_ns, const struct prof_stop *stop, struct prof_diag *diag) {
  *range = (struct prof_page_range){.of = of, .recording = of->reader.recording};
  range->recording.filter =
      prof_filter_within(&of->reader.recording.filter, of->reader.recording.trace, begin_ns, end_ns);
  prof_status status = fold(range, range->of->common->loops, range->recording.filter.loops, true, stop, diag,
                            &range->figures, &range->figure_samples);
  if (status == PROF_OK)
    status = fold(range, true, false, false, stop, diag, &range->paths, &range->samples);
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
  prof_samples_free(range->figure_samples);
  prof_profile_free(range->paths);
  prof_profile_free(range->figures);
  range->figures = range->paths = NULL;
  range->figure_samples = range->samples = NULL;
}
