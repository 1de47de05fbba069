/*
 * syscall.c - in place of libc's syscall(): all numbers but two go on to it by a jump, as a system call may return
 * twice in the caller's frame (vfork).
 */
#include <sys/syscall.h>

#include "arch.h"

__asm__(".text\n"
        ".p2align 4\n"
        ".globl prof_wrap_syscall\n"
        ".hidden prof_wrap_syscall\n"
        ".type prof_wrap_syscall, @function\n"
        "prof_wrap_syscall:\n"
        "  cmpq $157, %rdi\n" /* SYS_prctl */
        "  je prof_sealing_syscall\n"
        "  cmpq $317, %rdi\n" /* SYS_seccomp */
        "  je prof_sealing_syscall\n"
        "  jmp *prof_next_syscall(%rip)\n"
        ".size prof_wrap_syscall, . - prof_wrap_syscall\n");
_Static_assert(SYS_prctl == 157 && SYS_seccomp == 317, "the numbers above");
