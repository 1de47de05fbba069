/*
 * test/gpu/double/cuda.h - the part of CUDA's interface that the test programs use, declared by ourselves.
 *
 * The doubles of libcuda and libcudart have these functions; so have the real ones.
 */
#ifndef TEST_GPU_CUDA_H
#define TEST_GPU_CUDA_H

#include <stddef.h>

struct dim3 {
  unsigned x, y, z;
};
typedef struct double_stream *cudaStream_t;
typedef struct double_graph *cudaGraph_t;
typedef struct double_graph *cudaGraphExec_t;
typedef struct double_event *cudaEvent_t;

enum { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

int cudaMalloc(void **, size_t);
int cudaMallocManaged(void **, size_t, unsigned);
int cudaFree(void *);
int cudaMallocHost(void **, size_t); /* pinned */
int cudaHostAlloc(void **, size_t, unsigned);
int cudaFreeHost(void *);
int cudaMemcpy(void *to, const void *from, size_t, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t, int kind, cudaStream_t);
int cudaMemset(void *, int value, size_t);
int cudaStreamCreate(cudaStream_t *);
int cudaStreamSynchronize(cudaStream_t);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void); /* the context goes, another one comes */
int cudaEventCreate(cudaEvent_t *);
int cudaEventDestroy(cudaEvent_t);
int cudaEventRecord(cudaEvent_t, cudaStream_t);
int cudaEventSynchronize(cudaEvent_t);
int cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags);
int cudaLaunchHostFunc(cudaStream_t, void (*function)(void *),
                       void *data); /* the double runs it at once, in a thread */
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                     cudaStream_t);
int cudaProfilerStart(void);
int cudaProfilerStop(void);
int cudaStreamBeginCapture(cudaStream_t, int mode); /* the double captures kernels only */
int cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
int cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long flags); /* a captured one, once */
int cudaGraphDestroy(cudaGraph_t);
int cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
int cudaGraphExecDestroy(cudaGraphExec_t); /* its number is used again */

int cuInit(unsigned flags);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, cudaStream_t, void **arguments, void **extra);

typedef struct double_blas *cublasHandle_t;
int cublasCreate_v2(cublasHandle_t *); /* as cublas_v2.h names them */
int cublasDestroy_v2(cublasHandle_t);
int cublasSgemm_v2(cublasHandle_t, int turn_a, int turn_b, int m, int n, int k, const float *alpha, const float *a,
                   int lda, const float *b, int ldb, const float *beta, float *c, int ldc);

/* Only the doubles': what nvcc's stubs do by other means. */
void gpu_double_kernel(const void *function, const char *name);     /* cudaLaunchKernel knows it from here on */
cudaGraphExec_t gpu_double_graph(unsigned nodes, const char *name); /* built node by node */
void gpu_double_replay(void);                                       /* double/replay.c */
void gpu_double_instantiate(cudaGraphExec_t);                       /* from here on it can run */

#endif
