/*
 * clock.c - the OS's clock, for machines whose TSC stops, changes its rate or differs between cores.
 *
 * In: the recorder's choice (wire/control.h).  Out: nanoseconds of CLOCK_MONOTONIC, from any context.  They come from
 * the kernel's function in the vdso, which uses no vector registers, takes no lock and may run in a signal handler;
 * without a vdso, from the system call.  The vdso's symbols are read by ELF's rules (System V gABI, "Dynamic Section";
 * DT_GNU_HASH as in glibc's and binutils' sources).
 */
#include <elf.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "clock.h"
#include "system.h"

static long (*vdso_gettime)(long clock, struct prof_timespec *);

/* The parts used of the vdso's dynamic section; all pointers lie in its mapping. */
struct dynamic {
  const Elf64_Sym *symbols;
  const char *names;
  const uint32_t *hash, *gnu_hash;
  uintptr_t bias; /* address minus the file's address */
};

/* A pointer of the dynamic section.  The kernel doesn't relocate it; an emulator may. */
static const void *place(uintptr_t base, uint64_t value) {
  return (const void *)(value < base ? base + value : value);
}

static struct dynamic dynamic_read(uintptr_t base) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)base;
  const Elf64_Phdr *program = (const Elf64_Phdr *)(base + head->e_phoff);
  struct dynamic out = {0};
  uint64_t lowest = 0;
  for (int i = head->e_phnum - 1; i >= 0; i--)
    lowest = program[i].p_type == PT_LOAD ? program[i].p_vaddr : lowest;
  out.bias = base - lowest;
  for (int i = 0; i < head->e_phnum; i++) {
    if (program[i].p_type != PT_DYNAMIC)
      continue;
    for (const Elf64_Dyn *entry = (const Elf64_Dyn *)(out.bias + program[i].p_vaddr); entry->d_tag; entry++) {
      const void *at = place(out.bias, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB)
        out.symbols = at;
      else if (entry->d_tag == DT_STRTAB)
        out.names = at;
      else if (entry->d_tag == DT_HASH)
        out.hash = at;
      else if (entry->d_tag == DT_GNU_HASH)
        out.gnu_hash = at;
    }
  }
  return out;
}

/* Only the hash tables hold the number of symbols. */
static uint32_t symbol_count(const struct dynamic *dynamic) {
  if (dynamic->hash)
    return dynamic->hash[1];
  const uint32_t *gnu = dynamic->gnu_hash;
  if (!gnu)
    return 0;
  const uint32_t bucket_count = gnu[0], first = gnu[1], *buckets = gnu + 4 + 2 * gnu[2],
                 *chains = buckets + bucket_count;
  uint32_t last = 0;
  for (uint32_t i = 0; i < bucket_count; i++)
    last = buckets[i] > last ? buckets[i] : last;
  if (last < first)
    return 0;
  while (!(chains[last - first] & 1))
    last++;
  return last + 1;
}

static bool same(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

void prof_clock_init(void) {
  prof_runtime.os_clock = prof_runtime.control->clock == PROF_CONTROL_CLOCK_OS;
  uintptr_t base = getauxval(AT_SYSINFO_EHDR);
  if (!prof_runtime.os_clock || !base)
    return;
  struct dynamic dynamic = dynamic_read(base);
  uint32_t count = dynamic.symbols && dynamic.names ? symbol_count(&dynamic) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (dynamic.symbols[i].st_shndx != SHN_UNDEF &&
        same(dynamic.names + dynamic.symbols[i].st_name, "__vdso_clock_gettime"))
      vdso_gettime = (long (*)(long, struct prof_timespec *))(dynamic.bias + dynamic.symbols[i].st_value);
}

uint64_t prof_clock_os(void) {
  struct prof_timespec now = {0, 0};
  if (!vdso_gettime || vdso_gettime(1 /* CLOCK_MONOTONIC */, &now) != 0)
    prof_syscall(SYS_clock_gettime, 1, (long)&now, 0, 0, 0, 0);
  return (uint64_t)(now.seconds * 1000000000 + now.nanoseconds);
}
