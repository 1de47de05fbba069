/*
 * test/gpu/double/libcublas.c - a double of libcublas.so.13: a library without probes that asks the driver for kernels.
 *
 * As the real one it has a workspace, and a product with a long inner side is cut into parts that a second kernel adds
 * up.  Nothing is computed.
 */
#include <stdlib.h>

#include "cuda.h"

enum { TILE = 32, LONG_SIDE = 256, PARTS = 4, WORKSPACE_BYTES = 1 << 20, INVALID_VALUE = 7 };

static void *multiply, *add_parts; /* stay as long as their module, the process: records have their names */

struct double_blas {
  void *workspace;
};

int cublasCreate_v2(cublasHandle_t *out) {
  cublasHandle_t handle = calloc(1, sizeof *handle);
  cuInit(0);
  cuModuleGetFunction(&multiply, NULL, "_Z6sgemm_PKfS0_Pf");
  cuModuleGetFunction(&add_parts, NULL, "_Z9add_partsPKfPf");
  *out = handle;
  return cudaMalloc(&handle->workspace, WORKSPACE_BYTES);
}

int cublasDestroy_v2(cublasHandle_t handle) {
  int result = cudaFree(handle->workspace);
  free(handle);
  return result;
}

static int ask(void *function, unsigned columns, unsigned rows, unsigned parts) {
  int result = cuLaunchKernel(function, columns, rows, parts, 256, 1, 1, 0, NULL, NULL, NULL);
  __asm__ volatile("" ::: "memory");
  return result;
}

int cublasSgemm_v2(cublasHandle_t handle, int turn_a, int turn_b, int m, int n, int k, const float *alpha,
                   const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc) {
  (void)turn_a, (void)turn_b, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
  if (handle == NULL || m <= 0 || n <= 0 || k <= 0)
    return INVALID_VALUE;
  unsigned columns = ((unsigned)n + TILE - 1) / TILE, rows = ((unsigned)m + TILE - 1) / TILE;
  int result = ask(multiply, columns, rows, k > LONG_SIDE ? PARTS : 1);
  return result == 0 && k > LONG_SIDE ? ask(add_parts, columns, rows, 1) : result;
}
