/*
 * gpu/region.h - the shared region as the collector sees it (wire/control.h): mapped, a record and segments taken.
 *
 * Used by stream.c alone, behind its lock.
 */
#ifndef PROF_GPU_REGION_H
#define PROF_GPU_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "control.h"

struct prof_gpu_region {
  struct prof_control *control;
  struct prof_thread *threads, *record; /* record: ours */
  char *segments;
  uint32_t segment_bytes, segment_count;
  uint32_t number;  /* of our record */
  uint32_t segment; /* where we are; 0: none yet */
  bool recorder_visible;
};

/* false: `why`, or "" when the recorder has simply gone. */
bool prof_gpu_region_map(struct prof_gpu_region *, const char *path, char *why, size_t why_bytes);

/* Takes a free thread record; false: there is none. */
bool prof_gpu_region_take_record(struct prof_gpu_region *, pid_t tid, uint64_t now_ticks);

/*
 * Goes on in the next segment: all zeros, known to the recorder.  Waits for one when the recorder shall be waited for;
 * *stalled_ticks grows by that.  NULL: there is none, or nobody records any more.
 */
char *prof_gpu_region_next_segment(struct prof_gpu_region *, uint64_t *stalled_ticks);

bool prof_gpu_region_is_recording(const struct prof_gpu_region *);
void prof_gpu_region_end(struct prof_gpu_region *); /* the record is the recorder's from here on */

#endif
