/*
 * tools/viewer/view_data.h - a recording in the view format (docs/view-format.md), within a size.
 *
 * Job: asks the analyses, writes all sections; takes smaller limits until the packed bytes fit.  In: an opened
 * recording and two profiles of it.  Out: the packed bytes.
 */
#ifndef PROF_VIEWER_VIEW_DATA_H
#define PROF_VIEWER_VIEW_DATA_H

#include "analysis/functions.h"
#include "analysis/lines/lines.h"
#include "analysis/loops.h"
#include "base/json.h"
#include "study/symbols.h"

struct prof_view_input { /* all borrowed */
  const struct prof_recording *recording;
  struct prof_symbols *symbols;
  /* Folded as `prof report` does: with loops apart. */
  const struct prof_profile *figures;
  const struct prof_samples *figure_samples;
  /* Folded as `prof lines` does, without loops: lines have no other profile. */
  const struct prof_profile *paths;
  const struct prof_samples *samples;
  const struct prof_profile *tree; /* of both, the one that call trees are of */
  bool raw;
  enum prof_demangle demangle;
  const char *version, *warning;                        /* of prof; one line on missing data, or "" */
  void (*put_cover)(void *context, struct prof_json *); /* the member `cover` */
  void *context;
  _Atomic uint64_t *done; /* counts events that were walked; may be NULL */
};

struct prof_view_data {
  uint8_t *bytes; /* the caller frees */
  size_t count;
};

/* PROF_UNSUPPORTED: nothing can be left out any more, and it does not fit into `most` bytes. */
prof_status prof_view_data_make(const struct prof_view_input *, size_t most, struct prof_diag *,
                                struct prof_view_data *out) PROF_MUST_CHECK;

#endif
