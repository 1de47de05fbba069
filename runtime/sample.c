/*
 * sample.c - samples each thread by its own timer, on systems that give the recorder no samples.
 *
 * In: the rate that the recorder asks for (wire/control.h).  Out: SAMPLE events in the thread's own ring.  A timer on
 * the thread's CPU time sends the thread a signal, whose handler writes one event, as an instrumented handler would,
 * and calls nothing else.  The signal is SIGURG, because by default it does nothing: a late one doesn't kill a program
 * that resets its handlers.  There are no samples if the program handles it or the thread blocks it.
 *
 * Effects on the program: a system call that is never restarted (poll, nanosleep, ...) may return EINTR if the timer
 * expires as it begins; the handler needs stack.  A thread with an alternate stack too small for one more frame isn't
 * sampled.  Timers don't survive fork and exec: a child's threads make theirs at their first events.
 */
#include <signal.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>

#include "arch.h"
#include "clock.h"
#include "image.h"
#include "log.h"
#include "ring.h"
#include "rows.h"
#include "sample.h"
#include "state.h"
#include "system.h"

#define SAMPLE_SIGNAL SIGURG
#define NO_TIMER UINT32_MAX
#define KERNEL_SA_RESTORER 0x04000000ul
#define HANDLER_BYTES 2048u   /* upper bound of stack, besides the signal's frame */
#define OLD_FRAME_BYTES 2048u /* where the kernel doesn't report it */

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51 /* linux/auxvec.h, Linux 5.14 */
#endif

