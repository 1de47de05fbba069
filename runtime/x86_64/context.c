/*
 * x86_64/context.c - registers: keeps vector registers around C code, reads an interrupted thread's, returns from a
 * handler.
 */
#include <cpuid.h>
#include <ucontext.h>

#include "arch.h"

/*
 * Room for the x87, SSE, AVX and AVX-512 components of the standard XSAVE format (they end at 2,688), 64-aligned.
 * Intel SDM volume 1, section 13.4; the header's reserved bytes must be zero for XRSTOR.
 */
#define VECTOR_BYTES 2688
#define VECTOR_COMPONENTS 0xe7u

/* Asks once: under a hypervisor CPUID takes as long as a thousand probes. */
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
