/*
 * test/fuzz/fuzz_trace_open.c - any bytes as a trace: opened, and all that is in it read.
 */
#include "trace_input.h"
#include "trace_touch.h"

static void read_all(const char *path) {
  struct trace_touched touched;
  (void)trace_touch(path, NULL, &touched);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  fuzz_trace_input(data, bytes, read_all);
  return 0;
}
