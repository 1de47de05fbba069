/*
 * test/gpu/programs/library.c - a library with a kernel; its name, which lies in it, goes with the library.
 */
#include "../double/cuda.h"

void launch_there(void);

static char stub;
static const char name[] = "_ZN12_GLOBAL__N_15thereEi";

__attribute__((visibility("default"))) void launch_there(void) {
  gpu_double_kernel(&stub, name);
  cudaLaunchKernel(&stub, (struct dim3){2, 1, 1}, (struct dim3){32, 1, 1}, NULL, 0, NULL);
  __asm__ volatile("" ::: "memory");
}
