/*
 * tools/command/page/recording.c - see recording.h.
 */
#include "command/page/recording.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "analysis/cover.h"
#include "command/cover_lines.h"

prof_status prof_page_recording_open(struct prof_page_recording *recording, struct prof_common *common,
                                     const struct prof_page_against *against, struct prof_diag *diag) {
  *recording = (struct prof_page_recording){.common = common, .against = against};
  return prof_reader_open(&recording->reader, common, diag);
}

#define PASSES 3 /* the index, figures, paths */

static void end_pass(struct prof_page_recording *recording) {
  atomic_store(&recording->progress.done, 0);
  atomic_fetch_add(&recording->passes, 1);
}

/* Rows of the figures, then without the nodes: with many threads most of the memory, which the paths need next. */
static prof_status rank(struct prof_page_recording *recording, const struct prof_samples *samples,
                        pthread_mutex_t *naming, struct prof_diag *diag) {
  const struct prof_recording *of = &recording->reader.recording;
  if (naming)
    pthread_mutex_lock(naming);
  prof_status status = prof_view_ranks_make(of, recording->figures, samples, diag, &recording->ranks);
  if (naming)
    pthread_mutex_unlock(naming);
  prof_cover_of(recording->figures, of->time, &recording->cover);
  prof_cover_add_samples(&recording->cover, recording->figures, samples, !of->filter.active);
  if (!recording->common->loops)
    prof_profile_drop_paths(recording->figures);
  return status;
}

/* As `prof report` does, with loops apart. */
static prof_status fold_figures(struct prof_page_recording *recording, pthread_mutex_t *naming,
                                struct prof_diag *diag) {
  struct prof_samples *samples = NULL;
  recording->common->loops_apart = true;
  prof_status status = prof_reader_fold_samples(&recording->reader, recording->common->loops, &recording->figures,
                                                &samples, diag); /* places: for trees */
  recording->common->loops_apart = false;
  if (status == PROF_OK)
    status = rank(recording, samples, naming, diag);
  prof_samples_free(samples);
  malloc_trim(0);
  return status;
}

void prof_page_cover_paths(struct prof_cover *cover, const struct prof_profile *paths) {
  cover->folded_paths = paths->coverage.folded_paths;
  cover->folded_calls = paths->coverage.folded_calls;
  cover->folded_ns = prof_trace_ns(paths->trace, paths->coverage.folded_ticks);
}

prof_status prof_page_recording_fold(struct prof_page_recording *recording, pthread_mutex_t *naming,
                                     struct prof_diag *diag) {
  struct prof_reader *reader = &recording->reader, plain = recording->reader;
  plain.recording.filter.loops = false; /* prof_lines_rank takes no loops */
  prof_status status = fold_figures(recording, naming, diag);
  end_pass(recording);
  if (status == PROF_OK)
    status = prof_reader_fold_samples(&plain, true, &recording->paths, &recording->samples, diag);
  if (status == PROF_OK && !recording->common->loops)
    prof_page_cover_paths(&recording->cover, recording->paths);
  if (status == PROF_OK)
    status = prof_tracks_find(reader->recording.trace, &plain.recording.filter, diag, &recording->tracks);
  end_pass(recording);
  if (status == PROF_OK && recording->against->old.count)
    status = prof_page_old_read(&recording->old, recording->against, recording->common, &reader->recording, diag);
  return status;
}

prof_status prof_page_recording_explain(struct prof_page_recording *recording, struct prof_diag *diag) {
  struct prof_reader *reader = &recording->reader;
  prof_warning_text(reader->recording.trace, recording->warning);
  const size_t used = strlen(recording->warning);
  if (recording->tracks.hides)
    snprintf(recording->warning + used, sizeof recording->warning - used, "%sthe program's counters are hidden: %s",
             used ? ", " : "", "a summary has no filter of theirs by thread or call");
  prof_status status = prof_symbols_new(&reader->recording, diag, &recording->symbols);
  if (status == PROF_OK)
    status = prof_view_gpu_open(&reader->recording, recording->common->demangle, diag, &recording->gpu);
  return status;
}

prof_status prof_page_recording_index(struct prof_page_recording *recording, uint64_t most_records,
                                      struct prof_diag *diag) {
  const struct prof_recording *of = &recording->reader.recording;
  struct prof_progress *progress = &recording->progress;
  recording->reader.progress = progress;
  prof_progress_begin(progress, "drawing the timeline", of->filter.active ? 0 : prof_trace_info(of->trace)->events);
  prof_status status = prof_span_index_make(of, most_records, &progress->done, diag, &recording->index);
  prof_progress_end(progress);
  end_pass(recording);
  return status;
}

prof_status prof_page_recording_read(struct prof_page_recording *recording, uint64_t most_records,
                                     struct prof_diag *diag) {
  prof_status status = prof_page_recording_index(recording, most_records, diag);
  if (status == PROF_OK)
    status = prof_page_recording_fold(recording, NULL, diag);
  return status == PROF_OK ? prof_page_recording_explain(recording, diag) : status;
}

double prof_page_recording_share(const struct prof_page_recording *recording) {
  const uint64_t all = prof_trace_info(recording->reader.recording.trace)->events;
  const double done = all ? (double)atomic_load(&recording->progress.done) / (double)all : 1;
  return (atomic_load(&recording->passes) + (done < 1 ? done : 1)) / PASSES;
}

void prof_page_recording_forget_figures(struct prof_page_recording *recording) {
  prof_view_ranks_free(&recording->ranks);
  prof_profile_free(recording->figures);
  recording->figures = NULL;
  prof_page_old_forget(&recording->old);
  malloc_trim(0);
}

void prof_page_recording_close(struct prof_page_recording *recording) {
  prof_span_index_fini(&recording->index);
  prof_page_old_close(&recording->old);
  prof_view_gpu_close(recording->gpu);
  prof_tracks_fini(&recording->tracks);
  prof_symbols_free(recording->symbols);
  prof_samples_free(recording->samples);
  prof_view_ranks_free(&recording->ranks);
  prof_profile_free(recording->paths);
  prof_profile_free(recording->figures);
  recording->reader.warned |= recording->warned;
  prof_reader_close(&recording->reader);
}

static void put_cover(void *context, struct prof_json *json) {
  const struct prof_page_recording *of = context;
  prof_cover_json(&of->cover, json, "cover");
}

struct prof_view_input prof_page_recording_input(struct prof_page_recording *of) {
  return (struct prof_view_input){.recording = &of->reader.recording,
                                  .symbols = of->symbols,
                                  .figures = of->figures,
                                  .ranks = &of->ranks,
                                  .paths = of->paths,
                                  .samples = of->samples,
                                  .tree = of->common->loops ? of->figures : of->paths,
                                  .index = &of->index,
                                  .gpu = of->gpu,
                                  .tracks = &of->tracks,
                                  .old = of->old.tree ? &of->old.shown : NULL,
                                  .raw = of->common->raw,
                                  .version = PROF_VERSION,
                                  .warning = of->warning,
                                  .put_cover = put_cover,
                                  .context = of};
}

void prof_page_recording_title(const struct prof_page_recording *of, char out[PROF_PAGE_TITLE_BYTES]) {
  size_t bytes = 0;
  const char *command = prof_trace_setting(of->reader.recording.trace, "command", &bytes); /* its first word */
  const char *slash = command ? strrchr(command, '/') : NULL;
  snprintf(out, PROF_PAGE_TITLE_BYTES, "%s - prof", slash ? slash + 1 : command ? command : "recording");
}
