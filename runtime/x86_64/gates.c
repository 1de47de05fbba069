/*
 * x86_64/gates.c - from a trampoline into C and back: for more space, for the OS's time, and for texts.
 *
 * A trampoline has saved rax, rcx and rdx and moved rsp below the red zone; it passes the reserved slot in rcx and the
 * reserved bytes in eax.  All C code behind prof_slow_entry is compiled with -mgeneral-regs-only, so only the other
 * caller-saved general registers are kept.  Flags need not be kept: an asm statement may change them.
 */
#include "arch.h"

#define GATE(name, before, function, after)                                                                            \
  __asm__(".text\n"                                                                                                    \
          ".p2align 4\n"                                                                                               \
          ".globl " name "\n"                                                                                          \
          ".hidden " name "\n"                                                                                         \
          ".type " name ", @function\n" name ":\n"                                                                     \
          "  pushq %rbx\n"                                                                                             \
          "  pushq %rsi\n"                                                                                             \
          "  pushq %rdi\n"                                                                                             \
          "  pushq %r8\n"                                                                                              \
          "  pushq %r9\n"                                                                                              \
          "  pushq %r10\n"                                                                                             \
          "  pushq %r11\n"                                                                                             \
          "  movq %rsp, %rbx\n"                                                                                        \
          "  andq $-16, %rsp\n" before "  call " function "\n"                                                         \
          "  movq %rbx, %rsp\n"                                                                                        \
          "  popq %r11\n"                                                                                              \
          "  popq %r10\n"                                                                                              \
          "  popq %r9\n"                                                                                               \
          "  popq %r8\n"                                                                                               \
          "  popq %rdi\n"                                                                                              \
          "  popq %rsi\n"                                                                                              \
          "  popq %rbx\n" after "  ret\n"                                                                              \
          ".size " name ", . - " name "\n")

GATE("prof_slow_entry", "  movq %rcx, %rdi\n  movl %eax, %esi\n", "prof_ring_slow", "  testl %eax, %eax\n");
/* The trampoline has saved rcx and rdx too. */
GATE("prof_count_entry", "", "prof_count_slow", "  testl %eax, %eax\n");
/* The trampoline may change rcx and rdx. */
GATE("prof_clock_entry", "", "prof_clock_os", "");
/* The trampoline has saved rax, rcx and rdx. */
GATE("prof_string_entry", "  movq %rdx, %rdi\n  movl %ecx, %esi\n", "prof_string_value", "");
