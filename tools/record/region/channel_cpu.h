/*
 * tools/record/region/channel_cpu.h - the CPU time of a channel's thread, as the kernel has it.
 *
 * In: /proc.  Out: `cpu` of the channel.  A thread notes its CPU time itself when a segment is full and when it ends
 * (wire/control.h).  One that waits for days, or is killed, does neither: so the recorder looks now and then.
 */
#ifndef PROF_RECORD_CHANNEL_CPU_H
#define PROF_RECORD_CHANNEL_CPU_H

#include "record/region/channel_state.h"

/* ticks: now.  Nothing changes if the thread has ended, was stopped by prof_stop, or can't be seen from here. */
void prof_channel_cpu_look(struct prof_channel *, const struct prof_channel_source *, uint32_t index, uint64_t ticks);

/* The latest figure: what the thread noted, what the recorder saw, or, at `end_ticks`, what the kernel recorded until
 * its end. */
struct prof_channel_cpu prof_channel_cpu_of(const struct prof_channel *, const struct prof_channel_source *,
                                            uint32_t index, uint64_t end_ticks);

#endif
