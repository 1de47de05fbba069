/*
 * tools/record/inject/tracee.h - one thread of another process, stopped by ptrace.
 *
 * In: its number.  Out: its registers, blocked signals and memory; it goes on as if it had not been stopped.  The
 * kernel lets a thread go when its tracer ends, so the tracer is a thread of its own, and all calls are that thread's.
 * Source: ptrace(2); signal(7), "Interruption of system calls by stop signals".
 */
#ifndef PROF_RECORD_TRACEE_H
#define PROF_RECORD_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct prof_tracee {
  pid_t pid, tid;
  int memory;                        /* /proc/PID/mem, open while the process is looked at */
  struct user_regs_struct registers; /* as it was stopped */
  uint64_t mask;                     /* its blocked signals */
  uint64_t held_ns;                  /* when it was stopped */
};

enum prof_tracee_status {
  PROF_TRACEE_HELD,
  PROF_TRACEE_REFUSED, /* errno says why */
  PROF_TRACEE_GONE,
  PROF_TRACEE_BUSY, /* another one has stopped it */
  PROF_TRACEE_LATE, /* the kernel hasn't stopped it yet, and does so as soon as it can; prof_tracee_hold_late */
};

enum prof_tracee_stop {
  PROF_STOP_NONE,   /* it runs */
  PROF_STOP_ASKED,  /* prof_tracee_interrupt */
  PROF_STOP_SIGNAL, /* a signal is about to be delivered */
  PROF_STOP_OTHERS, /* the whole process is stopped (SIGSTOP) */
  PROF_STOP_GONE,
};

/* Stops the thread.  Signals that come meanwhile are delivered. */
enum prof_tracee_status prof_tracee_hold(struct prof_tracee *, pid_t tid);
/* One more look at a thread that was LATE. */
enum prof_tracee_status prof_tracee_hold_late(struct prof_tracee *, pid_t tid);
/* It goes on.  A wait that the kernel ended only because of us is waited for again, with its whole time. */
void prof_tracee_release(struct prof_tracee *);
/* It goes on; ours to stop again.  signal: 0, or one that is delivered. */
void prof_tracee_continue(const struct prof_tracee *, int signal);
/* Is it inside a system call that stopping cut short without need? */
bool prof_tracee_was_cut_short(const struct prof_tracee *);

bool prof_tracee_read_registers(struct prof_tracee *);
bool prof_tracee_write_registers(const struct prof_tracee *, const struct user_regs_struct *);
bool prof_tracee_block(const struct prof_tracee *, uint64_t mask);
/* Is it amid a restartable sequence?  Only a thread that goes on at the same place may be. */
bool prof_tracee_is_in_sequence(const struct prof_tracee *);
size_t prof_tracee_read(const struct prof_tracee *, uint64_t address, void *, size_t bytes);
bool prof_tracee_write(const struct prof_tracee *, uint64_t address, const void *, size_t bytes);

void prof_tracee_interrupt(const struct prof_tracee *);
/* What it does now; *signal: of PROF_STOP_SIGNAL and PROF_STOP_OTHERS. */
enum prof_tracee_stop prof_tracee_look(const struct prof_tracee *, int *signal);
void prof_tracee_nap(void);

#endif
