/*
 * modules.c - attached programs and libraries: from rows to bodies.
 *
 * In: a module's rows.  Out: its site ids, its bodies in memory near it, its record in the log, its sleds patched.
 * One at a time (prof_api_lock).  A module that dlclose took away leaves its area of bodies behind for the next one.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"
#include "system.h"

struct found { /* what the dynamic loader knows about the module that holds `address` */
  uintptr_t address;
  bool is_found;
  uintptr_t bias, begin, end;
  int text_protection;
  const uint8_t *eh_frame_hdr;
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  char path[4096];
};

static void note_read(struct found *found, const uint8_t *at, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)at;
    size_t name = (note->n_namesz + 3u) & ~3u, text = (note->n_descsz + 3u) & ~3u;
    size_t whole = sizeof *note + name + text;
    if (whole > bytes)
      return;
    /* The first one, as tools/elf takes it: a partial link may leave another behind it. */
    if (!found->build_id_bytes && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        note->n_descsz <= sizeof found->build_id) {
      found->build_id_bytes = note->n_descsz;
      memcpy(found->build_id, at + sizeof *note + name, note->n_descsz);
    }
    at += whole;
    bytes -= whole;
  }
}

/* The loader gives the program an empty name, and a library the name it was opened by. */
static void path_complete(struct found *found, const char *name) {
  size_t room = sizeof found->path - 1, used = 0;
  found->path[0] = 0;
  if (!name || !*name) {
    ssize_t got = readlink("/proc/self/exe", found->path, room);
    found->path[got < 0 ? 0 : got] = 0;
    return;
  }
  if (*name != '/' && getcwd(found->path, room - 1)) {
    used = strlen(found->path);
    found->path[used++] = '/';
  }
  size_t count = strlen(name) < room - used ? strlen(name) : room - used;
  memcpy(found->path + used, name, count);
  found->path[used + count] = 0;
}

static int module_look(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  struct found *found = argument;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t from = info->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (header->p_type != PT_LOAD)
      continue;
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
    holds |= found->address >= from && found->address < to;
  }
  if (!holds)
    return 0;
  found->is_found = true;
  found->bias = info->dlpi_addr;
  found->begin = begin;
  found->end = end;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uint8_t *at = (const uint8_t *)(info->dlpi_addr + header->p_vaddr);
    if (header->p_type == PT_GNU_EH_FRAME)
      found->eh_frame_hdr = at;
    else if (header->p_type == PT_NOTE)
      note_read(found, at, header->p_memsz);
    else if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
      found->text_protection =
          PROT_EXEC | (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0);
  }
  path_complete(found, info->dlpi_name);
  return 1;
}

static uint8_t *area_try(uintptr_t at, size_t bytes) {
  long got = prof_syscall(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | 0x100000 /* MAP_FIXED_NOREPLACE */, -1, 0);
  if (got == (long)at)
    return (uint8_t *)got;
  if (got > 0 || got < -4095) /* a kernel that doesn't know the flag took it as a hint */
    prof_syscall(SYS_munmap, got, (long)bytes, 0, 0, 0, 0);
  return NULL;
}

/* Below first: the heap of a program grows above it. */
uint8_t *prof_area_map(uintptr_t begin, uintptr_t end, size_t bytes) {
  const uintptr_t step = 1u << 20;
  begin &= ~(uintptr_t)4095;
  if (end - begin + bytes + 2 * step >= PROF_BODY_REACH)
    return NULL;
  uintptr_t room = PROF_BODY_REACH - (end - begin) - bytes; /* how far away the area may be */
  for (uintptr_t away = step; away < room && begin > away + bytes + 65536; away += step) {
    uint8_t *area = area_try(begin - bytes - away, bytes);
    if (area)
      return area;
  }
  for (uintptr_t away = room & ~(step - 1); away > step; away -= step) {
    uint8_t *area = area_try(((end + 4095) & ~(uintptr_t)4095) + away, bytes);
    if (area)
      return area;
  }
  return NULL;
}

