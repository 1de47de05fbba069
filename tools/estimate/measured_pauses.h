/*
 * tools/estimate/measured_pauses.h - when threads did not run, from waits that the program itself measured (--locks).
 *
 * Job: waiting time where the kernel reports no scheduler switches, as in many containers.  A wait lasts from before
 * the call that waits to after it.  Being preempted is not known then: it counts as running.
 */
#ifndef PROF_ESTIMATE_MEASURED_PAUSES_H
#define PROF_ESTIMATE_MEASURED_PAUSES_H

#include "estimate/samples.h"
#include "estimate/stretch_span.h"
#include "fold/filter.h"

/* Is it known when threads waited: by scheduler switches, else by measured waits? */
bool prof_pauses_are_known(const prof_trace *);
/* Is it known by measured waits only? */
bool prof_pauses_are_measured(const prof_trace *);

/* Measured waits by thread and time, of the filter's threads and cut to its range (NULL: everything is shown); one that
 * never ended lasts to the end.  stretch: of a longer recording, with waits from before; NULL: it is a whole one.
 * PROF_NO_MEMORY. */
prof_status prof_measured_pauses_find(const prof_trace *, const struct prof_filter *, const struct prof_stretch_span *,
                                      struct prof_diag *, struct prof_pause_list *out) PROF_MUST_CHECK;

#endif
