// test/gpu/suite/suite.cu - programs for a real GPU, one per word of the command line; each prints what it did.
//
// Built by scripts/gpu_bundle.sh with nvcc, host code with probes; run by check.sh.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#define OWN __attribute__((noinline)) static
#define STAY asm volatile("" ::: "memory")
#define MUST(call) must(call, #call)

static void must(cudaError_t result, const char *what) {
  if (result == cudaSuccess)
    return;
  std::fprintf(stderr, "suite: %s: %s\n", what, cudaGetErrorString(result));
  std::exit(3);
}

static double seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

__global__ void empty() {}
enum { SPIN_LINE = __LINE__ + 3 }; // where spin spends its time
__global__ void spin(long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles)
    ;
}
template <typename T, int N> __global__ void fill(T *out) { out[threadIdx.x % N] = T(N); }
namespace {
__global__ void twice(float *out) { out[threadIdx.x] *= 2; }
}
__global__ void bad(int *out) { out[1ull << 40] = 1; }

OWN void launch_empty() {
  empty<<<1, 32>>>();
  STAY;
}

// 100,000 empty kernels: ns per launch.
static int launches(int count) {
  launch_empty();
  MUST(cudaDeviceSynchronize());
  double begin = seconds();
  for (int i = 0; i < count; i++)
    launch_empty();
  double each = (seconds() - begin) / count * 1e9;
  MUST(cudaDeviceSynchronize());
  std::printf("launches %d ns_each %.0f\n", count + 1, each);
  return 0;
}

// Kernels of some 50 us, one by one between two CUDA events: their sum.
static int events(int count) {
  cudaEvent_t begin, end;
  double sum_ms = 0;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  spin<<<1, 1>>>(1000);
  MUST(cudaDeviceSynchronize());
  for (int i = 0; i < count; i++) {
    float ms;
    MUST(cudaEventRecord(begin));
    spin<<<1, 1>>>(2000000);
    MUST(cudaEventRecord(end));
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&ms, begin, end));
    sum_ms += ms;
  }
  std::printf("kernels %d events_ns %.0f\n", count + 1, sum_ms * 1e6);
  return 0;
}

// Four streams: copy in, compute, copy out.
static int pipeline(int rounds) {
  enum { STREAMS = 4, FLOATS = 1 << 20 };
  cudaStream_t streams[STREAMS];
  float *host[STREAMS], *device[STREAMS];
  for (int i = 0; i < STREAMS; i++) {
    MUST(cudaStreamCreate(&streams[i]));
    MUST(cudaMallocHost(&host[i], FLOATS * sizeof(float)));
    MUST(cudaMalloc(&device[i], FLOATS * sizeof(float)));
    nvtxNameCudaStreamA(streams[i], i % 2 ? "odd" : "even");
  }
  for (int r = 0; r < rounds; r++) {
    nvtxRangePushA("round");
    for (int i = 0; i < STREAMS; i++) {
      MUST(cudaMemcpyAsync(device[i], host[i], FLOATS * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
      spin<<<1, 1, 0, streams[i]>>>(200000);
      MUST(cudaMemcpyAsync(host[i], device[i], FLOATS * sizeof(float), cudaMemcpyDeviceToHost, streams[i]));
    }
    nvtxRangePop();
  }
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d copies %d bytes %zu\n", rounds * STREAMS, rounds * STREAMS * 2,
              (size_t)rounds * STREAMS * 2 * FLOATS * sizeof(float));
  return 0;
}

// A graph of three kernels, captured, run, destroyed and made again.
OWN void run_graph(cudaGraphExec_t graph, cudaStream_t stream, int runs) {
  for (int i = 0; i < runs; i++)
    MUST(cudaGraphLaunch(graph, stream));
  STAY;
}

OWN void capture_graph(cudaStream_t stream, float *out) {
  fill<float, 8><<<1, 32, 0, stream>>>(out);
  twice<<<1, 32, 0, stream>>>(out);
  fill<float, 16><<<1, 32, 0, stream>>>(out);
  STAY;
}

static int graphs(int runs) {
  cudaStream_t stream;
  float *out;
  MUST(cudaMalloc(&out, 4096));
  MUST(cudaStreamCreate(&stream));
  for (int made = 0; made < 2; made++) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    capture_graph(stream, out);
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&ready, graph, 0));
    run_graph(ready, stream, runs);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaGraphExecDestroy(ready));
    MUST(cudaGraphDestroy(graph));
  }
  std::printf("kernels %d\n", 2 * 3 * runs);
  return 0;
}

