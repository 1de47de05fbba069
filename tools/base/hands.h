/*
 * tools/base/hands.h - runs one job in several threads of this process.
 *
 *    struct hand hands[4];                       each with its thread's data and a pointer to the shared data
 *    prof_hands_run(hands, 4, sizeof *hands, work);
 *
 * The calling thread works on the first hand, and alone if no thread can be started.  So `work` must take what is left
 * of the job, not a fixed part.
 */
#ifndef PROF_BASE_HANDS_H
#define PROF_BASE_HANDS_H

#include <stddef.h>

/* Processors that this process may use; 1 or more. */
unsigned prof_hands_most(void);

/* Calls work(hand) for each of `count` hands of `hand_bytes` each in an array; returns when all are done. */
void prof_hands_run(void *hands, unsigned count, size_t hand_bytes, void *(*work)(void *hand));

#endif
