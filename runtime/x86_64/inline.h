/*
 * x86_64/inline.h - clock, thread pointer and system calls, a chain of instructions, without libc: they leave errno and
 * vector registers alone.
 */
#ifndef PROF_RUNTIME_X86_64_INLINE_H
#define PROF_RUNTIME_X86_64_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define PROF_SLED_BYTES 5
#define PROF_COUNT_TRAMPOLINE_BYTES ((size_t)64) /* a line of the cache */
#define PROF_PAGE_BYTES ((uintptr_t)4096)        /* of memory; may be a call where kernels differ */
#define PROF_DWARF_REGISTERS 16                  /* that a CFA rule may name */
/* Largest distance of a trampoline and its sled (a 32-bit displacement, less a margin). */
#define PROF_TRAMPOLINE_REACH ((uintptr_t)0x7ff00000)

static inline uint64_t prof_tsc_read(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

static inline char *prof_thread_pointer(void) {
  char *pointer;
  __asm__("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

/* Prepares memory for a thread of its own pointer: what compilers and libc's functions read behind it is the calling
 * thread's (System V ABI, "Thread-Local Storage"; glibc's tcbhead_t). */
static inline void prof_thread_pointer_fill(char *pointer) {
  uint64_t *words = (uint64_t *)(void *)pointer;
  words[0] = words[2] = (uint64_t)(uintptr_t)pointer;
  __asm__("mov %%fs:0x28, %0" : "=r"(words[5])); /* guard of stacks */
  __asm__("mov %%fs:0x30, %0" : "=r"(words[6])); /* guard of pointers */
}

/* Adds to a word that only its own thread and its signal handlers write: one instruction, without a lock. */
static inline char *prof_cursor_add(char **cursor, uint64_t bytes) {
  __asm__ volatile("xaddq %0, %1" : "+r"(bytes), "+m"(*cursor) : : "memory");
  return (char *)bytes;
}

/* A chain of dependent instructions of one cycle each, repeated. */
#define PROF_CHAIN_STEPS 80u
static inline void prof_chain_run(uint32_t rounds) {
  uint64_t value = rounds;
  for (; rounds > 0; rounds--)
    __asm__ volatile(".rept 80\n\tnot %0\n\t.endr" : "+r"(value));
}

/* Returns the kernel's result: -4095 to -1 are errors. */
static inline long prof_syscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/*
 * The end of the frame of the function that calls a hook: searches upward from the stack pointer for its return
 * address, and reads no further.  For a very large frame: an address in it that is no multiple of 16.
 */
static inline uint32_t prof_frame_find(char *stack, void *caller) {
  void **word = (void **)(void *)stack;
  for (int i = 0; i < 64; i++)
    if (word[i] == caller)
      return (uint32_t)(uintptr_t)(word + i + 1);
  return (uint32_t)(uintptr_t)stack + 8;
}

/* Call it after code was written, before it runs.  x86-64 keeps its instruction cache coherent (Intel SDM 3, 12.6). */
static inline void prof_code_written(const void *begin, size_t bytes) {
  (void)begin;
  (void)bytes;
}

#endif
