/*
 * tools/command/gpu/gpu_programs.h - source lines from the GPU programs in a recording.
 *
 * Job: implements the questions of analysis/gpu/gpu_lines.h; unpacks and reads a program at the first question. Applies
 * --path-map to paths.  Not for several threads at once.
 */
#ifndef PROF_COMMAND_GPU_PROGRAMS_H
#define PROF_COMMAND_GPU_PROGRAMS_H

#include "analysis/gpu/gpu_lines.h"
#include "command/reader.h"

struct prof_gpu_programs;

struct prof_gpu_programs *prof_gpu_programs_new(const struct prof_reader *); /* NULL: no memory */
void prof_gpu_programs_free(struct prof_gpu_programs *);                     /* NULL: nothing */

struct prof_gpu_line_source prof_gpu_programs_source(struct prof_gpu_programs *);
/* The same, with paths as line information has them, without --path-map. */
struct prof_gpu_line_source prof_gpu_programs_raw_source(struct prof_gpu_programs *);

/* The lines that a kernel stands on, in the file that its code begins in; false: not known. */
bool prof_gpu_programs_extent(struct prof_gpu_programs *, const char *linkage, const char **file, uint32_t *first,
                              uint32_t *last);

#endif
