/*
 * tools/command/gpu/gpu_lines.h - `prof lines --gpu` and `prof annotate --gpu`: lines of kernels.
 */
#ifndef PROF_COMMAND_GPU_LINES_H
#define PROF_COMMAND_GPU_LINES_H

#include "command/reader.h"

/* Shows the lines with most samples; limit 0: all.  *result: the exit status. */
prof_status prof_gpu_lines_show(const struct prof_reader *, uint64_t limit, int *result,
                                struct prof_diag *) PROF_MUST_CHECK;

/* Shows the source of the kernels that the name matches, with the samples of each line. */
prof_status prof_gpu_annotate_show(const struct prof_reader *, const char *kernel, int *result,
                                   struct prof_diag *) PROF_MUST_CHECK;

#endif
