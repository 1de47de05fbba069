/*
 * tools/export/chrome.c - Chrome's trace event format, for Perfetto and Chrome's tracing page: every call on a
 * timeline.
 *
 * An X event per call, at its end, with begin and length: a call comes after the calls in it, and viewers sort.
 * Timestamps are microseconds with three decimals, of the recording's one clock, so that threads can be compared.
 * Events of a thread with the same time are moved apart by thousandths of a nanosecond, so that a call's interval lies
 * strictly within that of its caller.  A stall is a slice inside the call that waited; a call's time is its length
 * minus its stalls.  Source: "Trace Event Format" (Google, public document).
 *
 * A call takes at most CALL_BYTES bytes.  A name that is too long is shortened; the full names stand once at the end of
 * the file.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/json.h"
#include "base/vec.h"
#include "brief_name.h"
#include "chrome_gpu.h"
#include "exporters.h"
#include "fold/walk.h"
#include "machine_tracks.h"
#include "memory_tracks.h"
#include "name_cache.h"
#include "names/loop_frames.h"
#include "names/point_value.h"
#include "names/process_names.h"
#include "text_table.h"

#define CALL_BYTES 160

struct writer {
  FILE *file;
  const struct prof_export_source *source;
  struct prof_name_cache names;
  struct prof_diag *diag;
  prof_status status;
  const struct prof_thread_info *threads;
  const struct prof_process *processes;
  uint32_t last_thread; /* of the previous event */
  uint64_t last_ns;
  unsigned same;                /* previous events with the same time and thread */
  PROF_VEC(uint64_t) open;      /* begin of each open call, in picoseconds */
  size_t name_bytes;            /* most that a name may have, with quotes */
  PROF_VEC(uint32_t) shortened; /* functions with shortened names */
  struct prof_text_table brief_names;
};

static void write_name(FILE *file, const char *name) {
  prof_json_quote(file, name, strlen(name));
}

/* What a call with an empty name takes at most, in this recording. */
static size_t empty_call_bytes(const prof_trace *trace, bool loops) {
  size_t thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const struct prof_process *processes = prof_trace_processes(trace, NULL);
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t last_ns =
      info->last_ticks > info->start_ticks ? prof_trace_ns(trace, info->last_ticks - info->start_ticks) : 0;
  uint32_t pid = 0, tid = 0;
  for (size_t i = 0; i < thread_count; i++) {
    pid = processes[threads[i].process].pid > pid ? processes[threads[i].process].pid : pid;
    tid = threads[i].tid > tid ? threads[i].tid : tid;
  }
  int event = snprintf(
      NULL, 0, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ".123456,\"dur\":%" PRIu64 ".123456,\"name\":}",
      pid, tid, last_ns / 1000, last_ns / 1000);
  return (size_t)event + (loops ? strlen(",\"cat\":\"loop\"") : 0);
}

/* A name for the cache: as it is, or shortened. */
static void write_brief_name(void *context, FILE *file, const char *name, uint32_t number) {
  struct writer *writer = context;
  char *quoted = NULL, brief[CALL_BYTES], *copy = NULL;
  size_t bytes = 0;
  FILE *memory = open_memstream(&quoted, &bytes);
  if (memory) {
    write_name(memory, name);
    if (fclose(memory) == 0 && bytes <= writer->name_bytes)
      fwrite(quoted, 1, bytes, file);
    else
      copy = strdup(name);
  }
  if (copy) {
    const size_t known = writer->brief_names.texts.count;
    prof_brief_name(brief, writer->name_bytes - 2, copy, number, false);
    if (prof_text_table_number(&writer->brief_names, brief) < known)
      prof_brief_name(brief, writer->name_bytes - 2, copy, number, true);
    write_name(file, brief);
  }
  if (!memory || (copy ? !prof_vec_push(&writer->shortened, number) : bytes > writer->name_bytes))
    writer->status = prof_diag_memory(writer->diag);
  free(copy);
  free(quoted);
}

/* Members of the file: shortened name -> full name. */
static void write_full_names(struct writer *writer) {
  const char *comma = "";
  if (writer->shortened.count)
    fputs(",\"otherData\":{\"full_names\":{", writer->file);
  for (size_t i = 0; i < writer->shortened.count; i++) {
    fprintf(writer->file, "%s\n", comma);
    (void)prof_name_cache_put(&writer->names, writer->file, writer->shortened.items[i]); /* it is there */
    putc(':', writer->file);
    write_name(writer->file, prof_names_function(writer->source->names, writer->shortened.items[i]));
    comma = ",";
  }
  if (writer->shortened.count)
    fputs("}}", writer->file);
}

