/*
 * test/gpu/double/libcudart.c - a double of libcudart.so.13: what C programs call directly, and what the stubs that
 * nvcc makes call.  Nothing is computed: memory is the host's, kernels are only said to run.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "cupti_abi.h"
#include "double.h"

enum { KERNELS = 1024, DEFAULT_STREAM = 7 };

struct double_stream {
  uint32_t number;      /* first: cuptiGetStreamIdEx reads it */
  cudaGraph_t captured; /* by cudaStreamBeginCapture; NULL: what is asked for runs */
};
enum { NODES = 16 };

struct double_graph {
  uint32_t number, nodes;
  struct double_work works[NODES];               /* their names stay: records have them */
  struct double_node made[NODES], copied[NODES]; /* copied: what runs */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  const void *function;
  const char *name;
} kernels[KERNELS];
static unsigned kernel_count;
static uint32_t next_stream = DEFAULT_STREAM + 6, next_graph = 1, free_graph;

static uint32_t stream_of(cudaStream_t stream) {
  return stream != NULL ? stream->number : DEFAULT_STREAM;
}

void gpu_double_kernel(const void *function, const char *name) {
  pthread_mutex_lock(&lock);
  kernels[kernel_count % KERNELS].function = function;
  kernels[kernel_count++ % KERNELS].name = strdup(name); /* whose library may go before its records are read */
  pthread_mutex_unlock(&lock);
}

static const char *name_of(const void *function) {
  for (unsigned i = 0; i < kernel_count && i < KERNELS; i++)
    if (kernels[i].function == function)
      return kernels[i].name;
  return NULL;
}

/* After a kernel that is called so nothing works any more, as after an illegal access. */
#define FAULTY "_Z3badPi"
enum { ILLEGAL_ADDRESS = 700, CAPTURE_REFUSED = 900 };
static int fault;

#define CALL(id, name, ...)                                                                                            \
  uint32_t correlation = double_enter(ABI_RUNTIME_API, id, name);                                                      \
  double_work(correlation, &(struct double_work){__VA_ARGS__});                                                        \
  double_leave(ABI_RUNTIME_API, id, name, correlation, 0);                                                             \
  return 0

/* A node for each kernel, made within the call that would have launched it. */
static void capture(cudaGraph_t graph, const struct double_work *work) {
  uint32_t inner = double_enter(ABI_DRIVER_API, 307, "cuLaunchKernel"), i = graph->nodes;
  if (i < NODES) {
    graph->nodes++;
    graph->works[i] = *work;
    graph->made[i].number = ((uint64_t)graph->number << 32) + 100 + i;
    double_resource(ABI_GRAPH_NODE_CREATED, &(struct abi_graph){.node = &graph->made[i]});
  }
  double_leave(ABI_DRIVER_API, 307, "cuLaunchKernel", inner, i < NODES ? 0 : 2);
}

static int launch(uint32_t id, const char *api, const char *name, struct dim3 grid, struct dim3 block, size_t shared,
                  cudaStream_t stream) {
  struct double_work work = {.kind = ABI_CONCURRENT_KERNEL,
                             .name = name,
                             .grid = {grid.x, grid.y, grid.z},
                             .block = {block.x, block.y, block.z},
                             .shared = (uint32_t)shared,
                             .stream = stream_of(stream)};
  uint32_t correlation = double_enter(ABI_RUNTIME_API, id, api);
  bool is_bad = name != NULL && strcmp(name, FAULTY) == 0; /* it ends without a record */
  fault = is_bad ? ILLEGAL_ADDRESS : fault;
  if (name != NULL && stream != NULL && stream->captured != NULL)
    capture(stream->captured, &work);
  else if (name != NULL && !is_bad)
    double_launch_within(correlation, &work);
  double_leave(ABI_RUNTIME_API, id, api, correlation, name != NULL ? 0 : 98);
  return name != NULL ? 0 : 98;
}

int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                     cudaStream_t stream) {
  (void)arguments;
  return launch(211, "cudaLaunchKernel", name_of(function), grid, block, shared, stream);
}

int cudaMalloc(void **out, size_t bytes) {
  *out = malloc(bytes);
  CALL(20, "cudaMalloc", .kind = ABI_MEMORY, .bytes = bytes, .to = 3, .address = (uintptr_t)*out);
}

