/* recorders.h - a program that waits for recorders (wire/standby.h). */
#ifndef PROF_RUNTIME_RECORDERS_H
#define PROF_RUNTIME_RECORDERS_H

#include <stdbool.h>

/* Once, in the start-up text.  false: the system refuses it; reported. */
bool prof_recorders_await(void);

#endif
