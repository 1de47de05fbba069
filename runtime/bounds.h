/* bounds.h - records only a part of the time. */
#ifndef PROF_RUNTIME_BOUNDS_H
#define PROF_RUNTIME_BOUNDS_H

/* Finds whether recording begins switched off.  Call it before the first image. */
void prof_bounds_init(void);
/* Logs the state, which is set, and begins to wait for the moments. */
void prof_bounds_begin(void);

#endif
