/*
 * system.h - the system calls of the slow path, by name.
 */
#ifndef PROF_RUNTIME_SYSTEM_H
#define PROF_RUNTIME_SYSTEM_H

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "arch.h"

struct prof_timespec { /* the kernel's, 64 bits */
  int64_t seconds, nanoseconds;
};

static inline uint64_t prof_signals_block(void) {
  uint64_t all = ~0ull, old = 0;
  prof_syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&all, (long)&old, sizeof all, 0, 0);
  return old;
}

static inline void prof_signals_restore(uint64_t old) {
  prof_syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&old, 0, sizeof old, 0, 0);
}

static inline bool prof_syscall_failed(long result) {
  return result < 0 && result > -4096;
}

static inline uintptr_t prof_page_align(uintptr_t bytes) {
  return (bytes + PROF_PAGE_BYTES - 1) & ~(PROF_PAGE_BYTES - 1);
}

/* NULL on failure. */
static inline void *prof_memory_map(size_t bytes) {
  long got = prof_syscall(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                          -1, 0);
  return prof_syscall_failed(got) ? NULL : (void *)got;
}

static inline void prof_futex_wake(uint32_t *word) {
  prof_syscall(SYS_futex, (long)word, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

static inline void prof_futex_wait(uint32_t *word, uint32_t seen, int64_t nanoseconds) {
  struct prof_timespec span = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  prof_syscall(SYS_futex, (long)word, FUTEX_WAIT, seen, (long)&span, 0, 0);
}

static inline int64_t prof_monotonic_ns(void) {
  struct prof_timespec now = {0, 0};
  prof_syscall(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, (long)&now, 0, 0, 0, 0);
  return now.seconds * 1000000000 + now.nanoseconds;
}

/* CPU time of the calling thread. */
static inline int64_t prof_thread_cpu_ns(void) {
  struct prof_timespec now = {0, 0};
  prof_syscall(SYS_clock_gettime, 3 /* CLOCK_THREAD_CPUTIME_ID */, (long)&now, 0, 0, 0, 0);
  return now.seconds * 1000000000 + now.nanoseconds;
}

static inline void prof_nap(int64_t nanoseconds) {
  struct prof_timespec span = {0, nanoseconds};
  prof_syscall(SYS_nanosleep, (long)&span, 0, 0, 0, 0, 0);
}

#endif
