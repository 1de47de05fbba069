/*
 * test/fuzz/fuzz_split.c - any bytes as the .dwo file of a sound program (FUZZ_SPLIT_PROGRAM).
 */
#include "debug_touch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/fuzz-split.XXXXXX";
static struct debug_file program, object;

static void leave(void) {
  unlink(program.path);
  unlink(object.path);
  rmdir(folder);
}

static void begin(void) {
  static uint8_t bytes[1 << 20];
  FILE *from = fopen(FUZZ_SPLIT_PROGRAM, "rb");
  size_t count = from == NULL ? 0 : fread(bytes, 1, sizeof bytes, from);
  if (count == 0 || mkdtemp(folder) == NULL) {
    perror(FUZZ_SPLIT_PROGRAM);
    exit(1);
  }
  fclose(from);
  char path[64];
  snprintf(path, sizeof path, "%s/split.so", folder);
  debug_file_put(&program, path, bytes, count);
  snprintf(path, sizeof path, "%s/split.dwo", folder);
  debug_file_put(&object, path, NULL, 0);
  atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  if (program.path[0] == 0)
    begin();
  if (debug_file_put(&object, object.path, data, bytes))
    debug_touch(program.path);
  return 0;
}