static void put_head(struct writer *writer, const char *phase, uint32_t thread) {
  fputs(",\n{\"ph\":\"", writer->file);
  fputs(phase, writer->file);
  fputs("\",\"pid\":", writer->file);
  prof_digits_put(writer->file, writer->processes[writer->threads[thread].process].pid);
  fputs(",\"tid\":", writer->file);
  prof_digits_put(writer->file, writer->threads[thread].tid);
}

/* The time of the thread's next event in picoseconds, later than that of the one before. */
static uint64_t moment_of(struct writer *writer, uint32_t thread, uint64_t time_ns) {
  bool same = writer->last_thread == thread && writer->last_ns == time_ns;
  writer->same = !same ? 0 : writer->same < 999 ? writer->same + 1 : 999;
  writer->last_thread = thread;
  writer->last_ns = time_ns;
  return time_ns * 1000 + writer->same;
}

/* Microseconds. */
static void put_time(struct writer *writer, const char *key, uint64_t picoseconds) {
  fputs(key, writer->file);
  prof_digits_put(writer->file, picoseconds / 1000000);
  putc('.', writer->file);
  prof_digits_three(writer->file, picoseconds / 1000);
  if (picoseconds % 1000)
    prof_digits_three(writer->file, picoseconds);
}

static void put_span(struct writer *writer, uint32_t thread, uint64_t begin, uint64_t end) {
  put_head(writer, "X", thread);
  put_time(writer, ",\"ts\":", begin);
  put_time(writer, ",\"dur\":", end - begin);
}

static void write_wait(struct writer *writer, const struct prof_walk_event *event) {
  uint64_t begin = moment_of(writer, event->thread, event->time_ns);
  put_span(writer, event->thread, begin, moment_of(writer, event->thread, event->time_ns + event->duration_ns));
  fputs(",\"cat\":\"recorder\",\"name\":\"" PROF_EXPORT_WAIT "\"}", writer->file);
}

static void write_gap(struct writer *writer, const struct prof_walk_event *event) {
  put_head(writer, "i", event->thread);
  put_time(writer, ",\"ts\":", moment_of(writer, event->thread, event->time_ns));
  fputs(",\"s\":\"t\",\"name\":\"events lost\",\"args\":{\"count\":", writer->file);
  prof_digits_put(writer->file, event->lost);
  fputs("}}", writer->file);
}

/* A counter is one of its process; the others are moments of their thread. */
static void write_point(struct writer *writer, const struct prof_walk_event *event) {
  const struct prof_site_info site = prof_trace_site(writer->source->trace, event->site);
  const struct prof_point *point = prof_point_of(writer->source->trace, &site);
  const bool counts = point->kind == PROF_POINT_IS_COUNTER;
  const char *phase = counts                                    ? "C"
                      : point->kind == PROF_POINT_IS_SPAN_BEGIN ? "b"
                      : point->kind == PROF_POINT_IS_SPAN_END   ? "e"
                                                                : "i";
  char value[PROF_POINT_VALUE_BYTES], shown[PROF_POINT_SHOWN_BYTES], brief[PROF_BRIEF_NAME_LEAST + CALL_BYTES],
      *name = strdup(point->name);
  if (!name)
    writer->status = prof_diag_memory(writer->diag);
  if (!name || (counts && !isfinite(prof_point_number(&site, event->value)))) {
    free(name);
    return; /* the format has no such values */
  }
  if (strlen(name) > CALL_BYTES)
    prof_brief_name(brief, CALL_BYTES / 2, name, site.point, true);
  put_head(writer, phase, event->thread);
  put_time(writer, ",\"ts\":", moment_of(writer, event->thread, event->time_ns));
  const bool spans = *phase == 'b' || *phase == 'e';
  fprintf(writer->file, ",\"cat\":\"%s\"%s,\"name\":", spans ? "span" : prof_point_kind(point),
          *phase == 'i' ? ",\"s\":\"t\"" : "");
  write_name(writer->file, strlen(point->name) > CALL_BYTES ? brief : point->name);
  if (spans) {
    fprintf(writer->file, ",\"id\":\"%s\"", prof_point_text(&site, event->value, value));
  } else if (prof_point_has_value(&site)) {
    fputs(",\"args\":{", writer->file);
    write_name(writer->file, counts && *point->unit ? point->unit : "value");
    putc(':', writer->file);
    const char *word = prof_point_word(&site, event->value, event->text, shown);
    if (prof_point_is_number(&site))
      fputs(*word ? word : "null", writer->file);
    else
      write_name(writer->file, word);
    putc('}', writer->file);
  }
  putc('}', writer->file);
  free(name);
}

