/*
 * tools/viewer/view_sources.h - the source files of costly lines, as a section.
 */
#ifndef PROF_VIEWER_VIEW_SOURCES_H
#define PROF_VIEWER_VIEW_SOURCES_H

#include "analysis/lines/lines.h"
#include "study/symbols.h"
#include "viewer/view_frames.h"

/* The costliest files first, until `most` bytes are written; *left_out gets how many files did not fit. */
prof_status prof_view_sources_write(struct prof_view_frames *, struct prof_symbols *, const struct prof_line_rows *,
                                    size_t most, struct prof_diag *, struct prof_json *,
                                    uint64_t *left_out) PROF_MUST_CHECK;

/* The whole text of one file, by its number, if it is found and has at most so many bytes; else the list is empty. */
prof_status prof_view_source_write(struct prof_view_frames *, struct prof_symbols *, uint32_t file, size_t most,
                                   struct prof_diag *, struct prof_json *, bool *found) PROF_MUST_CHECK;

#endif
