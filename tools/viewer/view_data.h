/*
 * tools/viewer/view_data.h - a recording in the view format (docs/view-format.md), within a size.
 *
 * Job: asks the analyses, writes all sections; takes smaller limits until the packed bytes fit.  In: an opened
 * recording, two profiles and the index of it.  Out: the packed bytes.
 */
#ifndef PROF_VIEWER_VIEW_DATA_H
#define PROF_VIEWER_VIEW_DATA_H

#include "analysis/counter_sums.h"
#include "analysis/functions.h"
#include "analysis/lines/lines.h"
#include "analysis/loops.h"
#include "analysis/tracks.h"
#include "base/json.h"
#include "study/symbols.h"
#include "viewer/span_index.h"
#include "viewer/view_frames.h"
#include "viewer/view_gpu.h"
#include "viewer/view_old.h"

struct prof_view_ranks { /* rows of figures; zero: none */
  struct prof_function_rows functions, threads, processes;
  struct prof_loop_rows loops;
  struct prof_counter_sums counters; /* by function; no counters: none counted */
};

/* Needs the nodes of the figures, which nothing below does.  To be freed in any case. */
prof_status prof_view_ranks_make(const struct prof_recording *, const struct prof_profile *figures,
                                 const struct prof_samples *, struct prof_diag *,
                                 struct prof_view_ranks *) PROF_MUST_CHECK;
void prof_view_ranks_free(struct prof_view_ranks *);

struct prof_view_input { /* all borrowed */
  const struct prof_recording *recording;
  struct prof_symbols *symbols;
  /* Folded as `prof report` does: with loops apart.  NULL: it is not folded yet; then only `meta`, `frames`, `threads`,
   * `processes` and `lanes` are made, and all below up to `index` is NULL. */
  const struct prof_profile *figures;  /* without nodes, unless `tree` is the same */
  const struct prof_view_ranks *ranks; /* of it */
  /* Folded as `prof lines` does, without loops: lines have no other profile. */
  const struct prof_profile *paths;
  const struct prof_samples *samples;
  const struct prof_profile *tree; /* of both, the one that call trees are of */
  const struct prof_span_index *index;
  struct prof_view_gpu *gpu;       /* NULL: the recording has no records of one */
  struct prof_tracks *tracks;      /* of its points; may get thinner */
  const struct prof_view_old *old; /* that it is compared with; NULL: with none */
  /* For a server: numbers that stay, and the lanes of view_extra.h with them.  NULL: its own. */
  struct prof_view_frames *frames;
  const struct prof_lanes *extra;
  bool plain; /* not packed, no texts of sources */
  bool raw;
  const char *version, *warning;                        /* of prof; one line on missing data, or "" */
  void (*put_cover)(void *context, struct prof_json *); /* the member `cover` */
  void (*put_more)(void *context, struct prof_json *);  /* other members of `meta`; may be NULL */
  void *context;
};

struct prof_view_data {
  uint8_t *bytes; /* the caller frees */
  size_t count;
};

/* PROF_UNSUPPORTED: nothing can be left out any more, and it does not fit into `most` bytes. */
prof_status prof_view_data_make(const struct prof_view_input *, size_t most, struct prof_diag *,
                                struct prof_view_data *out) PROF_MUST_CHECK;

#endif
