/*
 * tools/trace/write/facts.c - see facts.h.
 */
#include "facts.h"

#include <string.h>

#include "trace/bytes.h"

enum belongs { NO_FACT, OF_ALL, OF_PROCESS };

/* Whose fact a kind is.  Of a process: its number is the payload's first word. */
static enum belongs belongs_to(uint16_t kind) {
  static const uint8_t table[PROF_FORMAT_KINDS] = {
      [PROF_FORMAT_SETTINGS] = OF_ALL,    [PROF_FORMAT_MODULE] = OF_ALL,     [PROF_FORMAT_LOOPS] = OF_ALL,
      [PROF_FORMAT_PATHS] = OF_ALL,       [PROF_FORMAT_POINTS] = OF_ALL,     [PROF_FORMAT_FILE] = OF_PROCESS,
      [PROF_FORMAT_GPU_SOURCE] = OF_ALL,  [PROF_FORMAT_GPU_TEXT] = OF_ALL,   [PROF_FORMAT_GPU_CUBIN] = OF_ALL,
      [PROF_FORMAT_PROCESS] = OF_PROCESS, [PROF_FORMAT_LOAD] = OF_PROCESS,   [PROF_FORMAT_SITES] = OF_PROCESS,
      [PROF_FORMAT_MAP] = OF_PROCESS,     [PROF_FORMAT_SLICES] = OF_PROCESS, [PROF_FORMAT_NAMED] = OF_PROCESS,
  };
  return kind < PROF_FORMAT_KINDS ? table[kind] : NO_FACT;
}

bool prof_facts_hold(uint16_t kind) {
  return belongs_to(kind) != NO_FACT;
}

bool prof_facts_are_latest(uint16_t kind) {
  return kind == PROF_FORMAT_CLOCK || kind == PROF_FORMAT_THREAD || kind == PROF_FORMAT_SAMPLER ||
         kind == PROF_FORMAT_COUNTS || kind == PROF_FORMAT_NOTE || kind == PROF_FORMAT_CONTROL ||
         kind == PROF_FORMAT_PART || kind == PROF_FORMAT_PMU;
}

/* What a latest chunk is of, as a number. */
static uint64_t latest_key(const struct prof_facts *facts, uint16_t kind, const uint8_t *payload, uint32_t bytes) {
  struct prof_byte_reader reader = {payload, payload + bytes, false};
  uint64_t key = prof_byte_reader_u32(&reader), word = 0;
  if (kind == PROF_FORMAT_SAMPLER || kind == PROF_FORMAT_PART || kind == PROF_FORMAT_PMU)
    return 0;
  if (kind == PROF_FORMAT_CLOCK) /* the first one has time zero */
    return prof_index_of(&facts->latest, PROF_FORMAT_CLOCK) == UINT32_MAX ? 0 : 1;
  if (kind == PROF_FORMAT_NOTE || kind == PROF_FORMAT_CONTROL)
    return facts->items.count; /* all are kept */
  if (kind == PROF_FORMAT_THREAD)
    return key;
  key = key << 32 | prof_byte_reader_u32(&reader);
  (void)prof_byte_reader_u32(&reader);
  while (word == 0 && !reader.bad) /* counters or times */
    word = prof_byte_reader_u64(&reader);
  return key ^ word;
}

static bool keep_latest(struct prof_facts *facts, struct prof_kept_fact *fact) {
  const struct prof_kept_fact *all = facts->items.items;
  uint32_t hash = fact->key == 0 ? fact->head.kind : prof_index_hash(fact->head.kind, fact->key);
  uint32_t at =
      prof_index_find(&facts->latest, hash, i, all[i].head.kind == fact->head.kind && all[i].key == fact->key);
  if (at != UINT32_MAX) {
    free(facts->items.items[at].packed);
    facts->items.items[at] = *fact;
    return true;
  }
  return prof_vec_push(&facts->items, *fact) && prof_index_add(&facts->latest, hash, (uint32_t)facts->items.count - 1);
}

static bool keep(struct prof_facts *facts, struct prof_kept_fact *fact, bool latest) {
  if (facts->keeps_latest && fact->head.kind == PROF_FORMAT_PATHS)
    return prof_vec_push(&facts->paths, *fact);
  return latest ? keep_latest(facts, fact) : prof_vec_push(&facts->items, *fact);
}

static bool take_states(struct prof_facts *facts, struct prof_byte_reader *reader) {
  for (uint32_t left = prof_byte_reader_u32(reader); left > 0; left--) {
    struct prof_state_change change = {.time = prof_byte_reader_u64(reader)};
    change.site = prof_byte_reader_u32(reader);
    change.state = prof_byte_reader_u32(reader);
    if (reader->bad)
      return true; /* nobody writes such a chunk */
    uint32_t at = prof_index_of(&facts->state_index, change.site);
    if (at != UINT32_MAX)
      facts->states.items[at] = change;
    else if (!prof_vec_push(&facts->states, change) ||
             !prof_index_add(&facts->state_index, change.site, (uint32_t)facts->states.count - 1))
      return false;
  }
  return true;
}