int cudaMallocManaged(void **out, size_t bytes, unsigned flags) {
  (void)flags;
  *out = malloc(bytes);
  CALL(206, "cudaMallocManaged", .kind = ABI_MEMORY, .bytes = bytes, .to = 5, .address = (uintptr_t)*out);
}

/* The record first: another thread may get the address then. */
static int give_back(uint32_t id, const char *name, uint32_t kind, void *memory) {
  uint32_t correlation = double_enter(ABI_RUNTIME_API, id, name);
  double_work(correlation,
              &(struct double_work){.kind = ABI_MEMORY, .is_release = 1, .to = kind, .address = (uintptr_t)memory});
  free(memory);
  double_leave(ABI_RUNTIME_API, id, name, correlation, 0);
  return 0;
}

int cudaFree(void *memory) {
  return give_back(22, "cudaFree", 3, memory);
}

static struct { uintptr_t begin, end; } pinned[KERNELS];
static unsigned pinned_count;

static uint32_t memory_of(const void *host) {
  enum { PAGEABLE = 1, PINNED = 2 };
  for (unsigned i = 0; i < pinned_count && i < KERNELS; i++)
    if ((uintptr_t)host >= pinned[i].begin && (uintptr_t)host < pinned[i].end)
      return PINNED;
  return PAGEABLE;
}

static void pin(void **out, size_t bytes) {
  *out = malloc(bytes);
  pthread_mutex_lock(&lock);
  pinned[pinned_count % KERNELS].begin = (uintptr_t)*out;
  pinned[pinned_count++ % KERNELS].end = (uintptr_t)*out + bytes;
  pthread_mutex_unlock(&lock);
}

/* Pinned memory, for cudaMemcpyAsync; cudaMemcpy takes all memory for pageable. */
int cudaMallocHost(void **out, size_t bytes) {
  pin(out, bytes);
  CALL(25, "cudaMallocHost", .kind = ABI_MEMORY, .bytes = bytes, .to = 2, .address = (uintptr_t)*out);
}

int cudaHostAlloc(void **out, size_t bytes, unsigned flags) { /* what C++'s cudaMallocHost calls */
  (void)flags;
  pin(out, bytes);
  CALL(27, "cudaHostAlloc", .kind = ABI_MEMORY, .bytes = bytes, .to = 2, .address = (uintptr_t)*out);
}

int cudaFreeHost(void *memory) {
  return give_back(26, "cudaFreeHost", 2, memory);
}

static struct double_work copy(size_t bytes, int kind, uint32_t host, uint32_t stream, int is_async) {
  static const struct { uint32_t kind, from, to; } sorts[] = {{9, 1, 1}, {1, 1, 3}, {2, 3, 1}, {8, 3, 3}};
  return (struct double_work){.kind = ABI_MEMCPY,
                              .bytes = bytes,
                              .copy_kind = sorts[kind & 3].kind,
                              .from = sorts[kind & 3].from == 1 ? host : sorts[kind & 3].from,
                              .to = sorts[kind & 3].to == 1 ? host : sorts[kind & 3].to,
                              .stream = stream,
                              .is_async = is_async};
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  struct double_work work = copy(bytes, kind, 1, DEFAULT_STREAM, 0);
  memmove(to, from, bytes);
  uint32_t correlation = double_enter(ABI_RUNTIME_API, 31, "cudaMemcpy");
  double_work(correlation, &work);
  double_leave(ABI_RUNTIME_API, 31, "cudaMemcpy", correlation, 0);
  return 0;
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream) {
  struct double_work work =
      copy(bytes, kind, memory_of(kind == cudaMemcpyDeviceToHost ? to : from), stream_of(stream), 1);
  memmove(to, from, bytes);
  uint32_t correlation = double_enter(ABI_RUNTIME_API, 41, "cudaMemcpyAsync");
  double_work(correlation, &work);
  double_leave(ABI_RUNTIME_API, 41, "cudaMemcpyAsync", correlation, 0);
  return 0;
}

int cudaMemset(void *memory, int value, size_t bytes) {
  memset(memory, value, bytes);
  CALL(49, "cudaMemset", .kind = ABI_MEMSET, .bytes = bytes, .value = (uint32_t)value, .to = 3,
       .stream = DEFAULT_STREAM);
}

