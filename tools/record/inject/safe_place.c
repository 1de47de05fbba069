/*
 * tools/record/inject/safe_place.c - see safe_place.h.
 */
#include "record/inject/safe_place.h"

#include <sys/syscall.h>

#include "source/unwind/unwind.h"

#define USER_CODE 0x33 /* cs of 64-bit code */

struct stack {
  struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];
  const struct prof_target_module *modules[PROF_UNWIND_FRAMES_MAX]; /* NULL: no file's */
  uint32_t count;
  enum prof_unwind_end end;
};

/* The address of a frame's code: of a return address, the call. */
static uint64_t code_of(const struct prof_unwind_frame *frame) {
  return frame->pc - !frame->is_exact;
}

static void unwind(struct prof_target *target, const struct prof_tracee *tracee, struct stack *out) {
  const struct user_regs_struct *from = &tracee->registers;
  struct prof_stack_place place = {&target->maps, &target->files, target->pid};
  struct prof_unwind_sample sample = {
      .registers = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp, from->r8,
                    from->r9, from->r10, from->r11, from->r12, from->r13, from->r14, from->r15, from->rip},
      .stack = target->stack,
      .stack_bytes = prof_tracee_read(tracee, from->rsp, target->stack, PROF_TARGET_STACK_BYTES),
  };
  out->end = prof_unwind(&sample, prof_stack_maps_find, &place, out->frames, &out->count);
  for (uint32_t i = 0; i < out->count; i++)
    out->modules[i] = prof_target_find(target, code_of(&out->frames[i]));
}

static enum prof_target_part part_of(const struct stack *stack, uint32_t frame) {
  return stack->modules[frame]->part;
}

/* How many of the outermost frames began the thread: _start and what calls main, or clone and what calls the thread's
 * function.  0: it began in another way, as coroutines do. */
static uint32_t beginning(const struct stack *stack) {
  uint32_t last = stack->count - 1;
  if (stack->count < 2 || part_of(stack, last - 1) != PROF_PART_LIBC)
    return 0;
  if (part_of(stack, last) == PROF_PART_LIBC)
    return 2;
  if (!stack->modules[last]->is_program)
    return 0;
  return stack->count > 2 && part_of(stack, last - 2) == PROF_PART_LIBC ? 3 : 2;
}

/* Waits that end for reasons from outside.  In the second part, an allocator of the program's own may wait as well. Who
 * waits for a lock of the C library's (futex) holds no other one, but in entangled functions. */
static bool is_wait(uint64_t call, bool allocates) {
  static const uint16_t calls[] = {
      SYS_poll,
      SYS_ppoll,
      SYS_select,
      SYS_pselect6,
      SYS_epoll_wait,
      SYS_epoll_pwait,
      441 /* epoll_pwait2 */,
      SYS_accept,
      SYS_accept4,
      SYS_recvfrom,
      SYS_recvmsg,
      SYS_recvmmsg,
      SYS_wait4,
      SYS_waitid,
      SYS_pause,
      SYS_rt_sigsuspend,
      SYS_rt_sigtimedwait,
      SYS_semop,
      SYS_semtimedop,
      SYS_msgrcv,
      SYS_io_getevents,
      /* second part */
      SYS_read,
      SYS_readv,
      SYS_pread64,
      SYS_nanosleep,
      SYS_clock_nanosleep,
      SYS_futex,
      SYS_flock,
  };
  size_t count = sizeof calls / sizeof *calls - (allocates ? 7 : 0);
  for (size_t i = 0; i < count; i++)
    if (call == calls[i])
      return true;
  return false;
}

static const char *judge_inner(const struct prof_target *target, const struct prof_tracee *tracee,
                               const struct stack *stack, uint32_t inner) {
  uint64_t call = tracee->registers.orig_rax;
  if (inner == 0)
    return target->allocates ? "in a program that has its own malloc" : NULL;
  if ((int64_t)call < 0 || !is_wait(call, target->allocates))
    return "in the C library";
  for (uint32_t i = 0; i < inner; i++)
    if (prof_target_is_entangled(target, code_of(&stack->frames[i])))
      return "in the C library";
  return NULL;
}

/* Of a frame between the thread's beginning and the calls of the C library that it waits in. */
static const char *const part_texts[] = {
    [PROF_PART_CODE] = NULL,
    [PROF_PART_LIBC] = "in the C library",
    [PROF_PART_LOADER] = "in the loader",
    [PROF_PART_ALLOCATOR] = "in its allocator",
    [PROF_PART_PROFILER] = "in the profiler", /* it may hold the lock of its switches */
};

static const char *judge(const struct prof_target *target, const struct prof_tracee *tracee,
                         const struct stack *stack) {
  if (stack->end != PROF_UNWIND_BOTTOM)
    return stack->end == PROF_UNWIND_FULL || stack->end == PROF_UNWIND_CUT ? "too deep in calls"
                                                                           : "in code without unwind information";
  for (uint32_t i = 0; i < stack->count; i++)
    if (stack->modules[i] == NULL)
      return "in code of no file";
  uint32_t outer = beginning(stack), inner = 0;
  if (outer == 0)
    return "on a stack of its own";
  while (inner < stack->count - outer && part_of(stack, inner) == PROF_PART_LIBC)
    inner++;
  if (inner == stack->count - outer) /* it begins or ends */
    return "in the C library";
  for (uint32_t i = inner; i < stack->count - outer; i++) {
    if (i > 0 && stack->frames[i].is_exact)
      return "in a signal handler";
    if (part_texts[part_of(stack, i)] != NULL)
      return part_texts[part_of(stack, i)];
  }
  return judge_inner(target, tracee, stack, inner);
}

const char *prof_safe_place_judge(struct prof_target *target, const struct prof_tracee *tracee) {
  static _Thread_local struct stack stack;
  if (tracee->registers.cs != USER_CODE)
    return "in 32-bit code";
  if (tracee->registers.rsp % 8 != 0 || prof_tracee_is_in_sequence(tracee))
    return "in a restartable sequence";
  unwind(target, tracee, &stack);
  return judge(target, tracee, &stack);
}

bool prof_safe_place_waits_for_loader(struct prof_target *target, const struct prof_tracee *tracee) {
  static _Thread_local struct stack stack;
  uint32_t in_loader = 0;
  unwind(target, tracee, &stack);
  if (stack.end != PROF_UNWIND_BOTTOM || stack.count < 2 || tracee->registers.orig_rax != SYS_futex)
    return false;
  for (uint32_t i = 0; i + 1 < stack.count; i++) {
    if (stack.modules[i] == NULL || (part_of(&stack, i) != PROF_PART_LIBC && part_of(&stack, i) != PROF_PART_LOADER))
      return false;
    in_loader += part_of(&stack, i) == PROF_PART_LOADER;
  }
  return in_loader <= 1; /* more: it has begun to load */
}
