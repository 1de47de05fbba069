/* thread.h - threads are attached by their first event. */
#ifndef PROF_RUNTIME_THREAD_H
#define PROF_RUNTIME_THREAD_H

#include "state.h"

void prof_thread_init(void);
/* The calling thread's cell in this process, attached if need be.  Signals are blocked.  NULL: none. */
struct prof_cell *prof_thread_cell(void);

#endif
