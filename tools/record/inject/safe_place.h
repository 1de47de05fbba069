/*
 * tools/record/inject/safe_place.h - may a stopped thread call the loader and the allocator?
 *
 * In: its registers and stack.  Out: yes, or why not.  It may where it runs code of the program alone: nothing of the C
 * library, the loader or an allocator is on its stack, but the functions that began it.  It also may where the C
 * library waits for the kernel in a call that holds none of their locks.  What can't be unwound to its end is no safe
 * place, nor is a signal handler.
 */
#ifndef PROF_RECORD_SAFE_PLACE_H
#define PROF_RECORD_SAFE_PLACE_H

#include "record/inject/target.h"
#include "record/inject/tracee.h"

/* NULL: it may.  Else where the thread is, after "a thread is ". */
const char *prof_safe_place_judge(struct prof_target *, const struct prof_tracee *);

/* A thread that was let call the loader: does it only wait for another thread to leave it?  Then it holds nothing. */
bool prof_safe_place_waits_for_loader(struct prof_target *, const struct prof_tracee *);

#endif
