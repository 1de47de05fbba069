/*
 * modules.c - attached programs and libraries: from rows to trampolines.
 *
 * In: a module's rows.  Out: its site ids, its trampolines in memory near it, its record in the log, its sleds patched.
 * Runs under prof_api_begin's lock.  A later module may use the area of trampolines of one that dlclose removed.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"
#include "area.h"
#include "cfa.h"
#include "counters.h"
#include "counts_move.h"
#include "frames.h"
#include "line_times.h"
#include "loaded.h"
#include "log.h"
#include "modules.h"
#include "sites.h"
#include "state.h"
#include "system.h"
#include "texts.h"

static const char no_memory[] = "a module is not recorded: no memory within reach of its code";

/* Metadata rows: they have no sled. */
static bool has_no_sled(uint32_t kind) {
  return kind == PROF_PROBE_COUNTS || kind == PROF_PROBE_PLACE;
}

/* Its event has the caller, or the frame's address. */
static bool has_frame(uint32_t row) {
  uint32_t kind = row & PROF_ROW_KIND_MASK;
  return kind == PROF_PROBE_LANDED || (kind == PROF_PROBE_ENTRY && !(row & PROF_ROW_ZONE));
}

/* Writes the trampolines; *end: behind them.  Returns how many sleds have none. */
static uint32_t trampolines_write(struct prof_attached_module *module, const struct prof_loaded *found, uint8_t **end) {
  uint8_t *at = prof_trampoline_begin(module->area);
  struct prof_times_slot *slot = prof_runtime.standby ? NULL : prof_times_attach(module);
  uint32_t skipped = 0;
  for (size_t i = 0; i < module->row_count; i++) {
    const uint8_t *sled = prof_row_sled(&module->rows[i]);
    uint32_t kind = module->rows[i].kind & PROF_ROW_KIND_MASK;
    bool usable = (uintptr_t)sled >= found->begin && (uintptr_t)sled + PROF_SLED_BYTES <= found->end &&
                  prof_trampoline_knows(module->rows[i].kind) && prof_sled_is_plain(sled) &&
                  (kind != PROF_PROBE_LINE || (slot && prof_times_is_line(module, i)));
    if (!usable) {
      module->trampoline_offsets[i] = (uint32_t)(at - module->area) | PROF_TRAMPOLINE_SKIPPED;
      skipped += !has_no_sled(kind);
      continue;
    }
    struct prof_trampoline trampoline = {
        .resume = sled + PROF_SLED_BYTES,
        .site = module->first_site + (uint32_t)i,
        .kind = module->rows[i].kind,
        .cfa = has_frame(module->rows[i].kind) ? prof_cfa_read(found->eh_frame_hdr, sled)
                                               : (struct prof_cfa){.known = false},
        .slot = kind == PROF_PROBE_LINE ? slot++ : NULL,
    };
    if (kind == PROF_PROBE_ENTRY && trampoline.cfa.known &&
        (prof_runtime.control->texts_offset || prof_runtime.standby))
      trampoline.kind |= PROF_ROW_WANTS_FRAME; /* where control lands in a function of no events, frames must be told */
    uint8_t *start;
    at = prof_trampoline_write(module->area, at, &trampoline, &start);
    module->trampoline_offsets[i] = (uint32_t)(start - module->area);
  }
  *end = at;
  return skipped;
}

/* A later recorder may count what the first one doesn't. */
static bool has_counts(void) {
  return prof_runtime.counters.at || prof_runtime.standby;
}

static size_t area_bytes(size_t count) {
  size_t counting = has_counts() ? (count + 1) * PROF_COUNT_TRAMPOLINE_BYTES : 0;
  return prof_page_align(prof_trampoline_area_bytes(count) + counting);
}

static bool may_count(const struct prof_attached_module *module, size_t row) {
  return !(module->trampoline_offsets[row] & PROF_TRAMPOLINE_SKIPPED) && prof_trampoline_counts(module->rows[row].kind);
}

