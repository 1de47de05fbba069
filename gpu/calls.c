/*
 * gpu/calls.c - see calls.h.
 *
 * A call of the runtime makes calls of the driver.  The outermost call is the program's.  An inner one is kept, and
 * marked, only if it has its own correlation number, which records may carry.
 *
 * Each callback costs the caller time, so only calls that launch, copy, set, wait, allocate or run graphs have one.
 * The numbers are those of cupti_runtime_cbid.h and cupti_driver_cbid.h; they don't change between releases.  `<<<>>>`
 * calls 211 or 505, which depends on the compiler.
 */
#include "calls.h"

#include <unistd.h>

#include "capture.h"
#include "clock.h"
#include "keep.h"
#include "stack.h"
#include "stream.h"

static const struct range {
  uint8_t domain;
  uint16_t first, last;
} wanted[] = {
    {ABI_RUNTIME_API, 20, 27},                                /* malloc, free, and their kin; cudaHostAlloc */
    {ABI_RUNTIME_API, 31, 52},                                /* copies and sets */
    {ABI_RUNTIME_API, 126, 126},                              /* cudaThreadSynchronize */
    {ABI_RUNTIME_API, 131, 131},                              /* cudaStreamSynchronize */
    {ABI_RUNTIME_API, 137, 137},                              /* cudaEventSynchronize */
    {ABI_RUNTIME_API, 140, 147},                              /* 3D; cudaStreamWaitEvent */
    {ABI_RUNTIME_API, 152, 153},                              /* cudaHostRegister, cudaHostUnregister */
    {ABI_RUNTIME_API, 160, 163},                              /* peers */
    {ABI_RUNTIME_API, 165, 165},                              /* cudaDeviceSynchronize */
    {ABI_RUNTIME_API, 171, 172},                              /* cudaProfilerStart, cudaProfilerStop */
    {ABI_RUNTIME_API, 192, 194}, {ABI_RUNTIME_API, 206, 206}, /* cudaMallocManaged */
    {ABI_RUNTIME_API, 211, 211},                              /* cudaLaunchKernel */
    {ABI_RUNTIME_API, 214, 236},                              /* the same with a stream per thread */
    {ABI_RUNTIME_API, 239, 239}, {ABI_RUNTIME_API, 243, 250},
    {ABI_RUNTIME_API, 269, 270}, /* cudaLaunchCooperativeKernel */
    {ABI_RUNTIME_API, 289, 290}, /* cudaGraphAddKernelNode and its kin */
    {ABI_RUNTIME_API, 293, 293}, {ABI_RUNTIME_API, 296, 296},
    {ABI_RUNTIME_API, 298, 298}, {ABI_RUNTIME_API, 300, 300},
    {ABI_RUNTIME_API, 310, 310},                              /* cudaGraphInstantiate */
    {ABI_RUNTIME_API, 311, 312},                              /* cudaGraphLaunch */
    {ABI_RUNTIME_API, 350, 352}, {ABI_RUNTIME_API, 418, 419}, /* more nodes of graphs */
    {ABI_RUNTIME_API, 421, 421}, {ABI_RUNTIME_API, 436, 437},
    {ABI_RUNTIME_API, 443, 443}, {ABI_RUNTIME_API, 445, 445},
    {ABI_RUNTIME_API, 460, 460}, {ABI_RUNTIME_API, 373, 376}, /* cudaMallocAsync, cudaFreeAsync */
    {ABI_RUNTIME_API, 391, 392}, {ABI_RUNTIME_API, 430, 431}, /* cudaLaunchKernelExC */
    {ABI_RUNTIME_API, 482, 485},                              /* batches of copies */
    {ABI_RUNTIME_API, 505, 506},                              /* __cudaLaunchKernel */
    {ABI_RUNTIME_API, 509, 512}, {ABI_DRIVER_API, 17, 17},    /* cuCtxSynchronize */
    {ABI_DRIVER_API, 38, 38},    {ABI_DRIVER_API, 89, 89},    /* cuMemFreeHost, cuArrayDestroy */
    {ABI_DRIVER_API, 121, 121},  {ABI_DRIVER_API, 126, 126},
    {ABI_DRIVER_API, 216, 226}, /* asynchronous sets */
    {ABI_DRIVER_API, 243, 245}, /* cuMemAlloc, cuMemFree */
    {ABI_DRIVER_API, 249, 254}, /* sets */
    {ABI_DRIVER_API, 271, 272}, /* cuMemHostAlloc, cuArrayCreate */
    {ABI_DRIVER_API, 274, 274}, /* cuArray3DCreate */
    {ABI_DRIVER_API, 276, 294}, /* copies; cuMemAllocHost */
    {ABI_DRIVER_API, 301, 302}, /* cuMemHostRegister, cuMemHostUnregister */
    {ABI_DRIVER_API, 305, 309}, /* cuMemcpy, cuMemcpyAsync, cuLaunchKernel, cuProfilerStart, cuProfilerStop */
    {ABI_DRIVER_API, 318, 321},  {ABI_DRIVER_API, 347, 347},
    {ABI_DRIVER_API, 349, 349},  {ABI_DRIVER_API, 371, 371}, /* cuMemAllocManaged */
    {ABI_DRIVER_API, 379, 379},  {ABI_DRIVER_API, 397, 433},
    {ABI_DRIVER_API, 440, 442},  {ABI_DRIVER_API, 477, 478}, /* cuLaunchCooperativeKernel */
    {ABI_DRIVER_API, 502, 502},  {ABI_DRIVER_API, 504, 504},
    {ABI_DRIVER_API, 506, 506}, /* cuGraphAddKernelNode ... */
    {ABI_DRIVER_API, 513, 515}, /* cuGraphInstantiate, cuGraphLaunch */
    {ABI_DRIVER_API, 525, 526},  {ABI_DRIVER_API, 530, 530},
    {ABI_DRIVER_API, 578, 578},  {ABI_DRIVER_API, 638, 639},
    {ABI_DRIVER_API, 643, 643},  {ABI_DRIVER_API, 656, 657},
    {ABI_DRIVER_API, 689, 689},  {ABI_DRIVER_API, 712, 712},
    {ABI_DRIVER_API, 723, 723},  {ABI_DRIVER_API, 598, 601}, /* cuMemAllocAsync, cuMemFreeAsync */
    {ABI_DRIVER_API, 611, 612},                              /* cuMemAllocFromPoolAsync */
    {ABI_DRIVER_API, 652, 653},                              /* cuLaunchKernelEx */
    {ABI_DRIVER_API, 776, 779},  {ABI_DRIVER_API, 796, 800},
};

