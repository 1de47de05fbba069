/*
 * test/fuzz/debug_touch.h - a fuzzer's bytes as a file with debug information, and everything that can be asked of it.
 */
#ifndef PROF_FUZZ_DEBUG_TOUCH_H
#define PROF_FUZZ_DEBUG_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

struct debug_file { /* zeroed: not made yet */
  int fd;
  char path[64];
};

/* Writes the bytes to a file at `path`; NULL: one in memory.  False: the system refused. */
bool debug_file_put(struct debug_file *, const char *path, const uint8_t *data, size_t bytes);

/* Opens the module, looks up addresses all over its code, walks functions and lines; aborts if an answer is impossible.
 */
void debug_touch(const char *path);

#endif
