/*
 * tools/record/inject/tracee.c - see tracee.h.
 */
#include "record/inject/tracee.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/clock/ticks.h"
#include "record/process_text.h"

#define NAP_NS 30000
#define STOP_NS 1000000000u
#define RUNNABLE_NS 30000000000u /* a thread that could run waits for a processor so long */
#define WAIT_NS 50000000u        /* so long it may wait for a device, or for a vfork */

/* Of <linux/ptrace.h>, which can't be included beside <sys/ptrace.h>; Linux 5.13. */
#define GET_SEQUENCE 0x420f
struct sequence {
  uint64_t address;
  uint32_t bytes, signature, flags, reserved;
};

enum { TEXT_BYTES = 4096, SEQUENCE_AT = 8 /* of struct rseq: address of the critical section, 0: none */ };

void prof_tracee_nap(void) {
  const struct timespec turn = {0, NAP_NS};
  nanosleep(&turn, NULL);
}

void prof_tracee_interrupt(const struct prof_tracee *tracee) {
  (void)ptrace(PTRACE_INTERRUPT, tracee->tid, NULL, NULL);
}

void prof_tracee_continue(const struct prof_tracee *tracee, int signal) {
  (void)ptrace(PTRACE_CONT, tracee->tid, NULL, (void *)(intptr_t)signal);
}

enum prof_tracee_stop prof_tracee_look(const struct prof_tracee *tracee, int *signal) {
  int status;
  pid_t got = waitpid(tracee->tid, &status, __WALL | WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR))
    return PROF_STOP_NONE;
  if (got < 0 || !WIFSTOPPED(status))
    return PROF_STOP_GONE;
  *signal = WSTOPSIG(status);
  if (status >> 16 != PTRACE_EVENT_STOP)
    return PROF_STOP_SIGNAL;
  return *signal == SIGTRAP ? PROF_STOP_ASKED : PROF_STOP_OTHERS;
}

bool prof_tracee_read_registers(struct prof_tracee *tracee) {
  return ptrace(PTRACE_GETREGS, tracee->tid, NULL, &tracee->registers) == 0;
}

bool prof_tracee_write_registers(const struct prof_tracee *tracee, const struct user_regs_struct *registers) {
  return ptrace(PTRACE_SETREGS, tracee->tid, NULL, registers) == 0;
}

bool prof_tracee_block(const struct prof_tracee *tracee, uint64_t mask) {
  return ptrace(PTRACE_SETSIGMASK, tracee->tid, (void *)sizeof mask, &mask) == 0;
}

size_t prof_tracee_read(const struct prof_tracee *tracee, uint64_t address, void *out, size_t bytes) {
  ssize_t got = pread(tracee->memory, out, bytes, (off_t)address);
  return got > 0 ? (size_t)got : 0;
}

bool prof_tracee_write(const struct prof_tracee *tracee, uint64_t address, const void *from, size_t bytes) {
  return pwrite(tracee->memory, from, bytes, (off_t)address) == (ssize_t)bytes;
}

bool prof_tracee_is_in_sequence(const struct prof_tracee *tracee) {
  struct sequence sequence = {0};
  uint64_t section = 0;
  return ptrace(GET_SEQUENCE, tracee->tid, (void *)sizeof sequence, &sequence) > 0 && sequence.address != 0 &&
         prof_tracee_read(tracee, sequence.address + SEQUENCE_AT, &section, sizeof section) == sizeof section &&
         section != 0;
}

/* These end with EINTR also where no handler runs.  connect() is none: to ask again isn't the same. */
bool prof_tracee_was_cut_short(const struct prof_tracee *tracee) {
  static const uint16_t calls[] = {
      SYS_epoll_wait,
      SYS_epoll_pwait,
      441 /* epoll_pwait2 */,
      426 /* io_uring_enter */,
      SYS_io_getevents,
      SYS_semop,
      SYS_semtimedop,
      SYS_rt_sigtimedwait,
      SYS_read,
      SYS_readv,
      SYS_recvfrom,
      SYS_recvmsg,
      SYS_recvmmsg,
      SYS_accept,
      SYS_accept4,
      SYS_sendto,
      SYS_sendmsg,
      SYS_write,
      SYS_writev,
  };
  const struct user_regs_struct *registers = &tracee->registers;
  if ((long long)registers->orig_rax < 0 || (long long)registers->rax != -EINTR)
    return false;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (registers->orig_rax == calls[i])
      return true;
  return false;
}

