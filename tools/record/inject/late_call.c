/*
 * tools/record/inject/late_call.c - see late_call.h.
 */
#include "record/inject/late_call.h"

#include <cpuid.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "late.h"
#include "record/clock/ticks.h"
#include "record/inject/safe_place.h"

#define CALL_NS 3000000000u
#define CALL_ROUNDS 7        /* of CALL_NS, while it waits for no lock: a busy machine, or a slow disk */
#define STOP_NS 10000000000u /* a busy machine lets it run so soon */
#define TURNS (1u << 20)     /* about a second */

/* Flags of the processor that the call must not have: trap, direction, alignment check. */
#define FLAGS_CLEAR (0x100ull | 0x400ull | 0x40000ull)
/* What the kernel has in rax where it will ask again: <linux/errno.h>. */
enum { RESTARTS = 512, RESTARTS_NO_INTERRUPT = 513, RESTARTS_NO_HANDLER = 514, RESTARTS_BLOCK = 516 };

struct image { /* what lies below the red zone; texts begin it, so that the frame ends it */
  char texts[PATH_MAX + 64];
  struct prof_late_block block;
  struct prof_late_frame frame;
};

/* The registers with which the thread itself goes on: like the kernel, but a signal that came meanwhile ends no wait.
 */
static struct prof_late_frame frame_of(const struct prof_tracee *tracee) {
  const struct user_regs_struct *from = &tracee->registers;
  struct prof_late_frame frame = {
      .r15 = from->r15,
      .r14 = from->r14,
      .r13 = from->r13,
      .r12 = from->r12,
      .r11 = from->r11,
      .r10 = from->r10,
      .r9 = from->r9,
      .r8 = from->r8,
      .rdi = from->rdi,
      .rsi = from->rsi,
      .rbp = from->rbp,
      .rbx = from->rbx,
      .rdx = from->rdx,
      .rcx = from->rcx,
      .rax = from->rax,
      .flags = from->eflags,
      .rip = from->rip,
  };
  long long result = (long long)from->rax;
  if ((long long)from->orig_rax < 0)
    return frame;
  bool again = result == -RESTARTS || result == -RESTARTS_NO_INTERRUPT || result == -RESTARTS_NO_HANDLER ||
               prof_tracee_was_cut_short(tracee);
  if (again || result == -RESTARTS_BLOCK) {
    frame.rip -= 2;
    frame.rax = again ? from->orig_rax : SYS_restart_syscall;
  }
  return frame;
}

static bool has_xsave(void) {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_OSXSAVE);
}

struct placed { /* addresses in the process */
  uint64_t block;
  struct user_regs_struct registers;
};

/* false: no room. */
static bool image_write(const struct prof_target *target, const struct prof_tracee *tracee, const char *runtime,
                        struct placed *placed) {
  static _Thread_local struct image image;
  size_t path = strlen(runtime) + 1;
  if (path > PATH_MAX)
    return false;
  uint64_t end = tracee->registers.rsp - PROF_LATE_RED_ZONE;
  size_t bytes = (path + sizeof PROF_LATE_SYMBOL + 7) / 8 * 8;
  uint64_t texts = end - sizeof image.frame - sizeof image.block - bytes;
  char *at = image.texts + sizeof image.texts - bytes;
  memcpy(at, runtime, path);
  memcpy(at + path, PROF_LATE_SYMBOL, sizeof PROF_LATE_SYMBOL);
  image.frame = frame_of(tracee);
  image.block = (struct prof_late_block){
      .state = PROF_LATE_RUNS,
      .dlopen = target->dlopen,
      .dlsym = target->dlsym,
      .dlerror = target->dlerror,
      .errno_location = target->errno_location,
      .path = texts,
      .symbol = texts + path,
      .mask = tracee->mask,
      .frame = end - sizeof image.frame,
      .recorder = (uint64_t)getpid(),
      .turns = TURNS,
      .has_xsave = has_xsave(),
  };
  placed->block = texts + bytes;
  placed->registers = tracee->registers;
  placed->registers.rip = target->call;
  placed->registers.rsp = texts & ~15ull;
  placed->registers.rbx = placed->block;
  placed->registers.orig_rax = (unsigned long long)-1;
  placed->registers.eflags &= ~FLAGS_CLEAR;
  return prof_tracee_write(tracee, texts, at, bytes + sizeof image.block + sizeof image.frame);
}

enum outcome { OUT_GATE, OUT_CRASHED, OUT_LATE, OUT_GONE };

static bool is_crash(const struct prof_tracee *tracee) {
  siginfo_t info;
  return ptrace(PTRACE_GETSIGINFO, tracee->tid, NULL, &info) == 0 && info.si_code > 0 &&
         (info.si_signo == SIGSEGV || info.si_signo == SIGBUS || info.si_signo == SIGILL || info.si_signo == SIGFPE ||
          info.si_signo == SIGTRAP);
}

/* The thread runs, until it is at the gate. */
static enum outcome wait_for_gate(const struct prof_tracee *tracee, uint64_t block) {
  int signal;
  for (uint64_t end_ns = prof_steady_ns() + CALL_NS, state; prof_steady_ns() < end_ns; prof_tracee_nap()) {
    switch (prof_tracee_look(tracee, &signal)) {
    case PROF_STOP_NONE:
      break;
    case PROF_STOP_SIGNAL:
      if (is_crash(tracee))
        return OUT_CRASHED;
      prof_tracee_continue(tracee, signal);
      break;
    case PROF_STOP_ASKED:
      prof_tracee_continue(tracee, 0);
      break;
    case PROF_STOP_OTHERS:
      (void)ptrace(PTRACE_LISTEN, tracee->tid, NULL, NULL);
      break;
    case PROF_STOP_GONE:
      return OUT_GONE;
    }
    if (prof_tracee_read(tracee, block, &state, sizeof state) == sizeof state && state == PROF_LATE_DONE)
      return OUT_GATE;
  }
  return OUT_LATE;
}