/* Behind the trampolines that write events, which end before `at`. */
static void count_trampolines_write(struct prof_attached_module *module, uint8_t *at) {
  size_t rows = 0;
  for (size_t i = 0; module->count_offsets && i < module->row_count; i++) {
    module->count_offsets[i] = 0;
    rows += may_count(module, i);
  }
  module->counts_at = 0;
  uint32_t counter = rows ? prof_counters_take(rows) : PROF_COUNTER_NONE;
  if (counter == PROF_COUNTER_NONE)
    return;
  module->first_counter = counter;
  const uint8_t *shared = prof_count_begin(at);
  at = prof_count_begin(at) + sizeof(void *);
  for (size_t i = 0; i < module->row_count; i++) {
    if (!may_count(module, i))
      continue;
    uint8_t *start;
    at = prof_count_write(shared, at, counter++, prof_row_sled(&module->rows[i]) + PROF_SLED_BYTES, &start);
    module->count_offsets[i] = (uint32_t)(start - module->area);
    module->counts_at = module->counts_at ? module->counts_at : module->count_offsets[i];
  }
}

void prof_module_log(uint32_t kind, const struct prof_loaded *loaded, const struct prof_attached_module *module,
                     uint32_t first_site, size_t count, uint32_t skipped) {
  struct prof_log_module record = {
      .process = prof_runtime.process,
      .first_site = first_site,
      .site_count = (uint32_t)count,
      .skipped = skipped,
      .bias = loaded->bias,
      .begin = loaded->begin,
      .end = loaded->end,
      .build_id_bytes = loaded->build_id_bytes,
  };
  if (module) {
    record.area = (uintptr_t)module->area;
    record.area_end = (uintptr_t)module->area + module->area_bytes;
    record.text = module->text.offset ? module->text.offset + module->text.bytes : 0;
    record.text_begin = module->text.begin;
    record.text_bytes = module->text.bytes;
  }
  memcpy(record.build_id, loaded->build_id, sizeof record.build_id);
  prof_log_write(kind, &record, sizeof record, loaded->path);
}

