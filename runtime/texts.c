/*
 * texts.c - text that the recorder switches (wire/control.h): the copy, and switching it from inside.
 *
 * In: an attached module.  Out: its text in the region's file, mapped over the module's own with the same contents.
 * The descriptor is open only while something is mapped.  What can't be had (the path of the region, a mapping to
 * execute) leaves the text as it was: sites.c patches it then.
 *
 * The copy is mapped writable for a moment, elsewhere, whenever it is written.  Forked children and their parents see
 * each other's switches, so a process that switches by itself takes a private mapping first where there was a fork.
 */
#include <fcntl.h>
#include <string.h>

#include "arch.h"
#include "image.h"
#include "loaded.h"
#include "log.h"
#include "state.h"
#include "system.h"
#include "texts.h"

#define HOLDER_TRIES 1000 /* of 20 us: a recorder holds it for less, unless it died */

static long region_open(void) {
  if (!prof_runtime.region_path[0])
    return -1;
  return prof_syscall(SYS_openat, AT_FDCWD, (long)prof_runtime.region_path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                      0, 0, 0);
}

/* A part of the region's file, at `at` or anywhere (NULL). */
static uint8_t *file_map(long fd, void *at, size_t bytes, int protection, int flags, uint64_t offset) {
  long got = prof_syscall(SYS_mmap, (long)at, (long)bytes, protection, flags, fd, (long)offset);
  return prof_syscall_failed(got) ? NULL : (uint8_t *)got;
}

static void unmap(void *at, size_t bytes) {
  prof_syscall(SYS_munmap, (long)at, (long)bytes, 0, 0, 0, 0);
}

static bool file_take(size_t bytes, uint64_t *offset) {
  struct prof_control *control = prof_runtime.control;
  uint64_t from = __atomic_fetch_add(&control->texts_used, bytes, __ATOMIC_RELAXED);
  *offset = control->texts_offset + from;
  return from <= control->texts_bytes && bytes <= control->texts_bytes - from;
}

static bool is_patched(const struct prof_attached_module *module, size_t row) {
  return !(module->trampoline_offsets[row] & PROF_TRAMPOLINE_SKIPPED);
}

/* The pages from the first sled to the last. */
static bool text_find(struct prof_attached_module *module, const struct prof_loaded *found) {
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (size_t i = 0; i < module->row_count; i++) {
    uintptr_t sled = (uintptr_t)prof_row_sled(&module->rows[i]);
    if (!is_patched(module, i))
      continue;
    low = sled < low ? sled : low;
    high = sled > high ? sled : high;
  }
  if (low > high || low < found->text_begin || high >= found->text_end || (found->text_protection & PROT_WRITE))
    return false;
  module->text.begin = low & ~(PROF_PAGE_BYTES - 1);
  module->text.bytes = prof_page_align(high + PROF_SLED_BYTES - module->text.begin);
  module->text.table =
      prof_page_align(sizeof(struct prof_text_head) + module->row_count * sizeof(struct prof_text_site));
  return module->text.bytes < PROF_TEXT_NO_SITE;
}

/* The words of a row; the bytes around the sled are as they are in the text. */
static struct prof_text_site site_of(const struct prof_attached_module *module, size_t row, uint32_t *next_counter) {
  const uint8_t *sled = prof_row_sled(&module->rows[row]), *target = module->area + module->trampoline_offsets[row];
  const uint8_t *word = (const uint8_t *)((uintptr_t)sled & ~(uintptr_t)7);
  const uint8_t *count = prof_row_count_target(module, row);
  uint32_t counter = *next_counter;
  *next_counter += count != NULL;
  if (counter >= prof_runtime.counters_bytes / sizeof(uint64_t)) /* this recording has fewer than the process */
    count = NULL;
  if (!is_patched(module, row) || !prof_sled_is_ours(sled, target) || !prof_row_is_wanted(&module->rows[row]))
    return (struct prof_text_site){.at = PROF_TEXT_NO_SITE};
  struct prof_text_site site = {.at = (uint32_t)((uintptr_t)word - module->text.begin)};
  uint8_t image[8];
  memcpy(image, word, sizeof image);
  prof_sled_encode(image + (sled - word), sled, target);
  memcpy(&site.on, image, sizeof image);
  prof_sled_encode(image + (sled - word), sled, NULL);
  memcpy(&site.off, image, sizeof image);
  if (count) {
    prof_sled_encode(image + (sled - word), sled, count);
    memcpy(&site.count, image, sizeof image);
    site.counter = counter;
  }
  return site;
}

static void site_store(uint8_t *copy, const struct prof_text_site *site, enum prof_switch wanted) {
  bool on = wanted == PROF_SWITCH_ON && __atomic_load_n(&site->state, __ATOMIC_RELAXED) == PROF_SITE_ALWAYS;
  if (site->at != PROF_TEXT_NO_SITE)
    __atomic_store_n((uint64_t *)(void *)(copy + site->at), on ? site->on : site->off, __ATOMIC_RELEASE);
}

static void copy_fill(const struct prof_attached_module *module, uint8_t *copy, enum prof_switch wanted) {
  struct prof_text_head *text = (struct prof_text_head *)(void *)(copy + module->text.bytes);
  struct prof_text_site *sites = (struct prof_text_site *)(text + 1);
  memcpy(copy, (const void *)module->text.begin, module->text.bytes);
  text->site_count = (uint32_t)module->row_count;
  text->off = wanted == PROF_SWITCH_OFF;
  uint32_t counter = module->first_counter;
  for (size_t i = 0; i < module->row_count; i++) {
    sites[i] = site_of(module, i, &counter);
    site_store(copy, &sites[i], wanted);
  }
}

