/*
 * tools/record/region/channel_cpu.c - see channel_cpu.h.
 */
#include "record/region/channel_cpu.h"

#include "record/region/channel_proc.h"

void prof_channel_cpu_look(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                           uint64_t ticks) {
  const struct prof_thread *record = prof_channel_record(source, index);
  const char *executable = source->executable != NULL ? source->executable(source->context, channel->process) : NULL;
  uint64_t ns, before_ns = __atomic_load_n(&record->cpu_begin_ns, __ATOMIC_RELAXED);
  bool recorded = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE) != PROF_THREAD_ENDED &&
                  __atomic_load_n(&record->stopped, __ATOMIC_ACQUIRE) == 0;
  if (!recorded || executable == NULL || !prof_channel_runs(channel, executable) ||
      !prof_channel_cpu_read(channel, &ns) || ns < before_ns)
    return;
  prof_channel_look_title(channel, executable);
  channel->cpu = (struct prof_channel_cpu){.ns = ns - before_ns, .ticks = ticks};
}

struct prof_channel_cpu prof_channel_cpu_of(const struct prof_channel *channel,
                                            const struct prof_channel_source *source, uint32_t index,
                                            uint64_t end_ticks) {
  const struct prof_thread *record = prof_channel_record(source, index);
  struct prof_channel_cpu noted = {.ticks = __atomic_load_n(&record->cpu_ticks, __ATOMIC_ACQUIRE)};
  noted.ns = __atomic_load_n(&record->cpu_ns, __ATOMIC_RELAXED);
  if (channel->cpu.ticks > noted.ticks && channel->cpu.ns >= noted.ns)
    noted = channel->cpu;
  if (channel->end.cpu_ns > noted.ns)
    noted = (struct prof_channel_cpu){.ns = channel->end.cpu_ns, .ticks = end_ticks};
  return noted;
}
