/*
 * tools/estimate/marking.h - samples and the beginnings of pauses as marks of a fold, which finds their nodes.
 *
 * In: samples and pauses as they were loaded; those of a summary have its nodes.  Out: one array of marks, by thread
 * and time, and what each one is of.
 */
#ifndef PROF_ESTIMATE_MARKING_H
#define PROF_ESTIMATE_MARKING_H

#include "estimate/counted.h"
#include "estimate/samples_load.h"
#include "fold/marks.h"

struct prof_marking {
  const struct prof_samples *whole;   /* in: pauses that have a choice; NULL: none is chosen yet */
  const struct prof_counted *counted; /* in: by thread and time; NULL: there are none */
  struct prof_fold_marks marks;
  size_t *first;
  uint32_t *of; /* what each mark is: index of a sample, with PAUSE of a pause, with COUNTED of a counted one */
};
#define PROF_MARKING_PAUSE 0x80000000u
#define PROF_MARKING_COUNTED 0x40000000u

/* false: no memory; end it in any case. */
bool prof_marking_make(const struct prof_samples_loading *, size_t thread_count, struct prof_marking *);
void prof_marking_fini(struct prof_marking *);

#endif
