/*
 * tools/record/gpu/gpu_fields.c - see gpu_fields.h.
 */
#include "record/gpu/gpu_fields.h"

#include "gpu.h"

#define FIELD(type, column, member)                                                                                    \
  { column, offsetof(struct type, member), sizeof(((struct type *)0)->member) }

#define KERNEL(column, member) FIELD(prof_gpu_kernel, column, member)
static const struct prof_gpu_field kernel[] = {
    KERNEL(PROF_GPU_START, start),
    KERNEL(PROF_GPU_FIELD_END, end),
    KERNEL(PROF_GPU_QUEUED, queued),
    KERNEL(PROF_GPU_SUBMITTED, submitted),
    KERNEL(PROF_GPU_GRAPH_NODE, graph_node),
    KERNEL(PROF_GPU_CORRELATION, correlation),
    KERNEL(PROF_GPU_DEVICE_ID, device),
    KERNEL(PROF_GPU_CONTEXT_ID, context),
    KERNEL(PROF_GPU_STREAM, stream),
    KERNEL(PROF_GPU_GRAPH, graph),
    KERNEL(PROF_GPU_NAME, name),
    KERNEL(PROF_GPU_GRID_X, grid[0]),
    KERNEL(PROF_GPU_GRID_Y, grid[1]),
    KERNEL(PROF_GPU_GRID_Z, grid[2]),
    KERNEL(PROF_GPU_BLOCK_X, block[0]),
    KERNEL(PROF_GPU_BLOCK_Y, block[1]),
    KERNEL(PROF_GPU_BLOCK_Z, block[2]),
    KERNEL(PROF_GPU_REGISTERS, registers),
    KERNEL(PROF_GPU_STATIC_SHARED, static_shared),
    KERNEL(PROF_GPU_DYNAMIC_SHARED, dynamic_shared),
    KERNEL(PROF_GPU_LOCAL_BYTES, local_bytes),
};

#define ACTIVITY(column, member) FIELD(prof_gpu_activity, column, member)
static const struct prof_gpu_field activity[] = {
    ACTIVITY(PROF_GPU_START, start),
    ACTIVITY(PROF_GPU_FIELD_END, end),
    ACTIVITY(PROF_GPU_BYTES, bytes),
    ACTIVITY(PROF_GPU_ADDRESS, address),
    ACTIVITY(PROF_GPU_GRAPH_NODE, graph_node),
    ACTIVITY(PROF_GPU_CORRELATION, correlation),
    ACTIVITY(PROF_GPU_DEVICE_ID, device),
    ACTIVITY(PROF_GPU_CONTEXT_ID, context),
    ACTIVITY(PROF_GPU_STREAM, stream),
    ACTIVITY(PROF_GPU_GRAPH, graph),
    ACTIVITY(PROF_GPU_KIND, kind),
    ACTIVITY(PROF_GPU_FROM, from),
    ACTIVITY(PROF_GPU_TO, to),
    ACTIVITY(PROF_GPU_FLAGS, flags),
    ACTIVITY(PROF_GPU_PEER, peer),
    ACTIVITY(PROF_GPU_VALUE, value),
};

#define CALL(column, member) FIELD(prof_gpu_call, column, member)
static const struct prof_gpu_field call[] = {
    CALL(PROF_GPU_START, start),   CALL(PROF_GPU_FIELD_END, end), CALL(PROF_GPU_CORRELATION, correlation),
    CALL(PROF_GPU_THREAD, thread), CALL(PROF_GPU_NAME, name),     CALL(PROF_GPU_FUNCTION, function),
    CALL(PROF_GPU_RESULT, result), CALL(PROF_GPU_FLAGS, flags),   CALL(PROF_GPU_STACK, stack),
};

#define DEVICE(column, member) FIELD(prof_gpu_device, column, member)
static const struct prof_gpu_field device[] = {
    DEVICE(PROF_GPU_MEMORY_BYTES, memory_bytes),
    DEVICE(PROF_GPU_MEMORY_RATE, memory_rate),
    DEVICE(PROF_GPU_DEVICE_ID, device),
    DEVICE(PROF_GPU_NAME, name),
    DEVICE(PROF_GPU_CAPABILITY, capability),
    DEVICE(PROF_GPU_MULTIPROCESSORS, multiprocessors),
    DEVICE(PROF_GPU_WARP_THREADS, warp_threads),
    DEVICE(PROF_GPU_MAX_WARPS, max_warps),
    DEVICE(PROF_GPU_MAX_BLOCKS, max_blocks),
    DEVICE(PROF_GPU_MAX_SHARED, max_shared),
    DEVICE(PROF_GPU_MAX_REGISTERS, max_registers),
    DEVICE(PROF_GPU_CLOCK_RATE, clock_rate),
};

