/*
 * sites.c - switches sleds on and off.
 *
 * A sled lies within one aligned 8-byte word, so one store of that word changes it while threads run.  For that its
 * page is made writable too; it stays executable.  Where the system forbids that, the word is written through
 * /proc/self/mem: on Linux 6.18 a thread was seen to run half of a jump that was written so
 * (docs/decisions/bodies-generated.md).  A module that no thread runs in yet is written in pages, through
 * /proc/self/mem first.
 *
 * Else entries are switched on before all others, and off after them.  So a call meanwhile may lack its exit, as after
 * longjmp, but not its entry.
 */
#include <fcntl.h>
#include <string.h>

#include "arch.h"
#include "sites.h"
#include "system.h"
#include "texts.h"

#define WINDOW_BYTES 4096

struct writer {
  const struct prof_attached_module *module;
  long fd; /* of /proc/self/mem; < 0: can't be written */
  bool failed;
  uintptr_t unlocked; /* a page of the text that is writable; 0: none is */
  uint8_t *begin;     /* the part of the text that buffer holds; NULL: none */
  uint8_t *end;       /* end of the last changed sled in it */
  uint8_t buffer[WINDOW_BYTES];
};

static const uint8_t *trampoline_of(const struct prof_attached_module *module, size_t row) {
  return module->area + module->trampoline_offsets[row];
}

/* Is the row's sled plain, or a jump to one of its trampolines? */
static bool is_ours(const struct prof_attached_module *module, size_t row) {
  const uint8_t *sled = prof_row_sled(&module->rows[row]), *count = prof_row_count_target(module, row);
  return prof_sled_is_ours(sled, trampoline_of(module, row)) || (count && prof_sled_is_ours(sled, count));
}

/* Makes the pages of [at, at + bytes) writable or not; they stay executable. */
static bool text_unlock(const struct prof_attached_module *module, uintptr_t at, size_t bytes, bool writable) {
  uintptr_t begin = at & ~(PROF_PAGE_BYTES - 1), end = prof_page_align(at + bytes);
  int protection = module->text_protection | (writable ? PROT_WRITE : 0);
  return prof_syscall(SYS_mprotect, (long)begin, (long)(end - begin), protection, 0, 0, 0) == 0;
}

static void lock(struct writer *w) {
  if (w->unlocked)
    text_unlock(w->module, w->unlocked, PROF_PAGE_BYTES, false);
  w->unlocked = 0;
}

/* False: the page can't be made writable. */
static bool unlock(struct writer *w, uintptr_t page) {
  if (w->unlocked == page)
    return true;
  lock(w);
  if (!text_unlock(w->module, page, PROF_PAGE_BYTES, true))
    return false;
  w->unlocked = page;
  return true;
}

static void word_write(struct writer *w, uint8_t *word, uint64_t value) {
  if (unlock(w, (uintptr_t)word & ~(PROF_PAGE_BYTES - 1))) {
    __atomic_store_n((uint64_t *)(void *)word, value, __ATOMIC_RELEASE);
    prof_code_written(word, sizeof value);
    return;
  }
  w->failed |=
      w->fd < 0 || prof_syscall(SYS_pwrite64, w->fd, (long)&value, sizeof value, (long)word, 0, 0) != sizeof value;
}

static void sled_write(struct writer *w, const uint8_t *sled, const uint8_t *target) {
  uint8_t *word = (uint8_t *)((uintptr_t)sled & ~(uintptr_t)7);
  uint8_t image[8];
  uint64_t value;
  __builtin_memcpy(image, word, sizeof image); /* not libc's: see bounds.c */
  prof_sled_encode(image + (sled - word), sled, target);
  __builtin_memcpy(&value, image, sizeof value);
  word_write(w, word, value);
}

static void window_flush(struct writer *w) {
  if (!w->begin)
    return;
  size_t bytes = (size_t)(w->end - w->begin);
  if (w->fd < 0 ||
      prof_syscall(SYS_pwrite64, w->fd, (long)w->buffer, (long)bytes, (long)w->begin, 0, 0) != (long)bytes) {
    if (w->fd >= 0)
      prof_syscall(SYS_close, w->fd, 0, 0, 0, 0, 0);
    w->fd = -1;
    if (text_unlock(w->module, (uintptr_t)w->begin, bytes, true)) {
      memcpy(w->begin, w->buffer, bytes);
      prof_code_written(w->begin, bytes);
      text_unlock(w->module, (uintptr_t)w->begin, bytes, false);
    } else {
      w->failed = true;
    }
  }
  w->begin = NULL;
}

/* Like sled_write, but combines neighbours (rows are mostly in the order of their sleds). */
static void window_add(struct writer *w, const uint8_t *sled, const uint8_t *target) {
  uint8_t *at = (uint8_t *)(uintptr_t)sled;
  if (w->begin && (at < w->end || at + PROF_SLED_BYTES > w->begin + WINDOW_BYTES))
    window_flush(w);
  if (!w->begin)
    w->begin = w->end = at;
  memcpy(w->buffer + (w->end - w->begin), w->end, (size_t)(at - w->end));
  prof_sled_encode(w->buffer + (at - w->begin), sled, target);
  w->end = at + PROF_SLED_BYTES;
}

static bool is_entry(const struct prof_row *row) {
  uint32_t kind = row->kind & PROF_ROW_KIND_MASK;
  return kind == PROF_PROBE_ENTRY || kind == PROF_PROBE_LOOP_ENTRY;
}

static void row_switch(struct writer *w, size_t row, enum prof_switch wanted, bool fresh) {
  const struct prof_attached_module *module = w->module;
  const uint8_t *sled = prof_row_sled(&module->rows[row]);
  if ((module->trampoline_offsets[row] & PROF_TRAMPOLINE_SKIPPED) || !is_ours(module, row))
    return;
  bool on = wanted == PROF_SWITCH_ON && prof_row_is_wanted(&module->rows[row]);
  const uint8_t *target = on ? trampoline_of(module, row) : NULL;
  if (fresh)
    window_add(w, sled, target);
  else
    sled_write(w, sled, target);
}

bool prof_sites_switch(struct prof_attached_module *module, enum prof_switch wanted, bool fresh) {
  static struct writer w; /* under the lock; too big for a small stack */
  if (prof_text_switch(module, wanted))
    return true;
  w.module = module;
  w.failed = false;
  w.begin = NULL;
  w.unlocked = 0;
  w.fd = prof_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/mem", O_RDWR | O_CLOEXEC, 0, 0, 0);
  for (int pass = 0; pass < (fresh ? 1 : 2); pass++)
    for (size_t i = 0; i < module->row_count; i++)
      if (fresh || is_entry(&module->rows[i]) == ((pass == 0) == (wanted == PROF_SWITCH_ON)))
        row_switch(&w, i, wanted, fresh);
  window_flush(&w);
  lock(&w);
  if (w.fd >= 0)
    prof_syscall(SYS_close, w.fd, 0, 0, 0, 0, 0);
  return !w.failed;
}
