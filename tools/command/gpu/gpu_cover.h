/*
 * tools/command/gpu/gpu_cover.h - what GPU figures cover and what is missing from them, for `prof gpu`.
 */
#ifndef PROF_COMMAND_GPU_COVER_H
#define PROF_COMMAND_GPU_COVER_H

#include "base/json.h"
#include "command/output.h"
#include "gpu_parts.h"

void prof_gpu_cover_lines(const struct prof_gpu_result *, const struct prof_output *);
void prof_gpu_cover_json(const struct prof_gpu_result *, struct prof_json *); /* members "gpu_cover" and "launch_sum" */

#endif
