/*
 * test/fuzz/fuzz_cubin.c - any bytes as a GPU program: opened, places and extents of its functions looked up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/cubin.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "fuzz_cubin: not so: %s (line %d)\n", #condition, __LINE__);                                     \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { OFFSETS = 256 };
static const char *const functions[] = {"entry", "looping", "nobody", ""}; /* of debug/module.c, and none */
static size_t seen;                                                        /* bytes of texts, so that they are read */

static unsigned touch_function(struct prof_cubin *cubin, const char *function) {
  struct prof_cubin_place place, first;
  uint32_t last = 0;
  unsigned found = 0;
  for (uint64_t offset = 0; offset < OFFSETS; offset++)
    if (prof_cubin_find(cubin, function, offset, &place)) {
      INSIST(place.file != NULL && place.line > 0);
      seen += strlen(place.file);
      found++;
    }
  (void)prof_cubin_find(cubin, function, UINT64_MAX, &place);
  if (prof_cubin_extent(cubin, function, &first, &last))
    INSIST(first.file != NULL && first.line > 0 && first.line <= last);
  return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static bool is_whole; /* the first input is: the harness must look where answers are */
  struct prof_diag diag;
  struct prof_cubin *cubin;
  unsigned found = 0;
  if (prof_cubin_open(data, bytes, &diag, &cubin) == PROF_OK) {
    bool has_lines = prof_cubin_has_lines(cubin);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      found += touch_function(cubin, functions[i]);
    INSIST(has_lines || found == 0);
    prof_cubin_close(cubin);
  }
#ifdef FUZZ_CORPUS_FIRST
  INSIST(is_whole || found > 0);
#endif
  is_whole = true;
  return 0;
}
