/*
 * tools/record/clock/short_slice.c - see short_slice.h.
 */
#define _GNU_SOURCE
#include "record/clock/short_slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LEAST_SLICE_NS 100000u

/* As the kernel has it (sched_setattr(2)); headers of libc and of the kernel can't be included together everywhere. */
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t slice_ns; /* sched_runtime */
  uint64_t deadline_ns, period_ns;
};

static bool read_attributes(struct attributes *out) {
  *out = (struct attributes){0};
  return syscall(SYS_sched_getattr, 0, out, sizeof *out, 0) == 0;
}

bool prof_short_slice(void) {
  struct attributes attributes;
  if (!read_attributes(&attributes) || (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH))
    return false;
  attributes.slice_ns = LEAST_SLICE_NS;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

uint64_t prof_slice_ns(void) {
  struct attributes attributes;
  return read_attributes(&attributes) ? attributes.slice_ns : 0;
}
