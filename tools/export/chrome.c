/*
 * tools/export/chrome.c - Chrome's trace event format, for Perfetto and Chrome's tracing page: every call on a
 * timeline.
 *
 * A B and an E event per call, in time order within each thread.  Timestamps are microseconds with three decimals, of
 * the recording's one clock, so that threads can be compared.  A stall is a slice inside the call that waited; a call's
 * time is its length minus its stalls.  Source: "Trace Event Format" (Google, public document).  B and E instead of X:
 * calls with duration 0 stay nested.
 */
#include <string.h>

#include "base/diag.h"
#include "base/digits.h"
#include "base/json.h"
#include "chrome_gpu.h"
#include "exporters.h"
#include "fold/walk.h"
#include "name_cache.h"
#include "names/loop_frames.h"
#include "names/process_names.h"

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
  unsigned same; /* previous events with the same time and thread */
};

static void write_name(FILE *file, const char *name) {
  prof_json_quote(file, name, strlen(name));
}

static void put_head(struct writer *writer, const char *phase, uint32_t thread) {
  fputs(",\n{\"ph\":\"", writer->file);
  fputs(phase, writer->file);
  fputs("\",\"pid\":", writer->file);
  prof_digits_put(writer->file, writer->processes[writer->threads[thread].process].pid);
  fputs(",\"tid\":", writer->file);
  prof_digits_put(writer->file, writer->threads[thread].tid);
}

static void put_time(struct writer *writer, uint32_t thread, uint64_t time_ns) {
  bool same = writer->last_thread == thread && writer->last_ns == time_ns;
  writer->same = !same ? 0 : writer->same < 999 ? writer->same + 1 : 999;
  writer->last_thread = thread;
  writer->last_ns = time_ns;
  fputs(",\"ts\":", writer->file);
  prof_digits_put(writer->file, time_ns / 1000);
  putc('.', writer->file);
  prof_digits_three(writer->file, time_ns);
  if (writer->same)
    prof_digits_three(writer->file, writer->same);
}

static void write_wait(struct writer *writer, const struct prof_walk_event *event) {
  put_head(writer, "B", event->thread);
  put_time(writer, event->thread, event->time_ns);
  fputs(",\"cat\":\"recorder\",\"name\":\"" PROF_EXPORT_WAIT "\"}", writer->file);
  put_head(writer, "E", event->thread);
  put_time(writer, event->thread, event->time_ns + event->duration_ns);
  fputs(",\"cat\":\"recorder\",\"name\":\"" PROF_EXPORT_WAIT "\"}", writer->file);
}

static bool write_event(void *context, const struct prof_walk_event *event) {
  static const char *const phases[] = {[PROF_WALK_ENTER] = "B", [PROF_WALK_LEAVE] = "E", [PROF_WALK_GAP] = "i"};
  struct writer *writer = context;
  FILE *file = writer->file;
  prof_export_count(writer->source);
  if (event->kind == PROF_WALK_WAIT) {
    write_wait(writer, event);
    return !ferror(file);
  }
  put_head(writer, phases[event->kind], event->thread);
  put_time(writer, event->thread, event->time_ns);
  if (event->kind == PROF_WALK_GAP) {
    fputs(",\"s\":\"t\",\"name\":\"events lost\",\"args\":{\"count\":", file);
    prof_digits_put(file, event->lost);
    putc('}', file);
  } else {
    if (event->kind == PROF_WALK_ENTER && prof_frame_loop(writer->source->trace, event->function) != PROF_NONE)
      fputs(",\"cat\":\"loop\"", file);
    fputs(",\"name\":", file);
    if (!prof_name_cache_put(&writer->names, file, event->function))
      writer->status = prof_diag_memory(writer->diag);
  }
  putc('}', file);
  return writer->status == PROF_OK && !ferror(file);
}

static void write_label(FILE *file, const char *kind, uint32_t pid, uint32_t tid, const char *name, bool first) {
  fprintf(file, "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":", first ? "\n" : ",\n", pid,
          tid, kind);
  write_name(file, name);
  fputs("}}", file);
}

static void write_labels(struct writer *writer) {
  size_t process_count, thread_count;
  prof_trace_processes(writer->source->trace, &process_count);
  prof_trace_threads(writer->source->trace, &thread_count);
  if (process_count + thread_count == 0) /* all later events begin with a comma */
    write_label(writer->file, "process_name", 0, 0, "", true);
  for (size_t i = 0; i < process_count; i++) {
    const struct prof_process *process = &writer->processes[i];
    const char *name = prof_process_name(writer->source->trace, (uint32_t)i);
    write_label(writer->file, "process_name", process->pid, process->pid, name, i == 0);
  }
  for (size_t i = 0; i < thread_count; i++) {
    const struct prof_thread_info *thread = &writer->threads[i];
    write_label(writer->file, "thread_name", writer->processes[thread->process].pid, thread->tid,
                prof_thread_name(writer->source->trace, (uint32_t)i), !process_count && i == 0);
  }
}

static prof_status write_chrome(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.file = file, .source = source, .diag = diag, .last_thread = PROF_NONE};
  writer.threads = prof_trace_threads(source->trace, NULL);
  writer.processes = prof_trace_processes(source->trace, NULL);
  prof_status status = prof_name_cache_init(&writer.names, source->trace, source->names, NULL, NULL, write_name, diag);
  if (status != PROF_OK)
    return status;
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
  write_labels(&writer);
  status = prof_walk(source->trace, source->filter, PROF_WALK_BY_THREAD, write_event, &writer, diag);
  bool any = false;
  if (status == PROF_OK || status == PROF_EMPTY) {
    prof_status of_gpu = prof_chrome_gpu_write(file, source, diag, &any);
    status = of_gpu != PROF_OK || any ? of_gpu : status;
  }
  fputs("\n]}\n", file);
  prof_name_cache_fini(&writer.names);
  return writer.status == PROF_OK ? status : writer.status;
}

const struct prof_exporter prof_exporter_chrome = {
    .name = "chrome",
    .summary = "every call in time, for Perfetto and Chrome",
    .has_timeline = true,
    .only_timeline = true,
    .write = write_chrome,
};
