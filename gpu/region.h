/*
 * gpu/region.h - maps the shared region for the collector, and takes a record and segments (wire/control.h).
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
  uint32_t segment; /* the current one; 0: none yet */
  bool recorder_visible;
};

/* false: `why` has the fault, or "" if the recorder has ended. */
bool prof_gpu_region_map(struct prof_gpu_region *, const char *path, char *why, size_t why_bytes);

/* Takes a free thread record; false: there is none. */
bool prof_gpu_region_take_record(struct prof_gpu_region *, pid_t tid, uint64_t now_ticks);

/*
 * Takes the next segment, which is all zeros, and publishes it.  Waits for one with --when-full=wait, and adds the time
 * to *stalled_ticks.  NULL: there is none, or the recorder has ended.
 */
char *prof_gpu_region_next_segment(struct prof_gpu_region *, uint64_t *stalled_ticks);

bool prof_gpu_region_is_recording(const struct prof_gpu_region *);
void prof_gpu_region_end(struct prof_gpu_region *); /* hands the record to the recorder */

#endif
