/*
 * usage.c - CPU time of threads; all threads of the process, when recording stops and goes on.
 *
 * Out: words of their records in the shared region.
 */
#include <linux/prctl.h>

#include "clock.h"
#include "system.h"
#include "usage.h"

/* Writes it each time, as an exec gives no notice. */
void prof_thread_name_write(struct prof_thread *record) {
  char name[PROF_THREAD_NAME_BYTES] = {0};
  prof_syscall(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
  for (int i = 0; i < PROF_THREAD_NAME_BYTES; i++)
    record->name[i] = (uint8_t)name[i];
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
  prof_thread_name_write(record);
  __atomic_store_n(&record->line_readings, cell->line_readings, __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ns, (uint64_t)prof_thread_cpu_ns() - record->cpu_begin_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ticks, prof_clock_ticks(), __ATOMIC_RELEASE);
}

/* CPU time of another thread of the process; false: it has ended. */
static bool thread_cpu_of(int32_t tid, uint64_t *ns) {
  struct prof_timespec now = {0, 0};
  const int32_t clock = ~tid * 8 + 6; /* CPUCLOCK_SCHED of a thread: clock_getcpuclockid(3) */
  if (prof_syscall(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0) != 0)
    return false;
  *ns = (uint64_t)(now.seconds * 1000000000 + now.nanoseconds);
  return true;
}

/* The record of an attached thread of this process; NULL: none.  The thread may end after the check of the record's
 * owner: then a word of a record that was just taken again is wrong. */
static struct prof_thread *record_at(const struct prof_image *image, uint32_t cell) {
  struct prof_thread *record = __atomic_load_n(&image->cells[cell].record, __ATOMIC_ACQUIRE);
  return record && record->process == image->process ? record : NULL;
}

/* Notes the CPU time of a cell's thread up to `time`; NULL: no thread has the cell. */
static struct prof_thread *other_note(const struct prof_image *image, uint32_t cell, uint64_t time) {
  struct prof_thread *record = record_at(image, cell);
  uint64_t ns;
  if (!record || !thread_cpu_of(record->tid, &ns))
    return NULL;
  __atomic_store_n(&record->line_readings, __atomic_load_n(&image->cells[cell].line_readings, __ATOMIC_RELAXED),
                   __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ns, ns - record->cpu_begin_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&record->cpu_ticks, time, __ATOMIC_RELEASE);
  return record;
}

void prof_thread_usage_note_others(const struct prof_image *image, const struct prof_cell *own) {
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON)
    return;
  for (uint32_t i = 0; i < count; i++)
    if (&image->cells[i] != own)
      other_note(image, i, prof_clock_ticks());
}

void prof_thread_stopped(uint64_t time) {
  const struct prof_image *image = prof_runtime.image;
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    struct prof_thread *record = other_note(image, i, time);
    uint64_t none = 0;
    if (record)
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

void prof_thread_kick(uint64_t time) {
  struct prof_image *image = prof_runtime.image;
  uint32_t count = __atomic_load_n(&image->fresh_cells, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t none = 0;
    __atomic_compare_exchange_n(&image->cells[i].stop, &none, time, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_store_n(&image->cells[i].end, NULL, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&image->cells[i].line, __ATOMIC_RELAXED)) /* the line ends while nothing is recorded */
      __atomic_store_n(&image->cells[i].line, PROF_LINE_NONE, __ATOMIC_RELAXED);
  }
}
