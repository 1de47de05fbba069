/* ranges.h - addresses where a region was mapped. */
#ifndef PROF_RUNTIME_RANGES_H
#define PROF_RUNTIME_RANGES_H

#include <stddef.h>

/* Where `bytes` may be mapped (MAP_FIXED), over a range of an earlier recording.  NULL: there is none, map elsewhere.
 */
char *prof_range_take(size_t bytes);
/* Gives the memory of a range back; its addresses stay usable. */
void prof_range_give(char *at, size_t bytes);

#endif
