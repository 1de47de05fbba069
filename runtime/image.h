/* image.h - the state of this process that a fork clears. */
#ifndef PROF_RUNTIME_IMAGE_H
#define PROF_RUNTIME_IMAGE_H

#include <stddef.h>

#include "state.h"

/* Makes a new image and its process record; `parent`: process number or 0.  NULL: no memory. */
struct prof_image *prof_image_new(uint32_t parent);
/* The process joins a recording: its number and process record; `parent` as above. */
void prof_image_join(struct prof_image *, uint32_t parent);
/* The image of this process, made anew after a fork.  NULL: none. */
struct prof_image *prof_image_current(void);
/* The calling thread's cell; NULL: it has made no event in this process. */
struct prof_cell *prof_attached_cell(void);

/*
 * A thread that may touch the region does so between these two.  So a process leaves a recording when none is inside.
 * The state is stored before `inside` is read there, and read after `inside` was changed here (Dekker).  NULL: nothing
 * is recorded; don't leave.  Signals are blocked.
 */
static inline struct prof_image *prof_gate_enter(void) {
  struct prof_image *image = __atomic_load_n(&prof_runtime.image, __ATOMIC_ACQUIRE);
  if (!image)
    return NULL;
  __atomic_fetch_add(&image->inside, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_SEQ_CST) != PROF_RUNTIME_STANDBY)
    return image;
  __atomic_fetch_sub(&image->inside, 1, __ATOMIC_RELEASE);
  return NULL;
}
static inline void prof_gate_leave(struct prof_image *image) {
  __atomic_fetch_sub(&image->inside, 1, __ATOMIC_RELEASE);
}

#endif
