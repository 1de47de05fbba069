/*
 * gpu/stream.h - writes messages into the shared region (wire/gpu.h).
 *
 * One stream per process, with one lock.  It maps its own memory; it is closed in a forked child.  Threads: any.  A
 * writer may wait for the recorder, as a probe does (--when-full=wait).
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

/* Maps the region `path` and takes a thread record; `tid`: of the collector's own thread, by which the recorder checks
 * that the process lives.  false: `why` has the fault in one line, or is "". */
bool prof_gpu_stream_open(const char *path, pid_t tid, char *why, size_t why_bytes);

/* The header of the mapped region, with the recorder's settings. */
const struct prof_control *prof_gpu_stream_control(void);

/* True from a successful open to the close, but not in a forked child. */
bool prof_gpu_stream_is_open(void);

/* Ends writing; the recorder may take the record back. */
void prof_gpu_stream_close(void);

void prof_gpu_stream_start(uint32_t library_version, uint32_t driver_version, bool own_clock, uint64_t start_ticks,
                           const char *library);
void prof_gpu_stream_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a record: fills in the head that `message` begins with.  *name_field gets the number of `name` as a text;
 * NULL: nothing.  Counts records that are lost. */
void prof_gpu_stream_record(enum prof_gpu_record, void *message, uint32_t bytes, const char *name,
                            uint32_t *name_field);

/* Number of a text, reported to the recorder; 0: no room. */
uint32_t prof_gpu_stream_text(const char *text);

/* Writes a GPU program in parts; false: it was not written. */
bool prof_gpu_stream_cubin(uint64_t cubin, const uint8_t *bytes, size_t byte_count);

/* Adds to a figure, or raises it to `value`; prof_gpu_stream_figures reports it to the recorder. */
void prof_gpu_stream_count(enum prof_gpu_figure, uint64_t more);
void prof_gpu_stream_raise(enum prof_gpu_figure, uint64_t value);
void prof_gpu_stream_figures(void);

#endif
