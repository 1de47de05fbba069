/*
 * gpu/convert.h - activity records of CUPTI into messages.
 */
#ifndef PROF_GPU_CONVERT_H
#define PROF_GPU_CONVERT_H

#include "library.h"

struct prof_gpu_conversion {
  int kind;              /* enum abi_activity */
  uint16_t least;        /* bytes that a record must have */
  bool only_whole;       /* for whole graphs: instead of a record per node */
  bool is_wanted_by_all; /* recording makes little sense without it */
  void (*convert)(const uint8_t *record, size_t bytes);
};

extern const struct prof_gpu_conversion prof_gpu_conversions[]; /* ends with kind 0 */

#endif