enum { DEPTH = 8, IDS = 1024, DOMAINS = 3, DOMAIN_BITS = 24 };

static __thread struct {
  uint32_t tid, depth;
  uint32_t subscription; /* of the open calls; calls of an earlier one never end */
  bool is_kept;          /* of the outermost one */
  uint32_t stack;
  struct {
    uint64_t start;
    uint32_t correlation;
  } open[DEPTH];
} caller;

static uint32_t name_texts[DOMAINS][IDS]; /* 0: not known yet; each thread would write the same value */

static uint32_t name_of(int domain, uint32_t id, const char *name) {
  uint32_t text = __atomic_load_n(&name_texts[domain][id], __ATOMIC_RELAXED);
  if (text == 0 && name != NULL) {
    text = prof_gpu_stream_text(name);
    __atomic_store_n(&name_texts[domain][id], text, __ATOMIC_RELAXED);
  }
  return text;
}

/* Is it cudaProfilerStart or cuProfilerStart (or Stop)? */
static bool is_profiler(int domain, uint32_t id, bool start) {
  return domain == ABI_RUNTIME_API ? id == (start ? 171 : 172) : id == (start ? 308 : 309);
}

static uint32_t subscription; /* how often callbacks were enabled */

static void begin(const struct abi_callback_data *data) {
  uint32_t now = __atomic_load_n(&subscription, __ATOMIC_RELAXED);
  if (caller.subscription != now) {
    caller.subscription = now;
    caller.depth = 0;
  }
  if (caller.depth == 0) {
    caller.is_kept = prof_gpu_capture_call(data->correlation);
    caller.stack = caller.is_kept ? prof_gpu_stack_take() : 0;
  } else if (caller.is_kept)
    (void)prof_gpu_capture_call(data->correlation);
  if (caller.depth < DEPTH) {
    caller.open[caller.depth].correlation = data->correlation;
    caller.open[caller.depth].start = prof_gpu_clock_now();
  }
  caller.depth++;
}

static void end(int domain, uint32_t id, const struct abi_callback_data *data) {
  uint64_t now = prof_gpu_clock_now();
  if (caller.depth == 0)
    return; /* it began before the subscription */
  if (is_profiler(domain, id, true) || is_profiler(domain, id, false))
    prof_gpu_capture_profiler(is_profiler(domain, id, true), data->correlation);
  if (--caller.depth >= DEPTH || !caller.is_kept || caller.open[caller.depth].correlation != data->correlation)
    return;
  if (caller.depth > 0 && data->correlation == caller.open[caller.depth - 1].correlation)
    return;
  if (caller.tid == 0)
    caller.tid = (uint32_t)gettid();
  struct prof_gpu_call call = {
      .start = caller.open[caller.depth].start,
      .end = now,
      .correlation = data->correlation,
      .thread = caller.tid,
      .name = name_of(domain, id, data->function_name),
      .function = (uint32_t)domain << DOMAIN_BITS | id,
      .result = data->return_value != NULL ? (uint32_t)*data->return_value : 0,
      .flags = caller.depth > 0 ? PROF_GPU_CALL_NESTED : 0,
      .stack = caller.stack,
  };
  prof_gpu_stream_record(PROF_GPU_CALL, &call, sizeof call, NULL, NULL);
}

void prof_gpu_calls_take(int domain, uint32_t id, const struct abi_callback_data *data) {
  if (domain <= 0 || domain >= DOMAINS || id >= IDS)
    return;
  prof_gpu_keep_call(domain, id, data);
  if (data->site == ABI_ENTER)
    begin(data);
  else if (data->site == ABI_EXIT)
    end(domain, id, data);
}

uint32_t prof_gpu_calls_current(void) {
  return caller.depth > 0 && caller.is_kept ? caller.open[0].correlation : 0;
}

unsigned prof_gpu_calls_enable(const struct prof_gpu_library *library, void *subscriber) {
  unsigned enabled = 0;
  __atomic_add_fetch(&subscription, 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    for (uint32_t id = wanted[i].first; id <= wanted[i].last; id++)
      enabled += library->cuptiEnableCallback(1, subscriber, wanted[i].domain, id) == ABI_SUCCESS;
  return enabled;
}
