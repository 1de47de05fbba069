/*
 * tools/command/gpu/gpu_line_parts.h - texts that both views of kernels' lines share.
 */
#ifndef PROF_COMMAND_GPU_LINE_PARTS_H
#define PROF_COMMAND_GPU_LINE_PARTS_H

#include <stdio.h>

#include "analysis/gpu/gpu_lines.h"
#include "base/json.h"
#include "command/output.h"

/* "long_scoreboard 61.2%, barrier 12.0%": the reasons that most samples of the row have. */
const char *prof_gpu_stalls_text(char *out, size_t bytes, const struct prof_gpu_line_rows *,
                                 const struct prof_gpu_line_row *);

/* Writes samples, share, not_issued and the reasons of a row to an open object. */
void prof_gpu_line_json(const struct prof_gpu_line_rows *, const struct prof_gpu_line_row *, struct prof_json *);

/* Prints what the samples cover and, on a second line, what is missing. */
void prof_gpu_line_cover_lines(const struct prof_gpu_line_rows *, const struct prof_output *);
void prof_gpu_line_cover_json(const struct prof_gpu_line_rows *, struct prof_json *);

#endif
