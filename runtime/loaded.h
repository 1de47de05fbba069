/* loaded.h - what the dynamic loader knows of a program or library. */
#ifndef PROF_RUNTIME_LOADED_H
#define PROF_RUNTIME_LOADED_H

#include <stdbool.h>
#include <stdint.h>

struct prof_loaded { /* a program or library */
  uintptr_t address; /* in it */
  bool is_found;
  uintptr_t bias, begin, end;     /* of its segments */
  uintptr_t text_begin, text_end; /* of its code; 0, 0: it has several segments of code */
  uint64_t text_offset;           /* of text_begin, in the file */
  int text_protection;
  const uint8_t *eh_frame_hdr;
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  char path[4096];
};
/* false: nothing is loaded there.  Too big for a small stack. */
bool prof_loaded_find(struct prof_loaded *, uintptr_t address);

#endif
