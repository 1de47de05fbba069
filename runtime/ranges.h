/* ranges.h - maps parts of a region, at addresses of earlier ones. */
#ifndef PROF_RUNTIME_RANGES_H
#define PROF_RUNTIME_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* Maps a part of the region's file, shared.  NULL: no address space. */
char *prof_range_map(int fd, size_t bytes, uint64_t offset);
/* Maps a shared page again, and what follows it in the file (mremap of zero bytes).  NULL: it can't be had. */
char *prof_range_map_again(const char *page, size_t bytes);
/* Gives the memory of a range back; its addresses are kept for the next one of this size. */
void prof_range_give(char *at, size_t bytes);

#endif
