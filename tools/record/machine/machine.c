/*
 * tools/record/machine/machine.c - see machine.h.
 */
#include "record/machine/machine.h"

#include <string.h>

#include "trace/write/write_readings.h"

enum { FLUSH_READINGS = 64, TRIES = 3 };
#define FLUSH_NS 5000000000u
#define PROMPT_NS 1000000u /* a reading that took longer was interrupted */

static uint32_t width(const struct prof_machine_log *log) {
  return log->source_count + 1;
}

static bool has_new(const struct prof_machine_log *log) {
  return log->values.count > (log->is_carried ? width(log) : 0);
}

/* carries: the last reading stays. */
static void flush(struct prof_machine_log *log, prof_writer *writer, bool carries) {
  struct prof_reading_head heads[PROF_MACHINE_FIGURES];
  for (uint32_t i = 0; i < log->source_count; i++)
    heads[i] = (struct prof_reading_head){.what = log->sources[i]->what,
                                          .is_sum = log->sources[i]->is_sum,
                                          .divisor = log->sources[i]->divisor,
                                          .name = prof_span(log->sources[i]->name),
                                          .unit = prof_span(log->sources[i]->unit)};
  const struct prof_readings_record record = {.process = log->process,
                                              .heads = heads,
                                              .head_count = log->source_count,
                                              .values = log->values.items,
                                              .count = (uint32_t)(log->values.count / width(log))};
  if (!has_new(log))
    return;
  (void)prof_writer_readings(writer, &record); /* the writer keeps the error */
  if (carries)
    memmove(log->values.items, log->values.items + log->values.count - width(log), width(log) * sizeof(uint64_t));
  log->values.count = carries ? width(log) : 0;
  log->is_carried = carries;
}

static void choose(struct prof_machine_log *log, const struct prof_machine_source *sources, const char *root) {
  const struct prof_machine_place place = {root, log->pid};
  uint64_t value;
  for (; sources->read != NULL && log->source_count < PROF_MACHINE_FIGURES; sources++)
    if (sources->read(&place, &value))
      log->sources[log->source_count++] = sources;
}

/* values: ticks, then a value per source.  false: one can't be read. */
static bool read_values(const struct prof_machine_log *log, const struct prof_machine_watch *machine,
                        uint64_t *values) {
  const struct prof_machine_place place = {machine->root, log->pid};
  const uint64_t begin = machine->of ? prof_ticks_now(*machine->of) : values[0];
  for (uint32_t i = 0; i < log->source_count; i++)
    if (!log->sources[i]->read(&place, &values[i + 1]))
      return false;
  if (machine->of) /* the middle */
    values[0] = begin + (prof_ticks_now(*machine->of) - begin) / 2;
  return true;
}

/* A recorder that is interrupted between the clock and the figures would give CPU time to the wrong interval. */
static void read_once(struct prof_machine_log *log, const struct prof_machine_watch *machine, uint64_t now_ns,
                      uint64_t ticks) {
  uint64_t values[PROF_MACHINE_FIGURES + 1] = {ticks}, begin_ns;
  int tries = 0;
  do {
    begin_ns = prof_steady_ns();
    if (!read_values(log, machine, values)) {
      log->is_over = true;
      return;
    }
  } while (machine->of && prof_steady_ns() - begin_ns > PROMPT_NS && ++tries < TRIES);
  if (!has_new(log))
    log->begin_ns = now_ns;
  if (prof_vec_reserve(&log->values, width(log))) /* without memory it is left out */
    for (uint32_t i = 0; i < width(log); i++)
      log->values.items[log->values.count++] = values[i];
}

static struct prof_machine_log *add(struct prof_machine_watch *machine, uint32_t process, pid_t pid) {
  struct prof_machine_log log = {.process = process, .pid = pid};
  choose(&log, process == 0 ? prof_machine_sources : prof_process_sources, machine->root);
  log.is_over = log.source_count == 0;
  return prof_vec_push(&machine->logs, log) ? &machine->logs.items[machine->logs.count - 1] : NULL;
}

static struct prof_machine_log *find(struct prof_machine_watch *machine, uint32_t process) {
  for (size_t i = 0; i < machine->logs.count; i++)
    if (machine->logs.items[i].process == process)
      return &machine->logs.items[i];
  return NULL;
}

/* Drops what is over, so that thousands of short processes take little. */
static void drop_over(struct prof_machine_watch *machine, prof_writer *writer) {
  size_t kept = 0;
  for (size_t i = 0; i < machine->logs.count; i++) {
    struct prof_machine_log *log = &machine->logs.items[i];
    if (log->is_over && log->process != 0) {
      flush(log, writer, false);
      prof_vec_fini(&log->values);
    } else {
      machine->logs.items[kept++] = *log;
    }
  }
  machine->logs.count = kept;
}

void prof_machine_turn(struct prof_machine_watch *machine, const struct prof_processes *processes, prof_writer *writer,
                       uint64_t now_ns, uint64_t ticks) {
  if (machine->interval_ns == 0 || now_ns < machine->next_ns)
    return;
  machine->next_ns = now_ns + machine->interval_ns;
  if (machine->logs.count == 0 && add(machine, 0, 0) == NULL)
    return;
  uint32_t live = 0;
  for (size_t i = 0; i < processes->entries.count && live < PROF_MACHINE_PROCESSES; i++) {
    const struct prof_process_entry *entry = &processes->entries.items[i];
    if (entry->gone || entry->unknowable || entry->number == 0)
      continue;
    live++;
    if (find(machine, entry->number) == NULL)
      (void)add(machine, entry->number, entry->pid);
  }
  for (size_t i = 0; i < machine->logs.count; i++) {
    struct prof_machine_log *log = &machine->logs.items[i];
    if (!log->is_over)
      read_once(log, machine, now_ns, ticks);
    if (log->values.count >= FLUSH_READINGS * width(log) || now_ns - log->begin_ns >= FLUSH_NS)
      flush(log, writer, false);
  }
  drop_over(machine, writer);
}

void prof_machine_flush(struct prof_machine_watch *machine, prof_writer *writer) {
  for (size_t i = 0; i < machine->logs.count; i++)
    flush(&machine->logs.items[i], writer, false);
}

void prof_machine_cut(struct prof_machine_watch *machine, prof_writer *writer) {
  for (size_t i = 0; i < machine->logs.count; i++)
    flush(&machine->logs.items[i], writer, !machine->logs.items[i].is_over);
}

void prof_machine_fini(struct prof_machine_watch *machine) {
  for (size_t i = 0; i < machine->logs.count; i++)
    prof_vec_fini(&machine->logs.items[i].values);
  prof_vec_fini(&machine->logs);
}
