/*
 * area.c - finds memory near a module's code, for trampolines and tables that refer to it with 32 bits.
 */
#include "area.h"
#include "system.h"

static uint8_t *area_try(uintptr_t at, size_t bytes) {
  long got = prof_syscall(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | 0x100000 /* MAP_FIXED_NOREPLACE */, -1, 0);
  if (got == (long)at)
    return (uint8_t *)got;
  if (!prof_syscall_failed(got)) /* a kernel without this flag takes the address as a hint */
    prof_syscall(SYS_munmap, got, (long)bytes, 0, 0, 0, 0);
  return NULL;
}

/* Looks below first: a program's heap grows above it. */
uint8_t *prof_area_map(uintptr_t begin, uintptr_t end, size_t bytes) {
  const uintptr_t step = 1u << 20;
  begin &= ~(PROF_PAGE_BYTES - 1);
  if (end - begin + bytes + 2 * step >= PROF_TRAMPOLINE_REACH)
    return NULL;
  uintptr_t room = PROF_TRAMPOLINE_REACH - (end - begin) - bytes; /* largest distance of the area */
  for (uintptr_t away = step; away < room && begin > away + bytes + 65536; away += step) {
    uint8_t *area = area_try(begin - bytes - away, bytes);
    if (area)
      return area;
  }
  for (uintptr_t away = room & ~(step - 1); away > step; away -= step) {
    uint8_t *area = area_try(prof_page_align(end) + away, bytes);
    if (area)
      return area;
  }
  return NULL;
}
