/*
 * test/gpu/double/double.h - what the doubles of libcuda, libcudart and libcupti say to each other.
 *
 * libcuda's double holds the hooks; libcupti's fills them in when it is subscribed to.  Without it they do nothing, as
 * the real driver without a profiler.
 */
#ifndef TEST_GPU_DOUBLE_H
#define TEST_GPU_DOUBLE_H

#include <stddef.h>
#include <stdint.h>

struct double_work { /* what a call makes the GPU do */
  int kind;          /* enum abi_activity */
  const char *name;  /* kernels */
  uint32_t grid[3], block[3], shared;
  uint64_t bytes;
  uint32_t copy_kind, from, to, value, stream, wait_kind;
  uint64_t node; /* of a graph; 0: none */
  uint32_t graph;
  int is_async;
  int is_release; /* of memory */
  uintptr_t address;
};

struct double_hooks {
  /* A call begins, in this thread; returns its correlation number.  0: nobody listens. */
  uint32_t (*enter)(int domain, uint32_t id, const char *name);
  void (*leave)(int domain, uint32_t id, const char *name, uint32_t correlation, int result);
  void (*work)(uint32_t correlation, const struct double_work *);
  void (*replay)(void);
  void (*reset)(void);                             /* of the device */
  void (*resource)(uint32_t id, const void *data); /* struct abi_resource */
};
extern struct double_hooks double_hooks; /* libcuda's */

/* A call with something in it: used by libcuda's and libcudart's doubles. */
uint32_t double_enter(int domain, uint32_t id, const char *name);
void double_leave(int domain, uint32_t id, const char *name, uint32_t correlation, int result);
void double_work(uint32_t correlation, const struct double_work *);

void double_resource(uint32_t id, void *descriptor);

struct double_node { /* of a graph; cuptiGetGraphNodeId knows it */
  uint64_t number;
};

/* cuLaunchKernel within a call of the runtime: its own callback, the outer call's work. */
void double_launch_within(uint32_t outer, const struct double_work *);

#endif
