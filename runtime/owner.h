/* owner.h - the standby thread's user and group (recorders.c). */
#ifndef PROF_RUNTIME_OWNER_H
#define PROF_RUNTIME_OWNER_H

#include <stdbool.h>

/* Is the calling thread root's?  Then the program may still change its user. */
bool prof_owner_may_change(void);
/* Makes the calling thread the user's that the program's first thread is now. */
void prof_owner_follow(void);

#endif
