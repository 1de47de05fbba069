/*
 * fork.c - the image: what belongs to this process alone and dies with a fork.
 *
 * The kernel zeroes it in a child (MADV_WIPEONFORK), whoever made the child: fork, _Fork, clone.  So the first event of
 * each thread of a child finds its cell empty and comes here; the first of them makes a new image and a process record.
 * Nothing of the parent is ever written to.  A vfork child shares its parent's memory and cell, as it shares its stack.
 *
 * Where fork() itself is called a handler notes the fork in the parent's ring, so that the recorder can begin the child
 * with the frames that were open.  Only that depends on the handler.
 */
#include <errno.h>
#include <pthread.h>

#include "runtime.h"
#include "system.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

__thread struct prof_fork prof_fork_self __attribute__((tls_model("initial-exec")));

struct prof_cell *prof_attached_cell(void) {
  struct prof_image *image = __atomic_load_n(&prof_runtime.image, __ATOMIC_ACQUIRE);
  struct prof_cell *cell = prof_self;
  bool ours = image && __atomic_load_n(&image->state, __ATOMIC_ACQUIRE) == PROF_IMAGE_READY && cell >= image->cells &&
              cell < image->cells + PROF_CELL_COUNT;
  return ours ? cell : NULL;
}

/* A child that has made no event stands where its own fork was, and so will its children: it keeps that number. */
static void fork_prepare(void) {
  uint64_t mask = prof_signals_block();
  struct prof_cell *cell = prof_attached_cell();
  if (cell && prof_runtime.state == PROF_RUNTIME_ON) {
    prof_fork_self.number = prof_ring_fork(cell);
    prof_fork_self.record = cell->number;
  } else { /* the recorder looks for children that tell nothing of themselves only if there was a fork */
    __atomic_fetch_add(&prof_runtime.control->forks, 1, __ATOMIC_RELAXED);
  }
  prof_signals_restore(mask);
}

static void fork_parent(void) {
  if (prof_attached_cell())
    prof_fork_self.number = 0;
}

void prof_fork_init(void) {
  /* Without memory for it, children begin with no frame. */
  (void)pthread_atfork(fork_prepare, fork_parent, NULL);
}

struct prof_image *prof_image_new(uint32_t parent) {
  struct prof_image *image = prof_memory_map(sizeof *image);
  if (!image)
    return NULL;
  if (prof_syscall(SYS_madvise, (long)image, sizeof *image, MADV_WIPEONFORK, 0, 0, 0) < 0) {
    prof_syscall(SYS_munmap, (long)image, sizeof *image, 0, 0, 0, 0);
    return NULL;
  }
  /* A page of it or two are used: they needn't be huge ones, which take long to clear. */
  prof_syscall(SYS_madvise, (long)image, sizeof *image, MADV_NOHUGEPAGE, 0, 0, 0);
  image->process = __atomic_add_fetch(&prof_runtime.control->processes, 1, __ATOMIC_RELAXED);
  prof_runtime.process = image->process;
  if (parent && prof_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0) == 0) /* its parent is outside of its pid namespace */
    prof_runtime.recorder_visible = false;
  prof_log_process(image->process, parent);
  __atomic_store_n(&image->state, PROF_IMAGE_READY, __ATOMIC_RELEASE);
  __atomic_store_n(&prof_runtime.image, image, __ATOMIC_RELEASE);
  prof_bounds_image();
  return image;
}

struct prof_image *prof_image_current(void) {
  for (;;) {
    struct prof_image *image = __atomic_load_n(&prof_runtime.image, __ATOMIC_ACQUIRE);
    uint32_t state = __atomic_load_n(&image->state, __ATOMIC_ACQUIRE);
    if (state == PROF_IMAGE_READY)
      return image;
    if (state == PROF_IMAGE_FAILED)
      return NULL;
    if (state == PROF_IMAGE_WIPED && __atomic_compare_exchange_n(&image->state, &state, PROF_IMAGE_SETUP, false,
                                                                 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      struct prof_image *fresh = prof_image_new(prof_runtime.process);
      if (!fresh)
        __atomic_store_n(&image->state, PROF_IMAGE_FAILED, __ATOMIC_RELEASE);
      return fresh;
    }
    prof_nap(20000);
  }
}
