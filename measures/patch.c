/*
 * patch.c - see patch.h.
 *
 * A slot is a word that the loader fills with a function's address: R_X86_64_JUMP_SLOT, GLOB_DAT, or R_X86_64_64 in
 * data (System V ABI, AMD64 supplement, "Relocation").  One is patched if it holds the definition that this library's
 * own slot of that name holds, or if it is still lazy and would be bound to it.  Others (an object with a definition of
 * its own, a pointer that the program has changed) stay as they are: so a block is never given to another allocator.
 *
 * Slots that the loader has made read-only (RELRO) are made writable for a moment.  Objects are told apart by address
 * and name; the loader's lock is held (dl_iterate_phdr), so no two threads patch at a time.  errno is kept.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "patch.h"

#define PAGE_BYTES ((uintptr_t)4096)
#define KNOWN_MOST 1024 /* objects; later ones are looked at each time */
#define POINTED_MOST 16
#define NAME_SLOTS 1024 /* a power of two, several times PROF_WRAPPED_MOST */

struct object {
  uintptr_t base, begin, end;       /* of its segments */
  uintptr_t relro_begin, relro_end; /* whole pages; read-only after relocation */
  uintptr_t data_begin, data_end;   /* of its writable segment's part in the file */
  const ElfW(Dyn) * dynamic;
  const ElfW(Rela) * tables[2];
  size_t counts[2];
  const ElfW(Sym) * symbols;
  const char *names;
};

static struct prof_wrapped *by_name[NAME_SLOTS];
static unsigned wrapped_count;
static unsigned long long seen_adds;               /* loads that were seen, as the loader counts them */
static struct prof_wrapped *pointed[POINTED_MOST]; /* rows with by_pointer */
static unsigned pointed_count;

static unsigned hash(const char *name) {
  unsigned value = 5381;
  for (; *name; name++)
    value = value * 33 + (unsigned char)*name;
  return value * 2654435769u >> 22;
}

static struct prof_wrapped *find(const char *name) {
  for (unsigned at = hash(name);; at = (at + 1) % NAME_SLOTS)
    if (!by_name[at] || strcmp(by_name[at]->name, name) == 0)
      return by_name[at];
}

/* ---- an object ---- */

static void take_segment(struct object *object, const ElfW(Phdr) * head) {
  uintptr_t begin = object->base + head->p_vaddr, end = begin + head->p_memsz;
  if (head->p_type == PT_DYNAMIC)
    object->dynamic = (const ElfW(Dyn) *)begin;
  if (head->p_type == PT_GNU_RELRO) {
    object->relro_begin = begin & ~(PAGE_BYTES - 1);
    object->relro_end = (end + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
  }
  if (head->p_type != PT_LOAD)
    return;
  if (!object->end || begin < object->begin)
    object->begin = begin;
  if (end > object->end)
    object->end = end;
  if (head->p_flags & PF_W) {
    object->data_begin = begin;
    object->data_end = begin + head->p_filesz;
  }
}

/* glibc has relocated the addresses in the dynamic section; musl has not. */
static uintptr_t address(const struct object *object, uintptr_t value) {
  return value < object->base ? object->base + value : value;
}

static bool read_object(struct object *object, const struct dl_phdr_info *info) {
  *object = (struct object){.base = info->dlpi_addr};
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    take_segment(object, &info->dlpi_phdr[i]);
  for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
    uintptr_t value = entry->d_un.d_ptr;
    if (entry->d_tag == DT_RELA)
      object->tables[0] = (const ElfW(Rela) *)address(object, value);
    else if (entry->d_tag == DT_RELASZ)
      object->counts[0] = value / sizeof(ElfW(Rela));
    else if (entry->d_tag == DT_JMPREL)
      object->tables[1] = (const ElfW(Rela) *)address(object, value);
    else if (entry->d_tag == DT_PLTRELSZ)
      object->counts[1] = value / sizeof(ElfW(Rela));
    else if (entry->d_tag == DT_SYMTAB)
      object->symbols = (const ElfW(Sym) *)address(object, value);
    else if (entry->d_tag == DT_STRTAB)
      object->names = (const char *)address(object, value);
  }
  return object->symbols && object->names;
}

static bool has(const struct object *object, const void *where) {
  return (uintptr_t)where - object->begin < object->end - object->begin;
}

typedef void visit(struct object *, const ElfW(Rela) *, struct prof_wrapped *row, void *context);

/* Calls `each` for every slot of a wrapped function. */
static void each_slot(struct object *object, visit *each, void *context) {
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *slots = object->tables[table];
    for (size_t i = 0; slots && i < object->counts[table]; i++) {
      uint64_t type = ELF64_R_TYPE(slots[i].r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && (type != R_X86_64_64 || slots[i].r_addend))
        continue;
      const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(slots[i].r_info)];
      struct prof_wrapped *row = find(object->names + symbol->st_name);
      if (row)
        each(object, &slots[i], row, context);
    }
  }
}

/* ---- our own slots ---- */

static void note_real(struct object *object, const ElfW(Rela) * slot, struct prof_wrapped *row, void *context) {
  (void)context;
  if (ELF64_R_TYPE(slot->r_info) == R_X86_64_JUMP_SLOT) /* others may hold a PLT entry of the program */
    row->real = *(void **)(object->base + slot->r_offset);
}