uint32_t prof_sites_take(size_t count) {
  uint32_t *next = &prof_runtime.control->next_site;
  uint32_t first = __atomic_load_n(next, __ATOMIC_RELAXED);
  do {
    if (first == 0 || count > PROF_SITE_LIMIT - first)
      return 0;
  } while (
      !__atomic_compare_exchange_n(next, &first, first + (uint32_t)count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return first;
}

/* Did dlclose remove the module?  Then nothing, or `found`, is loaded where its rows were. */
static bool module_is_gone(const struct prof_attached_module *module, const struct prof_loaded *found) {
  static struct prof_loaded other; /* under the lock; too big for a small stack */
  if (module->state != PROF_MODULE_DETACHED)
    return false;
  if (found->begin < (uintptr_t)module->end && (uintptr_t)module->begin < found->end)
    return true;
  return !prof_loaded_find(&other, (uintptr_t)module->rows);
}

static bool area_reaches(const uint8_t *area, size_t bytes, const struct prof_loaded *found) {
  uintptr_t low = (uintptr_t)area < found->begin ? (uintptr_t)area : found->begin;
  uintptr_t high = (uintptr_t)area + bytes > found->end ? (uintptr_t)area + bytes : found->end;
  return high - low < PROF_TRAMPOLINE_REACH;
}

/* A record with an area for `count` trampolines, writable: an unused one, or a new one.  NULL: none. */
static struct prof_attached_module *module_take(const struct prof_loaded *found, size_t count) {
  for (struct prof_attached_module *old = prof_runtime.modules; old; old = old->next)
    if (old->row_room >= count && area_reaches(old->area, old->area_bytes, found) && module_is_gone(old, found) &&
        prof_syscall(SYS_mprotect, (long)old->area, (long)old->area_bytes, PROT_READ | PROT_WRITE, 0, 0, 0) == 0)
      return old;
  size_t bytes = area_bytes(count), offsets = prof_runtime.counters.at ? 2 * count : count;
  uint8_t *area = prof_area_map(found->begin, found->end, bytes);
  struct prof_attached_module *module = area ? prof_memory_map(sizeof *module + offsets * sizeof(uint32_t)) : NULL;
  if (!module)
    return NULL;
  module->area = area;
  module->area_bytes = bytes;
  module->row_room = count;
  module->trampoline_offsets = (uint32_t *)(module + 1);
  module->count_offsets = prof_runtime.counters.at ? module->trampoline_offsets + count : NULL;
  module->state = PROF_MODULE_DETACHED;
  module->next = prof_runtime.modules;
  __atomic_store_n(&prof_runtime.modules, module, __ATOMIC_RELEASE);
  return module;
}

/* Makes the trampolines.  false: the system forbids them; reported. */
static bool trampolines_make(struct prof_attached_module *module, struct prof_loaded *found) {
  struct prof_frame_table table = {.header = NULL};
  if (!found->eh_frame_hdr) {
    table = prof_frame_table_make(found->path, found->bias, found->begin, found->end);
    found->eh_frame_hdr = table.header;
  }
  uint8_t *end;
  module->skipped = trampolines_write(module, found, &end);
  count_trampolines_write(module, end);
  prof_code_written(module->area, module->area_bytes);
  prof_frame_table_free(&table);
  if (prof_syscall(SYS_mprotect, (long)module->area, (long)module->area_bytes, PROT_READ | PROT_EXEC, 0, 0, 0) == 0)
    return true;
  prof_log_error("a module is not recorded: the system forbids generated code");
  return false;
}

static void module_fill(struct prof_attached_module *module, const struct prof_module_start *start,
                        const struct prof_loaded *found) {
  module->rows = start->rows_begin;
  module->row_count = (size_t)(start->rows_end - start->rows_begin);
  module->begin = (const uint8_t *)found->begin;
  module->end = (const uint8_t *)found->end;
  module->text_protection = found->text_protection;
}

void prof_module_attach(const struct prof_module_start *start) {
  size_t count = (size_t)(start->rows_end - start->rows_begin);
  static struct prof_loaded found; /* under the lock; too big for a small stack */
  if (count == 0 || !prof_loaded_find(&found, (uintptr_t)start->rows_begin))
    return;
  uint32_t first = count < PROF_SITE_LIMIT ? prof_sites_take(count) : 0;
  struct prof_attached_module *module = first ? module_take(&found, count) : NULL;
  if (!module) {
    prof_log_error(first ? no_memory : "a module is not recorded: no sled numbers are left");
    return;
  }
  module_fill(module, start, &found);
  module->first_site = first;
  if (!trampolines_make(module, &found))
    return; /* stays DETACHED: a later module may use its area */
  bool on = prof_runtime.state == PROF_RUNTIME_ON;
  bool shared = prof_text_share(module, &found, on ? PROF_SWITCH_ON : PROF_SWITCH_OFF);
  prof_module_log(PROF_LOG_MODULE, &found, module, first, count, module->skipped);
  prof_counts_attach(module);
  __atomic_store_n(&module->state, PROF_MODULE_ATTACHED, __ATOMIC_RELEASE);
  if (on && !shared && !prof_sites_switch(module, PROF_SWITCH_ON, true))
    prof_log_error("the system forbids changing code: neither /proc/self/mem nor mprotect may write it");
}

/* A constructor and a recorder that comes late may both tell of it. */
static bool is_kept(const struct prof_module_start *start) {
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (module->rows == start->rows_begin && module->state != PROF_MODULE_DETACHED)
      return true;
  return false;
}

/* The same module, loaded again at the same place; NULL: there is none. */
static struct prof_attached_module *kept_before(const struct prof_module_start *start,
                                                const struct prof_loaded *found) {
  size_t count = (size_t)(start->rows_end - start->rows_begin);
  for (struct prof_attached_module *old = prof_runtime.modules; old; old = old->next)
    if (old->loaded && old->state == PROF_MODULE_DETACHED && old->rows == start->rows_begin &&
        old->row_count == count && old->loaded->bias == found->bias && found->build_id_bytes &&
        found->build_id_bytes == old->loaded->build_id_bytes &&
        memcmp(found->build_id, old->loaded->build_id, found->build_id_bytes) == 0)
      return old;
  return NULL;
}

/* A kept module gets its trampolines, which later recordings use too. */
static void kept_begin(struct prof_attached_module *module) {
  const struct prof_loaded *loaded = module->loaded;
  module->first_site = prof_sites_take(module->row_count);
  module->area_bytes = area_bytes(module->row_count);
  module->area = module->first_site ? prof_area_map(loaded->begin, loaded->end, module->area_bytes) : NULL;
  if (!module->area)
    prof_log_error(no_memory);
  bool made = module->area && trampolines_make(module, module->loaded);
  __atomic_store_n(&module->state, made ? PROF_MODULE_ATTACHED : PROF_MODULE_DETACHED, __ATOMIC_RELEASE);
}

static void kept_join(struct prof_attached_module *module) {
  if (module->state == PROF_MODULE_KEPT)
    kept_begin(module);
  if (module->state != PROF_MODULE_ATTACHED)
    return;
  (void)prof_text_share(module, module->loaded, prof_runtime.stopped ? PROF_SWITCH_OFF : PROF_SWITCH_ON);
  prof_module_log(PROF_LOG_MODULE, module->loaded, module, module->first_site, module->row_count, module->skipped);
  prof_counts_attach(module);
}

/* NULL: nothing to keep. */
static struct prof_attached_module *module_keep(const struct prof_module_start *start, struct prof_loaded *found) {
  size_t count = (size_t)(start->rows_end - start->rows_begin);
  struct prof_attached_module *module = kept_before(start, found);
  if (module) {
    __atomic_store_n(&module->state, module->area ? PROF_MODULE_ATTACHED : PROF_MODULE_KEPT, __ATOMIC_RELEASE);
    return module;
  }
  module = prof_memory_map(sizeof *module + sizeof *found + 2 * count * sizeof(uint32_t));
  if (!module)
    return NULL;
  module->loaded = (struct prof_loaded *)(module + 1);
  *module->loaded = *found;
  module->trampoline_offsets = (uint32_t *)(module->loaded + 1);
  module->count_offsets = module->trampoline_offsets + count;
  module_fill(module, start, found);
  module->row_room = count;
  module->state = PROF_MODULE_KEPT;
  module->next = prof_runtime.modules;
  __atomic_store_n(&prof_runtime.modules, module, __ATOMIC_RELEASE);
  return module;
}

void prof_module_keep(const struct prof_module_start *start) {
  size_t count = (size_t)(start->rows_end - start->rows_begin);
  static struct prof_loaded found; /* under the lock; too big for a small stack */
  if (count == 0 || count >= PROF_SITE_LIMIT || is_kept(start) ||
      !prof_loaded_find(&found, (uintptr_t)start->rows_begin))
    return;
  struct prof_attached_module *module = module_keep(start, &found);
  if (!module || prof_runtime.state == PROF_RUNTIME_STANDBY)
    return;
  kept_join(module);
  if (module->state == PROF_MODULE_ATTACHED && prof_runtime.state == PROF_RUNTIME_ON)
    (void)prof_sites_switch(module, PROF_SWITCH_ON, true);
}

void prof_modules_join(void) {
  uint32_t *next = &prof_runtime.control->next_site, past = __atomic_load_n(next, __ATOMIC_RELAXED);
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (module->first_site && module->first_site + module->row_count > past)
      past = module->first_site + (uint32_t)module->row_count;
  __atomic_store_n(next, past, __ATOMIC_RELAXED); /* no other process is there yet */
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    kept_join(module);
}

/* The trampolines were made for one recorder: the next one gets others, and threads may still be in these. */
static void kept_renew(struct prof_attached_module *module) {
  module->trampoline_offsets = module->later_offsets;
  module->count_offsets = module->later_offsets + module->row_count;
  module->later_offsets = NULL;
  module->area = NULL;
  module->area_bytes = 0;
  __atomic_store_n(&module->state, PROF_MODULE_KEPT, __ATOMIC_RELEASE);
}

void prof_modules_leave(void) {
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (module->state == PROF_MODULE_ATTACHED) {
      prof_counts_detach(module);
      prof_text_leave(module);
      if (module->later_offsets)
        kept_renew(module);
    }
}

/* False: no memory. */
static bool keep_attached(struct prof_attached_module *module) {
  static struct prof_loaded found; /* under the lock; too big for a small stack */
  if (module->later_offsets)
    return true;
  if (!prof_loaded_find(&found, (uintptr_t)module->rows)) { /* unloaded without its destructors */
    __atomic_store_n(&module->state, PROF_MODULE_DETACHED, __ATOMIC_RELEASE);
    return true;
  }
  struct prof_loaded *loaded = prof_memory_map(sizeof found + 2 * module->row_count * sizeof(uint32_t));
  if (!loaded)
    return false;
  *loaded = found;
  module->loaded = loaded;
  module->later_offsets = (uint32_t *)(loaded + 1);
  return true;
}

bool prof_modules_keep_attached(void) {
  bool kept = true;
  for (struct prof_attached_module *module = prof_runtime.modules; module && kept; module = module->next)
    kept = module->state != PROF_MODULE_ATTACHED || keep_attached(module);
  return kept;
}

void prof_module_detach(const struct prof_module_start *start) {
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (module->rows == start->rows_begin && module->state != PROF_MODULE_DETACHED) {
      __atomic_store_n(&module->state, PROF_MODULE_DETACHED, __ATOMIC_RELEASE);
      if (prof_runtime.state == PROF_RUNTIME_STANDBY)
        continue;
      struct prof_log_number record = {.process = prof_runtime.process, .value = module->first_site};
      prof_log_write(PROF_LOG_MODULE_END, &record, sizeof record, NULL);
    }
}
