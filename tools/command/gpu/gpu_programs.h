/*
 * tools/command/gpu/gpu_programs.h - source lines from the GPU programs in a recording.
 *
 * Job: implements struct prof_gpu_line_source; unpacks and reads a program at the first query.  Applies --path-map to
 * paths.  For one thread at a time.
 */
#ifndef PROF_COMMAND_GPU_PROGRAMS_H
#define PROF_COMMAND_GPU_PROGRAMS_H

#include "analysis/gpu/gpu_lines.h"
#include "command/reader.h"

struct prof_gpu_programs;

struct prof_gpu_programs *prof_gpu_programs_new(const struct prof_reader *); /* NULL: no memory */
void prof_gpu_programs_free(struct prof_gpu_programs *);                     /* NULL: nothing */

struct prof_gpu_line_source prof_gpu_programs_source(struct prof_gpu_programs *);
/* The same, with the paths of the line information, without --path-map. */
struct prof_gpu_line_source prof_gpu_programs_raw_source(struct prof_gpu_programs *);

/* Lines of a kernel in the file where its code begins; false: unknown. */
bool prof_gpu_programs_extent(struct prof_gpu_programs *, const char *linkage, const char **file, uint32_t *first,
                              uint32_t *last);

#endif
