/*
 * tools/command/page/range.h - the figures of a part of a recording's time, as `prof report --range` has them.
 */
#ifndef PROF_COMMAND_PAGE_RANGE_H
#define PROF_COMMAND_PAGE_RANGE_H

#include "command/page/recording.h"
#include "viewer/span_slowest.h"

struct prof_page_range {
  struct prof_page_recording *of;
  struct prof_recording recording;      /* with the filter of the range; borrows from `of` */
  struct prof_profile *figures, *paths; /* as in prof_page_recording; NULL: there are no calls in it */
  struct prof_view_ranks ranks;         /* likewise, and the next two */
  struct prof_cover cover;
  struct prof_samples *samples;
  struct prof_slowest slowest;
};

/*
 * To be freed in any case.  Changes nothing of the recording but its names, behind the lock `naming`: several may run
 * at the same time.  PROF_STOPPED: the caller no longer wants it.
 */
prof_status prof_page_range_read(struct prof_page_range *, struct prof_page_recording *, uint64_t begin_ns,
                                 uint64_t end_ns, pthread_mutex_t *naming, const struct prof_stop *,
                                 struct prof_diag *) PROF_MUST_CHECK;
void prof_page_range_free(struct prof_page_range *);

#endif
