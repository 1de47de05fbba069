/*
 * tools/record/parts/cut.c - see cut.h.
 *
 * A thread with open frames gets a step at the moment of the cut in both files.  So each file's calls, samples and
 * figures of threads are those of its own time, and both can be read alone.
 */
#include "record/parts/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "record/region/channel_thread.h"
#include "record/sampling/sampling_write.h"
#include "trace/write/write_part.h"

enum { END_GOES_ON = 5, STATUS_UNKNOWN = -1 };
#define CLOCK_NS 1000000000u /* to the second CLOCK chunk of the file */

static bool is_summary(const struct prof_pump *pump) {
  return pump->options.parts->wish.mode == PROF_SERIES_SUMMARY;
}

bool prof_cut_is_due(const struct prof_pump *pump, uint64_t now_ns) {
  const struct prof_series *parts = pump->options.parts;
  if (parts == NULL || pump->closed)
    return false;
  if (prof_snapshots_asked(&pump->snapshots))
    return true;
  return is_summary(pump) ? prof_summaries_due(&pump->summaries, prof_writer_lap_bytes(pump->options.writer),
                                               now_ns - parts->begin_ns)
                          : prof_series_due(parts, pump->options.writer, now_ns);
}

void prof_cut_look_back(struct prof_pump *pump, uint64_t now_ns) {
  struct prof_snapshots *snapshots = &pump->snapshots;
  char folder[PATH_MAX];
  if (pump->options.parts == NULL || pump->closed || !is_summary(pump) ||
      __atomic_load_n(&snapshots->look_asked, __ATOMIC_ACQUIRE) == 0)
    return;
  if (!prof_snapshots_look_folder(snapshots, folder) ||
      !prof_summaries_look_back(&pump->summaries, folder, now_ns - pump->options.parts->begin_ns))
    return;
  __atomic_store_n(&snapshots->look_asked, 0, __ATOMIC_RELEASE);
  snapshots->look_ticks = pump->summaries.span.end;
  prof_snapshots_tell_look(snapshots, folder);
}

static struct prof_channel *open_channel(struct prof_pump *pump, uint32_t index) {
  return pump->channels[index].number != 0 ? &pump->channels[index] : NULL;
}

void prof_cut_prepare(struct prof_pump *pump) {
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (open_channel(pump, i) != NULL) {
      prof_light_write(&pump->light, pump->options.writer, i, &pump->channels[i], PROF_LIGHT_LAST);
      pump->channels[i].wait_begin = __atomic_load_n(&pump->options.region->threads[i].wait_begin, __ATOMIC_ACQUIRE);
    }
}

static int by_thread(const void *left, const void *right) {
  const struct prof_sampling_cut *a = left, *b = right;
  return prof_order(a->thread, b->thread);
}

/* Of each thread its events and figures up to `ticks`, or up to where it was read; then samples up to there. */
static void write_waiting(struct prof_pump *pump, uint64_t ticks) {
  PROF_VEC(struct prof_sampling_cut) cuts = {0};
  prof_gpu_streams_flush(&pump->gpu);
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (open_channel(pump, i) != NULL) {
      struct prof_sampling_cut cut = prof_channel_cut_end(&pump->channels[i], &pump->source, i, ticks);
      (void)prof_vec_push(&cuts, cut); /* without memory its samples are cut at `ticks` */
    }
  if (cuts.count > 0)
    qsort(cuts.items, cuts.count, sizeof *cuts.items, by_thread);
  prof_sampling_cut_end(pump->options.sampling, pump->source.now_ns, ticks, cuts.items, cuts.count);
  prof_vec_fini(&cuts);
}

static void end_file(struct prof_pump *pump, uint64_t ticks) {
  prof_writer *writer = pump->options.writer;
  struct prof_end_record end = {.reason = END_GOES_ON, .wait_status = (uint32_t)STATUS_UNKNOWN};
  write_waiting(pump, ticks);
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    end.lost += open_channel(pump, i) != NULL ? pump->channels[i].written.lost : 0;
  bool file = pump->options.parts->wish.mode == PROF_SERIES_STREAM;
  if (file || prof_snapshots_asked(&pump->snapshots) ||
      (is_summary(pump) && prof_summaries_writes(&pump->summaries, pump->source.now_ns)))
    prof_count_table_write(&pump->counts, writer);
  prof_slices_write(&pump->slices, writer, false);
  if (is_summary(pump))
    prof_machine_flush(&pump->machine, writer);
  else
    prof_machine_cut(&pump->machine, writer);
  prof_rates_write(&pump->rates, writer, pump->source.now_ns, true);
  prof_sampling_describe(pump->options.sampling);
  pump->frequency_hz = prof_clock_log_write(pump->options.clock, writer);
  if (!file)
    return;
  prof_series_times(pump->options.parts, pump->source.now_ns, &end);
  end.attach_ns = pump->result.attach_ns - pump->result.attach_before_ns;
  pump->result.attach_before_ns = pump->result.attach_ns;
  end.events = prof_writer_events(writer);
  (void)prof_writer_end(writer, &end); /* the writer keeps the error */
}

/* Facts of a process stay while a thread of it writes, or has written what isn't read yet: it may have no channel then.
 */
static bool is_read(void *context, uint32_t process) {
  const struct prof_pump *pump = context;
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++) {
    const struct prof_thread *record = &pump->options.region->threads[i];
    uint32_t state = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
    if (record->process == process && (state == PROF_THREAD_LIVE || state == PROF_THREAD_ENDED))
      return false;
  }
  return true;
}

static void forget(void *context, uint32_t process) {
  prof_writer_process_over(((struct prof_pump *)context)->options.writer, process);
}

