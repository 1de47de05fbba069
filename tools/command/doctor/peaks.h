/*
 * tools/command/doctor/peaks.h - what one thread of this machine can do at most, measured now.
 *
 * Lower bounds: the best of several short turns, while others may run.
 */
#ifndef PROF_COMMAND_PEAKS_H
#define PROF_COMMAND_PEAKS_H

struct prof_peaks {
  double read_bytes_per_second; /* of memory, beyond the caches; 0: no memory for it */
  double flops;                 /* scalar double additions and multiplications per second */
};

/* Takes about a quarter of a second of CPU time. */
void prof_peaks_measure(struct prof_peaks *out);

#endif
