/*
 * tools/record/region/channel_thread.c - see channel_thread.h.
 */
#include "record/region/channel_thread.h"

#include <string.h>

#include "record/region/channel_cpu.h"
#include "record/region/channel_proc.h"

/* A name that the program gave is valid.  Else: the thread writes its name when it begins, at intervals, and when it
 * ends.  The kernel's name is newer: with samples, or while the thread lives.  But after an exec of its process it is
 * the other program's name.  The main thread is called by its process's title if there is one. */
static void find_name(struct prof_channel *channel, const struct prof_channel_source *source,
                      const struct prof_thread *record) {
  char own[PROF_THREAD_NAME_BYTES + 1] = "", asked[sizeof own] = "", given[sizeof channel->name] = "";
  bool ended = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == PROF_THREAD_ENDED;
  memcpy(own, record->name, PROF_THREAD_NAME_BYTES);
  memcpy(given, record->given, PROF_THREAD_GIVEN_BYTES);
  if (given[0] != 0) {
    memcpy(channel->name, given, sizeof given);
    return;
  }
  const char *executable =
      !ended && source->executable != NULL ? source->executable(source->context, channel->process) : NULL;
  if (executable != NULL)
    prof_channel_look_title(channel, executable);
  if (channel->title[0] != 0) {
    memcpy(channel->name, channel->title, sizeof channel->title);
    return;
  }
  const char *told = prof_sampling_name(source->sampling, channel->number);
  if (told != NULL && !ended) {
    memcpy(channel->name, told, PROF_THREAD_NAME_BYTES);
    return;
  }
  bool known =
      executable != NULL && prof_channel_comm(channel, asked, sizeof asked) && prof_channel_runs(channel, executable);
  if (known || own[0] != 0)
    memcpy(channel->name, known ? asked : own, sizeof own);
}

static void put_thread(const struct prof_channel *channel, const struct prof_channel_source *source) {
  struct prof_thread_record record = channel->written;
  record.name = prof_span(channel->name);
  (void)prof_writer_thread(source->writer, &record);
}

struct prof_matcher_figures prof_channel_write_thread(struct prof_channel *channel,
                                                      const struct prof_channel_source *source, uint32_t index,
                                                      bool ended) {
  const struct prof_thread *record = prof_channel_record(source, index);
  struct prof_matcher_figures figures = {0};
  prof_matcher_figures(channel->matcher, &figures);
  find_name(channel, source, record);
  channel->written_events = figures.events;
  channel->written_lost = __atomic_load_n(&record->lost, __ATOMIC_RELAXED) + figures.dropped;
  struct prof_channel_cpu cpu = prof_channel_cpu_of(channel, source, index, figures.last_ticks);
  channel->written = (struct prof_thread_record){
      .thread = channel->number,
      .process = channel->process,
      .tid = (uint32_t)channel->tid,
      .flags = ended ? PROF_FORMAT_THREAD_ENDED : 0,
      .start_ticks = channel->start_ticks,
      .end_ticks = ended ? figures.last_ticks : 0,
      .lost = channel->written_lost,
      .stalled_ticks = figures.stalled_ticks,
      .inversions = figures.inversions,
      .torn = figures.torn,
      .unmatched = figures.unmatched,
      .skipped = figures.skipped,
      .cpu_ns = cpu.ns,
      .cpu_ticks = cpu.ticks,
      .moves = __atomic_load_n(&record->moves, __ATOMIC_RELAXED),
      .line_readings = __atomic_load_n(&record->line_readings, __ATOMIC_RELAXED),
      .too_deep = figures.too_deep,
      .left_out = figures.left_out - channel->part_left_out,
  };
  put_thread(channel, source);
  return figures;
}

struct prof_sampling_cut prof_channel_cut_end(struct prof_channel *channel, const struct prof_channel_source *source,
                                              uint32_t index, uint64_t ticks) {
  struct prof_sampling_end end = channel->end;
  prof_channel_cpu_look(channel, source, index, ticks);
  prof_matcher_cut(channel->matcher, ticks, channel->wait_begin);
  channel->flushed_ns = source->now_ns;
  channel->end = prof_sampling_end_of(source->sampling, channel->number, channel->start_ticks);
  struct prof_matcher_figures figures = prof_channel_write_thread(channel, source, index, false);
  channel->end = end;
  prof_channel_write_samples(channel, source);
  return (struct prof_sampling_cut){channel->number, figures.last_ticks > ticks ? figures.last_ticks : ticks};
}

struct prof_part_thread prof_channel_cut_begin(struct prof_channel *channel, const struct prof_channel_source *source) {
  const struct prof_thread_record *written = &channel->written;
  channel->part_left_out += channel->written.left_out;
  channel->written.left_out = 0;
  put_thread(channel, source);
  return (struct prof_part_thread){.thread = written->thread,
                                   .lost = written->lost,
                                   .stalled_ticks = written->stalled_ticks,
                                   .inversions = written->inversions,
                                   .torn = written->torn,
                                   .unmatched = written->unmatched,
                                   .skipped = written->skipped,
                                   .too_deep = written->too_deep,
                                   .cpu_ns = written->cpu_ns,
                                   .moves = written->moves,
                                   .line_readings = written->line_readings};
}
