/*
 * seccomp.c - wraps the ways to restrict system calls (seccomp(2)), with every measure.
 *
 * After that no names of files are looked up: the program may not expect these calls.  In strict mode it may not even
 * read the time stamp counter: then wrappers write nothing more.  A probe would end the program.  Futexes of syscall()
 * go to waits.c.
 */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "wrapped.h"

static uint64_t no_ticks(void) {
  return 0;
}

static void put_nothing(uint32_t operation, const void *caller, uint64_t first, uint64_t second) {
  (void)operation, (void)caller, (void)first, (void)second;
}

static int wrap_prctl(int option, ...) {
  unsigned long given[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; i++)
    given[i] = va_arg(rest, unsigned long);
  va_end(rest);
  if (option == PR_SET_SECCOMP)
    __atomic_store_n(&prof_files_sealed, 1, __ATOMIC_RELAXED);
  if (option == PR_SET_SECCOMP && given[0] == SECCOMP_MODE_STRICT) {
    __atomic_store_n(&prof_measure.put, put_nothing, __ATOMIC_RELAXED);
    __atomic_store_n(&prof_measure.ticks, no_ticks, __ATOMIC_RELAXED);
  }
  return prctl(option, given[0], given[1], given[2], given[3]);
}

/* A jump, not a call: a system call may return twice in this frame (vfork). */
long wrap_syscall(long number, ...);
__asm__(".text\n"
        ".p2align 4\n"
        ".globl wrap_syscall\n"
        ".hidden wrap_syscall\n"
        ".type wrap_syscall, @function\n"
        "wrap_syscall:\n"
        "  cmpq $317, %rdi\n" /* SYS_seccomp */
        "  jne 1f\n"
        "  movl $1, prof_files_sealed(%rip)\n"
        "1: cmpq $202, %rdi\n" /* SYS_futex */
        "  je prof_wrap_futex\n"
        "  jmp syscall@PLT\n"
        ".size wrap_syscall, . - wrap_syscall\n");
_Static_assert(SYS_seccomp == 317 && SYS_futex == 202, "the numbers above");

struct prof_wrapped prof_wrapped_seccomp[] = {
    {"prctl", (void *)(uintptr_t)wrap_prctl, NULL},
    {"syscall", (void *)(uintptr_t)wrap_syscall, NULL},
    {0},
};
