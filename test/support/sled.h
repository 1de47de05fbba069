/*
 * sled.h - sleds and rows written by hand, as the plugins leave them (wire/row.h), for tests that need no compiler.
 */
#ifndef PROF_TEST_SLED_H
#define PROF_TEST_SLED_H

#include "module.h"
#include "row.h"
#include "version.h"

/* kind: a number, with PROF_ROW_ flags; the row's position in the section is its site's index. */
#define PROF_TEST_SLED(kind)                                                                                           \
  __asm__ volatile(".p2align 3,,4\n"                                                                                   \
                   ".Lsled%=: .byte 0x0f,0x1f,0x44,0,0\n"                                                              \
                   ".pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,.Lsled%=\n"                                   \
                   ".p2align 2\n"                                                                                      \
                   ".Lrow%=: .long .Lsled%=-.Lrow%=, " #kind "\n"                                                      \
                   ".popsection"                                                                                       \
                   :                                                                                                   \
                   :)

extern const struct prof_row prof_test_rows_begin[] __asm__(PROF_ROWS_START) __attribute__((visibility("hidden")));
extern const struct prof_row prof_test_rows_end[] __asm__(PROF_ROWS_STOP) __attribute__((visibility("hidden")));

void prof_runtime_attach_v1(const struct prof_module_start *);
void prof_runtime_detach_v1(const struct prof_module_start *);

/* Attaches all sleds of the calling executable or library. */
static inline struct prof_module_start prof_test_start(struct prof_hooks *hooks) {
  return (struct prof_module_start){
      .wire_version = PROF_WIRE_VERSION,
      .rows_begin = prof_test_rows_begin,
      .rows_end = prof_test_rows_end,
      .hooks = hooks,
  };
}

#endif