static const struct prof_gpu_field context[] = {
    FIELD(prof_gpu_context, PROF_GPU_CONTEXT_ID, context),
    FIELD(prof_gpu_context, PROF_GPU_DEVICE_ID, device),
};

static const struct prof_gpu_field range[] = {
    FIELD(prof_gpu_range, PROF_GPU_START, start),   FIELD(prof_gpu_range, PROF_GPU_FIELD_END, end),
    FIELD(prof_gpu_range, PROF_GPU_THREAD, thread), FIELD(prof_gpu_range, PROF_GPU_NAME, name),
    FIELD(prof_gpu_range, PROF_GPU_DOMAIN, domain), FIELD(prof_gpu_range, PROF_GPU_KIND, kind),
    FIELD(prof_gpu_range, PROF_GPU_THING, thing),   FIELD(prof_gpu_range, PROF_GPU_FLAGS, flags),
};

static const struct prof_gpu_field metrics[] = {
    FIELD(prof_gpu_metrics, PROF_GPU_START, start),
    FIELD(prof_gpu_metrics, PROF_GPU_FIELD_END, end),
    FIELD(prof_gpu_metrics, PROF_GPU_MEMORY_BYTES, memory_bytes),
    FIELD(prof_gpu_metrics, PROF_GPU_ENERGY, energy),
    FIELD(prof_gpu_metrics, PROF_GPU_DEVICE_ID, device),
    FIELD(prof_gpu_metrics, PROF_GPU_UTILIZATION, utilization),
    FIELD(prof_gpu_metrics, PROF_GPU_MEMORY_UTILIZATION, memory_utilization),
    FIELD(prof_gpu_metrics, PROF_GPU_POWER, power),
};

static const struct prof_gpu_field frame[] = {
    FIELD(prof_gpu_frame, PROF_GPU_THING, thing),
    FIELD(prof_gpu_frame, PROF_GPU_PARENT, parent),
    FIELD(prof_gpu_frame, PROF_GPU_NAME, name),
};

static const struct prof_gpu_field sample[] = {
    FIELD(prof_gpu_sample, PROF_GPU_START, start),        FIELD(prof_gpu_sample, PROF_GPU_FIELD_END, end),
    FIELD(prof_gpu_sample, PROF_GPU_CONTEXT_ID, context), FIELD(prof_gpu_sample, PROF_GPU_CUBIN_ID, cubin),
    FIELD(prof_gpu_sample, PROF_GPU_NAME, name),          FIELD(prof_gpu_sample, PROF_GPU_ADDRESS, address),
    FIELD(prof_gpu_sample, PROF_GPU_KIND, kind),          FIELD(prof_gpu_sample, PROF_GPU_COUNT, count),
};

static const struct prof_gpu_field node[] = {
    FIELD(prof_gpu_node, PROF_GPU_START, start),
    FIELD(prof_gpu_node, PROF_GPU_CORRELATION, correlation),
    FIELD(prof_gpu_node, PROF_GPU_GRAPH_NODE, graph_node),
    FIELD(prof_gpu_node, PROF_GPU_ORIGIN, origin),
};

static const struct prof_gpu_field named[] = {
    FIELD(prof_gpu_name, PROF_GPU_THING, thing),
    FIELD(prof_gpu_name, PROF_GPU_KIND, kind),
    FIELD(prof_gpu_name, PROF_GPU_NAME, name),
};

#define LAYOUT(type, fields)                                                                                           \
  { sizeof(struct type), fields, sizeof fields / sizeof *fields }

const struct prof_gpu_layout prof_gpu_layouts[PROF_GPU_RECORD_COUNT] = {
    [PROF_GPU_KERNEL] = LAYOUT(prof_gpu_kernel, kernel),
    [PROF_GPU_COPY] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_SET] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_WAIT] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_OVERHEAD] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_GRAPH_RUN] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_MEMORY] = LAYOUT(prof_gpu_activity, activity),
    [PROF_GPU_CALL] = LAYOUT(prof_gpu_call, call),
    [PROF_GPU_DEVICE] = LAYOUT(prof_gpu_device, device),
    [PROF_GPU_CONTEXT] = LAYOUT(prof_gpu_context, context),
    [PROF_GPU_RANGE] = LAYOUT(prof_gpu_range, range),
    [PROF_GPU_NAMED] = LAYOUT(prof_gpu_name, named),
    [PROF_GPU_FRAME] = LAYOUT(prof_gpu_frame, frame),
    [PROF_GPU_METRICS] = LAYOUT(prof_gpu_metrics, metrics),
    [PROF_GPU_SAMPLE] = LAYOUT(prof_gpu_sample, sample),
    [PROF_GPU_NODE] = LAYOUT(prof_gpu_node, node),
};