/* Is a handler about to run, which such a wait has to end for? */
static bool has_signal(const struct prof_tracee *tracee) {
  char name[64], text[TEXT_BYTES];
  snprintf(name, sizeof name, "task/%ld/status", (long)tracee->tid);
  if (prof_process_text(tracee->pid, name, text, sizeof text) == 0)
    return true;
  uint64_t pending = strtoull(prof_process_line(text, "\nSigPnd:"), NULL, 16) |
                     strtoull(prof_process_line(text, "\nShdPnd:"), NULL, 16);
  return (pending & ~tracee->mask & strtoull(prof_process_line(text, "\nSigCgt:"), NULL, 16)) != 0;
}

void prof_tracee_release(struct prof_tracee *tracee) {
  if (prof_tracee_was_cut_short(tracee) && !has_signal(tracee)) {
    struct user_regs_struct again = tracee->registers;
    again.rax = again.orig_rax;
    again.orig_rax = (unsigned long long)-1;
    again.rip -= 2; /* the instruction `syscall` */
    (void)prof_tracee_write_registers(tracee, &again);
  }
  (void)ptrace(PTRACE_DETACH, tracee->tid, NULL, NULL);
}

/* true: it is stopped, and its state was read. */
static bool state_read(struct prof_tracee *tracee) {
  tracee->held_ns = prof_steady_ns();
  return prof_tracee_read_registers(tracee) &&
         ptrace(PTRACE_GETSIGMASK, tracee->tid, (void *)sizeof tracee->mask, &tracee->mask) == 0;
}

/* 'D': it waits where nothing interrupts it.  'R': it runs, or waits for a processor. */
static bool is_in_state(const struct prof_tracee *tracee, char state) {
  char name[64], text[TEXT_BYTES];
  snprintf(name, sizeof name, "task/%ld/status", (long)tracee->tid);
  return prof_process_text(tracee->pid, name, text, sizeof text) > 0 && *prof_process_line(text, "\nState:") == state;
}

/* LATE: it isn't stopped yet. */
static enum prof_tracee_status look_once(struct prof_tracee *tracee) {
  int signal;
  switch (prof_tracee_look(tracee, &signal)) {
  case PROF_STOP_NONE:
    return PROF_TRACEE_LATE;
  case PROF_STOP_SIGNAL:
    prof_tracee_continue(tracee, signal);
    return PROF_TRACEE_LATE;
  case PROF_STOP_GONE:
    return PROF_TRACEE_GONE;
  case PROF_STOP_ASKED:
    if (state_read(tracee))
      return PROF_TRACEE_HELD;
    break;
  case PROF_STOP_OTHERS:
    break;
  }
  (void)ptrace(PTRACE_DETACH, tracee->tid, NULL, NULL);
  return PROF_TRACEE_BUSY;
}

enum prof_tracee_status prof_tracee_hold_late(struct prof_tracee *tracee, pid_t tid) {
  tracee->tid = tid;
  return look_once(tracee);
}

enum prof_tracee_status prof_tracee_hold(struct prof_tracee *tracee, pid_t tid) {
  uint64_t begin_ns = prof_steady_ns();
  enum prof_tracee_status status = PROF_TRACEE_LATE;
  tracee->tid = tid;
  if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
    return errno == ESRCH ? PROF_TRACEE_GONE : PROF_TRACEE_REFUSED;
  prof_tracee_interrupt(tracee);
  for (uint64_t now_ns;
       status == PROF_TRACEE_LATE && ((now_ns = prof_steady_ns()) < begin_ns + STOP_NS ||
                                      (now_ns < begin_ns + RUNNABLE_NS && is_in_state(tracee, 'R')));) {
    status = look_once(tracee);
    if (status == PROF_TRACEE_LATE && now_ns > begin_ns + WAIT_NS && is_in_state(tracee, 'D'))
      break;
    if (status == PROF_TRACEE_LATE)
      prof_tracee_nap();
  }
  return status;
}
