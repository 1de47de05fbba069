/*
 * test/fuzz/fuzz_debug.c - any bytes as a module with debug information: opened, all units read, all ways of looking
 * up.
 */
#include "debug_touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static struct debug_file file;
  if (debug_file_put(&file, NULL, data, bytes))
    debug_touch(file.path);
  return 0;
}
