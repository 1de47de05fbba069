/*
 * tools/record/gpu/gpu_fields.h - maps fields of a GPU collector's messages to columns of the trace.
 */
#ifndef PROF_RECORD_GPU_FIELDS_H
#define PROF_RECORD_GPU_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "proftrace_gpu.h"

struct prof_gpu_field {
  uint16_t column;        /* enum prof_gpu_column, or PROF_GPU_FIELD_END */
  uint16_t offset, bytes; /* in the message; 4 or 8 bytes */
};

#define PROF_GPU_FIELD_END 0xffffu /* `column`: the end of an activity, for its duration */

struct prof_gpu_layout {
  size_t bytes; /* of the message; 0: no such record */
  const struct prof_gpu_field *fields;
  size_t field_count;
};

extern const struct prof_gpu_layout prof_gpu_layouts[PROF_GPU_RECORD_COUNT]; /* by enum prof_gpu_record */

#endif
