/* slow_path.h - where a trampoline goes when its reservation failed. */
#ifndef PROF_RUNTIME_SLOW_PATH_H
#define PROF_RUNTIME_SLOW_PATH_H

#include <stdint.h>

/* `bytes` were reserved at `slot`.  0: give the event up; else try again. */
int prof_ring_slow(char *slot, uint32_t bytes);

#endif
