/*
 * test/fuzz/debug_touch.c - see debug_touch.h.
 */
#define _GNU_SOURCE /* memfd_create */
#include "debug_touch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/dwarf/debug.h"

enum { ADDRESSES = 64, STEP = 8, MOST_FRAMES = 1024, MOST_VISITS = 4096 };

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "debug_touch: not so: %s (line %d)\n", #condition, __LINE__);                                    \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* libelf 0.188 forgets some of a damaged file's sections when it closes it. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libelf.so\n";
}

bool debug_file_put(struct debug_file *file, const char *path, const uint8_t *data, size_t bytes) {
  if (file->path[0] == 0) {
    file->fd = path != NULL ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : memfd_create("m", MFD_CLOEXEC);
    if (path != NULL)
      snprintf(file->path, sizeof file->path, "%s", path);
    else
      snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
  }
  return file->fd >= 0 && ftruncate(file->fd, 0) == 0 && pwrite(file->fd, data, bytes, 0) == (ssize_t)bytes;
}

struct touched {
  size_t visits, text_bytes;
};

static void touch_frame(struct touched *touched, const struct prof_debug_frame *frame) {
  if (frame->function != NULL)
    touched->text_bytes += strlen(frame->function);
  if (frame->file == NULL)
    return;
  touched->text_bytes += strlen(frame->file);
}

static bool visit(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  struct touched *touched = context;
  INSIST(low < high);
  touch_frame(touched, frame);
  return ++touched->visits < MOST_VISITS;
}

void debug_touch(const char *path) {
  struct prof_debug *debug;
  struct prof_diag diag;
  static const char *const no_roots[] = {NULL};
  struct prof_debug_options options = {.roots = no_roots};
  if (prof_debug_open(path, &options, &diag, &debug) != PROF_OK)
    return;
  struct touched touched = {0};
  (void)!prof_debug_read_all(debug);
  for (uint64_t page = 0; page < 3; page++) { /* where small modules have their code */
    for (uint64_t i = 0; i < ADDRESSES; i++) {
      struct prof_debug_chain chain;
      uint64_t address = page * 0x1000 + i * STEP, low, high;
      if (prof_debug_find(debug, address, &chain) == PROF_OK) {
        INSIST(chain.count > 0 && chain.count <= MOST_FRAMES);
        for (uint32_t f = 0; f < chain.count; f++)
          touch_frame(&touched, &chain.frames[f]);
      }
      const char *symbol = prof_debug_symbol(debug, address, &low, &high);
      touched.text_bytes += symbol == NULL ? 0 : strlen(symbol);
      if (i % 16 == 0)
        (void)!prof_debug_function_lines(debug, address, visit, &touched);
    }
  }
  (void)prof_debug_facts(debug);
  prof_debug_close(debug);
}
