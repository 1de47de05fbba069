/* bounds.h - recording a part of the time only. */
#ifndef PROF_RUNTIME_BOUNDS_H
#define PROF_RUNTIME_BOUNDS_H

/* Before the first image: whether recording begins switched off. */
void prof_bounds_init(void);
/* Once the state is set: logs it, and begins to wait for the moments. */
void prof_bounds_begin(void);

#endif
