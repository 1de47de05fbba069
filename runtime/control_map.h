/* control_map.h - the shared region: mapped, checked, and its recorder woken. */
#ifndef PROF_RUNTIME_CONTROL_MAP_H
#define PROF_RUNTIME_CONTROL_MAP_H

#include <stdbool.h>

/* Maps the region that `path` names.  false: reported on stderr. */
bool prof_control_open(const char *path);
/* Wakes the recorder if it sleeps. */
void prof_bell_ring(void);

#endif
