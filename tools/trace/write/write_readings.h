/*
 * tools/trace/write/write_readings.h - writes what was read of the machine and of processes (READINGS).
 */
#ifndef PROF_TRACE_WRITE_READINGS_H
#define PROF_TRACE_WRITE_READINGS_H

#include "write.h"

struct prof_reading_head {
  uint32_t what; /* enum prof_reads */
  bool is_sum;
  uint64_t divisor;
  struct prof_span name, unit;
};

struct prof_readings_record {
  uint32_t process; /* number; 0: the machine */
  const struct prof_reading_head *heads;
  uint32_t head_count, count;
  const uint64_t *values; /* of each reading: ticks, then a value per head */
};
prof_status prof_writer_readings(prof_writer *, const struct prof_readings_record *);

#endif
