/*
 * tools/base/hands.h - one job done by several threads of this process.
 *
 *    struct hand hands[4];                       each with what its thread needs, and a pointer to what all share
 *    prof_hands_run(hands, 4, sizeof *hands, work);
 *
 * The calling thread works for the first hand, and for all where threads can't be started: so `work` takes what is left
 * of the job, not a fixed part of it.
 */
#ifndef PROF_BASE_HANDS_H
#define PROF_BASE_HANDS_H

#include <stddef.h>

/* Processors that this process may use; 1 or more. */
unsigned prof_hands_most(void);

/* Calls work(hand) for each of `count` hands of so many bytes, which lie in a row, and returns when all are done. */
void prof_hands_run(void *hands, unsigned count, size_t hand_bytes, void *(*work)(void *hand));

#endif
