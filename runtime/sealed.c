/*
 * sealed.c - programs that forbid themselves to read the clock: seccomp's strict mode, and PR_SET_TSC (seccomp(2),
 * prctl(2)).  The next probe, or the slow path, would end them by a signal.
 *
 * A call that does this goes through a slot of its object, which the loader has filled with prctl or syscall.  Our
 * wrapper stands there: it switches the probes off (`held`), writes a line into the log, then makes the call.  If the
 * call fails, recording goes on.  The thread that made it can do no more than what the program does; other threads run
 * on unrecorded.  Not seen: static programs, system calls without libc, objects that are loaded after the last
 * instrumented one, pointers from dlsym.
 *
 * Slots: System V ABI, AMD64 supplement, "Relocation".  The loader's lock is held while they are looked for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "api.h"
#include "arch.h"
#include "log.h"
#include "sealed.h"
#include "system.h"

#define PAGE_BYTES ((uintptr_t)4096)

/* ---- sealing ---- */

static void log_sealed(uint32_t sealed) {
  struct prof_log_number record = {.process = prof_runtime.process, .value = sealed};
  prof_log_write(PROF_LOG_SEALED, &record, sizeof record, NULL);
}

/* False: the probes were off for good already, or nothing records. */
static bool seal(void) {
  uint64_t mask;
  int error = errno;
  if (!prof_api_begin(&mask))
    return false;
  bool fresh = !(prof_runtime.held & PROF_HELD_CLOCK), was_on = prof_runtime.state == PROF_RUNTIME_ON;
  prof_runtime.held |= PROF_HELD_CLOCK;
  prof_api_settle();
  prof_runtime.sealed = true;
  if (fresh && was_on)
    log_sealed(1);
  prof_api_end(mask);
  errno = error;
  return fresh;
}

static void unseal(void) {
  uint64_t mask;
  int error = errno;
  if (prof_api_begin(&mask)) {
    prof_runtime.sealed = false;
    prof_runtime.held &= ~PROF_HELD_CLOCK;
    prof_api_settle();
    if (prof_runtime.state == PROF_RUNTIME_ON)
      log_sealed(0);
    prof_api_end(mask);
  }
  errno = error;
}

bool prof_sealed_from_start(void) {
  int mode = PR_TSC_ENABLE;
  return prof_syscall(SYS_prctl, PR_GET_TSC, (long)&mode, 0, 0, 0, 0) == 0 && mode == PR_TSC_SIGSEGV;
}

/* ---- wrappers ---- */

static bool prctl_seals(long option, unsigned long value) {
  return (option == PR_SET_SECCOMP && value == SECCOMP_MODE_STRICT) ||
         (option == PR_SET_TSC && value == PR_TSC_SIGSEGV);
}

static int (*next_prctl)(int, ...);

static int wrap_prctl(int option, ...) {
  unsigned long given[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; i++)
    given[i] = va_arg(rest, unsigned long);
  va_end(rest);
  bool sealed = prctl_seals(option, given[0]) && seal();
  int result = next_prctl(option, given[0], given[1], given[2], given[3]);
  if (sealed && result != 0)
    unseal();
  return result;
}

long (*prof_next_syscall)(long, ...);

/* Of SYS_prctl and SYS_seccomp alone: the others jump past it. */
long prof_sealing_syscall(long number, unsigned long first, unsigned long second, unsigned long third,
                          unsigned long fourth, unsigned long fifth) {
  bool seals = number == SYS_prctl ? prctl_seals((int)first, second)
                                   : first == SECCOMP_SET_MODE_STRICT && second == 0 && third == 0;
  bool sealed = seals && seal();
  long result = prof_next_syscall(number, first, second, third, fourth, fifth);
  if (sealed && result != 0)
    unseal();
  return result;
}

/* ---- slots ---- */

struct object {
  uintptr_t base, begin, end, relro_begin, relro_end;
  const ElfW(Rela) * tables[2];
  size_t counts[2];
  const ElfW(Sym) * symbols;
  const char *names;
  bool opened; /* RELRO is writable */
};

struct wrapped {
  const char *name;
  void *wrapper, *real; /* real: libc's, or the program's own */
  void **next;          /* what the wrapper calls */
};

static void take_dynamic(struct object *object, const ElfW(Dyn) * entry) {
  uintptr_t values[DT_JMPREL + 1] = {0};
  for (; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag <= DT_JMPREL && entry->d_tag > 0)
      values[entry->d_tag] = entry->d_un.d_ptr;
  for (int tag = 0; tag <= DT_JMPREL; tag++) /* glibc has relocated the addresses, musl has not */
    if (tag != DT_RELASZ && tag != DT_PLTRELSZ && values[tag] && values[tag] < object->base)
      values[tag] += object->base;
  object->tables[0] = (const ElfW(Rela) *)values[DT_RELA];
  object->tables[1] = (const ElfW(Rela) *)values[DT_JMPREL];
  object->counts[0] = values[DT_RELASZ] / sizeof(ElfW(Rela));
  object->counts[1] = values[DT_PLTRELSZ] / sizeof(ElfW(Rela));
  object->symbols = (const ElfW(Sym) *)values[DT_SYMTAB];
  object->names = (const char *)values[DT_STRTAB];
}