bool prof_text_share(struct prof_attached_module *module, const struct prof_loaded *found, enum prof_switch wanted) {
  uint64_t offset;
  module->text.offset = 0;
  long fd = text_find(module, found) ? region_open() : -1;
  if (fd < 0)
    return false;
  size_t all = module->text.bytes + module->text.table;
  uint8_t *copy = file_take(all, &offset) ? file_map(fd, NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, offset) : NULL;
  bool shared = false;
  if (copy) {
    copy_fill(module, copy, wanted);
    shared = file_map(fd, (void *)module->text.begin, module->text.bytes, found->text_protection,
                      MAP_SHARED | MAP_FIXED, offset) != NULL;
    unmap(copy, all);
  }
  prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  if (!shared)
    return false;
  prof_code_written((void *)module->text.begin, module->text.bytes);
  module->text.process = prof_runtime.process;
  module->text.forks = __atomic_load_n(&prof_runtime.control->forks, __ATOMIC_RELAXED);
  module->text.offset = offset;
  module->text.mapped = true;
  return true;
}

static bool may_have_relatives(const struct prof_attached_module *module) {
  return module->text.process != prof_runtime.process ||
         module->text.forks != __atomic_load_n(&prof_runtime.control->forks, __ATOMIC_RELAXED);
}

/* Pages that are written from now on are this process's alone. */
static void text_take_private(struct prof_attached_module *module, long fd) {
  if (fd < 0 || !file_map(fd, (void *)module->text.begin, module->text.bytes, module->text_protection,
                          MAP_PRIVATE | MAP_FIXED, module->text.offset))
    prof_log_error("probes were switched for forked processes too: the recording region can't be opened any more");
  module->text.offset = 0;
  struct prof_log_number record = {.process = prof_runtime.process, .value = module->first_site};
  prof_log_write(PROF_LOG_TEXT_PRIVATE, &record, sizeof record, NULL);
}

static void holder_take(struct prof_text_head *text) {
  uint32_t seen = PROF_TEXT_FREE;
  for (int i = 0; i < HOLDER_TRIES; i++) {
    if (__atomic_compare_exchange_n(&text->holder, &seen, PROF_TEXT_PROGRAM, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    seen = PROF_TEXT_FREE;
    prof_nap(20000);
  }
  __atomic_store_n(&text->holder, PROF_TEXT_PROGRAM, __ATOMIC_RELEASE);
}

bool prof_text_switch(struct prof_attached_module *module, enum prof_switch wanted) {
  if (!module->text.offset)
    return false;
  long fd = region_open();
  size_t all = module->text.bytes + module->text.table;
  bool alone = !may_have_relatives(module);
  uint8_t *copy =
      fd >= 0 && alone ? file_map(fd, NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, module->text.offset) : NULL;
  if (copy) {
    struct prof_text_head *text = (struct prof_text_head *)(void *)(copy + module->text.bytes);
    const struct prof_text_site *sites = (const struct prof_text_site *)(text + 1);
    holder_take(text);
    __atomic_store_n(&text->off, wanted == PROF_SWITCH_OFF, __ATOMIC_RELEASE);
    for (size_t i = 0; i < module->row_count; i++)
      site_store(copy, &sites[i], wanted);
    prof_code_written((void *)module->text.begin, module->text.bytes);
    __atomic_store_n(&text->holder, PROF_TEXT_FREE, __ATOMIC_RELEASE);
    unmap(copy, all);
  } else {
    text_take_private(module, fd);
  }
  if (fd >= 0)
    prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  return copy != NULL;
}

/* The text as the file has it, elsewhere; NULL: it has another. */
static uint8_t *text_of_file(const struct prof_attached_module *module) {
  const struct prof_loaded *loaded = module->loaded;
  uint64_t offset = loaded->text_offset + (module->text.begin - loaded->text_begin);
  long fd = prof_syscall(SYS_openat, AT_FDCWD, (long)loaded->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
  uint8_t *text = fd >= 0 ? file_map(fd, NULL, module->text.bytes, PROT_READ, MAP_PRIVATE, offset) : NULL;
  uint64_t bytes = fd >= 0 ? (uint64_t)prof_syscall(SYS_lseek, fd, 0, SEEK_END, 0, 0, 0) : 0;
  if (fd >= 0)
    prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  bool whole = text && offset + module->text.bytes <= prof_page_align(bytes);
  if (whole && memcmp(text, (const void *)module->text.begin, module->text.bytes) == 0)
    return text;
  if (text)
    unmap(text, module->text.bytes);
  return NULL;
}

static uint8_t *text_copy(const struct prof_attached_module *module) {
  uint8_t *text = prof_memory_map(module->text.bytes);
  if (text)
    memcpy(text, (const void *)module->text.begin, module->text.bytes);
  return text;
}

void prof_text_leave(struct prof_attached_module *module) {
  if (!module->text.mapped)
    return;
  uint8_t *text = text_of_file(module);
  text = text ? text : text_copy(module);
  bool moved =
      text && prof_syscall(SYS_mprotect, (long)text, (long)module->text.bytes, module->text_protection, 0, 0, 0) == 0 &&
      !prof_syscall_failed(prof_syscall(SYS_mremap, (long)text, (long)module->text.bytes, (long)module->text.bytes,
                                        MREMAP_MAYMOVE | MREMAP_FIXED, (long)module->text.begin, 0));
  if (text && !moved)
    unmap(text, module->text.bytes);
  module->text.mapped = !moved; /* else the region's file lives on */
  module->text.offset = 0;
}