static void write_call(struct writer *writer, const struct prof_walk_event *event) {
  const uint64_t end = moment_of(writer, event->thread, event->time_ns);
  if (writer->open.count == 0)
    return;
  put_span(writer, event->thread, writer->open.items[--writer->open.count], end);
  if (prof_frame_loop(writer->source->trace, event->function) != PROF_NONE)
    fputs(",\"cat\":\"loop\"", writer->file);
  fputs(",\"name\":", writer->file);
  if (!prof_name_cache_put(&writer->names, writer->file, event->function))
    writer->status = prof_diag_memory(writer->diag);
  putc('}', writer->file);
}

static bool write_event(void *context, const struct prof_walk_event *event) {
  struct writer *writer = context;
  const bool goes_on = prof_export_count(writer->source);
  if (event->kind == PROF_WALK_WAIT)
    write_wait(writer, event);
  else if (event->kind == PROF_WALK_GAP)
    write_gap(writer, event);
  else if (event->kind == PROF_WALK_POINT)
    write_point(writer, event);
  else if (event->kind == PROF_WALK_LEAVE)
    write_call(writer, event);
  else if (!prof_vec_push(&writer->open, moment_of(writer, event->thread, event->time_ns)))
    writer->status = prof_diag_memory(writer->diag);
  return writer->status == PROF_OK && !ferror(writer->file) && goes_on;
}

static void write_label(FILE *file, const char *kind, uint32_t pid, uint32_t tid, const char *name, bool first) {
  fprintf(file, "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":", first ? "\n" : ",\n", pid,
          tid, kind);
  write_name(file, name);
  fputs("}}", file);
}

static void write_labels(struct writer *writer) {
  size_t process_count, thread_count, written = 0;
  prof_trace_processes(writer->source->trace, &process_count);
  prof_trace_threads(writer->source->trace, &thread_count);
  for (uint32_t i = 0; i < process_count; i++) {
    const struct prof_process *process = &writer->processes[i];
    if (!prof_process_is_hidden(writer->source->trace, i))
      write_label(writer->file, "process_name", process->pid, process->pid,
                  prof_process_title(writer->source->trace, i), written++ == 0);
  }
  for (uint32_t i = 0; i < thread_count; i++) {
    const struct prof_thread_info *thread = &writer->threads[i];
    if (!thread->hidden)
      write_label(writer->file, "thread_name", writer->processes[thread->process].pid, thread->tid,
                  prof_thread_name(writer->source->trace, i), written++ == 0);
  }
  if (written == 0) /* all later events begin with a comma */
    write_label(writer->file, "process_name", 0, 0, "", true);
}

static prof_status write_chrome(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source, .diag = diag, .last_thread = PROF_NONE};
  writer.threads = prof_trace_threads(source->trace, NULL);
  writer.processes = prof_trace_processes(source->trace, NULL);
  const size_t empty = empty_call_bytes(source->trace, source->filter->loops), least = PROF_BRIEF_NAME_LEAST + 2;
  writer.name_bytes = CALL_BYTES > empty + least ? CALL_BYTES - empty : least;
  prof_status status =
      prof_name_cache_init(&writer.names, source->trace, source->names, NULL, NULL, write_brief_name, &writer, diag);
  if (status != PROF_OK)
    return status;
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
  write_labels(&writer);
  status = prof_walk_points(source->trace, source->filter, PROF_WALK_BY_THREAD, write_event, &writer, diag);
  bool any = false;
  if (status == PROF_OK || status == PROF_EMPTY) {
    prof_chrome_machine_write(file, source);
    prof_status more = prof_chrome_memory_write(file, source, diag);
    if (more == PROF_OK)
      more = prof_chrome_gpu_write(file, source, diag, &any);
    status = more != PROF_OK || any ? more : status;
  }
  fputs("\n]", file);
  write_full_names(&writer);
  fputs("}\n", file);
  prof_vec_fini(&writer.shortened);
  prof_vec_fini(&writer.open);
  prof_text_table_fini(&writer.brief_names);
  prof_name_cache_fini(&writer.names);
  return writer.status == PROF_OK ? status : writer.status;
}

const struct prof_exporter prof_exporter_chrome = {
    .name = "chrome",
    .summary = "every call in time, for Perfetto and Chrome",
    .has_timeline = true,
    .only_timeline = true,
    .has_points = true,
    .write = write_chrome,
};