// Kernels whose time is spent in one line.
static int lines(int kernels) {
  for (int i = 0; i < kernels; i++)
    spin<<<64, 128>>>(5000000);
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d line %d\n", kernels, SPIN_LINE);
  return 0;
}

// Pageable and pinned, both ways; sets; device to device.
static int copies(int) {
  enum : size_t { BYTES = 8 << 20 };
  void *pinned, *device, *other, *pageable = std::malloc(BYTES);
  MUST(cudaMallocHost(&pinned, BYTES));
  MUST(cudaMalloc(&device, BYTES));
  MUST(cudaMalloc(&other, BYTES));
  std::memset(pageable, 1, BYTES);
  MUST(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(other, device, BYTES, cudaMemcpyDeviceToDevice));
  MUST(cudaMemset(device, 3, BYTES));
  MUST(cudaDeviceSynchronize());
  std::printf("copies 5 sets 1 bytes %zu\n", 6 * BYTES);
  return 0;
}

// A range that is open when the program ends by a signal.
static int open_range(int) {
  nvtxRangePushA("never");
  empty<<<1, 32>>>();
  MUST(cudaDeviceSynchronize());
  usleep(400000);
  std::abort();
}

static int per_thread;
static void *work(void *) {
  for (int i = 0; i < per_thread; i++)
    launch_empty();
  return nullptr;
}

static int threads(int count) {
  pthread_t ids[8];
  per_thread = count;
  for (pthread_t &id : ids)
    pthread_create(&id, nullptr, work, nullptr);
  for (pthread_t &id : ids)
    pthread_join(id, nullptr);
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d\n", 8 * count);
  return 0;
}

// Templates, anonymous namespaces, two shapes; each from a function of its own.
OWN void launch_fill(float *out) {
  fill<float, 8><<<4, 64>>>(out);
  STAY;
}
OWN void launch_twice(float *out) {
  twice<<<dim3(2, 3), 32>>>(out);
  STAY;
}

static int names(int count) {
  float *out;
  MUST(cudaMalloc(&out, 4096));
  for (int i = 0; i < count; i++) {
    launch_fill(out);
    launch_twice(out);
  }
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d\n", 2 * count);
  return 0;
}

// The host does something else for 20 ms between kernels: idle time of the GPU under this name.
OWN void think() {
  double until = seconds() + 0.02;
  while (seconds() < until)
    ;
}

static int gaps(int count) {
  for (int i = 0; i < count; i++) {
    launch_empty();
    MUST(cudaDeviceSynchronize());
    think();
  }
  launch_empty();
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d idle_ns %lld\n", count + 1, count * 20000000ll);
  return 0;
}

static void CUDART_CB host_function(void *counter) { ++*(int *)counter; }

static int host(int count) {
  cudaStream_t first, second;
  cudaEvent_t done;
  int called = 0;
  MUST(cudaStreamCreate(&first));
  MUST(cudaStreamCreate(&second));
  MUST(cudaEventCreate(&done));
  for (int i = 0; i < count; i++) {
    spin<<<1, 1, 0, first>>>(20000);
    MUST(cudaEventRecord(done, first));
    MUST(cudaStreamWaitEvent(second, done, 0));
    empty<<<1, 32, 0, second>>>();
    MUST(cudaLaunchHostFunc(second, host_function, &called));
  }
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d called %d\n", 2 * count, called);
  return 0;
}

static int driver(int count) {
  CUfunction function;
  MUST(cudaGetFuncBySymbol(&function, (const void *)empty));
  for (int i = 0; i < count; i++)
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  MUST(cudaDeviceSynchronize());
  std::printf("kernels %d\n", count);
  return 0;
}