/* Stops it again.  PROF_STOP_NONE: it is gone, or doesn't stop. */
static enum prof_tracee_stop stop(const struct prof_tracee *tracee) {
  int signal;
  prof_tracee_interrupt(tracee);
  for (uint64_t end_ns = prof_steady_ns() + STOP_NS; prof_steady_ns() < end_ns; prof_tracee_nap())
    switch (prof_tracee_look(tracee, &signal)) {
    case PROF_STOP_NONE:
      break;
    case PROF_STOP_SIGNAL:
      prof_tracee_continue(tracee, signal);
      break;
    case PROF_STOP_OTHERS: /* its registers can be written, and it stays stopped */
      return PROF_STOP_OTHERS;
    case PROF_STOP_ASKED:
      return PROF_STOP_ASKED;
    case PROF_STOP_GONE:
      return PROF_STOP_NONE;
    }
  return PROF_STOP_NONE;
}

static void error_read(const struct prof_tracee *tracee, uint64_t address, char *out, size_t bytes) {
  size_t got = address != 0 ? prof_tracee_read(tracee, address, out, bytes - 1) : 0;
  out[got] = 0;
}

/* All is as it was before the call, as the tracee's state has it. */
static void put_back(struct prof_tracee *tracee) {
  (void)prof_tracee_write_registers(tracee, &tracee->registers);
  (void)prof_tracee_block(tracee, tracee->mask);
  prof_tracee_release(tracee);
}

/* The thread is stopped again.  It isn't at the gate any more if it waited there too long. */
static void leave_gate(const struct prof_target *target, struct prof_tracee *tracee) {
  struct prof_tracee now = *tracee;
  if (prof_tracee_read_registers(&now) && now.registers.rip >= target->gate && now.registers.rip < target->leave)
    put_back(tracee);
  else
    (void)ptrace(PTRACE_DETACH, tracee->tid, NULL, NULL);
}

/* The thread is stopped. */
static bool waits_for_loader(struct prof_target *target, const struct prof_tracee *tracee) {
  struct prof_tracee now = *tracee;
  return prof_tracee_read_registers(&now) && prof_safe_place_waits_for_loader(target, &now);
}

/* As wait_for_gate, for longer if nothing holds the call up.  *stopped: if it is late, whether the thread stands. */
static enum outcome wait_in_rounds(struct prof_target *target, struct prof_tracee *tracee, uint64_t block,
                                   bool *stopped) {
  for (int round = 1;; round++) {
    enum outcome outcome = wait_for_gate(tracee, block);
    enum prof_tracee_stop how = outcome == OUT_LATE ? stop(tracee) : PROF_STOP_NONE;
    *stopped = how != PROF_STOP_NONE;
    if (how != PROF_STOP_ASKED || round == CALL_ROUNDS || waits_for_loader(target, tracee))
      return outcome;
    prof_tracee_continue(tracee, 0);
  }
}

/* It takes too long: the call is taken back if nothing has begun, else the thread goes on by itself. */
static enum prof_late_result give_up(struct prof_target *target, struct prof_tracee *tracee, uint64_t block,
                                     bool stopped) {
  const uint64_t no_turns = 0;
  if (stopped && waits_for_loader(target, tracee)) {
    put_back(tracee);
    return PROF_LATE_CALL_LOCKED;
  }
  (void)prof_tracee_write(tracee, block + offsetof(struct prof_late_block, turns), &no_turns, sizeof no_turns);
  if (stopped)
    (void)ptrace(PTRACE_DETACH, tracee->tid, NULL, NULL);
  return PROF_LATE_CALL_LONG;
}

enum prof_late_result prof_late_call(struct prof_target *target, struct prof_tracee *tracee, const char *runtime,
                                     struct prof_late_call *out) {
  struct placed placed;
  struct prof_late_block block = {0};
  *out = (struct prof_late_call){0};
  if (!image_write(target, tracee, runtime, &placed) || !prof_tracee_write_registers(tracee, &placed.registers)) {
    prof_tracee_release(tracee);
    return PROF_LATE_CALL_NO_ROOM;
  }
  /* In this order: if we end in between, the thread puts its mask back by itself. */
  (void)prof_tracee_block(tracee, ~0ull);
  prof_tracee_continue(tracee, 0);
  bool stopped;
  enum outcome outcome = wait_in_rounds(target, tracee, placed.block, &stopped);
  if (outcome == OUT_GONE)
    return PROF_LATE_CALL_GONE;
  if (outcome == OUT_LATE)
    return give_up(target, tracee, placed.block, stopped);
  if (outcome == OUT_CRASHED) {
    put_back(tracee);
    return PROF_LATE_CALL_CRASHED;
  }
  if (prof_tracee_read(tracee, placed.block, &block, sizeof block) != sizeof block || stop(tracee) == PROF_STOP_NONE)
    return PROF_LATE_CALL_GONE;
  out->answer = block.answer;
  if (block.handle == 0)
    error_read(tracee, block.error, out->error, sizeof out->error);
  leave_gate(target, tracee);
  out->pause_ns = prof_steady_ns() - tracee->held_ns;
  return PROF_LATE_CALL_DONE;
}
