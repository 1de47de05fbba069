/*
 * tools/record/pump/pump_rings.c - see pump_rings.h.
 */
#include "record/pump/pump_rings.h"

#include "record/parts/cut.h"
#include "record/pump/budget.h"
#include "record/pump/governing.h"
#include "record/pump/pump_log.h"
#include "record/pump/size_limit.h"
#include "record/region/channel_cpu.h"
#include "record/region/channel_proc.h"
#include "record/region/channel_thread.h"
#include "record/sampling/sampling_write.h"

#define FLUSH_NS 1000000000u /* events are in the file after at most this plus one housekeeping */
#define FORK_WAIT_NS 2000000000u
#define CPU_LOOK_NS 1000000000u
#define CPU_LOOKS 64u           /* in one housekeeping: some 10 us each */
#define END_WAIT_NS 1000000000u /* for the kernel's record of a thread's end */

/* A trigger in one thread's calls holds for all. */
static void follow(struct prof_pump *pump) {
  const struct prof_keep_rules *rules = &pump->kept.rules;
  if (pump->kept.followed == rules->switches)
    return;
  pump->kept.followed = rules->switches;
  prof_slices_switch(&pump->slices, &pump->processes, rules->switched, !rules->off);
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      prof_matcher_switch(pump->channels[i].matcher, rules->switched);
}

/* Are the frames that a new thread begins with known, or will they never be?  They are known when its parent's ring has
 * been read up to the fork; this function reads it.  A hole there, or a parent that waits likewise, delays it. */
static bool knows_fork(struct prof_pump *pump, uint32_t index) {
  const struct prof_region *region = pump->options.region;
  uint32_t fork = region->threads[index].fork, parent = region->threads[index].fork_thread;
  uint64_t *since_ns = &pump->fork_waits_ns[index];
  if (pump->room.exhausted)
    return false;
  if (fork == 0 || prof_fork_stacks_find(pump->forks, fork) != NULL)
    return true;
  if (parent >= region->thread_count || parent == index)
    return true; /* the program has written over the region */
  struct prof_channel *from = &pump->channels[parent];
  if (from->number != 0) {
    uint64_t passed = prof_channel_drain(from, &pump->source, parent, PROF_CHANNEL_WHOLE);
    if (prof_fork_stacks_find(pump->forks, fork) != NULL)
      return true;
    if (pump->source.until_ticks != 0) /* the fork may be later */
      return false;
    if (passed == 0 && from->hole_since_ns == 0 && !pump->room.exhausted)
      return true;
  }
  if (*since_ns == 0)
    *since_ns = pump->source.now_ns;
  if (pump->source.now_ns - *since_ns >= FORK_WAIT_NS)
    return true;
  pump->waiting_forks++;
  return pump->hurried;
}

/* When the thread ended, or else its recording. */
static struct prof_sampling_end end_of(const struct prof_pump *pump, const struct prof_channel *channel, bool ended) {
  struct prof_sampling_end end = prof_sampling_end_of(pump->options.sampling, channel->number, channel->start_ticks);
  if (end.ticks == 0 && channel->pid == pump->options.program && !channel->replaced)
    end.ticks = __atomic_load_n(&pump->finish_ticks, __ATOMIC_ACQUIRE);
  if (end.ticks == 0 && !ended && !channel->replaced)
    end.ticks = prof_ticks_now(pump->options.clock->of);
  bool left_out = pump->options.bounded && !prof_slices_have(&pump->slices, channel->process, end.ticks);
  return left_out ? (struct prof_sampling_end){0, 0} : end;
}

/* A thread that ran after a prof_clear that is not written yet is shown. */
static void spare(struct prof_pump *pump, uint32_t index) {
  struct prof_channel *channel = &pump->channels[index];
  uint64_t asked = __atomic_load_n(&pump->options.region->control->clear, __ATOMIC_ACQUIRE);
  struct prof_matcher_figures figures;
  if (asked == pump->cleared)
    return;
  (void)prof_channel_drain(channel, &pump->source, index, PROF_CHANNEL_LAST);
  prof_matcher_figures(channel->matcher, &figures);
  if (figures.last_ticks >= asked)
    (void)prof_vec_push(&pump->spared, channel->number); /* without memory it is hidden */
}

/* Of a thread that has ended all events are read.  It may have ended before the last prof_clear, though that wasn't
 * known then. */
static void forget(struct prof_pump *pump, uint32_t index, uint64_t end_ticks) {
  struct prof_channel *channel = &pump->channels[index];
  uint64_t last = __atomic_load_n(&pump->options.region->threads[index].stopped, __ATOMIC_ACQUIRE);
  if (pump->forgotten_ticks == 0)
    return;
  (void)prof_channel_drain(channel, &pump->source, index, PROF_CHANNEL_LAST);
  last = last > channel->sampled ? last : channel->sampled;
  last = last > end_ticks ? last : end_ticks;
  if (channel->passed == channel->forgotten && last < pump->forgotten_ticks)
    prof_cut_forget(pump, channel->number);
}

