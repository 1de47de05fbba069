/* pause.h - the recorder wants no events for a while. */
#ifndef PROF_RUNTIME_PAUSE_H
#define PROF_RUNTIME_PAUSE_H

void prof_pause_init(void);

/* Switches the process's sites off if the recorder wants it, until it goes on.  For the slow path: signals are blocked;
 * errno and vector registers are kept. */
void prof_pause_check(void);

#endif
