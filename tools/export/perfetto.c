/*
 * tools/export/perfetto.c - Perfetto's own format (protocol buffers, compressed): every call on a timeline.
 *
 * A track per thread with its calls, below it a track of the time when the thread did not run, and tracks of GPU work.
 * Marks are moments on a thread's track, counters tracks of their process.  Times are nanoseconds of the recording's
 * one clock, since its start, so that threads can be compared.  A stall is a slice inside the call that waited. Memory:
 * names, scheduler switches and GPU work.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "exporters.h"
#include "fold/walk.h"
#include "machine_tracks.h"
#include "memory_tracks.h"
#include "names/loop_frames.h"
#include "names/point_value.h"
#include "names/process_names.h"
#include "perfetto_counters.h"
#include "perfetto_file.h"
#include "perfetto_gpu.h"
#include "text_table.h"

struct writer {
  const struct prof_export_source *source;
  struct prof_perfetto_file out;
  struct prof_perfetto_uuids uuids;
  struct prof_text_table texts;
  uint32_t *named;      /* by name number: the sequence that it was written on */
  uint32_t unknown;     /* number of functions that aren't known */
  uint32_t wait_name;   /* name number of a stall */
  uint32_t lost_name;   /* of lost events */
  uint32_t first_point; /* of points: theirs from here on */
  uint32_t thread;      /* of the current sequence */
  struct prof_perfetto_counters counters;
};

/* Escaped; lives as long as the writer.  "": no memory. */
static const char *text_of(struct writer *writer, const char *text) {
  uint32_t number = prof_text_table_plain(&writer->texts, text);
  writer->out.failed |= number == UINT32_MAX;
  return number == UINT32_MAX ? "" : writer->texts.texts.items[number];
}

/* ---- tracks ---- */

static void write_tracks(struct writer *writer) {
  size_t process_count, thread_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  writer->uuids.processes = 1;
  writer->uuids.threads = writer->uuids.processes + process_count;
  writer->uuids.others = writer->uuids.threads + 2 * thread_count; /* waits follow threads */
  for (uint32_t i = 0; i < process_count; i++)
    if (!prof_process_is_hidden(trace, i))
      prof_perfetto_process(&writer->out, writer->uuids.processes + i, processes[i].pid,
                            text_of(writer, prof_process_title(trace, i)));
  for (uint32_t i = 0; i < thread_count; i++)
    if (!threads[i].hidden)
      prof_perfetto_thread(&writer->out, writer->uuids.threads + i, processes[threads[i].process].pid, threads[i].tid,
                           text_of(writer, prof_thread_name(trace, i)));
}

/* ---- calls ---- */

static struct prof_perfetto_event named_event(struct writer *writer, uint64_t time_ns, uint32_t number,
                                              const char *name) {
  struct prof_perfetto_event event = {.time_ns = time_ns, .name_number = (uint64_t)number + 1};
  if (writer->named[number] != writer->out.sequence) {
    writer->named[number] = writer->out.sequence;
    event.name = text_of(writer, name);
  }
  return event;
}

static void write_point(struct writer *writer, const struct prof_walk_event *event) {
  const prof_trace *trace = writer->source->trace;
  const struct prof_site_info site = prof_trace_site(trace, event->site);
  const struct prof_point *point = prof_point_of(trace, &site);
  const double value = prof_point_number(&site, event->value);
  if (point->kind == PROF_POINT_IS_COUNTER) {
    const uint32_t process = prof_trace_threads(trace, NULL)[event->thread].process;
    const struct prof_perfetto_reading reading = {event->time_ns, value, process, site.point};
    writer->out.failed |= !prof_perfetto_counters_add(&writer->counters, &reading);
    return;
  }
  struct prof_perfetto_event named = named_event(writer, event->time_ns, writer->first_point + site.point, point->name);
  char word[PROF_POINT_SHOWN_BYTES];
  if (!prof_point_is_number(&site))
    prof_perfetto_text(&writer->out, &named, "value", prof_point_word(&site, event->value, event->text, word));
  else if (prof_point_has_value(&site))
    prof_perfetto_value(&writer->out, &named, "value", value);
  else
    prof_perfetto_instant(&writer->out, &named, NULL, 0);
}

