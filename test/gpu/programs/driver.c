/*
 * test/gpu/programs/driver.c - the driver's calls only; and forks.  driver [before|after]: fork before or after cuInit,
 * the child launches too (after cuInit a real CUDA would refuse it).
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../double/cuda.h"

#define STAY __asm__ volatile("" ::: "memory")

__attribute__((noinline)) static void launch(void *kernel, unsigned blocks) {
  cuLaunchKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL);
  STAY;
}

__attribute__((noinline)) static void in_child(void *kernel) {
  for (unsigned i = 0; i < 7; i++)
    launch(kernel, 3);
}

int main(int count, char **arguments) {
  const char *when = count > 1 ? arguments[1] : "";
  void *kernel;
  pid_t child = strcmp(when, "before") == 0 ? fork() : 1;
  cuInit(0);
  cuModuleGetFunction(&kernel, NULL, "_Z6directIdEvT_");
  if (strcmp(when, "after") == 0)
    child = fork();
  if (child == 0) {
    in_child(kernel);
    return 0;
  }
  for (unsigned i = 0; i < 11; i++)
    launch(kernel, 2);
  if (*when != 0)
    wait(NULL);
  puts("11 kernels");
  return 0;
}
