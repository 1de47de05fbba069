/*
 * tools/command/gpu/gpu_info.h - which GPUs a recording saw, with which driver and library, for `prof info`.
 */
#ifndef PROF_COMMAND_GPU_INFO_H
#define PROF_COMMAND_GPU_INFO_H

#include "command/output.h"
#include "proftrace.h"

/* Print the table, or the array "gpus" of the open object; nothing when no process used a GPU, or there is no memory.
 */
void prof_gpu_info_print(const prof_trace *, const struct prof_output *);
void prof_gpu_info_json(const prof_trace *, struct prof_json *);

#endif
