/*
 * tools/record/pump/missing.c - see missing.h.
 */
#include "record/pump/missing.h"

#include <stdio.h>

#include "record/pump/left_behind.h"

static void found(void *context, pid_t pid) {
  prof_processes_add_silent(&((struct prof_pump *)context)->processes, pid);
}

/* Only a process that forked can leave such a process. */
void prof_missing_look(struct prof_pump *pump) {
  const struct prof_region *region = pump->options.region;
  if (__atomic_load_n(&region->control->forks, __ATOMIC_RELAXED) > 0)
    prof_left_behind_each(region, found, pump);
}

/* A process that executed another program has nothing more to record. */
static void count_going_on(void *context, pid_t pid) {
  struct prof_pump *pump = context;
  pump->result.going_on += prof_left_behind_ask(pump->options.region, pid) != PROF_LEFT_NOT;
}

static void note(struct prof_pump *pump, const char *text) {
  (void)prof_writer_note(pump->options.writer, &(struct prof_note_record){.text = prof_span(text)});
}

/* Notes for readers of the recording; its user gets the figures. */
static void write_notes(struct prof_pump *pump) {
  const struct prof_unrecorded *unrecorded = &pump->result.unrecorded;
  bool one = unrecorded->processes == 1;
  char text[sizeof unrecorded->first + 128];
  if (unrecorded->processes > 0) {
    snprintf(text, sizeof text, "%u instrumented process%s %s not recorded: started without PROF_RECORD (%s%s)",
             unrecorded->processes, one ? "" : "es", one ? "was" : "were", one ? "" : "first: ", unrecorded->first);
    note(pump, text);
  }
  if (pump->result.going_on > 0) {
    snprintf(text, sizeof text, "%u of the program's processes outlived the recording", pump->result.going_on);
    note(pump, text);
  }
  uint32_t records = pump->log.late_count + pump->log.garbled;
  if (records > 0) {
    snprintf(text, sizeof text, "%u record%s of processes or modules %s not finished by the program", records,
             records == 1 ? "" : "s", records == 1 ? "was" : "were");
    note(pump, text);
  }
}

static void note_unprobed(struct prof_pump *pump) {
  struct prof_pump_result *result = &pump->result;
  for (size_t i = 0; i < pump->modules.entries.count; i++) {
    const struct prof_module_entry *module = &pump->modules.entries.items[i];
    if (module->unprobed.units == 0 || result->unprobed_count++ >= PROF_PUMP_UNPROBED)
      continue;
    struct prof_pump_unprobed *to = &result->unprobed[result->unprobed_count - 1];
    snprintf(to->path, sizeof to->path, "%s", module->path);
    to->units = module->unprobed;
  }
}

void prof_missing_count(struct prof_pump *pump) {
  prof_missing_look(pump);
  prof_processes_poll(&pump->processes);
  prof_processes_each_live(&pump->processes, count_going_on, pump);
  pump->result.unrecorded = pump->options.sampling->unrecorded;
  note_unprobed(pump);
  write_notes(pump);
}
