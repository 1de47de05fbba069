/* sealed.h - programs that forbid themselves to read the clock. */
#ifndef PROF_RUNTIME_SEALED_H
#define PROF_RUNTIME_SEALED_H

#include <stdbool.h>

/* Is the calling thread forbidden to read the time stamp counter already, as the program that started it was? */
bool prof_sealed_from_start(void);

/*
 * From now on a call that forbids it, by the objects that are loaded by now, first switches off all probes of the
 * process, for good.  Call it after each module's attach, and after the measures', whose wrappers it calls.  May write
 * slots of all objects; errno may change.
 */
void prof_sealed_attach(void);

/* For the architecture's prof_wrap_syscall. */
extern long (*prof_next_syscall)(long, ...);
long prof_sealing_syscall(long number, unsigned long first, unsigned long second, unsigned long third,
                          unsigned long fourth, unsigned long fifth);

#endif
