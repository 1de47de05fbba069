/*
 * tools/record/sampling/slices.h - when each process was recorded, in a recording with bounds, and its SLICES chunks.
 *
 * In: SLICE records of the log.  Out: an answer for each sample and switch, which the kernel delivers without bounds;
 * chunks.  Used by the pump only.
 */
#ifndef PROF_RECORD_SLICES_H
#define PROF_RECORD_SLICES_H

#include "base/vec.h"
#include "record/region/region.h"
#include "trace/write/write.h"

struct prof_process_slices {
  uint32_t process;
  bool is_open;   /* the last item */
  size_t written; /* number of written items; an open one is written when it has ended, or at the end */
  PROF_VEC(struct prof_slice_record) items;
};

struct prof_slices {
  bool off;     /* by prof ctl or a trigger: new processes are not recorded */
  bool bounded; /* a process without a record is not recorded; else it is always recorded */
  PROF_VEC(struct prof_process_slices) processes;
};

/* A process began, in a recording with bounds. */
void prof_slices_process(struct prof_slices *, uint32_t process);
void prof_slices_take(struct prof_slices *, const struct prof_log_slice *);

/* Recording of all live processes begins or ends. */
struct prof_processes;
void prof_slices_switch(struct prof_slices *, const struct prof_processes *, uint64_t time, bool on);

/* Was a moment (ticks) of a process recorded? */
bool prof_slices_have(const struct prof_slices *, uint32_t process, uint64_t time);

/* Writes what hasn't been written; last: also open slices, and processes without slices. */
void prof_slices_write(struct prof_slices *, prof_writer *, bool last);

/* Maximum size of the last prof_slices_write. */
uint64_t prof_slices_waiting_bytes(const struct prof_slices *);

/* Of all processes, written or not. */
uint64_t prof_slices_count(const struct prof_slices *);
void prof_slices_fini(struct prof_slices *);

#endif
