/* control_map.h - maps and checks the shared region, and wakes its recorder. */
#ifndef PROF_RUNTIME_CONTROL_MAP_H
#define PROF_RUNTIME_CONTROL_MAP_H

#include "state.h"
#include "system.h"

/* Maps the region that `path` names.  false: reported on stderr. */
bool prof_control_open(const char *path);
/* Stores an answer in a region that this process doesn't join. */
void prof_control_answer(const char *path, uint32_t answer);
/* Wakes the recorder if it sleeps. */
static inline void prof_bell_ring(void) {
  struct prof_control *control = prof_runtime.control;
  if (__atomic_load_n(&control->recorder_sleeps, __ATOMIC_SEQ_CST)) {
    __atomic_fetch_add(&control->bell, 1, __ATOMIC_SEQ_CST);
    prof_futex_wake(&control->bell);
  }
}

#endif
