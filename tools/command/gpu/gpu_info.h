/*
 * tools/command/gpu/gpu_info.h - the GPUs of a recording, with driver and library, for `prof info`.
 */
#ifndef PROF_COMMAND_GPU_INFO_H
#define PROF_COMMAND_GPU_INFO_H

#include "command/output.h"
#include "proftrace.h"

/* Print the table, or the array "gpus" of the open object; nothing without a GPU, or without memory. */
void prof_gpu_info_print(const prof_trace *, const struct prof_output *);
void prof_gpu_info_json(const prof_trace *, struct prof_json *);

#endif
