/*
 * thread.c - threads: a cell each (private) and a record each (in the shared region).
 *
 * A thread's first event attaches it, in the slow path.  A pthread key's destructor that runs after all others ends it;
 * the recorder finds threads that end without it.  Cells come from a lock-free stack in the image.
 */
#include <limits.h>
#include <linux/prctl.h>
#include <pthread.h>

#include "arch.h"
#include "clock.h"
#include "fork.h"
#include "image.h"
#include "ring.h"
#include "sample.h"
#include "system.h"
#include "thread.h"
#include "usage.h"

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

/* Takes a record: its number, or UINT32_MAX.  Looks at some used ones before it takes an unused one. */
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
  record->wait_begin = 0;
  record->moves = 0;
  record->cpu_ns = 0;
  record->cpu_ticks = 0;
  record->line_readings = 0;
  __atomic_store_n(&record->light, 0, __ATOMIC_RELAXED);
  record->cpu_begin_ns = (uint64_t)prof_thread_cpu_ns();
  record->stopped = 0;
  for (int i = 0; i < PROF_THREAD_GIVEN_BYTES; i++)
    record->given[i] = 0;
  record->fork = prof_fork_self.number;
  record->fork_thread = prof_fork_self.record;
  prof_fork_self.number = 0;
  prof_thread_name_write(record);
  return record;
}

/* recorded: its record is one of the present recording. */
static void thread_end(struct prof_image *image, struct prof_cell *cell, bool recorded) {
  prof_self = &prof_nobody;
  prof_thread_over = true;
  prof_sample_end(cell);
  prof_ring_leave(cell);
  struct prof_thread *record = recorded ? cell->record : NULL;
  if (record) {
    prof_thread_usage_note(cell);
    if (prof_runtime.state != PROF_RUNTIME_ON) /* else it is noted */
      prof_thread_name_write(record);
    __atomic_store_n(&cell->record, NULL, __ATOMIC_RELAXED);
    bool unknown = __atomic_load_n(&record->state, __ATOMIC_RELAXED) == PROF_THREAD_TAKEN; /* to the recorder */
    __atomic_store_n(&record->state, unknown ? PROF_THREAD_FREE : PROF_THREAD_ENDED, __ATOMIC_RELEASE);
  }
  cell_give(image, cell);
}

/* Runs again in each round of destructors, so that instrumented destructors of others are still recorded. */
static void end_key_destroy(void *value) {
  struct prof_cell *cell = value;
  if (prof_self != cell || __atomic_load_n(&prof_runtime.image->state, __ATOMIC_ACQUIRE) != PROF_IMAGE_READY ||
      !cell->in_use)
    return; /* of the parent process */
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  bool recorded = gate && prof_attached_cell();
  if (recorded && cell->rounds == 0 && prof_runtime.state == PROF_RUNTIME_ON)
    prof_ring_bottom(cell); /* pthread_exit leaves frames without an exit */
  bool last = ++cell->rounds == PTHREAD_DESTRUCTOR_ITERATIONS;
  if (last)
    thread_end(prof_runtime.image, cell, recorded);
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  if (!last)
    pthread_setspecific(end_key, cell);
}

/* libc may use vector registers, which the slow path has not saved. */
static void end_key_arm(void *cell) {
  pthread_setspecific(end_key, cell);
}

/* With a key beyond the first 32 pthread_setspecific allocates; then the recorder must find the ends. */
void prof_thread_init(void) {
  pthread_key_t key;
  prof_runtime.tls_offset = (int)((char *)&prof_self - prof_thread_pointer());
  if (pthread_key_create(&key, end_key_destroy) != 0)
    return;
  end_key = key;
  end_key_usable = key < 32;
}

/* For its thread's first event of this recording. */
static void cell_begin(struct prof_image *image, struct prof_cell *cell) {
  if (cell->discard) /* of an earlier recording; a handler may have interrupted a trampoline that still writes there */
    prof_ring_forget(cell);
  cell->cursor = NULL;
  cell->limit = NULL;
  cell->stop = 0;
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
  cell->counts = NULL;
  cell->in_use = 1;
  cell->number = record_take();
  cell->record = cell->number == UINT32_MAX ? NULL : record_fill(cell->number, image->process);
  cell->light = cell->record ? &cell->record->light : NULL;
  cell->recording = prof_runtime.recording;
  prof_self = cell;
  if (end_key_usable)
    prof_vector_saved_call(end_key_arm, cell);
}

struct prof_cell *prof_thread_cell(void) {
  struct prof_image *image = prof_image_current();
  struct prof_cell *cell = prof_self;
  if (!image)
    return NULL;
  bool has_one = cell >= image->cells && cell < image->cells + PROF_CELL_COUNT;
  if (has_one && cell->recording == prof_runtime.recording)
    return cell;
  if (!has_one) {
    cell = cell_take(image);
    if (!cell)
      return NULL;
    cell->discard = NULL;
  }
  cell_begin(image, cell);
  return cell;
}

void prof_thread_cells_reset(struct prof_image *image) {
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    struct prof_cell *cell = &image->cells[i];
    prof_sample_end(cell);
    __atomic_store_n(&cell->end, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->light, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->counts, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->record, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->stop, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->line, PROF_LINE_NONE, __ATOMIC_RELAXED);
  }
}
