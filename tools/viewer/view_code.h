/*
 * tools/viewer/view_code.h - the instructions of functions, as a section.
 *
 * In: a profile with places, its samples, symbols.  Out: a row per instruction with its cost, and where the source has
 * it: a chain of inlined calls.
 */
#ifndef PROF_VIEWER_VIEW_CODE_H
#define PROF_VIEWER_VIEW_CODE_H

#include "analysis/functions.h"
#include "analysis/lines/code_costs.h"
#include "base/index_map.h"
#include "viewer/view_frames.h"

struct prof_view_place {       /* a line of source */
  uint32_t outer;              /* the place that it was inlined into; PROF_NONE: none */
  const char *function, *file; /* file NULL: not known */
  uint32_t line;
};

struct prof_view_code_function {
  uint32_t function; /* of the trace */
  struct prof_code_rows rows;
  uint32_t *places; /* of each row; PROF_NONE: not known */
  size_t bytes;     /* that it will take, about */
};

struct prof_view_code { /* zeroed: empty */
  PROF_VEC(struct prof_view_code_function) functions;
  PROF_VEC(struct prof_view_place) places;
  struct prof_index_map known_places;
};

/* Adds one function.  PROF_NOT_FOUND, PROF_IO: its instructions are not at hand. */
prof_status prof_view_code_add(struct prof_view_code *, struct prof_code_costs *, uint32_t function,
                               struct prof_diag *) PROF_MUST_CHECK;

/* Adds the functions with most self time, as long as they matter; those without instructions are passed over. */
prof_status prof_view_code_add_hottest(struct prof_view_code *, struct prof_code_costs *,
                                       const struct prof_function_rows *, struct prof_diag *) PROF_MUST_CHECK;

/* Members of the open object: the first functions that fit into so many bytes; returns how many did not. */
uint64_t prof_view_code_write(const struct prof_view_code *, struct prof_view_frames *, size_t most,
                              struct prof_json *);
void prof_view_code_fini(struct prof_view_code *);

#endif
