/*
 * tools/view/replay_text.h - calls in time order as C-like text.
 *
 *     12.3 us  4711  main() {
 *     12.4 us  4711    step(); // 80 ns
 *     14.0 us  4711  } // main, 1.70 us
 *
 *     15.0 us GPU0/7  gemm<float>; // 10 us, 2 us after its launch by 4711
 *
 * In: enter, leave and gap events (fold/walk.h) and GPU work; times never fall within a thread.  Out: text.  A call
 * without calls of its own takes one line.  So a line may wait for its thread's next event while other threads' lines
 * queue behind it.  With 4,096 lines in the queue it is written as it is.
 */
#ifndef PROF_VIEW_REPLAY_TEXT_H
#define PROF_VIEW_REPLAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/gpu/gpu_events.h"
#include "fold/walk.h"
#include "names/names.h"
#include "proftrace.h"

struct prof_replay_text; /* memory: 200 KB, the names that were shown, 8 bytes per thread */

struct prof_replay_style {
  bool color;
  bool utf8;
  size_t width;   /* columns; 0: no limit */
  uint64_t limit; /* lines; 0: no limit */
};

/* Trace and names must outlive it.  NULL: no memory. */
struct prof_replay_text *prof_replay_text_new(const prof_trace *, struct prof_names *, FILE *,
                                              const struct prof_replay_style *);
/* A visitor for prof_walk; context is the object.  Stops at the limit or when the file can't be written. */
bool prof_replay_text_visit(void *context, const struct prof_walk_event *);
/* The same for GPU work, which must live until the end. */
bool prof_replay_text_gpu(void *context, const struct prof_gpu_event *);
/* Writes waiting lines, and how many lines the limit cut off.  Returns the lines written. */
uint64_t prof_replay_text_end(struct prof_replay_text *);
void prof_replay_text_free(struct prof_replay_text *);

#endif
