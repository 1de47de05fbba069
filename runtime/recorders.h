/* recorders.h - a program that waits for recorders (wire/standby.h). */
#ifndef PROF_RUNTIME_RECORDERS_H
#define PROF_RUNTIME_RECORDERS_H

#include <stdbool.h>

#include "late.h"

/* Once, in the start-up text.  false: the system refuses it; reported. */
bool prof_recorders_await(void);
/* The same for a process that was recorded from its start, once its recorder has ended.  PROF_LATE_NONE: it wasn't. */
enum prof_late_answer prof_recorders_follow(void);

#endif
