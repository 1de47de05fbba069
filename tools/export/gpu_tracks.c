/*
 * tools/export/gpu_tracks.c - see gpu_tracks.h.
 */
#include "gpu_tracks.h"

#include <inttypes.h>
#include <stdio.h>

bool prof_gpu_track_shows(const struct prof_gpu_study *study, const struct prof_gpu_api_call *call, uint64_t start) {
  uint64_t end = start + 1;
  return prof_gpu_study_shows(study, call != NULL ? call->path : 0, call != NULL ? call->thread : PROF_NONE) &&
         prof_gpu_study_clip(study, &start, &end);
}

void prof_gpu_track_name(char out[PROF_GPU_TRACK_BYTES], const struct prof_gpu_study *study,
                         const struct prof_gpu_lane *lane) {
  const struct prof_gpu_device_info *device = &study->timeline.devices.items[lane->device];
  const char *called = prof_gpu_study_name(study, PROF_GPU_NAMED_DEVICE, lane->source, device->device);
  const char *stream = prof_gpu_study_name(study, PROF_GPU_NAMED_STREAM, lane->source, lane->stream);
  snprintf(out, PROF_GPU_TRACK_BYTES, "GPU %" PRIu32 "%s%.200s%s stream %" PRIu32 "%s%.200s%s", device->device,
           *called != 0 ? " (" : "", called, *called != 0 ? ")" : "", lane->stream, *stream != 0 ? " (" : "", stream,
           *stream != 0 ? ")" : "");
}