int cudaStreamCreate(cudaStream_t *out) {
  *out = calloc(1, sizeof **out);
  (*out)->number = __atomic_fetch_add(&next_stream, 1, __ATOMIC_RELAXED);
  return 0;
}

int cudaStreamSynchronize(cudaStream_t stream) {
  CALL(131, "cudaStreamSynchronize", .kind = ABI_SYNCHRONIZATION, .wait_kind = 3, .stream = stream_of(stream));
}

struct double_event {
  uint32_t stream;
};

int cudaEventCreate(cudaEvent_t *out) {
  *out = calloc(1, sizeof **out);
  return 0;
}

int cudaEventDestroy(cudaEvent_t event) {
  free(event);
  return 0;
}

int cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->stream = stream_of(stream);
  return 0;
}

int cudaEventSynchronize(cudaEvent_t event) {
  CALL(137, "cudaEventSynchronize", .kind = ABI_SYNCHRONIZATION, .wait_kind = 1, .stream = event->stream);
}

int cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  (void)event;
  (void)flags;
  CALL(147, "cudaStreamWaitEvent", .kind = ABI_SYNCHRONIZATION, .wait_kind = 2, .stream = stream_of(stream));
}

struct host_call {
  void (*function)(void *);
  void *data;
};

static void *run_host_call(void *given) {
  const struct host_call *call = given;
  call->function(call->data);
  return NULL;
}

int cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data) {
  struct host_call call = {function, data};
  pthread_t thread;
  (void)stream;
  return pthread_create(&thread, NULL, run_host_call, &call) == 0 && pthread_join(thread, NULL) == 0 ? 0 : 999;
}

int cudaDeviceSynchronize(void) {
  if (fault != 0) {
    double_leave(ABI_RUNTIME_API, 165, "cudaDeviceSynchronize",
                 double_enter(ABI_RUNTIME_API, 165, "cudaDeviceSynchronize"), fault);
    return fault;
  }
  CALL(165, "cudaDeviceSynchronize", .kind = ABI_SYNCHRONIZATION, .wait_kind = 4, .stream = UINT32_MAX);
}

int cudaDeviceReset(void) {
  uint32_t correlation = double_enter(ABI_RUNTIME_API, 164, "cudaDeviceReset");
  double_resource(ABI_CONTEXT_DESTROY_STARTING, NULL);
  if (double_hooks.reset != NULL)
    double_hooks.reset();
  double_resource(ABI_CONTEXT_CREATED, NULL);
  double_leave(ABI_RUNTIME_API, 164, "cudaDeviceReset", correlation, 0);
  return 0;
}

int cudaProfilerStart(void) {
  double_leave(ABI_RUNTIME_API, 171, "cudaProfilerStart", double_enter(ABI_RUNTIME_API, 171, "cudaProfilerStart"), 0);
  return 0;
}

int cudaProfilerStop(void) {
  double_leave(ABI_RUNTIME_API, 172, "cudaProfilerStop", double_enter(ABI_RUNTIME_API, 172, "cudaProfilerStop"), 0);
  return 0;
}

/* ---- graphs ---- */

static cudaGraph_t new_graph(void) {
  cudaGraph_t graph = calloc(1, sizeof *graph);
  uint32_t again = __atomic_exchange_n(&free_graph, 0, __ATOMIC_RELAXED);
  graph->number = again != 0 ? again : __atomic_fetch_add(&next_graph, 1, __ATOMIC_RELAXED);
  return graph;
}

cudaGraphExec_t gpu_double_graph(unsigned nodes, const char *name) {
  cudaGraphExec_t graph = new_graph();
  const char *kept = strdup(name);
  graph->nodes = nodes < NODES ? nodes : NODES;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    uint32_t correlation = double_enter(ABI_RUNTIME_API, 289, "cudaGraphAddKernelNode");
    graph->works[i] =
        (struct double_work){.kind = ABI_CONCURRENT_KERNEL, .name = kept, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    graph->made[i].number = ((uint64_t)graph->number << 32) + 100 + i;
    double_resource(ABI_GRAPH_NODE_CREATED, &(struct abi_graph){.node = &graph->made[i]});
    double_leave(ABI_RUNTIME_API, 289, "cudaGraphAddKernelNode", correlation, 0);
  }
  return graph;
}