static void take_object(struct object *object, const struct dl_phdr_info *info) {
  *object = (struct object){.base = info->dlpi_addr, .begin = UINTPTR_MAX};
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *head = &info->dlpi_phdr[i];
    uintptr_t begin = object->base + head->p_vaddr, end = begin + head->p_memsz;
    if (head->p_type == PT_LOAD) {
      object->begin = begin < object->begin ? begin : object->begin;
      object->end = end > object->end ? end : object->end;
    } else if (head->p_type == PT_GNU_RELRO) {
      object->relro_begin = begin & ~(PAGE_BYTES - 1);
      object->relro_end = (end + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
    } else if (head->p_type == PT_DYNAMIC) {
      take_dynamic(object, (const ElfW(Dyn) *)begin);
    }
  }
}

static bool protect(struct object *object, int how) {
  return mprotect((void *)object->relro_begin, object->relro_end - object->relro_begin, how) == 0;
}

/* What the slot leads to, now or once it is bound.  With measures it is their wrapper, which ours then calls. */
static bool is_ours_to_take(const struct object *object, const ElfW(Sym) * symbol, struct wrapped *row, void *value) {
  uintptr_t at = (uintptr_t)value;
  bool lazy = at >= object->begin && at < object->end && symbol->st_shndx == SHN_UNDEF;
  if (value == row->wrapper || !row->real)
    return false;
  if (value == row->real || lazy)
    return true;
  if (*row->next == row->real && (prof_runtime.control && prof_runtime.control->flags & PROF_CONTROL_MEASURES))
    *row->next = value;
  return value == *row->next;
}

static void take_slot(struct object *object, const ElfW(Rela) * slot, struct wrapped *rows) {
  uint64_t type = ELF64_R_TYPE(slot->r_info);
  if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
    return;
  const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(slot->r_info)];
  const char *name = object->names + symbol->st_name;
  for (struct wrapped *row = rows; row->name; row++) {
    if (name[0] != row->name[0] || strcmp(name, row->name) != 0)
      continue;
    void **where = (void **)(object->base + slot->r_offset);
    uintptr_t at = (uintptr_t)where;
    if (!is_ours_to_take(object, symbol, row, __atomic_load_n(where, __ATOMIC_RELAXED)))
      continue;
    bool read_only = at >= object->relro_begin && at < object->relro_end;
    if (read_only && !object->opened)
      object->opened = protect(object, PROT_READ | PROT_WRITE);
    if (!read_only || object->opened)
      __atomic_store_n(where, row->wrapper, __ATOMIC_RELEASE);
  }
}

static int visit(struct dl_phdr_info *info, size_t bytes, void *rows) {
  struct object object;
  (void)bytes;
  if (info->dlpi_name && strstr(info->dlpi_name, "/libprof-")) /* the profiler's own calls */
    return 0;
  take_object(&object, info);
  for (int table = 0; object.symbols && object.names && table < 2; table++)
    for (size_t i = 0; object.tables[table] && i < object.counts[table]; i++)
      take_slot(&object, &object.tables[table][i], rows);
  if (object.opened)
    protect(&object, PROT_READ);
  return 0;
}

static int note_adds(struct dl_phdr_info *info, size_t bytes, void *adds) {
  (void)bytes;
  *(unsigned long long *)adds = info->dlpi_adds; /* loads so far, of the whole process */
  return 1;
}

void prof_sealed_attach(void) {
  static struct wrapped rows[] = {
      {"prctl", (void *)(uintptr_t)wrap_prctl, NULL, (void **)&next_prctl},
      {"syscall", (void *)(uintptr_t)prof_wrap_syscall, NULL, (void **)&prof_next_syscall},
      {0},
  };
  static unsigned long long seen_adds;
  unsigned long long adds = 0;
  uint64_t mask;
  dl_iterate_phdr(note_adds, &adds);
  if (adds == seen_adds || !prof_api_begin(&mask))
    return;
  seen_adds = adds;
  for (struct wrapped *row = rows; row->name; row++)
    if (!row->real)
      row->real = *row->next = dlsym(RTLD_DEFAULT, row->name); /* NULL: a static program */
  prof_api_end(mask);
  dl_iterate_phdr(visit, rows);
}
