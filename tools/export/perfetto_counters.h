/*
 * tools/export/perfetto_counters.h - tracks of the counters that programs report, for perfetto.c.
 *
 * A track's values stand in the order of time, so they are kept until all threads were read: 32 bytes each.
 */
#ifndef PROF_EXPORT_PERFETTO_COUNTERS_H
#define PROF_EXPORT_PERFETTO_COUNTERS_H

#include "base/vec.h"
#include "exporters.h"
#include "perfetto_file.h"
#include "perfetto_gpu.h"
#include "text_table.h"

struct prof_perfetto_reading {
  uint64_t time_ns;
  double value;
  uint32_t process, point; /* indices */
};

struct prof_perfetto_counters { /* all zero: none */
  PROF_VEC(struct prof_perfetto_reading) readings;
};

/* False: no memory. */
bool prof_perfetto_counters_add(struct prof_perfetto_counters *, const struct prof_perfetto_reading *);
/* Writes a track for each counter of each process, under the process's; takes uuids from uuids->others on.  Texts get
 * into the table.  False: no memory. */
bool prof_perfetto_counters_write(struct prof_perfetto_counters *, struct prof_perfetto_file *, const prof_trace *,
                                  struct prof_perfetto_uuids *, struct prof_text_table *);
void prof_perfetto_counters_fini(struct prof_perfetto_counters *);

#endif
