/*
 * tools/command/line_frames.c - see line_frames.h.
 */
#include "line_frames.h"
#include "analysis/measures/wait_leaves.h"
#include "symbols_warn.h"

#include <stdio.h>

prof_status prof_line_frames_fold(const struct prof_reader *reader, bool chains, struct prof_profile **profile,
                                  struct prof_line_frames *out, struct prof_diag *diag) {
  struct prof_samples *samples = NULL;
  *out = (struct prof_line_frames){.symbols = NULL};
  prof_status status = prof_symbols_new(&reader->recording, diag, &out->symbols);
  if (status == PROF_OK)
    status = prof_reader_fold_samples(reader, false, profile, &samples, diag);
  if (status == PROF_OK) {
    struct prof_line_source source = prof_symbols_source(out->symbols);
    status = prof_line_leaves_make(*profile, samples, reader->recording.names, &source, reader->recording.time, chains,
                                   diag, &out->leaves);
  }
  if (status == PROF_OK) {
    prof_symbols_warn(out->symbols);
    if (out->leaves.samples == 0)
      fputs("prof: no samples of lines in what is shown: functions keep their time\n"
            "  prof info says how it was sampled\n",
            stderr);
  }
  prof_samples_free(samples);
  return status;
}

prof_status prof_wait_frames_make(const struct prof_reader *reader, const struct prof_profile *profile,
                                  struct prof_line_frames *out, struct prof_diag *diag) {
  const struct prof_recording *recording = &reader->recording;
  *out = (struct prof_line_frames){.symbols = NULL};
  prof_status status = prof_symbols_new(recording, diag, &out->symbols);
  if (status == PROF_OK)
    status = prof_wait_leaves_make(profile, &recording->filter, recording->names, out->symbols, diag, &out->leaves);
  if (status == PROF_OK && out->leaves.count > 0)
    prof_symbols_warn(out->symbols);
  return status;
}

void prof_line_frames_free(struct prof_line_frames *frames) {
  prof_line_leaves_free(&frames->leaves);
  prof_symbols_free(frames->symbols);
  frames->symbols = NULL;
}
