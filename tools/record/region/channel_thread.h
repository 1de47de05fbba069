/*
 * tools/record/region/channel_thread.h - the THREAD chunks of a channel: its thread's name and figures.
 */
#ifndef PROF_RECORD_CHANNEL_THREAD_H
#define PROF_RECORD_CHANNEL_THREAD_H

#include "record/region/channel_state.h"
#include "record/sampling/sampling_write.h"

/* Writes its figures so far. */
struct prof_matcher_figures prof_channel_write_thread(struct prof_channel *, const struct prof_channel_source *,
                                                      uint32_t index, bool ended);

/* The recording goes on in another file, from `ticks` on.  End: writes everything that waits, and the thread's figures,
 * and returns where its events go on: at a later time, if it was read further.
 * Begin: returns these, which the new file's are without, and writes them there. */
struct prof_sampling_cut prof_channel_cut_end(struct prof_channel *, const struct prof_channel_source *, uint32_t index,
                                              uint64_t ticks);
struct prof_part_thread prof_channel_cut_begin(struct prof_channel *, const struct prof_channel_source *);

/* Writes its own samples. */
void prof_channel_write_samples(struct prof_channel *, const struct prof_channel_source *);

#endif