struct kernel_action { /* of rt_sigaction(2): the program may replace libc's */
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

static size_t stack_least; /* bytes that an alternate stack must have */

static bool is_tight(const stack_t *alternate) {
  return alternate->ss_size != 0 && !(alternate->ss_flags & SS_DISABLE) && alternate->ss_size < stack_least;
}

static bool has_tight_stack(void) {
  stack_t now = {.ss_flags = SS_DISABLE};
  return prof_syscall(SYS_sigaltstack, 0, (long)&now, 0, 0, 0, 0) == 0 && is_tight(&now);
}

/* Permanent.  Call it before the timer is deleted: a handler in between must not start again. */
static void give_up(struct prof_cell *cell) {
  uint32_t timer = __atomic_exchange_n(&cell->timer, NO_TIMER, __ATOMIC_RELAXED);
  if (timer == NO_TIMER)
    return;
  if (timer)
    prof_syscall(SYS_timer_delete, (long)timer - 1, 0, 0, 0, 0, 0);
  __atomic_fetch_add(&prof_runtime.control->unsampled, 1, __ATOMIC_RELAXED);
}

/* false: nothing is recorded any more. */
static bool retry(struct prof_cell *cell, char *slot) {
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  bool again = gate && cell == prof_attached_cell() && prof_ring_retry(cell, slot, sizeof(struct prof_event));
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  return again;
}

/* Writes as a trampoline does.  The handler's signal is blocked, so the slow path's check would fail. */
static void sample_write(struct prof_cell *cell, uint32_t what, uint32_t aux) {
  bool again = true;
  for (int tries = 0; again && tries < 2; tries++) {
    uint64_t now = prof_clock_ticks();
    char *slot = prof_cursor_add(&cell->cursor, sizeof(struct prof_event));
    if (slot < __atomic_load_n(&cell->end, __ATOMIC_RELAXED)) {
      prof_event_store((struct prof_event *)slot, now, what, aux);
      return;
    }
    again = retry(cell, slot);
  }
}

static void on_sample(int number, siginfo_t *info, void *context) {
  (void)number;
  struct prof_cell *cell = prof_attached_cell();
  if (!cell || info->si_code != SI_TIMER || info->si_value.sival_ptr != (void *)&prof_runtime)
    return;
  if (__atomic_load_n(&prof_runtime.control->recorder_state, __ATOMIC_RELAXED) == PROF_RECORDER_CLOSED) {
    prof_sample_end(cell);
    return;
  }
  if (is_tight(&((const ucontext_t *)context)->uc_stack)) {
    give_up(cell);
    return;
  }
  if (prof_runtime.state != PROF_RUNTIME_ON)
    return;
  uint64_t address = prof_context_address(context);
  const uint8_t *sled = prof_sled_of_trampoline((const void *)(uintptr_t)address);
  uint32_t high = (uint32_t)(sled ? (uintptr_t)sled >> 32 | PROF_EVENT_SAMPLE_PROBE : address >> 32);
  sample_write(cell, prof_event_what(high, PROF_EVENT_SAMPLE), (uint32_t)(sled ? (uintptr_t)sled : address));
}

static long action_of(struct kernel_action *out) {
  return prof_syscall(SYS_rt_sigaction, SAMPLE_SIGNAL, 0, (long)out, sizeof out->mask, 0, 0);
}

void prof_sample_init(void) {
  struct kernel_action before = {0}, ours = {.handler = on_sample,
                                             .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | KERNEL_SA_RESTORER,
                                             .restorer = prof_signal_return};
  uint32_t hz = prof_runtime.control->sample_hz;
  if (hz == 0 || hz > 1000000 || action_of(&before) != 0)
    return;
  if (before.handler != NULL) { /* SIG_DFL */
    prof_runtime.sampling_refused = true;
    prof_log_error("threads are not sampled: perf_event_open is refused and SIGURG, which timers send, is taken");
  } else if (prof_syscall(SYS_rt_sigaction, SAMPLE_SIGNAL, (long)&ours, 0, sizeof ours.mask, 0, 0) != 0)
    return;
  unsigned long frame_bytes = getauxval(AT_MINSIGSTKSZ);
  stack_least = 2 * (frame_bytes > OLD_FRAME_BYTES ? frame_bytes : OLD_FRAME_BYTES) + HANDLER_BYTES;
  prof_runtime.sample_hz = hz;
}

static bool timer_start(struct prof_cell *cell) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SAMPLE_SIGNAL};
  int64_t period_ns = 1000000000 / prof_runtime.sample_hz;
  struct {
    struct prof_timespec interval, first;
  } times = {{period_ns / 1000000000, period_ns % 1000000000}, {period_ns / 1000000000, period_ns % 1000000000}};
  int number = 0;
  event.sigev_value.sival_ptr = &prof_runtime;
  event._sigev_un._tid = (pid_t)prof_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  if (prof_syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, (long)&event, (long)&number, 0, 0, 0) != 0)
    return false;
  cell->timer = (uint32_t)number + 1;
  return prof_syscall(SYS_timer_settime, number, 0, (long)&times, 0, 0, 0) == 0;
}

void prof_sample_check(struct prof_cell *cell, uint64_t mask) {
  struct kernel_action now = {0};
  if (prof_runtime.sample_hz == 0 || cell->timer == NO_TIMER)
    return;
  bool ours = !prof_runtime.sampling_refused && !(mask >> (SAMPLE_SIGNAL - 1) & 1) && action_of(&now) == 0 &&
              now.handler == on_sample && !has_tight_stack();
  if (!ours || (!cell->timer && !timer_start(cell)))
    give_up(cell);
}

void prof_sample_end(struct prof_cell *cell) {
  uint32_t timer = __atomic_exchange_n(&cell->timer, 0, __ATOMIC_RELAXED);
  if (timer && timer != NO_TIMER)
    prof_syscall(SYS_timer_delete, (long)timer - 1, 0, 0, 0, 0, 0);
}

void prof_sample_fini(void) {
  struct kernel_action now = {0}, before = {.handler = NULL}; /* SIG_DFL: late signals of timers do nothing */
  if (prof_runtime.sample_hz && action_of(&now) == 0 && now.handler == on_sample)
    prof_syscall(SYS_rt_sigaction, SAMPLE_SIGNAL, (long)&before, 0, sizeof before.mask, 0, 0);
  prof_runtime.sample_hz = 0;
  prof_runtime.sampling_refused = false;
}
