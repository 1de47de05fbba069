/* image.h - the state of this process that a fork clears. */
#ifndef PROF_RUNTIME_IMAGE_H
#define PROF_RUNTIME_IMAGE_H

#include "state.h"

/* Makes a new image and its process record; `parent`: process number or 0.  NULL: no memory. */
struct prof_image *prof_image_new(uint32_t parent);
/* The image of this process, made anew after a fork.  NULL: none. */
struct prof_image *prof_image_current(void);
/* The calling thread's cell; NULL: it has made no event in this process. */
struct prof_cell *prof_attached_cell(void);

#endif
