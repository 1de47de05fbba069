/*
 * gpu/resources.h - what the program creates and loads: contexts, GPU programs, nodes of graphs.
 */
#ifndef PROF_GPU_RESOURCES_H
#define PROF_GPU_RESOURCES_H

#include "library.h"

/* Enables the callbacks that somebody wants.  nodes: those of graphs. */
void prof_gpu_resources_begin(const struct prof_gpu_library *, void *subscriber, bool nodes);

/* A callback of the resource domain. */
void prof_gpu_resources_take(uint32_t id, const void *data);

#endif
