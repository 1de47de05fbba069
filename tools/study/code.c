/*
 * tools/study/code.c - see code.h.
 */
#include "study/code.h"

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"

struct stretch {
  uint64_t low, high;
};

struct stretches {
  PROF_VEC(struct stretch) list;
  bool failed;
};

/* Merges adjacent address ranges. */
static bool collect(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  struct stretches *stretches = context;
  struct stretch *last = stretches->list.count ? &stretches->list.items[stretches->list.count - 1] : NULL;
  struct stretch fresh = {low, high};
  (void)frame;
  if (last && last->high == low)
    last->high = high;
  else
    stretches->failed |= !prof_vec_push(&stretches->list, fresh);
  return !stretches->failed;
}

static int by_address(const void *a, const void *b) {
  const struct prof_instruction *left = a, *right = b;
  return prof_order(left->address, right->address);
}

prof_status prof_code_read(struct prof_symbols *symbols, uint32_t module, uint64_t address, struct prof_diag *diag,
                           struct prof_instructions *out) {
  struct stretches stretches = {0};
  *out = (struct prof_instructions){0};
  struct prof_debug *debug = prof_symbols_debug(symbols, module);
  const char *path = prof_symbols_module_path(symbols, module);
  if (!debug)
    return prof_diag_fill(diag, PROF_NOT_FOUND, path, PROF_NO_OFFSET, "it needs the file that was recorded, with -g",
                          "the instructions are not here");
  prof_status status = prof_debug_function_lines(debug, address, collect, &stretches);
  if (status == PROF_NO_MEMORY || stretches.failed)
    status = prof_diag_memory(diag);
  for (size_t i = 0; i < stretches.list.count && status == PROF_OK; i++)
    status = prof_disassemble(path, stretches.list.items[i].low, stretches.list.items[i].high, diag, out);
  prof_vec_fini(&stretches.list);
  if (status == PROF_OK)
    prof_vec_sort(&out->list, by_address);
  else
    prof_instructions_fini(out);
  return status;
}
