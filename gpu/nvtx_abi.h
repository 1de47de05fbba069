/*
 * gpu/nvtx_abi.h - our declarations of the used part of NVTX's binary interface (version 3).
 *
 * A program's copy of NVTX loads the library in $NVTX_INJECTION64_PATH at its first call and hands it tables of
 * function pointers to fill in.  Numbers: nvtxDetail/nvtxTypes.h and nvToolsExt.h, which test/gpu/abi_check.c compares.
 */
#ifndef PROF_GPU_NVTX_ABI_H
#define PROF_GPU_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>

enum nvtx_module { NVTX_CORE = 1, NVTX_CUDA = 2, NVTX_CUDART = 4, NVTX_CORE2 = 5 };

enum nvtx_core {
  NVTX_RANGE_START_EX = 4,
  NVTX_RANGE_START = 5,
  NVTX_RANGE_START_WIDE = 6,
  NVTX_RANGE_END = 7,
  NVTX_RANGE_PUSH_EX = 8,
  NVTX_RANGE_PUSH = 9,
  NVTX_RANGE_PUSH_WIDE = 10,
  NVTX_RANGE_POP = 11,
  NVTX_NAME_THREAD = 14,
};
enum nvtx_core2 {
  NVTX_DOMAIN_RANGE_START = 2,
  NVTX_DOMAIN_RANGE_END = 3,
  NVTX_DOMAIN_RANGE_PUSH = 4,
  NVTX_DOMAIN_RANGE_POP = 5,
  NVTX_DOMAIN_REGISTER = 10,
  NVTX_DOMAIN_CREATE = 12,
};
enum nvtx_cuda { NVTX_NAME_CU_DEVICE = 1, NVTX_NAME_CU_STREAM = 5 };
enum nvtx_cudart { NVTX_NAME_CUDA_DEVICE = 1, NVTX_NAME_CUDA_STREAM = 3 };

enum nvtx_message { NVTX_MESSAGE_ASCII = 1, NVTX_MESSAGE_WIDE = 2, NVTX_MESSAGE_REGISTERED = 3 };

struct nvtx_attributes { /* nvtxEventAttributes_t, version 2; later ones grow at the end */
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const void *message;
};

enum nvtx_table { NVTX_TABLE_CALLBACKS = 1 };

typedef void (*nvtx_function)(void);
struct nvtx_callbacks {
  size_t struct_size;
  int (*get_module_table)(int module, nvtx_function ***table, unsigned *size);
};
typedef const void *nvtx_get_table(uint32_t table);

#endif
