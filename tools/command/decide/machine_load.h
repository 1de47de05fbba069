/*
 * tools/command/decide/machine_load.h - what else the machine did while commands ran.
 */
#ifndef PROF_COMMAND_MACHINE_LOAD_H
#define PROF_COMMAND_MACHINE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct prof_machine_load {    /* zeroed before prof_machine_load_begin */
  uint64_t busy, all, stolen; /* of all processors, in the kernel's ticks, at the begin */
  uint64_t low_khz, high_khz; /* of a processor, as it was seen; 0: not known */
};
struct prof_machine_use {
  bool known;
  double others;      /* share of the processors' time that other programs had */
  double stolen;      /* that the host of a virtual machine took */
  double frequencies; /* the lowest frequency seen by the highest; 0: not known */
};

void prof_machine_load_begin(struct prof_machine_load *);
void prof_machine_load_look(struct prof_machine_load *); /* now and then, for the frequency */
/* own_ns: CPU time of the commands since the begin. */
struct prof_machine_use prof_machine_load_end(const struct prof_machine_load *, uint64_t own_ns);

#endif