/* The word is the program's: no thread has used more than the time that went by. */
static uint64_t noted_cpu_ns(const struct prof_pump *pump, uint32_t index) {
  uint64_t noted_ns = __atomic_load_n(&pump->options.region->threads[index].cpu_ns, __ATOMIC_RELAXED);
  uint64_t most_ns = pump->source.now_ns - pump->started_ns;
  return noted_ns < most_ns ? noted_ns : most_ns;
}

static void close_channel(struct prof_pump *pump, uint32_t index, bool ended) {
  spare(pump, index);
  if (ended)
    prof_governor_thread_ended(&pump->governor, pump->channels[index].process, noted_cpu_ns(pump, index));
  else
    prof_channel_cpu_look(&pump->channels[index], &pump->source, index, prof_ticks_now(pump->options.clock->of));
  prof_light_write(&pump->light, pump->options.writer, index, &pump->channels[index], PROF_LIGHT_LAST);
  prof_budget_closing(pump, index);
  struct prof_sampling_end end = end_of(pump, &pump->channels[index], ended);
  if (ended)
    forget(pump, index, end.ticks);
  prof_channel_close(&pump->channels[index], &pump->source, index, ended, end, &pump->result.sums);
}

void prof_pump_take_samples(struct prof_pump *pump, bool last) {
  pump->source.now_ns = prof_steady_ns();
  if (!prof_sampling_drain(pump->options.sampling, pump->source.now_ns, last))
    return;
  prof_pump_catch_up(pump);
  if (pump->samples_wait && !last)
    return;
  if (last)
    prof_writer_set_ceiling(pump->options.writer, prof_size_limit_of_samples(pump));
  prof_sampling_write(pump->options.sampling, pump->source.now_ns, last);
  prof_writer_set_ceiling(pump->options.writer, UINT64_MAX);
}

void prof_pump_close(struct prof_pump *pump, enum prof_pump_end end) {
  prof_light_stop(&pump->light);
  prof_governing_stop(pump);
  prof_writer_last_records(pump->options.writer);
  prof_pump_take_samples(pump, true); /* from now on threads get no numbers */
  prof_region_close_recording(pump->options.region);
  pump->closed = true;
  pump->source.until_ticks = 0;
  pump->source.reading_ended = end == PROF_PUMP_SIZE_LIMIT || end == PROF_PUMP_WRITE_FAILED;
  pump->result.end = end;
  pump->result.names_fill = end == PROF_PUMP_SIZE_LIMIT && prof_writer_events(pump->options.writer) == 0;
  prof_gpu_streams_finish(&pump->gpu, &pump->source);
  pump->result.gpu = pump->gpu.sums;
  uint32_t used = prof_region_records_used(pump->options.region);
  for (uint32_t i = 0; i < used; i++) {
    struct prof_channel *channel = &pump->channels[i];
    if (channel->number == 0)
      continue;
    uint32_t state = __atomic_load_n(&pump->options.region->threads[i].state, __ATOMIC_ACQUIRE);
    bool ended =
        state == PROF_THREAD_ENDED || prof_processes_thread_is_gone(&pump->processes, channel->process, channel->tid);
    close_channel(pump, i, ended);
  }
  prof_governing_finish(pump);
  prof_sampling_finish(pump->options.sampling,
                       __atomic_load_n(&pump->options.region->control->unsampled, __ATOMIC_RELAXED));
}

bool prof_pump_check_limits(struct prof_pump *pump) {
  if (!pump->closed && prof_writer_error(pump->options.writer, NULL) != PROF_OK)
    prof_pump_close(pump, PROF_PUMP_WRITE_FAILED);
  else if (!pump->closed && prof_size_limit_met(pump))
    prof_pump_close(pump, PROF_PUMP_SIZE_LIMIT);
  return !pump->closed;
}

bool prof_pump_read_rest(struct prof_pump *pump, uint32_t index, uint64_t *passed) {
  do
    *passed += prof_channel_drain(&pump->channels[index], &pump->source, index, PROF_CHANNEL_LAST);
  while (pump->room.exhausted && prof_pump_check_limits(pump)); /* it makes room */
  follow(pump);
  return !pump->closed;
}