/* What the present threads' figures are; later threads are shown whole. */
static void write_part(struct prof_pump *pump, uint64_t ticks, bool with_ended) {
  PROF_VEC(struct prof_part_thread) rows = {0};
  for (uint32_t number = 1; with_ended && number <= pump->result.threads; number++)
    (void)prof_vec_push(&rows, ((struct prof_part_thread){.thread = number, .hidden = true}));
  for (size_t i = 0; with_ended && i < pump->spared.count; i++)
    if (pump->spared.items[i] <= rows.count)
      rows.items[pump->spared.items[i] - 1].hidden = false;
  uint32_t ended = (uint32_t)rows.count;
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (open_channel(pump, i) != NULL) {
      struct prof_part_thread row = prof_channel_cut_begin(&pump->channels[i], &pump->source);
      if (row.thread <= ended)
        rows.items[row.thread - 1] = row;
      else
        (void)prof_vec_push(&rows, row); /* without memory its figures are those of the whole */
    }
  const struct prof_part part = {ticks, UINT64_MAX, rows.items, (uint32_t)rows.count};
  (void)prof_writer_part(pump->options.writer, &part); /* the writer keeps the error */
  prof_vec_fini(&pump->forgotten);
  memcpy(&pump->forgotten, &rows, sizeof pump->forgotten);
}

static void begin_file(struct prof_pump *pump, uint64_t ticks) {
  (void)prof_clock_log_write(pump->options.clock, pump->options.writer);
  prof_sampling_describe(pump->options.sampling);
  if (!is_summary(pump)) /* which has the whole figures of threads */
    write_part(pump, ticks, false);
  prof_sampling_cut_begin(pump->options.sampling);
}

/* What was asked for is there when this returns. */
static void take_summary(struct prof_pump *pump, uint64_t ticks) {
  bool asked = __atomic_load_n(&pump->snapshots.asked, __ATOMIC_ACQUIRE);
  bool look = __atomic_exchange_n(&pump->snapshots.look_asked, 0, __ATOMIC_ACQ_REL);
  char folder_of_look[PATH_MAX];
  bool shows = look && prof_snapshots_look_folder(&pump->snapshots, folder_of_look);
  if (shows)
    prof_summaries_look(&pump->summaries, folder_of_look);
  prof_summaries_take(&pump->summaries, pump->options.writer, ticks, asked, pump->source.now_ns);
  pump->summaries.held_ns = pump->source.now_ns - pump->options.parts->begin_ns;
  if (prof_sampling_cut_paths(pump->options.sampling))
    prof_writer_forget_paths(pump->options.writer);
  if (shows)
    (void)prof_summaries_wait(&pump->summaries);
  if (look)
    prof_snapshots_tell_look(&pump->snapshots, shows && pump->summaries.looked ? folder_of_look : NULL);
  if (!asked)
    return;
  __atomic_store_n(&pump->snapshots.asked, 0, __ATOMIC_RELEASE);
  const char *folder = prof_summaries_wait(&pump->summaries);
  prof_snapshots_tell(&pump->snapshots, folder != NULL ? "summary written: " : "no summary: ",
                      folder != NULL ? folder : pump->summaries.diag.what);
}

void prof_cut_make(struct prof_pump *pump, uint64_t ticks) {
  if (pump->closed)
    return;
  if (__atomic_load_n(&pump->snapshots.look_asked, __ATOMIC_ACQUIRE) != 0)
    pump->snapshots.look_ticks = ticks;
  end_file(pump, ticks);
  if (is_summary(pump))
    take_summary(pump, ticks);
  prof_processes_each_over(&pump->processes, is_read, forget, pump);
  if (prof_series_next(pump->options.parts, pump->options.writer, pump->source.now_ns) != PROF_OK)
    return;
  begin_file(pump, ticks);
  if (!is_summary(pump))
    prof_snapshots_take(&pump->snapshots, pump->options.parts, pump->options.writer, pump->source.now_ns);
  pump->file_ns = pump->source.now_ns;
  pump->clock_ns = pump->source.now_ns + CLOCK_NS;
}

void prof_cut_clear(struct prof_pump *pump, uint64_t ticks) {
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++) {
    struct prof_channel *channel = open_channel(pump, i);
    if (channel == NULL)
      continue;
    struct prof_matcher_figures figures;
    prof_matcher_figures(channel->matcher, &figures);
    channel->forgotten = figures.last_ticks < ticks ? channel->passed : UINT64_MAX;
    (void)prof_channel_cut_end(channel, &pump->source, i, ticks);
  }
  write_part(pump, ticks, true);
  pump->forgotten_ticks = ticks;
  pump->spared.count = 0;
  pump->summaries.clear_next = true;
}

void prof_cut_forget(struct prof_pump *pump, uint32_t number) {
  struct prof_part part = {pump->forgotten_ticks, UINT64_MAX, pump->forgotten.items, (uint32_t)pump->forgotten.count};
  for (size_t i = 0; i < pump->forgotten.count; i++)
    if (pump->forgotten.items[i].thread == number && !pump->forgotten.items[i].hidden) {
      pump->forgotten.items[i].hidden = true;
      (void)prof_writer_part(pump->options.writer, &part); /* the writer keeps the error */
    }
}

void prof_cut_flush(struct prof_pump *pump, uint64_t ticks) {
  prof_cut_prepare(pump);
  write_waiting(pump, ticks);
  prof_sampling_cut_begin(pump->options.sampling);
  prof_slices_write(&pump->slices, pump->options.writer, false);
  prof_machine_flush(&pump->machine, pump->options.writer);
  prof_sampling_describe(pump->options.sampling);
}
