/*
 * test/gpu/programs/works.c - the ways in which programs use a GPU, one word each.  works WORD [LIBRARY]
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../double/cuda.h"

#define OWN __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")
enum { STREAMS = 4, ROUNDS = 25, BYTES = 8192, RUNS = 1000, EVENTS = 10, SIDE = 64, DEEP = 512, PRODUCTS = 50 };

static char stub, other_stub, third_stub, bad_stub;
static const struct dim3 one = {1, 1, 1}, block = {64, 1, 1};
static volatile int host_calls;

OWN static void launch(cudaStream_t stream) {
  cudaLaunchKernel(&stub, one, block, NULL, 0, stream);
  STAY;
}

/* ---- a pipeline of copies and kernels in four streams ---- */

OWN static void turn(void *device, void *host, cudaStream_t stream) {
  cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream);
  launch(stream);
  cudaMemcpyAsync(host, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
  STAY;
}

static int pipeline(const char *unused) {
  cudaStream_t streams[STREAMS];
  void *device, *host;
  (void)unused;
  cudaMalloc(&device, BYTES);
  cudaMallocHost(&host, BYTES);
  for (int i = 0; i < STREAMS; i++)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < STREAMS * ROUNDS; i++)
    turn(device, host, streams[i % STREAMS]);
  for (int i = 0; i < STREAMS; i++)
    cudaStreamSynchronize(streams[i]);
  return 0;
}

/* ---- a graph that runs often, is destroyed and made again elsewhere: its numbers are used again ---- */

OWN static cudaGraphExec_t made_first(void) {
  cudaGraphExec_t graph = gpu_double_graph(5, "_Z4nodePi");
  gpu_double_instantiate(graph);
  STAY;
  return graph;
}

OWN static cudaGraphExec_t made_again(void) {
  cudaGraphExec_t graph = gpu_double_graph(5, "_Z5againPi");
  gpu_double_instantiate(graph);
  STAY;
  return graph;
}

OWN static void run(cudaGraphExec_t graph, int runs) {
  for (int i = 0; i < runs; i++)
    cudaGraphLaunch(graph, NULL);
  STAY;
}

static int graphs(const char *unused) {
  (void)unused;
  cudaGraphExec_t graph = made_first();
  run(graph, RUNS);
  cudaGraphExecDestroy(graph);
  graph = made_again();
  run(graph, RUNS / 2);
  cudaGraphExecDestroy(graph);
  return 0;
}

/* ---- the same by capture: what launches would have run makes nodes ---- */

OWN static void launch_other(cudaStream_t stream) {
  cudaLaunchKernel(&other_stub, one, block, NULL, 0, stream);
  STAY;
}

OWN static void launch_third(cudaStream_t stream) {
  cudaLaunchKernel(&third_stub, one, block, NULL, 0, stream);
  STAY;
}

OWN static void body(cudaStream_t stream) {
  launch(stream);
  launch_other(stream);
  launch(stream);
  STAY;
}

OWN static cudaGraphExec_t captured_of(void (*ask)(cudaStream_t), cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, 0);
  ask(stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphDestroy(graph);
  STAY;
  return ready;
}

static int capture(const char *unused) {
  cudaStream_t stream;
  (void)unused;
  cudaStreamCreate(&stream);
  cudaGraphExec_t graph = captured_of(body, stream);
  run(graph, RUNS);
  cudaGraphExecDestroy(graph);
  graph = captured_of(launch_third, stream);
  run(graph, RUNS / 2);
  cudaGraphExecDestroy(graph);
  launch(stream); /* which runs again */
  return cudaStreamSynchronize(stream);
}

/* ---- a library of NVIDIA's, without probes, that launches by itself ---- */

OWN static void product(cublasHandle_t handle, float *c, const float *a, const float *b, int k) {
  static const float alpha = 1, beta;
  cublasSgemm_v2(handle, 0, 0, SIDE, SIDE, k, &alpha, a, SIDE, b, SIDE, &beta, c, SIDE);
  STAY;
}

OWN static void products(cublasHandle_t handle, float *const matrices[3]) {
  for (int i = 0; i < PRODUCTS; i++)
    product(handle, matrices[0], matrices[1], matrices[2], SIDE);
  product(handle, matrices[0], matrices[1], matrices[2], DEEP);
  STAY;
}

