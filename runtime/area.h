/* area.h - memory near code. */
#ifndef PROF_RUNTIME_AREA_H
#define PROF_RUNTIME_AREA_H

#include <stddef.h>
#include <stdint.h>

/* Maps memory that a branch from any byte of [begin, end) reaches (PROF_TRAMPOLINE_REACH).  NULL: none. */
uint8_t *prof_area_map(uintptr_t begin, uintptr_t end, size_t bytes);

#endif