void gpu_double_instantiate(cudaGraphExec_t graph) {
  uint32_t correlation = double_enter(ABI_RUNTIME_API, 310, "cudaGraphInstantiate");
  for (uint32_t i = 0; i < graph->nodes; i++) {
    graph->copied[i].number = ((uint64_t)graph->number << 32) + i + 1;
    double_resource(ABI_GRAPH_NODE_CLONED,
                    &(struct abi_graph){.node = &graph->copied[i], .original_node = &graph->made[i]});
  }
  double_leave(ABI_RUNTIME_API, 310, "cudaGraphInstantiate", correlation, 0);
}

int cudaStreamBeginCapture(cudaStream_t stream, int mode) {
  (void)mode;
  if (stream == NULL || stream->captured != NULL)
    return CAPTURE_REFUSED;
  stream->captured = new_graph();
  return 0;
}

int cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  *graph = stream != NULL ? stream->captured : NULL;
  if (*graph == NULL)
    return CAPTURE_REFUSED;
  stream->captured = NULL;
  return 0;
}

int cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags) {
  (void)flags;
  *out = malloc(sizeof **out);
  **out = *graph;
  gpu_double_instantiate(*out);
  return 0;
}

int cudaGraphDestroy(cudaGraph_t graph) {
  free(graph);
  return 0;
}

int cudaGraphExecDestroy(cudaGraphExec_t graph) {
  __atomic_store_n(&free_graph, graph->number, __ATOMIC_RELAXED);
  free(graph);
  return 0;
}

int cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  uint32_t correlation = double_enter(ABI_RUNTIME_API, 311, "cudaGraphLaunch");
  for (unsigned i = 0; i < graph->nodes; i++) {
    struct double_work work = graph->works[i];
    work.stream = stream_of(stream);
    work.graph = graph->number;
    work.node = graph->copied[i].number;
    double_work(correlation, &work);
  }
  double_work(correlation,
              &(struct double_work){.kind = ABI_GRAPH_TRACE, .stream = stream_of(stream), .graph = graph->number});
  double_leave(ABI_RUNTIME_API, 311, "cudaGraphLaunch", correlation, 0);
  return 0;
}

/* ---- what nvcc's stubs call ---- */

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
char __cudaInitModule(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
int __cudaGetKernel(void **, const void *);
unsigned __cudaPushCallConfiguration(struct dim3, struct dim3, size_t, cudaStream_t);
int __cudaPopCallConfiguration(struct dim3 *, struct dim3 *, size_t *, cudaStream_t *);
int __cudaLaunchKernel(void *, struct dim3, struct dim3, void **, size_t, cudaStream_t);
int cudaGetLastError(void);
const char *cudaGetErrorString(int);

void **__cudaRegisterFatBinary(void *binary) {
  static void *handle;
  (void)binary;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}
void __cudaUnregisterFatBinary(void **handle) {
  (void)handle;
}
char __cudaInitModule(void **handle) {
  (void)handle;
  return 1;
}
void __cudaRegisterFunction(void **handle, const char *function, char *device, const char *name, int limit, void *a,
                            void *b, void *c, void *d, int *e) {
  (void)handle, (void)device, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
  gpu_double_kernel(function, name);
}
int __cudaGetKernel(void **kernel, const void *function) {
  *kernel = (void *)(uintptr_t)name_of(function);
  return *kernel != NULL ? 0 : 98;
}

static __thread struct {
  struct dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configured;

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, cudaStream_t stream) {
  configured.grid = grid;
  configured.block = block;
  configured.shared = shared;
  configured.stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, cudaStream_t *stream) {
  *grid = configured.grid;
  *block = configured.block;
  *shared = configured.shared;
  *stream = configured.stream;
  return 0;
}
int __cudaLaunchKernel(void *kernel, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                       cudaStream_t stream) {
  (void)arguments;
  return launch(505, "__cudaLaunchKernel", kernel, grid, block, shared, stream);
}
int cudaGetLastError(void) {
  return 0;
}
const char *cudaGetErrorString(int error) {
  return error == 0 ? "no error" : "an error";
}
