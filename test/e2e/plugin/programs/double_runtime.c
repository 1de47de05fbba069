/* double_runtime.c - stands for the runtime: says what the start-up text of a module hands over (wire/module.h). */
#include <errno.h>
#include <stdio.h>

#include "module.h"
#include "row.h"
#include "version.h"

void prof_runtime_attach_v1(const struct prof_module_start *start);
void prof_runtime_detach_v1(const struct prof_module_start *start);

/* Does a row stand where it should, and is the stack as the ABI wants it? */
static int good(const struct prof_module_start *start) {
  for (const struct prof_row *row = start->rows_begin; row < start->rows_end; row++) {
    const unsigned char *sled = (const unsigned char *)&row->sled + row->sled;
    if (sled[0] != 0x0f || sled[1] != 0x1f || sled[2] != 0x44 || (unsigned long)sled % 8 > 3)
      return 0;
  }
  return (unsigned long)__builtin_frame_address(0) % 16 == 0;
}

void prof_runtime_attach_v1(const struct prof_module_start *start) {
  printf("attach %d %ld %s hooks %d\n", (int)start->wire_version, (long)(start->rows_end - start->rows_begin),
         good(start) ? "good" : "BAD", (int)start->hooks->wire_version);
  fflush(stdout);
  start->hooks->wire_version = PROF_WIRE_VERSION;
  errno = ENOTTY;
}

void prof_runtime_detach_v1(const struct prof_module_start *start) {
  printf("detach %ld %s hooks %d\n", (long)(start->rows_end - start->rows_begin), good(start) ? "good" : "BAD",
         (int)start->hooks->wire_version);
  fflush(stdout);
}
