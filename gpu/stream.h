/*
 * gpu/stream.h - messages into the shared region (wire/gpu.h), one after another.
 *
 * One stream per process, behind one lock.  What it needs of memory it maps itself; a forked child finds it closed.
 * Threads: any.  A writer may wait for the recorder, as a probe would (--when-full=wait).
 */
#ifndef PROF_GPU_STREAM_H
#define PROF_GPU_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "gpu.h"
#include "proftrace_gpu.h"

/* Maps the region `path` and takes a thread record; `tid`: of the collector's own thread, by which the recorder sees
 * that the process lives.  false: `why` says it in one line, or is "" when there is nothing to say. */
bool prof_gpu_stream_open(const char *path, pid_t tid, char *why, size_t why_bytes);

/* The header of the region, once it is mapped: what the recorder asks for. */
const struct prof_control *prof_gpu_stream_control(void);

/* Not before a successful open, not after the close, and never in a forked child. */
bool prof_gpu_stream_is_open(void);

/* No message is written from here on; the recorder may take the record back. */
void prof_gpu_stream_close(void);

void prof_gpu_stream_start(uint32_t library_version, uint32_t driver_version, bool own_clock, uint64_t start_ticks,
                           const char *library);
void prof_gpu_stream_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A record: `message` begins with a head, which is filled in here.  `name` goes into *name_field as the number of a
 * text; NULL: nothing.  What can't be kept is counted. */
void prof_gpu_stream_record(enum prof_gpu_record, void *message, uint32_t bytes, const char *name,
                            uint32_t *name_field);

/* The number of a text, made known to the recorder; 0: no room. */
uint32_t prof_gpu_stream_text(const char *text);

/* A GPU program, in parts; false: it was not kept. */
bool prof_gpu_stream_cubin(uint64_t cubin, const uint8_t *bytes, size_t byte_count);

/* Adds to a figure, or raises it to `value`; the recorder hears of it by prof_gpu_stream_figures. */
void prof_gpu_stream_count(enum prof_gpu_figure, uint64_t more);
void prof_gpu_stream_raise(enum prof_gpu_figure, uint64_t value);
void prof_gpu_stream_figures(void);

#endif
