/* slow_path.h - called by a trampoline whose reservation failed. */
#ifndef PROF_RUNTIME_SLOW_PATH_H
#define PROF_RUNTIME_SLOW_PATH_H

#include <stdint.h>

/* `bytes` were reserved at `slot`.  0: drop the event; else try again. */
int prof_ring_slow(char *slot, uint32_t bytes);

#endif