static int note_own(struct dl_phdr_info *info, size_t bytes, void *found) {
  struct object object;
  (void)bytes;
  if (!read_object(&object, info) || !has(&object, by_name))
    return 0;
  each_slot(&object, note_real, NULL);
  *(bool *)found = object.counts[1] > 0;
  return 1;
}

bool prof_patch_init(void) {
  bool found = false;
  dl_iterate_phdr(note_own, &found);
  return found;
}

void prof_patch_add(struct prof_wrapped *rows) {
  bool found = false;
  for (; rows->name && wrapped_count < PROF_WRAPPED_MOST; rows++) {
    unsigned at = hash(rows->name);
    while (by_name[at] && strcmp(by_name[at]->name, rows->name) != 0)
      at = (at + 1) % NAME_SLOTS;
    if (by_name[at])
      continue;
    by_name[at] = rows;
    wrapped_count++;
    if (rows->by_pointer && pointed_count < POINTED_MOST)
      pointed[pointed_count++] = rows;
  }
  dl_iterate_phdr(note_own, &found);
}

/* ---- slots of others ---- */

struct job {
  size_t refused;
  bool opened, sealed; /* the object's RELRO is writable; can't be made so */
};

/* Would the loader, or did it, bind this slot to the real definition? */
static bool is_bound(const struct object *object, const ElfW(Rela) * slot, const struct prof_wrapped *row,
                     const void *value) {
  const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(slot->r_info)];
  bool is_lazy = ELF64_R_TYPE(slot->r_info) == R_X86_64_JUMP_SLOT && has(object, value);
  bool is_own = symbol->st_shndx != SHN_UNDEF;
  return value == row->real || (is_lazy && (!is_own || object->base + symbol->st_value == (uintptr_t)row->real));
}

static bool open_relro(const struct object *object, struct job *job) {
  if (!job->opened && !job->sealed) {
    job->opened =
        mprotect((void *)object->relro_begin, object->relro_end - object->relro_begin, PROT_READ | PROT_WRITE) == 0;
    job->sealed = !job->opened;
  }
  return job->opened;
}

static void store(const struct object *object, void **where, void *wrapper, struct job *job) {
  bool read_only = (uintptr_t)where >= object->relro_begin && (uintptr_t)where < object->relro_end;
  if (read_only && !open_relro(object, job)) {
    job->refused++;
    return;
  }
  __atomic_store_n(where, wrapper, __ATOMIC_RELEASE);
}

static void patch_slot(struct object *object, const ElfW(Rela) * slot, struct prof_wrapped *row, void *context) {
  void **where = (void **)(object->base + slot->r_offset);
  void *value = __atomic_load_n(where, __ATOMIC_RELAXED);
  if (row->real && value != row->wrapper && is_bound(object, slot, row, value))
    store(object, where, row->wrapper, context);
}

/* The allocator in the loader's data, functions of streams in tables of libc. */
static void patch_pointers(const struct object *object, struct job *job) {
  for (void **word = (void **)((object->data_begin + 7) & ~(uintptr_t)7); (uintptr_t)(word + 1) <= object->data_end;
       word++)
    for (unsigned i = 0; i < pointed_count; i++)
      if (*word && *word == pointed[i]->real)
        store(object, word, pointed[i]->wrapper, job);
}

/* Of the profiler itself: its allocations are not the program's. */
static bool is_own(const struct object *object) {
  return has(object, by_name) || has(object, (const void *)(uintptr_t)prof_measure.put);
}

/* The objects that were patched, by address; all are looked at again when one was unloaded. */
static bool is_known(const struct dl_phdr_info *info) {
  static ElfW(Addr) known[KNOWN_MOST];
  static size_t count;
  static unsigned long long seen_subs;
  if (info->dlpi_subs != seen_subs)
    count = 0;
  seen_subs = info->dlpi_subs;
  for (size_t i = 0; i < count; i++)
    if (known[i] == info->dlpi_addr)
      return true;
  if (count < KNOWN_MOST)
    known[count++] = info->dlpi_addr;
  return false;
}

static int patch_object(struct dl_phdr_info *info, size_t bytes, void *context) {
  size_t *refused = context;
  struct object object;
  struct job job = {0};
  (void)bytes;
  if (is_known(info) || info->dlpi_addr == getauxval(AT_SYSINFO_EHDR) || !read_object(&object, info) || is_own(&object))
    return 0;
  bool is_loader = info->dlpi_addr == getauxval(AT_BASE);
  if (is_loader || has(&object, gnu_get_libc_version()))
    patch_pointers(&object, &job);
  if (!is_loader)
    each_slot(&object, patch_slot, &job);
  if (job.opened)
    mprotect((void *)object.relro_begin, object.relro_end - object.relro_begin, PROT_READ);
  *refused += job.refused;
  return 0;
}

static int note_adds(struct dl_phdr_info *info, size_t bytes, void *context) {
  (void)bytes;
  *(unsigned long long *)context = info->dlpi_adds;
  return 1;
}

size_t prof_patch_new(void) {
  int error = errno;
  size_t refused = 0;
  unsigned long long adds = 0;
  dl_iterate_phdr(note_adds, &adds);
  if (adds != seen_adds) {
    dl_iterate_phdr(patch_object, &refused);
    seen_adds = adds;
  }
  errno = error;
  return refused;
}