/* Only the last one holds. */
static void take_rates(struct prof_facts *facts, struct prof_byte_reader *reader) {
  for (uint32_t left = prof_byte_reader_u32(reader); left > 0 && !reader->bad; left--) {
    facts->rate.time = prof_byte_reader_u64(reader);
    uint32_t rate = prof_byte_reader_u32(reader);
    facts->rate.rate = rate & ~PROF_FORMAT_RATE_LACKS_SWITCHES;
    facts->rate.lacks_switches = rate & PROF_FORMAT_RATE_LACKS_SWITCHES;
    facts->has_rate = true;
  }
}

static bool take_process(struct prof_facts *facts, struct prof_byte_reader *reader) {
  struct prof_fact_process process = {.number = prof_byte_reader_u32(reader)};
  uint32_t parent = prof_byte_reader_u32(reader);
  (void)prof_byte_reader_bytes(reader, 20); /* pid, ppid, start, event_cost */
  if (prof_byte_reader_u32(reader) & PROF_FORMAT_PROCESS_FORKED)
    process.forked_from = parent;
  return prof_vec_push(&facts->processes, process);
}

bool prof_facts_take(struct prof_facts *facts, const struct prof_format_chunk *head, const uint8_t *payload,
                     const void *packed) {
  enum belongs belongs = belongs_to(head->kind);
  struct prof_byte_reader reader = {payload, payload + head->raw_bytes, false};
  if (head->kind == PROF_FORMAT_STATES)
    return take_states(facts, &reader);
  if (head->kind == PROF_FORMAT_RATES)
    take_rates(facts, &reader);
  bool latest = facts->keeps_latest && prof_facts_are_latest(head->kind);
  if (belongs == NO_FACT && !latest)
    return true;
  struct prof_kept_fact fact = {.head = *head, .packed = malloc(head->packed_bytes + 1)};
  if (latest)
    fact.key = latest_key(facts, head->kind, payload, head->raw_bytes);
  if (belongs == OF_PROCESS)
    fact.process = prof_byte_reader_u32(&(struct prof_byte_reader){payload, payload + head->raw_bytes, false});
  if (fact.packed == NULL || (head->kind == PROF_FORMAT_PROCESS && !take_process(facts, &reader)) ||
      !keep(facts, &fact, latest)) {
    free(fact.packed);
    return false;
  }
  memcpy(fact.packed, packed, head->packed_bytes); /* the item has the same pointer */
  return true;
}

void prof_facts_process_over(struct prof_facts *facts, uint32_t process, uint32_t serial) {
  for (size_t i = facts->processes.count; i > 0; i--)
    if (facts->processes.items[i - 1].number == process) {
      facts->processes.items[i - 1].over_at = serial;
      return;
    }
}

/* A process that is over is needed while a fork of it is. */
static size_t forget_processes(struct prof_facts *facts, uint32_t serial, struct prof_index_map *kept) {
  size_t count = 0;
  for (size_t i = facts->processes.count; i > 0; i--) { /* children come later than parents */
    const struct prof_fact_process *process = &facts->processes.items[i - 1];
    if (process->over_at != 0 && process->over_at < serial && prof_index_of(kept, process->number) == UINT32_MAX)
      continue;
    if (prof_index_of(kept, process->number) == UINT32_MAX && !prof_index_add(kept, process->number, 0))
      return SIZE_MAX;
    if (process->forked_from != 0 && prof_index_of(kept, process->forked_from) == UINT32_MAX &&
        !prof_index_add(kept, process->forked_from, 0))
      return SIZE_MAX;
    count++;
  }
  return count;
}

bool prof_facts_forget(struct prof_facts *facts, uint32_t serial) {
  struct prof_index_map kept = {0};
  size_t left = 0, count = forget_processes(facts, serial, &kept);
  if (count != SIZE_MAX && count < facts->processes.count) {
    for (size_t i = 0; i < facts->processes.count; i++)
      if (prof_index_of(&kept, facts->processes.items[i].number) != UINT32_MAX)
        facts->processes.items[left++] = facts->processes.items[i];
    facts->processes.count = left;
    left = 0;
    for (size_t i = 0; i < facts->items.count; i++) {
      struct prof_kept_fact *fact = &facts->items.items[i];
      if (fact->process == 0 || prof_index_of(&kept, fact->process) != UINT32_MAX)
        facts->items.items[left++] = *fact;
      else
        free(fact->packed);
    }
    facts->items.count = left;
  }
  prof_index_fini(&kept);
  return count != SIZE_MAX;
}

void prof_facts_forget_paths(struct prof_facts *facts) {
  for (size_t i = 0; i < facts->paths.count; i++)
    free(facts->paths.items[i].packed);
  prof_vec_fini(&facts->paths);
}

void prof_facts_fini(struct prof_facts *facts) {
  for (size_t i = 0; i < facts->items.count; i++)
    free(facts->items.items[i].packed);
  prof_facts_forget_paths(facts);
  prof_vec_fini(&facts->items);
  prof_vec_fini(&facts->processes);
  prof_vec_fini(&facts->states);
  prof_index_fini(&facts->state_index);
  prof_index_fini(&facts->latest);
}
