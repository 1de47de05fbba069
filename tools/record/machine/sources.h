/*
 * tools/record/machine/sources.h - figures that the system gives of the machine and of a process.
 *
 * A new figure is a row.  A figure that can't be read is left out.
 */
#ifndef PROF_RECORD_MACHINE_SOURCES_H
#define PROF_RECORD_MACHINE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proftrace_readings.h"

struct prof_machine_place {
  const char *root; /* "" or a folder that has `proc` and `sys` */
  pid_t pid;        /* of a process's figures */
};

struct prof_machine_source {
  enum prof_reads what;
  bool is_sum;
  uint64_t divisor; /* as in proftrace_readings.h */
  const char *name, *unit;
  bool (*read)(const struct prof_machine_place *, uint64_t *value);
};

#define PROF_MACHINE_FIGURES 9                                                          /* at most, of each table */
extern const struct prof_machine_source prof_machine_sources[], prof_process_sources[]; /* end: read is NULL */

#endif
