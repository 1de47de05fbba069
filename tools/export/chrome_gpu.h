/*
 * tools/export/chrome_gpu.h - GPUs in Chrome's trace event format: part of chrome.c.
 */
#ifndef PROF_EXPORT_CHROME_GPU_H
#define PROF_EXPORT_CHROME_GPU_H

#include "exporters.h"

/* Writes events, each after ",\n", if the trace has GPU records; *any: it wrote some. */
prof_status prof_chrome_gpu_write(FILE *, const struct prof_export_source *, struct prof_diag *,
                                  bool *any) PROF_MUST_CHECK;

#endif
