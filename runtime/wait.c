/*
 * wait.c - a thread without space waits for the recorder.
 *
 * In: a cell whose thread may not take a segment now.  Out: a segment, or 0 if the recorder closed or is gone; then the
 * process drops and counts events until the recorder's heartbeat moves again.  Signals are blocked.
 */
#include <errno.h>
#include <fcntl.h>

#include "append.h"
#include "control_map.h"
#include "segments.h"
#include "state.h"
#include "system.h"
#include "wait.h"

#define TURN_NS 50000000ll             /* to the first check of the recorder; doubled before each further one, */
#define TURN_MOST_NS 400000000ll       /* up to this, as thousands of threads may wait */
#define SILENCE_NS 2000000000ll        /* without heartbeat, before its pid is checked */
#define SILENCE_LONG_NS 30000000000ll  /* without heartbeat, although its pid exists and isn't stopped */
#define PATIENCE_NS 20000000000ll      /* with a heartbeat, but without space */
#define PATIENCE_AGAIN_NS 1000000000ll /* the same, after that was in vain once */
#define SILENCE_BLIND_NS 10000000000ll /* without heartbeat, if its pid isn't valid in this namespace */

/* The state letter of /proc/PID/stat; 'X': no such process, 0: not known. */
static char process_state(int pid) {
  char path[32] = "/proc/", text[256];
  prof_append(prof_append_number(path + 6, (unsigned)pid), "/stat");
  long fd = prof_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0)
    return fd == -ENOENT ? 'X' : 0;
  long got = prof_syscall(SYS_read, fd, (long)text, sizeof text, 0, 0, 0);
  prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  while (got > 0 && text[got - 1] != ')') /* the name may hold any byte; the state follows its last ')' */
    got--;
  return got > 0 && got + 1 < (long)sizeof text ? text[got + 1] : 0;
}

bool prof_recorder_is_gone(const struct prof_control *control, int64_t *silent_ns) {
  if (!prof_runtime.recorder_visible)
    return *silent_ns >= SILENCE_BLIND_NS;
  if (prof_syscall(SYS_kill, control->recorder_pid, 0, 0, 0, 0, 0) == -ESRCH)
    return true;
  if (*silent_ns < SILENCE_NS)
    return false;
  char state = process_state(control->recorder_pid);
  if (state == 'T' || state == 't')
    *silent_ns = SILENCE_NS; /* once it is continued it has as long as any other one */
  /* A running process without heartbeat for so long is another one with the same pid. */
  return state == 'Z' || state == 'X' || (*silent_ns >= SILENCE_LONG_NS && (state == 'R' || state == 'S'));
}

struct prof_pulse prof_pulse_begin(const struct prof_control *control) {
  return (struct prof_pulse){__atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED), prof_monotonic_ns()};
}

bool prof_pulse_is_over(const struct prof_control *control, struct prof_pulse *pulse) {
  uint32_t heartbeat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
  int64_t now_ns = prof_monotonic_ns(), silent_ns = heartbeat == pulse->heartbeat ? now_ns - pulse->beaten_ns : 0;
  bool gone = prof_recorder_is_gone(control, &silent_ns);
  *pulse = (struct prof_pulse){heartbeat, now_ns - silent_ns};
  return gone;
}

bool prof_wait_is_hopeless(const struct prof_cell *cell) {
  if (cell->impatient || __atomic_load_n(&prof_runtime.narrow, __ATOMIC_RELAXED))
    return true; /* the recorder can free no address space */
  struct prof_image *image = prof_runtime.image;
  uint64_t given_up = __atomic_load_n(&image->given_up, __ATOMIC_RELAXED);
  if (!given_up)
    return false;
  uint32_t heartbeat = __atomic_load_n(&prof_runtime.control->heartbeat, __ATOMIC_RELAXED);
  if (given_up == ((uint64_t)heartbeat << 1 | 1))
    return true;
  __atomic_store_n(&image->given_up, 0, __ATOMIC_RELAXED);
  return false;
}

/*
 * Tries once, then sleeps until the recorder returns a segment.  At its own cap a thread needs one of its own segments,
 * and is woken alone; else any segment will do.  The thread announces that it waits before it looks; the recorder
 * returns segments before it looks for waiters: so one sees the other (Dekker).
 */
static uint32_t take_or_sleep(struct prof_thread *record, struct prof_control *control, int64_t sleep_ns) {
  bool capped = prof_segment_is_capped(record);
  uint32_t *word = capped ? &record->released : &control->space;
  if (capped)
    __atomic_store_n(&record->waits, 1, __ATOMIC_SEQ_CST);
  else
    __atomic_fetch_add(&control->waiters, 1, __ATOMIC_SEQ_CST);
  uint32_t seen = __atomic_load_n(word, __ATOMIC_SEQ_CST), number = prof_segment_take(record);
  if (!number && __atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) == PROF_RECORDER_RUNNING)
    prof_futex_wait(word, seen, sleep_ns);
  if (capped)
    __atomic_store_n(&record->waits, 0, __ATOMIC_RELAXED);
  else
    __atomic_fetch_sub(&control->waiters, 1, __ATOMIC_SEQ_CST);
  return number;
}

/* Later waits are short after one in vain. */
static int64_t patience_ns(void) {
  return __atomic_load_n(&prof_runtime.image->in_vain, __ATOMIC_RELAXED) ? PATIENCE_AGAIN_NS : PATIENCE_NS;
}

/* The region was overwritten: the recorder doesn't read this thread's segments, so it returns none. */
static bool is_in_vain(const struct prof_cell *cell) {
  const struct prof_thread *record = cell->record;
  uint32_t held = record->taken - __atomic_load_n(&record->released, __ATOMIC_RELAXED);
  return held > prof_runtime.segment_count ||
         (cell->segment && __atomic_load_n(&record->state, __ATOMIC_RELAXED) != PROF_THREAD_LIVE);
}

uint32_t prof_wait_segment(struct prof_cell *cell) {
  struct prof_control *control = prof_runtime.control;
  uint32_t number = 0, heartbeat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
  int64_t before = prof_monotonic_ns(), silent_ns = 0, beaten_ns = 0, sleep_ns = TURN_NS;
  for (;;) {
    prof_bell_ring();
    number = take_or_sleep(cell->record, control, sleep_ns);
    if (number || __atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) != PROF_RECORDER_RUNNING)
      return number;
    uint32_t beat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
    int64_t now = prof_monotonic_ns();
    /* A longer turn means that this process was stopped (Ctrl-Z), perhaps with the recorder: it doesn't count. */
    int64_t turn_ns = now - before < 4 * sleep_ns ? now - before : 4 * sleep_ns;
    sleep_ns = 2 * sleep_ns < TURN_MOST_NS ? 2 * sleep_ns : TURN_MOST_NS;
    before = now;
    silent_ns += turn_ns;
    if (beat != heartbeat) {
      heartbeat = beat;
      silent_ns = 0;
      beaten_ns += turn_ns;
    } else if (prof_recorder_is_gone(control, &silent_ns)) {
      __atomic_store_n(&prof_runtime.image->given_up, (uint64_t)beat << 1 | 1, __ATOMIC_RELAXED);
      return 0;
    }
    if (beaten_ns > patience_ns() || is_in_vain(cell)) {
      __atomic_store_n(&prof_runtime.image->in_vain, 1, __ATOMIC_RELAXED);
      cell->impatient = 1;
      return 0;
    }
  }
}