static int gemm(const char *unused) {
  cublasHandle_t handle;
  void *memory[3];
  (void)unused;
  if (cublasCreate_v2(&handle) != 0)
    return 1;
  for (int i = 0; i < 3; i++)
    cudaMalloc(&memory[i], (size_t)SIDE * DEEP * sizeof(float));
  products(handle, (float *const[]){memory[0], memory[1], memory[2]});
  cudaDeviceSynchronize();
  return cublasDestroy_v2(handle);
}

/* ---- events, streams that wait for them, functions of the host ---- */

OWN static void on_host(void *count) {
  ++*(volatile int *)count;
}

OWN static void wait_for(cudaEvent_t event) {
  cudaEventSynchronize(event);
  STAY;
}

static int events(const char *unused) {
  cudaStream_t first, second;
  cudaEvent_t event;
  (void)unused;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&event);
  for (int i = 0; i < EVENTS; i++) {
    launch(first);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    launch(second);
    cudaLaunchHostFunc(second, on_host, (void *)&host_calls);
    wait_for(event);
  }
  cudaEventDestroy(event);
  return host_calls != EVENTS;
}

/* ---- a kernel in a library that comes and goes ---- */

static int library(const char *path) {
  for (int i = 0; i < 3; i++) {
    void *handle = dlopen(path, RTLD_NOW);
    void (*launch_there)(void) = handle != NULL ? (void (*)(void))dlsym(handle, "launch_there") : NULL;
    if (launch_there == NULL)
      return 1;
    launch_there();
    dlclose(handle);
  }
  return 0;
}

/* ---- CUPTI is ended by the program itself, as one does that has a profiler of its own ---- */

OWN static void before(void) {
  for (int i = 0; i < EVENTS; i++)
    launch(NULL);
  STAY;
}

OWN static void after(void) {
  for (int i = 0; i < 2 * EVENTS; i++)
    launch(NULL);
  STAY;
}

static int restart(const char *times) {
  before();
  void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  if (cupti == NULL) /* nobody records */
    return 0;
  int (*finalize)(void) = (int (*)(void))dlsym(cupti, "cuptiFinalize");
  int (*listens)(void) = (int (*)(void))dlsym(cupti, "gpu_double_listens");
  for (int i = 0; i < atoi(times); i++) {
    finalize();
    launch(NULL);
    while (!listens())
      usleep(1000);
    after();
  }
  return 0;
}

/* ---- the context goes with all that is in it, and another one comes ---- */

static int reset(const char *unused) {
  (void)unused;
  before();
  cudaDeviceReset();
  after();
  return cudaDeviceSynchronize();
}

/* ---- an illegal access: the next call that waits says it, and nothing works any more ---- */

OWN static void launch_bad(void) {
  cudaLaunchKernel(&bad_stub, one, block, NULL, 0, NULL);
  STAY;
}

static int fault(const char *unused) {
  (void)unused;
  for (int i = 0; i < EVENTS; i++)
    launch(NULL);
  launch_bad();
  int result = cudaDeviceSynchronize();
  printf("error %d\n", result);
  return result == 700 ? 4 : 1;
}

int main(int count, char **arguments) {
  static const struct {
    const char *word;
    int (*run)(const char *);
  } words[] = {{"pipeline", pipeline}, {"graphs", graphs}, {"capture", capture}, {"gemm", gemm},  {"events", events},
               {"library", library},   {"fault", fault},   {"restart", restart}, {"reset", reset}};
  gpu_double_kernel(&stub, "_Z5twicePf");
  gpu_double_kernel(&other_stub, "_Z5otherPf");
  gpu_double_kernel(&third_stub, "_Z5thirdPf");
  gpu_double_kernel(&bad_stub, "_Z3badPi");
  for (size_t i = 0; count > 1 && i < sizeof words / sizeof *words; i++)
    if (strcmp(arguments[1], words[i].word) == 0) {
      int status = words[i].run(count > 2 ? arguments[2] : NULL);
      printf("%s\n", words[i].word);
      return status;
    }
  return 2;
}
