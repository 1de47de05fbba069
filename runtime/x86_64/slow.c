/*
 * x86_64/slow.c - the ways from a body into C and back: for more space, and for the OS's time.
 *
 * A body has saved rax, rcx and rdx and stands below the red zone; it passes the reserved slot in rcx and the reserved
 * bytes in eax.  All C code behind prof_slow_entry is compiled with -mgeneral-regs-only, so the remaining caller-saved
 * general registers are all that has to be kept.  Flags: an asm statement may change them, so sleds need not keep them.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <ucontext.h>

#include "runtime.h"

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

/* The same for the clock; rcx and rdx are the body's to change. */
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

/*
 * Room for the x87, SSE, AVX and AVX-512 components of the standard XSAVE format (they end at 2,688), 64-aligned.
 * Intel SDM volume 1, section 13.4; the header's reserved bytes must be zero for XRSTOR.
 */
#define VECTOR_BYTES 2688
#define VECTOR_COMPONENTS 0xe7u

/* Asked once: below a hypervisor CPUID takes as long as a thousand probes. */
static bool has_xsave(void) {
  static uint32_t known; /* 1: no, 2: yes */
  uint32_t answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!answer) {
    unsigned eax, ebx, ecx, edx;
    __cpuid(1, eax, ebx, ecx, edx); /* every x86-64 processor has this leaf */
    answer = ecx & bit_OSXSAVE ? 2 : 1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

void prof_vector_saved_call(void (*function)(void *), void *argument) {
  _Alignas(64) uint8_t state[VECTOR_BYTES];
  if (has_xsave()) {
    for (int i = 512; i < 576; i++)
      state[i] = 0;
    __asm__ volatile("xsave64 %0" : "+m"(state) : "a"(VECTOR_COMPONENTS), "d"(0) : "memory");
    function(argument);
    __asm__ volatile("xrstor64 %0" : : "m"(state), "a"(VECTOR_COMPONENTS), "d"(0) : "memory");
  } else {
    __asm__ volatile("fxsave64 %0" : "=m"(state) : : "memory");
    function(argument);
    __asm__ volatile("fxrstor64 %0" : : "m"(state) : "memory");
  }
}

/* rt_sigreturn(2) is number 15; unwinders know these bytes. */
__asm__(".text\n"
        ".p2align 4\n"
        "nop\n"
        ".globl prof_signal_return\n"
        ".hidden prof_signal_return\n"
        ".type prof_signal_return, @function\n"
        "prof_signal_return:\n"
        "  movq $15, %rax\n"
        "  syscall\n"
        ".size prof_signal_return, . - prof_signal_return\n");

uint64_t prof_context_address(const void *context) {
  return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}
