/*
 * rows.c - which rows are wanted; the sled of an address in a trampoline, for a handler that interrupted it.  Any
 * context.
 */
#include "rows.h"
#include "arch.h"
#include "state.h"

bool prof_row_is_wanted(const struct prof_row *row) {
  uint32_t flag = row->kind & PROF_ROW_RETURNED ? PROF_CONTROL_RET : PROF_CONTROL_ARGS;
  return (row->kind & PROF_ROW_KIND_MASK) != PROF_PROBE_VALUE || (prof_runtime.control->flags & flag);
}

/* The row whose trampoline lies at or before `offset`, the last one; row_count: none. */
static size_t row_at(const struct prof_attached_module *module, uint32_t offset) {
  size_t low = 0, high = module->row_count; /* rows before low begin at or before offset */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((module->trampoline_offsets[middle] & ~PROF_TRAMPOLINE_SKIPPED) <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0 && (module->trampoline_offsets[low - 1] & PROF_TRAMPOLINE_SKIPPED))
    low--;
  return low > 0 ? low - 1 : module->row_count;
}

/* The row whose trampoline that counts `offset` lies in; row_count: none. */
static size_t counting_row_at(const struct prof_attached_module *module, uint32_t offset) {
  for (size_t row = 0; module->counts_at && offset >= module->counts_at && row < module->row_count; row++)
    if (module->count_offsets[row] && offset - module->count_offsets[row] < PROF_COUNT_TRAMPOLINE_BYTES)
      return row;
  return module->row_count;
}

const uint8_t *prof_sled_of_trampoline(const void *pc) {
  struct prof_attached_module *module = __atomic_load_n(&prof_runtime.modules, __ATOMIC_ACQUIRE);
  for (; module; module = module->next) {
    if (__atomic_load_n(&module->state, __ATOMIC_ACQUIRE) != PROF_MODULE_ATTACHED ||
        (const uint8_t *)pc < module->area || (const uint8_t *)pc >= module->area + module->area_bytes)
      continue;
    uint32_t offset = (uint32_t)((const uint8_t *)pc - module->area);
    size_t row = counting_row_at(module, offset);
    row = row < module->row_count ? row : row_at(module, offset);
    return row < module->row_count ? prof_row_sled(&module->rows[row]) : NULL;
  }
  return NULL;
}
