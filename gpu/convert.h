/*
 * gpu/convert.h - converts CUPTI's activity records to messages.
 */
#ifndef PROF_GPU_CONVERT_H
#define PROF_GPU_CONVERT_H

#include "library.h"

struct prof_gpu_conversion {
  int kind;              /* enum abi_activity */
  uint16_t least;        /* bytes that a record must have */
  bool only_whole;       /* only with whole_graphs: replaces records per node */
  bool is_wanted_by_all; /* a failure is reported */
  void (*convert)(const uint8_t *record, size_t bytes);
};

extern const struct prof_gpu_conversion prof_gpu_conversions[]; /* ends with kind 0 */

#endif
