/*
 * tools/command/doctor/machine.h - what a machine reports about itself, and whether a recording's means work on it.
 *
 * In: /proc and /sys below a root folder (another one in tests).  Out: plain facts; a missing file is "not known".
 */
#ifndef PROF_COMMAND_MACHINE_H
#define PROF_COMMAND_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_MACHINE_UNKNOWN (-1)

struct prof_machine {
  char kernel[128], processor[128]; /* "": not known */
  uint32_t cores;                   /* 0: not known */
  bool is_virtual;
  char product[64];          /* of the machine, by its firmware; "": not known */
  int paranoid;              /* perf_event_paranoid; PROF_MACHINE_UNKNOWN */
  int boost;                 /* processors raise their clock at will: 0, 1, PROF_MACHINE_UNKNOWN */
  int siblings;              /* cores run several threads each: likewise */
  char governor[32];         /* of frequency, of the first core; "": not known */
  uint32_t governors_differ; /* cores with another one */
  double load;               /* mean number of running threads in the last minute; below 0: not known */
  double steal;              /* share of CPU time that the host took since the machine's start; below 0: not known */
  uint64_t memory_bytes, free_bytes; /* 0: not known; free: what programs could have */
  char gpu_driver[64];               /* NVIDIA's, "": none */
  bool gpu_admin_only;               /* it lets only root profile */
};

void prof_machine_read(const char *root, struct prof_machine *out);

struct prof_machine_trial { /* what was tried on this machine */
  bool has_samples, has_kernel_samples, has_stacks;
  char refused[192];  /* why not; "": nothing was refused */
  bool has_cycles;    /* hardware counters */
  char counters[160]; /* names of those that record --counters knows, "": none */
  bool has_objdump, has_cuda;
  bool tsc_chosen;
  char clock_fault[128]; /* why the time stamp counter is not, "" */
};

/* Takes some milliseconds. */
void prof_machine_try(struct prof_machine_trial *out);

#endif
