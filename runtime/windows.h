/* windows.h - segments of the shared region in this process. */
#ifndef PROF_RUNTIME_WINDOWS_H
#define PROF_RUNTIME_WINDOWS_H

#include <stddef.h>

#include "state.h"

/* Maps the region up to its first segments; `head`: a checked copy of its header.  NULL: no address space. */
char *prof_windows_open(int fd, const struct prof_control *head);
/* After a recording: the header and all windows become zeros. */
void prof_windows_close(void);
/* Maps a segment if it isn't; call it before prof_segment_at.  false: no address space. */
bool prof_segment_map(uint32_t number);
/* Does `slot` lie in a segment?  *at: its offset there. */
bool prof_segment_has(const char *slot, size_t *at);

/* A segment that is mapped. */
static inline struct prof_segment *prof_segment_at(uint32_t number) {
  char *window = prof_piece_at(&prof_runtime.windows, (number - 1) / prof_runtime.window_segments);
  return (struct prof_segment *)(window +
                                 (size_t)((number - 1) % prof_runtime.window_segments) * prof_runtime.segment_bytes);
}

#endif
