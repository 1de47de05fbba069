/*
 * image.c - the state of this process alone, which a fork clears.
 *
 * The kernel zeroes it in a child (MADV_WIPEONFORK) of fork, _Fork or clone.  So the first event of each thread of a
 * child finds an empty cell and calls this file; the first thread makes a new image and a process record.  A child
 * never writes to its parent's image.  A vfork child shares its parent's memory, cell and stack.
 */
#include "image.h"
#include "clock.h"
#include "log.h"
#include "system.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

struct prof_cell *prof_attached_cell(void) {
  struct prof_image *image = __atomic_load_n(&prof_runtime.image, __ATOMIC_ACQUIRE);
  struct prof_cell *cell = prof_self;
  bool ours = image && __atomic_load_n(&image->state, __ATOMIC_ACQUIRE) == PROF_IMAGE_READY && cell >= image->cells &&
              cell < image->cells + PROF_CELL_COUNT && cell->recording == prof_runtime.recording;
  return ours ? cell : NULL;
}

void prof_image_join(struct prof_image *image, uint32_t parent) {
  image->process = __atomic_add_fetch(&prof_runtime.control->processes, 1, __ATOMIC_RELAXED);
  prof_runtime.process = image->process;
  if (parent && prof_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0) == 0) /* its parent is in another pid namespace */
    prof_runtime.recorder_visible = false;
  prof_log_process(image->process, parent);
}

struct prof_image *prof_image_new(uint32_t parent) {
  struct prof_image *image = prof_memory_map(sizeof *image);
  if (!image)
    return NULL;
  if (prof_syscall(SYS_madvise, (long)image, sizeof *image, MADV_WIPEONFORK, 0, 0, 0) < 0) {
    prof_syscall(SYS_munmap, (long)image, sizeof *image, 0, 0, 0, 0);
    return NULL;
  }
  /* One or two of its pages are used; huge ones would take long to clear. */
  prof_syscall(SYS_madvise, (long)image, sizeof *image, MADV_NOHUGEPAGE, 0, 0, 0);
  if (prof_runtime.state != PROF_RUNTIME_STANDBY)
    prof_image_join(image, parent);
  __atomic_store_n(&image->state, PROF_IMAGE_READY, __ATOMIC_RELEASE);
  __atomic_store_n(&prof_runtime.image, image, __ATOMIC_RELEASE);
  if (prof_runtime.bounded && prof_runtime.state == PROF_RUNTIME_ON) /* a forked child that records */
    prof_log_slice(true, prof_clock_ticks());
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
