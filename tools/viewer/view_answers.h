/*
 * tools/viewer/view_answers.h - what a server answers besides view_data.h, in the view format (docs/view-format.md).
 *
 * In: lanes of a span, profiles of a range, the number of a file.  Out: sections, plain.  All use the numbers of frames
 * that the server keeps, so no two at the same time; `known` is what the page has of them.
 */
#ifndef PROF_VIEWER_VIEW_ANSWERS_H
#define PROF_VIEWER_VIEW_ANSWERS_H

#include "analysis/call_values.h"
#include "viewer/next_call.h"
#include "viewer/view_data.h"
#include "viewer/view_span.h"

/* lanes: with numbers of the format.  The caller frees out->bytes, here and below. */
prof_status prof_view_span_answer(const struct prof_lanes *, struct prof_view_frames *, const struct prof_view_known *,
                                  struct prof_diag *, struct prof_view_data *out) PROF_MUST_CHECK;

struct prof_view_range { /* borrowed; profiles as those of prof_view_input, but of the range; all NULL: it is empty */
  const struct prof_recording *recording; /* with the filter of the range */
  const struct prof_profile *figures, *tree;
  const struct prof_profile *paths; /* that lines are of */
  const struct prof_view_ranks *ranks;
  const struct prof_samples *samples;
  const struct prof_slowest *slowest;
  struct prof_symbols *symbols; /* NULL: not there yet; then without `lines` */
  bool raw;
  uint64_t begin_ns, end_ns;
  void (*put_cover)(void *context, struct prof_json *);
  void *context;
};
prof_status prof_view_range_answer(const struct prof_view_range *, struct prof_view_frames *,
                                   const struct prof_view_known *, struct prof_diag *,
                                   struct prof_view_data *out) PROF_MUST_CHECK;

/* The section `next`. */
prof_status prof_view_next_answer(const struct prof_next_call *, struct prof_diag *,
                                  struct prof_view_data *out) PROF_MUST_CHECK;

/* The section `values`. */
prof_status prof_view_values_answer(const prof_trace *, const struct prof_call_values_list *, struct prof_diag *,
                                    struct prof_view_data *out) PROF_MUST_CHECK;

/* PROF_NOT_FOUND: no file has that number, or its text is not found. */
prof_status prof_view_source_answer(struct prof_view_frames *, struct prof_symbols *, uint64_t file, struct prof_diag *,
                                    struct prof_view_data *out) PROF_MUST_CHECK;

struct prof_view_code_wish { /* borrowed; profile and samples as prof_view_input has them */
  uint32_t frame;            /* its number in the format */
  const struct prof_profile *paths;
  const struct prof_samples *samples;
  struct prof_symbols *symbols;
};
/* The section `code` of one function.  PROF_USAGE: it is no function; PROF_NOT_FOUND, PROF_IO: no instructions. */
prof_status prof_view_code_answer(struct prof_view_frames *, const struct prof_view_code_wish *,
                                  const struct prof_view_known *, struct prof_diag *,
                                  struct prof_view_data *out) PROF_MUST_CHECK;

/* A section `progress` of its own: `put` writes its members. */
prof_status prof_view_progress_answer(void (*put)(void *context, struct prof_json *), void *context, struct prof_diag *,
                                      struct prof_view_data *out) PROF_MUST_CHECK;

#endif