/* Writes the bodies.  Returns how many sleds have none. */
static uint32_t bodies_write(struct prof_module *module, const struct found *found) {
  uint8_t *at = prof_body_begin(module->area);
  uint32_t skipped = 0;
  for (size_t i = 0; i < module->row_count; i++) {
    const uint8_t *sled = prof_row_sled(&module->rows[i]);
    uint32_t kind = module->rows[i].kind & PROF_ROW_KIND_MASK;
    bool usable = (uintptr_t)sled >= found->begin && (uintptr_t)sled + PROF_SLED_BYTES <= found->end &&
                  kind >= PROF_PROBE_ENTRY && kind <= PROF_PROBE_LANDED && prof_sled_is_plain(sled);
    if (!usable) {
      module->body_offsets[i] = (uint32_t)(at - module->area) | PROF_BODY_SKIPPED;
      skipped++;
      continue;
    }
    struct prof_body body = {
        .resume = sled + PROF_SLED_BYTES,
        .site = module->first_site + (uint32_t)i,
        .kind = module->rows[i].kind,
        .cfa = kind == PROF_PROBE_EXIT ? (struct prof_cfa){.known = false} : prof_cfa_read(found->eh_frame_hdr, sled),
    };
    uint8_t *start;
    at = prof_body_write(module->area, at, &body, &start);
    module->body_offsets[i] = (uint32_t)(start - module->area);
  }
  return skipped;
}

static void module_log(const struct prof_module *module, const struct found *found, uint32_t skipped) {
  struct prof_log_module record = {
      .process = prof_runtime.process,
      .first_site = module->first_site,
      .site_count = (uint32_t)module->row_count,
      .skipped = skipped,
      .bias = found->bias,
      .begin = found->begin,
      .end = found->end,
      .build_id_bytes = found->build_id_bytes,
  };
  memcpy(record.build_id, found->build_id, sizeof record.build_id);
  prof_log_write(PROF_LOG_MODULE, &record, sizeof record, found->path);
}