uint64_t prof_pump_read_ring(struct prof_pump *pump, uint32_t index, enum prof_channel_depth depth) {
  struct prof_channel *channel = &pump->channels[index];
  uint32_t state = __atomic_load_n(&pump->options.region->threads[index].state, __ATOMIC_ACQUIRE);
  bool is_read = channel->is_read;
  channel->is_read = false;
  if (state != PROF_THREAD_LIVE && state != PROF_THREAD_ENDED)
    return 0;
  if (pump->options.region->threads[index].content == PROF_THREAD_GPU) {
    prof_pump_catch_up(pump);
    prof_pump_has_data(pump);
    return prof_gpu_streams_serve(&pump->gpu, &pump->source, index, depth);
  }
  if (channel->number == 0) {
    prof_pump_catch_up(pump); /* its process first */
    if (!knows_fork(pump, index))
      return 0;
    pump->fork_waits_ns[index] = 0;
    if (!prof_room_has(&pump->room, 2 * PROF_CHANNEL_THREAD_BYTES))
      return 0;
    prof_room_use(&pump->room, 2 * PROF_CHANNEL_THREAD_BYTES);
    if (!prof_channel_open(channel, &pump->source, index, pump->result.threads + 1, pump->packer))
      return 0;
    pump->result.threads++;
    prof_budget_opened(pump, index);
    prof_pump_has_data(pump);
    const struct prof_thread *record = &pump->options.region->threads[index]; /* its own start, not its fork's */
    prof_sampling_thread(pump->options.sampling, (uint32_t)channel->pid, (uint32_t)channel->tid, record->start,
                         channel->number);
  }
  if (state == PROF_THREAD_ENDED && pump->source.until_ticks == 0) {
    uint64_t passed = 1;
    if (prof_pump_read_rest(pump, index, &passed))
      close_channel(pump, index, true);
    return passed;
  }
  if (is_read)
    return 0;
  uint64_t passed = prof_channel_drain(channel, &pump->source, index, depth);
  follow(pump);
  prof_budget_note(pump, index);
  return passed;
}

/* The kernel tells soon when a thread with open frames ended. */
static bool knows_end(struct prof_pump *pump, struct prof_channel *channel) {
  if (!prof_sampling_knows_ends(pump->options.sampling) || !prof_channel_has_frames(channel) ||
      prof_sampling_end_of(pump->options.sampling, channel->number, 0).ticks != 0)
    return true;
  if (channel->gone_ns == 0)
    channel->gone_ns = pump->source.now_ns;
  return pump->source.now_ns - channel->gone_ns >= END_WAIT_NS;
}

/* Without the kernel's records nobody else tells it. */
static void note_exec(struct prof_pump *pump, struct prof_channel *channel) {
  const char *executable = pump->source.executable(pump->source.context, channel->process);
  if (!prof_sampling_knows_ends(pump->options.sampling) && channel->pid == pump->options.program && executable != NULL)
    channel->replaced |= prof_channel_runs_other(channel, executable);
}

/* Of those that were not looked at for long, some at a time. */
static void look_at_cpu_times(struct prof_pump *pump) {
  uint32_t used = prof_region_records_used(pump->options.region), looks = 0;
  for (uint32_t i = 0; i < used && looks < CPU_LOOKS; i++) {
    pump->cpu_look_next = pump->cpu_look_next + 1 < used ? pump->cpu_look_next + 1 : 0;
    struct prof_channel *channel = &pump->channels[pump->cpu_look_next];
    if (channel->number == 0 || pump->source.now_ns - channel->cpu_look_ns < CPU_LOOK_NS)
      continue;
    channel->cpu_look_ns = pump->source.now_ns;
    prof_channel_cpu_look(channel, &pump->source, pump->cpu_look_next, prof_ticks_now(pump->options.clock->of));
    looks++;
  }
}

void prof_pump_close_gone(struct prof_pump *pump) {
  look_at_cpu_times(pump);
  uint64_t old_ns = pump->source.now_ns < FLUSH_NS ? 0 : pump->source.now_ns - FLUSH_NS;
  prof_gpu_streams_reap(&pump->gpu, &pump->source, old_ns);
  uint32_t used = prof_region_records_used(pump->options.region);
  for (uint32_t i = 0; i < used && !pump->closed; i++) {
    struct prof_channel *channel = &pump->channels[i];
    uint64_t passed = 0;
    if (channel->number != 0 && prof_processes_thread_is_gone(&pump->processes, channel->process, channel->tid) &&
        prof_pump_read_rest(pump, i, &passed) && knows_end(pump, channel))
      close_channel(pump, i, true);
    else if (channel->number != 0) {
      note_exec(pump, channel);
      prof_channel_flush_old(channel, &pump->source, i, old_ns);
      prof_budget_note(pump, i);
      prof_light_write(&pump->light, pump->options.writer, i, channel, PROF_LIGHT_MANY);
    }
  }
}
