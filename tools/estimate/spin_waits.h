/*
 * tools/estimate/spin_waits.h - waits that a program spends running: threads that spin at OpenMP's barriers.
 *
 * Job: libgomp and libomp wait at barriers in a loop, for a while before they sleep or, with OMP_WAIT_POLICY=active,
 * until the end.  For the scheduler such a thread runs, or is preempted.  Of a node's samples, some lie in the code of
 * these libraries: the same part of its running and of its preempted self time becomes waiting.  Nodes that stand for
 * cold paths keep theirs.  Other work of these libraries (sharing out loops) counts as waiting too.  In: nodes with
 * self times, marks placed in them.  Out: self_off.  Why so: docs/decisions/spinning-is-waiting.md.
 */
#ifndef PROF_ESTIMATE_SPIN_WAITS_H
#define PROF_ESTIMATE_SPIN_WAITS_H

#include <stdbool.h>

#include "estimate/profile.h"
#include "fold/marks.h"

/* Whether that file is a library whose threads spin. */
bool prof_spin_is_runtime(const char *path);

/* *spun_ticks: of all nodes together.  false: no memory. */
bool prof_spin_waits_add(struct prof_node *, uint32_t count, const struct prof_fold_marks *, size_t mark_count,
                         uint64_t *spun_ticks);

#endif