/* Site ids for `count` rows; 0: the recording has used all up. */
static uint32_t sites_take(size_t count) {
  uint32_t *next = &prof_runtime.control->next_site;
  uint32_t first = __atomic_load_n(next, __ATOMIC_RELAXED);
  do {
    if (first == 0 || count > PROF_SITE_LIMIT - first)
      return 0;
  } while (
      !__atomic_compare_exchange_n(next, &first, first + (uint32_t)count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return first;
}

/* A module that dlclose took away: nothing is loaded where its rows were, or `found` now is. */
static bool module_is_gone(const struct prof_module *module, const struct found *found) {
  static struct found other; /* under the lock; too big for a small stack */
  if (module->state != PROF_MODULE_DETACHED)
    return false;
  if (found->begin < (uintptr_t)module->end && (uintptr_t)module->begin < found->end)
    return true;
  memset(&other, 0, sizeof other);
  other.address = (uintptr_t)module->rows;
  return !dl_iterate_phdr(module_look, &other);
}

static bool area_reaches(const uint8_t *area, size_t bytes, const struct found *found) {
  uintptr_t low = (uintptr_t)area < found->begin ? (uintptr_t)area : found->begin;
  uintptr_t high = (uintptr_t)area + bytes > found->end ? (uintptr_t)area + bytes : found->end;
  return high - low < PROF_BODY_REACH;
}

/* A record with an area for `count` bodies, writable: a used one that nobody needs any more, or a new one.  NULL: none.
 */
static struct prof_module *module_take(const struct found *found, size_t count) {
  for (struct prof_module *old = prof_runtime.modules; old; old = old->next)
    if (old->row_room >= count && area_reaches(old->area, old->area_bytes, found) && module_is_gone(old, found) &&
        prof_syscall(SYS_mprotect, (long)old->area, (long)old->area_bytes, PROT_READ | PROT_WRITE, 0, 0, 0) == 0)
      return old;
  size_t area_bytes = (prof_body_area_bytes(count) + 4095) & ~(size_t)4095;
  uint8_t *area = prof_area_map(found->begin, found->end, area_bytes);
  struct prof_module *module = area ? prof_memory_map(sizeof *module + count * sizeof(uint32_t)) : NULL;
  if (!module)
    return NULL;
  module->area = area;
  module->area_bytes = area_bytes;
  module->row_room = count;
  module->body_offsets = (uint32_t *)(module + 1);
  module->state = PROF_MODULE_DETACHED;
  module->next = prof_runtime.modules;
  __atomic_store_n(&prof_runtime.modules, module, __ATOMIC_RELEASE);
  return module;
}

void prof_module_attach(const struct prof_module_start *start) {
  size_t count = (size_t)(start->rows_end - start->rows_begin);
  static struct found found; /* under the lock; too big for a small stack */
  memset(&found, 0, sizeof found);
  found.address = (uintptr_t)start->rows_begin;
  if (count == 0 || !dl_iterate_phdr(module_look, &found) || !found.is_found)
    return;
  uint32_t first = count < PROF_SITE_LIMIT ? sites_take(count) : 0;
  struct prof_module *module = first ? module_take(&found, count) : NULL;
  if (!module) {
    prof_log_error(first ? "a module was left out: no memory within reach of its code"
                         : "a module was left out: the recording has no site numbers left");
    return;
  }
  module->rows = start->rows_begin;
  module->row_count = count;
  module->first_site = first;
  module->begin = (const uint8_t *)found.begin;
  module->end = (const uint8_t *)found.end;
  module->text_protection = found.text_protection;
  struct prof_frame_table table = {.header = NULL};
  if (!found.eh_frame_hdr) {
    table = prof_frame_table_make(found.path, found.bias, found.begin, found.end);
    found.eh_frame_hdr = table.header;
  }
  uint32_t skipped = bodies_write(module, &found);
  prof_frame_table_free(&table);
  if (prof_syscall(SYS_mprotect, (long)module->area, (long)module->area_bytes, PROT_READ | PROT_EXEC, 0, 0, 0) != 0) {
    prof_log_error("a module was left out: the system forbids generated code");
    return; /* stays DETACHED, its area is used again */
  }
  module_log(module, &found, skipped);
  __atomic_store_n(&module->state, PROF_MODULE_ATTACHED, __ATOMIC_RELEASE);
  if (prof_runtime.state == PROF_RUNTIME_ON && !prof_sites_switch(module, PROF_SWITCH_ON, true))
    prof_log_error("the system forbids changing code: neither /proc/self/mem nor mprotect may write it");
}

void prof_module_detach(const struct prof_module_start *start) {
  for (struct prof_module *module = prof_runtime.modules; module; module = module->next)
    if (module->rows == start->rows_begin && module->state == PROF_MODULE_ATTACHED) {
      __atomic_store_n(&module->state, PROF_MODULE_DETACHED, __ATOMIC_RELEASE);
      struct prof_log_number record = {.process = prof_runtime.process, .value = module->first_site};
      prof_log_write(PROF_LOG_MODULE_END, &record, sizeof record, NULL);
    }
}

/* The row whose body lies at or before `offset`, the last one; row_count: none. */
static size_t row_at(const struct prof_module *module, uint32_t offset) {
  size_t low = 0, high = module->row_count; /* rows before low begin at or before offset */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((module->body_offsets[middle] & ~PROF_BODY_SKIPPED) <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0 && (module->body_offsets[low - 1] & PROF_BODY_SKIPPED))
    low--;
  return low > 0 ? low - 1 : module->row_count;
}

const uint8_t *prof_runtime_body_to_sled(const void *pc) {
  struct prof_module *module = __atomic_load_n(&prof_runtime.modules, __ATOMIC_ACQUIRE);
  for (; module; module = module->next) {
    if (__atomic_load_n(&module->state, __ATOMIC_ACQUIRE) != PROF_MODULE_ATTACHED ||
        (const uint8_t *)pc < module->area || (const uint8_t *)pc >= module->area + module->area_bytes)
      continue;
    size_t row = row_at(module, (uint32_t)((const uint8_t *)pc - module->area));
    return row < module->row_count ? prof_row_sled(&module->rows[row]) : NULL;
  }
  return NULL;
}
