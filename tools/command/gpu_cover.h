/*
 * tools/command/gpu_cover.h - what GPU figures cover and what is missing from them, for `prof gpu`.
 */
#ifndef PROF_COMMAND_GPU_COVER_H
#define PROF_COMMAND_GPU_COVER_H

#include "analysis/gpu.h"
#include "base/json.h"
#include "output.h"

void prof_gpu_cover_lines(const struct prof_gpu_cover *, const struct prof_output *);
void prof_gpu_cover_json(const struct prof_gpu_cover *, struct prof_json *, const char *key);

#endif
