/*
 * gpu/resources.h - receives the program's contexts, GPU programs and nodes of graphs.
 */
#ifndef PROF_GPU_RESOURCES_H
#define PROF_GPU_RESOURCES_H

#include "library.h"

/* Enables the needed callbacks.  nodes: those of graphs. */
void prof_gpu_resources_begin(const struct prof_gpu_library *, void *subscriber, bool nodes);

/* A callback of the resource domain. */
void prof_gpu_resources_take(uint32_t id, const void *data);

#endif
