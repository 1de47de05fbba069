/* frames.h - the search table of .eh_frame for modules that lack one. */
#ifndef PROF_RUNTIME_FRAMES_H
#define PROF_RUNTIME_FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct prof_frame_table {
  uint8_t *header; /* as an .eh_frame_hdr; NULL: none */
  size_t bytes;
};
/* For a module without one, from its file; [begin, end): its loaded segments. */
struct prof_frame_table prof_frame_table_make(const char *path, uintptr_t bias, uintptr_t begin, uintptr_t end);
void prof_frame_table_free(struct prof_frame_table *);

#endif
