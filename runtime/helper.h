/* helper.h - a recorder for a program that has none. */
#ifndef PROF_RUNTIME_HELPER_H
#define PROF_RUNTIME_HELPER_H

/* Starts a recorder for a program that has none, and sets PROF_RING.  NULL: reported on stderr. */
const char *prof_helper_start(void);

#endif
