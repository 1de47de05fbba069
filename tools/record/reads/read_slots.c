/*
 * tools/record/reads/read_slots.c - see read_slots.h.
 *
 * Programs can write to the slots, so names are copied, and states are only compared.
 */
#include "record/reads/read_slots.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool change(struct prof_read_slot *slot, uint64_t from, uint64_t to) {
  return __atomic_compare_exchange_n(&slot->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void wake(struct prof_read_slot *slot) {
  syscall(SYS_futex, prof_read_futex(slot), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool prof_read_slots_asked(const struct prof_read_slots *slots, const struct prof_region *region) {
  return __atomic_load_n(&region->control->reads, __ATOMIC_RELAXED) != slots->seen;
}

/* Only its own process ends a FILLING; a process that isn't in the table yet has just begun. */
static bool is_left_behind(const struct prof_processes *processes, uint64_t state, uint64_t age_ns) {
  uint32_t process = prof_read_process(state), step = prof_read_step(state);
  if (step == PROF_READ_FREE)
    return false;
  if (prof_processes_pid(processes, process) != 0 && !prof_processes_lives(processes, process))
    return true;
  return step != PROF_READ_FILLING && age_ns >= PROF_READ_FORGOTTEN_NS;
}

static void take(struct prof_read_slots *slots, struct prof_region *region, uint32_t index, uint64_t state) {
  struct prof_read_slot *slot = &region->reads[index];
  struct prof_read_request *request = &slots->batch[slots->count];
  request->slot = index;
  request->state = prof_read_at(state, PROF_READ_TAKEN);
  request->pid = 0;
  if (!change(slot, state, request->state)) /* its thread gave up */
    return;
  memcpy(request->name, slot->name, sizeof request->name);
  request->name[sizeof request->name - 1] = 0;
  slots->count++;
}

size_t prof_read_slots_take(struct prof_read_slots *slots, struct prof_region *region,
                            const struct prof_processes *processes, uint64_t now_ns) {
  slots->seen = __atomic_load_n(&region->control->reads, __ATOMIC_SEQ_CST);
  slots->count = 0;
  for (uint32_t i = 0; i < PROF_READ_SLOTS; i++) {
    uint64_t state = __atomic_load_n(&region->reads[i].state, __ATOMIC_ACQUIRE);
    if (slots->known[i].state != state) {
      slots->known[i].state = state;
      slots->known[i].since_ns = now_ns;
    }
    if (is_left_behind(processes, state, now_ns - slots->known[i].since_ns))
      (void)change(&region->reads[i], state, prof_read_freed(state));
    else if (prof_read_step(state) == PROF_READ_ASKED)
      take(slots, region, i, state);
  }
  return slots->count;
}

void prof_read_slots_find_pids(struct prof_read_slots *slots, const struct prof_processes *processes) {
  for (size_t i = 0; i < slots->count; i++)
    slots->batch[i].pid = prof_processes_pid(processes, prof_read_process(slots->batch[i].state));
}

bool prof_read_slots_waits(const struct prof_region *region, const struct prof_read_request *request) {
  return __atomic_load_n(&region->reads[request->slot].state, __ATOMIC_RELAXED) == request->state;
}

void prof_read_slots_give(struct prof_region *region, const struct prof_read_request *request,
                          const struct prof_read_answer *answer) {
  struct prof_read_slot *slot = &region->reads[request->slot];
  slot->answer = *answer;
  if (change(slot, request->state, prof_read_at(request->state, PROF_READ_ANSWERED)))
    wake(slot);
}
