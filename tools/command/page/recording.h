/*
 * tools/command/page/recording.h - a recording with all that `prof view` asks about it.
 *
 * In: the options of the command.  Out: profiles, samples, the index of the timeline, and the input of view_data.h.
 */
#ifndef PROF_COMMAND_PAGE_RECORDING_H
#define PROF_COMMAND_PAGE_RECORDING_H

#include <pthread.h>

#include "analysis/cover.h"
#include "command/page/old.h"
#include "command/reader.h"
#include "command/warning.h"
#include "viewer/span_index.h"
#include "viewer/view_data.h"

struct prof_page_recording { /* all its own, but for the options */
  struct prof_common *common;
  const struct prof_page_against *against; /* borrowed; nothing in it: it is compared with none */
  struct prof_reader reader;
  struct prof_page_old old;
  struct prof_profile *figures, *paths; /* figures without their nodes, but with --loops */
  struct prof_view_ranks ranks;         /* of figures, as the next */
  struct prof_cover cover;
  struct prof_samples *samples; /* of paths */
  struct prof_symbols *symbols;
  struct prof_view_gpu *gpu;
  struct prof_tracks tracks;
  struct prof_span_index index;
  struct prof_progress progress;    /* of the present pass through the events */
  atomic_uint passes;               /* that are done */
  char warning[PROF_WARNING_BYTES]; /* one line on missing data, or "" */
  bool warned;                      /* no need to say so again */
};

/* Opens it.  To be closed in any case. */
prof_status prof_page_recording_open(struct prof_page_recording *, struct prof_common *,
                                     const struct prof_page_against *, struct prof_diag *) PROF_MUST_CHECK;

/*
 * Reads it, in three steps: the index of the timeline, of so many records; the profiles, also of
 * the other recording (PROF_EMPTY: it has no calls);
 * sources and GPUs.  The first two use names only behind the lock `naming`, which may be NULL.
 */
prof_status prof_page_recording_index(struct prof_page_recording *, uint64_t most_records,
                                      struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_page_recording_fold(struct prof_page_recording *, pthread_mutex_t *naming,
                                     struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_page_recording_explain(struct prof_page_recording *, struct prof_diag *) PROF_MUST_CHECK;

/* From 0 to 1: how much of the first two is done.  From any thread. */
double prof_page_recording_share(const struct prof_page_recording *);

/* All three. */
prof_status prof_page_recording_read(struct prof_page_recording *, uint64_t most_records,
                                     struct prof_diag *) PROF_MUST_CHECK;
void prof_page_recording_close(struct prof_page_recording *);

/* Frees what only prof_view_data_make needs: with many threads, half of the memory. */
void prof_page_recording_forget_figures(struct prof_page_recording *);

/* Borrows from the recording, which must not move. */
struct prof_view_input prof_page_recording_input(struct prof_page_recording *);

/* "server - prof", of the program's name. */
#define PROF_PAGE_TITLE_BYTES 256
void prof_page_recording_title(const struct prof_page_recording *, char out[PROF_PAGE_TITLE_BYTES]);

/* The page's call paths are those of `paths`: cover->folded_... are what these lack. */
void prof_page_cover_paths(struct prof_cover *cover, const struct prof_profile *paths);

#endif
