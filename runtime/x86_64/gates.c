/*
 * x86_64/gates.c - from a trampoline into C and back: for more space, and for the OS's time.
 *
 * A trampoline has saved rax, rcx and rdx and stands below the red zone; it passes the reserved slot in rcx and the
 * reserved bytes in eax.  All C code behind prof_slow_entry is compiled with -mgeneral-regs-only, so the remaining
 * caller-saved general registers are all that has to be kept.  Flags: an asm statement may change them, so sleds need
 * not keep them.
 */
#include "arch.h"

__asm__(".text\n"
        ".p2align 4\n"
        ".globl prof_slow_entry\n"
        ".hidden prof_slow_entry\n"
        ".type prof_slow_entry, @function\n"
        "prof_slow_entry:\n"
        "  pushq %rbx\n"
        "  pushq %rsi\n"
        "  pushq %rdi\n"
        "  pushq %r8\n"
        "  pushq %r9\n"
        "  pushq %r10\n"
        "  pushq %r11\n"
        "  movq %rsp, %rbx\n"
        "  andq $-16, %rsp\n"
        "  movq %rcx, %rdi\n"
        "  movl %eax, %esi\n"
        "  call prof_ring_slow\n"
        "  movq %rbx, %rsp\n"
        "  popq %r11\n"
        "  popq %r10\n"
        "  popq %r9\n"
        "  popq %r8\n"
        "  popq %rdi\n"
        "  popq %rsi\n"
        "  popq %rbx\n"
        "  testl %eax, %eax\n"
        "  ret\n"
        ".size prof_slow_entry, . - prof_slow_entry\n");

/* The same for the clock; rcx and rdx are the trampoline's to change. */
__asm__(".text\n"
        ".p2align 4\n"
        ".globl prof_clock_entry\n"
        ".hidden prof_clock_entry\n"
        ".type prof_clock_entry, @function\n"
        "prof_clock_entry:\n"
        "  pushq %rbx\n"
        "  pushq %rsi\n"
        "  pushq %rdi\n"
        "  pushq %r8\n"
        "  pushq %r9\n"
        "  pushq %r10\n"
        "  pushq %r11\n"
        "  movq %rsp, %rbx\n"
        "  andq $-16, %rsp\n"
        "  call prof_clock_os\n"
        "  movq %rbx, %rsp\n"
        "  popq %r11\n"
        "  popq %r10\n"
        "  popq %r9\n"
        "  popq %r8\n"
        "  popq %rdi\n"
        "  popq %rsi\n"
        "  popq %rbx\n"
        "  ret\n"
        ".size prof_clock_entry, . - prof_clock_entry\n");
