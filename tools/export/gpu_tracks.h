/*
 * tools/export/gpu_tracks.h - what time lines of GPU work have in common.
 */
#ifndef PROF_EXPORT_GPU_TRACKS_H
#define PROF_EXPORT_GPU_TRACKS_H

#include "analysis/gpu/gpu_study.h"

#define PROF_GPU_TRACK_BYTES 600

/* Does the filter show what began then (ticks), asked for by this call (NULL: not known)? */
bool prof_gpu_track_shows(const struct prof_gpu_study *, const struct prof_gpu_api_call *, uint64_t start);

/* "GPU 0 stream 13"; with the program's names: "GPU 0 (trainer) stream 13 (copies)".  Not escaped. */
void prof_gpu_track_name(char out[PROF_GPU_TRACK_BYTES], const struct prof_gpu_study *, const struct prof_gpu_lane *);

#endif
