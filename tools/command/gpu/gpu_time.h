/*
 * tools/command/gpu/gpu_time.h - adds GPU time to figures of host code.
 */
#ifndef PROF_COMMAND_GPU_TIME_H
#define PROF_COMMAND_GPU_TIME_H

#include "analysis/gpu/gpu_cost.h"
#include "analysis/lines/lines.h"
#include "command/reader.h"

/* Does the recording have GPU records? */
bool prof_gpu_time_is_there(const struct prof_reader *);

/* Fill gpu_total_ns and gpu_self_ns; do nothing if the recording has no GPU records. */
prof_status prof_gpu_time_rows(const struct prof_reader *, struct prof_function_rows *, enum prof_group,
                               struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_gpu_time_tree(const struct prof_reader *, struct prof_tree *, struct prof_diag *) PROF_MUST_CHECK;

/* The same for source lines: fills in gpu_ns, and adds rows for GPU work that functions started themselves. */
prof_status prof_gpu_time_lines(const struct prof_reader *, const struct prof_line_source *,
                                const struct prof_line_options *, struct prof_line_rows *,
                                struct prof_diag *) PROF_MUST_CHECK;

#endif
