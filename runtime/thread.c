/*
 * thread.c - threads: a cell each (private) and a record each (in the shared region).
 *
 * A thread is attached by its first event, in the slow path, and ended by a pthread key's destructor that comes after
 * all others; what dies without one is found by the recorder.  Cells come from a lock-free stack in the image.
 */
#include <limits.h>
#include <linux/prctl.h>
#include <pthread.h>

#include "runtime.h"
#include "system.h"

struct prof_cell prof_nobody;
__thread struct prof_cell *prof_self __attribute__((tls_model("initial-exec"))) = &prof_nobody;

static pthread_key_t end_key;
static bool end_key_usable;

static struct prof_cell *cell_take(struct prof_image *image) {
  uint64_t head = __atomic_load_n(&image->free_cells, __ATOMIC_ACQUIRE);
  while ((uint32_t)head) {
    struct prof_cell *cell = &image->cells[(uint32_t)head - 1];
    uint64_t next = ((head >> 32) + 1) << 32 | __atomic_load_n(&cell->next_free, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&image->free_cells, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return cell;
  }
  uint32_t fresh = __atomic_load_n(&image->fresh_cells, __ATOMIC_RELAXED);
  while (fresh < PROF_CELL_COUNT)
    if (__atomic_compare_exchange_n(&image->fresh_cells, &fresh, fresh + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return &image->cells[fresh];
  return NULL;
}

static void cell_give(struct prof_image *image, struct prof_cell *cell) {
  uint64_t head = __atomic_load_n(&image->free_cells, __ATOMIC_ACQUIRE), next;
  do {
    __atomic_store_n(&cell->next_free, (uint32_t)head, __ATOMIC_RELAXED);
    next = ((head >> 32) + 1) << 32 | (uint32_t)(cell - image->cells + 1);
  } while (!__atomic_compare_exchange_n(&image->free_cells, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

static bool record_claim(uint32_t number) {
  uint32_t state = PROF_THREAD_FREE;
  uint32_t *word = &prof_runtime.threads[number].state;
  return __atomic_load_n(word, __ATOMIC_RELAXED) == state &&
         __atomic_compare_exchange_n(word, &state, PROF_THREAD_TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Number of a record that is now ours, or UINT32_MAX.  Looks at some used ones before it takes an unused one. */
static uint32_t record_take(void) {
  struct prof_control *control = prof_runtime.control;
  uint32_t used = __atomic_load_n(&control->threads_used, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < used && i < 64; i++)
    if (record_claim(i))
      return i;
  while (used < prof_runtime.thread_count)
    if (__atomic_compare_exchange_n(&control->threads_used, &used, used + 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      if (record_claim(used))
        return used;
      used++;
    }
  for (uint32_t i = 64; i < prof_runtime.thread_count; i++)
    if (record_claim(i))
      return i;
  return UINT32_MAX;
}

/* A process that goes on with another program has no other moment to tell what it was called. */
static void thread_name_write(struct prof_thread *record) {
  char name[PROF_THREAD_NAME_BYTES] = {0};
  prof_syscall(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
  for (int i = 0; i < PROF_THREAD_NAME_BYTES; i++)
    record->name[i] = (uint8_t)name[i];
}

static struct prof_thread *record_fill(uint32_t number, uint32_t process) {
  struct prof_thread *record = &prof_runtime.threads[number];
  record->process = process;
  record->pid = (int32_t)prof_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  record->tid = (int32_t)prof_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  record->first_segment = 0;
  record->taken = 0;
  record->released = 0;
  record->slots = 0;
  record->waits = 0;
  record->generation++;
  record->lost = 0;
  record->start = prof_clock_ticks();
  record->stalled = 0;
  record->moves = 0;
  record->cpu_ns = 0;
  record->cpu_ticks = 0;
  record->line_readings = 0;
  __atomic_store_n(&record->light, 0, __ATOMIC_RELAXED);
  record->cpu_begin_ns = (uint64_t)prof_thread_cpu_ns();
  record->stopped = 0;
  record->fork = prof_fork_self.number;
  record->fork_thread = prof_fork_self.record;
  prof_fork_self.number = 0;
  thread_name_write(record);
  return record;
}

void prof_thread_usage_note(struct prof_cell *cell) {
  struct prof_thread *record = cell->record;
  if (!record || __atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON)
    return;
  uint32_t core = 0;
  if (prof_syscall(SYS_getcpu, (long)&core, 0, 0, 0, 0, 0) == 0) {
    if (cell->core && cell->core != core + 1)
      __atomic_fetch_add(&record->moves, 1, __ATOMIC_RELAXED);
    cell->core = core + 1;
  }
  thread_name_write(record);
  __atomic_store_n(&record->line_readings, cell->line_readings, __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ns, (uint64_t)prof_thread_cpu_ns() - record->cpu_begin_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ticks, prof_clock_ticks(), __ATOMIC_RELEASE);
}

/* Processor time of another thread of the process; false: it has ended. */
static bool thread_cpu_of(int32_t tid, uint64_t *ns) {
  struct prof_timespec now = {0, 0};
  const int32_t clock = ~tid * 8 + 6; /* CPUCLOCK_SCHED of a thread: clock_getcpuclockid(3) */
  if (prof_syscall(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0) != 0)
    return false;
  *ns = (uint64_t)(now.seconds * 1000000000 + now.nanoseconds);
  return true;
}

/* The record of an attached thread of this process; NULL: none.  Ends of threads aren't waited for: the check of whose
 * it is may come too late, and then a word of a record that was just taken anew is wrong. */
static struct prof_thread *record_at(const struct prof_image *image, uint32_t cell) {
  struct prof_thread *record = __atomic_load_n(&image->cells[cell].record, __ATOMIC_ACQUIRE);
  return record && record->process == image->process ? record : NULL;
}

void prof_thread_usage_note_others(const struct prof_image *image, const struct prof_cell *own) {
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON)
    return;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_thread *record = &image->cells[i] == own ? NULL : record_at(image, i);
    uint64_t ns;
    if (!record || !thread_cpu_of(record->tid, &ns))
      continue;
    __atomic_store_n(&record->line_readings, __atomic_load_n(&image->cells[i].line_readings, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&record->cpu_ns, ns - record->cpu_begin_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&record->cpu_ticks, prof_clock_ticks(), __ATOMIC_RELEASE);
  }
}

void prof_thread_stopped(uint64_t time) {
  const struct prof_image *image = prof_runtime.image;
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    struct prof_thread *record = record_at(image, i);
    uint64_t ns, none = 0;
    if (!record || !thread_cpu_of(record->tid, &ns))
      continue;
    __atomic_store_n(&record->line_readings, __atomic_load_n(&image->cells[i].line_readings, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&record->cpu_ns, ns - record->cpu_begin_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&record->cpu_ticks, time, __ATOMIC_RELEASE);
    __atomic_compare_exchange_n(&record->stopped, &none, time, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

void prof_thread_going_on(void) {
  const struct prof_image *image = prof_runtime.image;
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    struct prof_thread *record = record_at(image, i);
    uint64_t ns;
    if (record && thread_cpu_of(record->tid, &ns))
      __atomic_store_n(&record->cpu_begin_ns, ns - record->cpu_ns, __ATOMIC_RELAXED);
  }
}

static void thread_end(struct prof_image *image, struct prof_cell *cell) {
  prof_self = &prof_nobody;
  prof_sample_end(cell);
  prof_ring_leave(cell);
  struct prof_thread *record = cell->record;
  if (record) {
    prof_thread_usage_note(cell);
    if (prof_runtime.state != PROF_RUNTIME_ON) /* else it is noted */
      thread_name_write(record);
    __atomic_store_n(&cell->record, NULL, __ATOMIC_RELAXED);
    bool unknown = __atomic_load_n(&record->state, __ATOMIC_RELAXED) == PROF_THREAD_TAKEN; /* to the recorder */
    __atomic_store_n(&record->state, unknown ? PROF_THREAD_FREE : PROF_THREAD_ENDED, __ATOMIC_RELEASE);
  }
  cell_give(image, cell);
}

/* Comes again in each round of destructors, so that probed destructors of others are still recorded. */
static void end_key_destroy(void *value) {
  struct prof_cell *cell = value;
  if (prof_self != cell || __atomic_load_n(&prof_runtime.image->state, __ATOMIC_ACQUIRE) != PROF_IMAGE_READY ||
      !cell->in_use)
    return; /* of the parent process */
  uint64_t mask = prof_signals_block();
  if (cell->rounds == 0 && prof_runtime.state == PROF_RUNTIME_ON) /* pthread_exit leaves frames without an exit */
    prof_ring_bottom(cell);
  bool last = ++cell->rounds == PTHREAD_DESTRUCTOR_ITERATIONS;
  if (last)
    thread_end(prof_runtime.image, cell);
  prof_signals_restore(mask);
  if (!last)
    pthread_setspecific(end_key, cell);
}

/* libc may use vector registers, which the slow path has not saved. */
static void end_key_arm(void *cell) {
  pthread_setspecific(end_key, cell);
}

/* A key beyond the first 32 would make pthread_setspecific allocate; then the recorder has to find the ends. */
void prof_thread_init(void) {
  pthread_key_t key;
  prof_runtime.tls_offset = (int)((char *)&prof_self - prof_thread_pointer());
  if (pthread_key_create(&key, end_key_destroy) != 0)
    return;
  end_key = key;
  end_key_usable = key < 32;
}

struct prof_cell *prof_thread_cell(void) {
  struct prof_image *image = prof_image_current();
  struct prof_cell *cell = prof_self;
  if (!image || (cell >= image->cells && cell < image->cells + PROF_CELL_COUNT))
    return image ? cell : NULL;
  cell = cell_take(image);
  if (!cell)
    return NULL;
  cell->cursor = NULL;
  cell->limit = NULL;
  cell->discard = NULL;
  cell->dropped = 0;
  cell->promised = 0;
  cell->held_stop = 0;
  cell->segment = 0;
  cell->discarding = 0;
  cell->rounds = 0;
  cell->impatient = 0;
  cell->core = 0;
  cell->timer = 0;
  cell->line = PROF_LINE_NONE;
  cell->line_readings = 0;
  cell->in_use = 1;
  cell->number = record_take();
  cell->record = cell->number == UINT32_MAX ? NULL : record_fill(cell->number, image->process);
  cell->light = cell->record ? &cell->record->light : NULL;
  prof_self = cell;
  if (end_key_usable)
    prof_vector_saved_call(end_key_arm, cell);
  return cell;
}

void prof_thread_kick(uint64_t time) {
  struct prof_image *image = prof_runtime.image;
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t none = 0;
    __atomic_compare_exchange_n(&image->cells[i].stop, &none, time, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_store_n(&image->cells[i].end, NULL, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&image->cells[i].line, __ATOMIC_RELAXED)) /* it doesn't last while nothing is recorded */
      __atomic_store_n(&image->cells[i].line, PROF_LINE_NONE, __ATOMIC_RELAXED);
  }
}