static bool write_event(void *context, const struct prof_walk_event *event) {
  struct writer *writer = context;
  struct prof_perfetto_file *out = &writer->out;
  const bool goes_on = prof_export_count(writer->source);
  if (writer->thread != event->thread) {
    writer->thread = event->thread;
    prof_perfetto_sequence(out, writer->uuids.threads + event->thread);
  }
  struct prof_perfetto_event named;
  if (event->kind == PROF_WALK_ENTER) {
    const uint32_t number = event->function == PROF_NONE ? writer->unknown : event->function;
    named = named_event(writer, event->time_ns, number, prof_names_function(writer->source->names, event->function));
    prof_perfetto_begin(out, &named);
  } else if (event->kind == PROF_WALK_LEAVE) {
    prof_perfetto_end(out, event->time_ns);
  } else if (event->kind == PROF_WALK_WAIT) {
    named = named_event(writer, event->time_ns, writer->wait_name, PROF_EXPORT_WAIT);
    prof_perfetto_begin(out, &named);
    prof_perfetto_end(out, event->time_ns + event->duration_ns);
  } else if (event->kind == PROF_WALK_POINT) {
    write_point(writer, event);
  } else {
    named = named_event(writer, event->time_ns, writer->lost_name, "events lost");
    prof_perfetto_instant(out, &named, "count", event->lost);
  }
  return !out->failed && !ferror(out->file) && goes_on;
}

/* ---- waits ---- */

/* Cuts the pause to the filter's range; false: it isn't shown. */
static bool clip(const struct writer *writer, struct prof_pause *pause) {
  const struct prof_filter *filter = writer->source->filter;
  const struct prof_node *nodes = writer->source->profile->nodes;
  if (pause->stalled || pause->node == PROF_NONE || pause->node == 0 || nodes[pause->node].parent == 0)
    return false;
  if (filter->active) {
    pause->begin = pause->begin < filter->begin_ticks ? filter->begin_ticks : pause->begin;
    pause->end = pause->end > filter->end_ticks ? filter->end_ticks : pause->end;
  }
  return pause->begin < pause->end;
}

static void write_waits(struct writer *writer) {
  size_t thread_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_samples *samples = writer->source->samples;
  const uint64_t start = prof_trace_info(trace)->start_ticks;
  uint32_t thread = PROF_NONE;
  prof_trace_threads(trace, &thread_count);
  for (size_t i = 0; samples && !samples->has_sparse_pauses && i < samples->pause_count && !writer->out.failed; i++) {
    struct prof_pause pause = samples->pauses[i];
    if (!clip(writer, &pause) || pause.begin < start)
      continue;
    if (thread != pause.thread) {
      thread = pause.thread;
      const uint64_t uuid = writer->uuids.threads + thread_count + thread;
      prof_perfetto_track(&writer->out, uuid, writer->uuids.threads + thread, "off the processor");
      prof_perfetto_sequence(&writer->out, uuid);
    }
    prof_perfetto_begin(&writer->out,
                        &(struct prof_perfetto_event){.time_ns = prof_trace_ns(trace, pause.begin - start),
                                                      .name = pause.waits ? "waiting" : "preempted"});
    prof_perfetto_end(&writer->out, prof_trace_ns(trace, pause.end - start));
  }
}

/* ---- the file ---- */

static prof_status write_perfetto(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  size_t functions, points;
  struct writer writer = {.source = source, .out = {.file = file}, .thread = PROF_NONE};
  prof_trace_functions(source->trace, &functions);
  writer.unknown = (uint32_t)functions;
  writer.wait_name = prof_frame_count(source->trace);
  writer.lost_name = writer.wait_name + 1;
  writer.first_point = writer.lost_name + 1;
  prof_trace_points(source->trace, &points);
  writer.named = calloc(writer.first_point + points, sizeof *writer.named);
  if (!writer.named)
    return prof_diag_memory(diag);
  write_tracks(&writer);
  prof_status status = prof_walk_points(source->trace, source->filter, PROF_WALK_BY_THREAD, write_event, &writer, diag);
  bool any = false;
  if (status == PROF_OK) {
    write_waits(&writer);
    writer.out.failed |=
        !prof_perfetto_counters_write(&writer.counters, &writer.out, source->trace, &writer.uuids, &writer.texts);
  }
  if (status == PROF_OK || status == PROF_EMPTY) {
    prof_perfetto_machine_write(&writer.out, source, &writer.uuids);
    prof_status more = prof_perfetto_memory_write(&writer.out, source, &writer.uuids, diag);
    if (more == PROF_OK)
      more = prof_perfetto_gpu_write(&writer.out, source, &writer.uuids, diag, &any);
    status = more != PROF_OK || any ? more : status;
  }
  bool written = prof_perfetto_finish(&writer.out);
  prof_perfetto_counters_fini(&writer.counters);
  prof_text_table_fini(&writer.texts);
  free(writer.named);
  return written ? status : prof_diag_memory(diag);
}

const struct prof_exporter prof_exporter_perfetto = {
    .name = "perfetto",
    .summary = "every call in time, waits and GPU work, compressed, for Perfetto",
    .has_timeline = true,
    .only_timeline = true,
    .has_points = true,
    .has_waits = true,
    .write = write_perfetto,
};
