/* thread.h - attaches threads at their first event. */
#ifndef PROF_RUNTIME_THREAD_H
#define PROF_RUNTIME_THREAD_H

#include "state.h"

void prof_thread_init(void);
/* The calling thread's cell in this process; attaches the thread if it isn't.  Signals are blocked.  NULL: none. */
struct prof_cell *prof_thread_cell(void);

/* Every thread's next event will be one of a new recording.  No thread is inside (image.h). */
void prof_thread_cells_reset(struct prof_image *);

#endif
