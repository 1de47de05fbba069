/*
 * proftrace_readings.h - what the recorder read of the machine and of processes at intervals (prof record --machine).
 *
 * Part of proftrace.h's library; the rules there hold here too.
 */
#ifndef PROFTRACE_READINGS_H
#define PROFTRACE_READINGS_H

#include "proftrace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prof_reads { /* others are of a later version */
                  PROF_READS_CPU = 1,
                  PROF_READS_MEMORY = 2, /* of the machine: in use; of a process: resident */
                  PROF_READS_DISK_READ = 3,
                  PROF_READS_DISK_WRITTEN = 4,
                  PROF_READS_RECEIVED = 5,
                  PROF_READS_SENT = 6,
                  PROF_READS_TEMPERATURE = 7,
                  PROF_READS_FREQUENCY = 8,
                  PROF_READS_ENERGY = 9,
                  PROF_READS_FAULTS = 10,
};

struct prof_reading {
  uint64_t time; /* ticks */
  uint64_t value;
};

struct prof_reading_series {
  uint32_t process; /* index; PROF_NONE: of the machine */
  uint32_t what;    /* enum prof_reads */
  bool is_sum;      /* it only grows: its rate is of interest */
  uint64_t divisor; /* at least 1: value / divisor has this unit; of a sum, its difference per second */
  const char *name, *unit;
  const struct prof_reading *readings; /* by time */
  size_t count;
};
const struct prof_reading_series *prof_trace_reading_series(const prof_trace *, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