// A kernel in a library that is loaded and unloaded.
static int library(int count) {
  for (int i = 0; i < count; i++) {
    void *handle = dlopen("./libkernel.so", RTLD_NOW);
    int (*run)() = handle ? (int (*)())dlsym(handle, "run_kernel") : nullptr;
    if (!run || run() != 0) {
      std::fprintf(stderr, "suite: libkernel.so: %s\n", handle ? "its kernel did not run" : dlerror());
      return 3;
    }
    dlclose(handle);
  }
  std::printf("kernels %d\n", count);
  return 0;
}

static int forked(int count) { // a child before CUDA begins
  pid_t child = fork();
  for (int i = 0; i < (child ? count : 2 * count); i++)
    launch_empty();
  MUST(cudaDeviceSynchronize());
  if (child) {
    int status;
    waitpid(child, &status, 0);
    std::printf("kernels %d child_status %d\n", 3 * count, status);
  }
  return 0;
}

static int forked_late(int count) { // a child that doesn't use CUDA, after it has begun
  launch_empty();
  pid_t child = fork();
  if (child == 0)
    _exit(7);
  for (int i = 1; i < count; i++)
    launch_empty();
  MUST(cudaDeviceSynchronize());
  int status;
  waitpid(child, &status, 0);
  std::printf("kernels %d child_status %d\n", count, WEXITSTATUS(status));
  return 0;
}

static int fault(int count) { // what came 0.4 s before is there
  for (int i = 0; i < count; i++)
    launch_empty();
  MUST(cudaDeviceSynchronize());
  usleep(400000);
  bad<<<1, 1>>>(nullptr);
  cudaError_t result = cudaDeviceSynchronize();
  std::printf("kernels %d error %d\n", count, (int)result);
  return 0;
}

static int aborted(int count) {
  for (int i = 0; i < count; i++)
    launch_empty();
  MUST(cudaDeviceSynchronize());
  usleep(400000);
  std::abort();
}

// cuBLAS, if it is installed: C = A B of 1024 x 1024.
static int gemm(int count) {
  void *blas = dlopen("libcublas.so.13", RTLD_NOW);
  blas = blas ? blas : dlopen("libcublas.so.12", RTLD_NOW);
  if (!blas) {
    std::printf("skipped: no libcublas\n");
    return 0;
  }
  auto create = (int (*)(void **))dlsym(blas, "cublasCreate_v2");
  auto sgemm = (int (*)(void *, int, int, int, int, int, const float *, const float *, int, const float *, int,
                        const float *, float *, int))dlsym(blas, "cublasSgemm_v2");
  enum { N = 1024 };
  void *handle;
  float *a, *b, *c, one = 1, zero = 0;
  MUST(cudaMalloc(&a, N * N * sizeof(float)));
  MUST(cudaMalloc(&b, N * N * sizeof(float)));
  MUST(cudaMalloc(&c, N * N * sizeof(float)));
  if (create(&handle) != 0)
    return 3;
  for (int i = 0; i < count; i++)
    sgemm(handle, 0, 0, N, N, N, &one, a, N, b, N, &zero, c, N);
  MUST(cudaDeviceSynchronize());
  std::printf("products %d\n", count);
  return 0;
}

static const struct {
  const char *word;
  int (*run)(int);
  int count;
} programs[] = {
    {"launches", launches, 100000}, {"events", events, 200},     {"pipeline", pipeline, 50}, {"graphs", graphs, 1000},
    {"copies", copies, 0},          {"threads", threads, 2000},  {"names", names, 10},       {"gaps", gaps, 20},
    {"host", host, 50},             {"driver", driver, 100},     {"library", library, 5},    {"forked", forked, 10},
    {"forked_late", forked_late, 10}, {"lines", lines, 200},       {"open", open_range, 0},     {"fault", fault, 100},     {"aborted", aborted, 100},  {"gemm", gemm, 50},
};

int main(int count, char **arguments) {
  for (const auto &program : programs)
    if (count > 1 && std::strcmp(arguments[1], program.word) == 0)
      return program.run(count > 2 ? std::atoi(arguments[2]) : program.count);
  std::fprintf(stderr, "suite: which program?\n");
  return 2;
}
