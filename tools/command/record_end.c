/*
 * tools/command/record_end.c - see record_end.h.
 */
#include "record_end.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "added_cost.h"
#include "base/text.h"
#include "control.h"
#include "fold/filter.h"
#include "hint.h"
#include "measure.h"
#include "record_budget.h"
#include "source/no_probes.h"
#include "view/units.h"

enum { NAME_BYTES = 512 };

static const char *escaped(char out[NAME_BYTES], const char *name) {
  prof_text_escape(out, NAME_BYTES, name, strlen(name));
  return out;
}

static void print_time(FILE *file, const struct prof_session_result *result) {
  char wall[PROF_UNITS_BYTES], user[PROF_UNITS_BYTES], system[PROF_UNITS_BYTES], own[PROF_UNITS_BYTES];
  fprintf(file, "prof: time %s, user %s, system %s; the recorder's own %s\n",
          prof_units_duration(wall, result->wall_ns), prof_units_duration(user, result->user_ns),
          prof_units_duration(system, result->system_ns), prof_units_duration(own, result->recorder_cpu_ns));
  if (WIFSIGNALED(result->wait_status)) {
    const char *name = sigabbrev_np(WTERMSIG(result->wait_status));
    fprintf(file, "prof: the program was ended by SIG%s\n", name != NULL ? name : "?");
    if (WTERMSIG(result->wait_status) == SIGSYS)
      fprintf(file,
              "  if by its seccomp filter: recording needs rt_sigprocmask, futex, getcpu, prctl, clock_gettime\n");
  }
}

#define START_PARTS 10 /* less than this part of the cost isn't told */

static const char *at_start(const struct prof_session_result *result) {
  return result->pump.attached > 1 ? "at the start of processes" : "at its start";
}

static void print_cost(FILE *file, const struct prof_session_result *result) {
  const struct prof_channel_sums *sums = &result->pump.sums;
  char calls[PROF_UNITS_BYTES], cost[PROF_UNITS_BYTES], stalled[PROF_UNITS_BYTES], readings[PROF_UNITS_BYTES],
      loops[PROF_UNITS_BYTES];
  double tick_ns = result->frequency_hz > 0 ? 1e9 / (double)result->frequency_hz : 0;
  double event_ns = result->pump.event_cost / 1000.0 * tick_ns, line_ns = result->pump.line_cost / 1000.0 * tick_ns;
  double events_ns = prof_added_cost_ns(sums->events - sums->untimed + sums->left_out, event_ns,
                                        (double)sums->line_readings * line_ns);
  bool has_budget =
      result->pump.governor.budget > 0; /* then a line of its own has the overhead, of all that adds to it */
  const char *plural = sums->calls == 1 ? "" : "s";
  if (has_budget)
    fprintf(file, "prof: recorded one by one: %s call%s", prof_units_count(calls, sums->calls), plural);
  else
    fprintf(file, "prof: added cost about %s in %s call%s", prof_units_duration(cost, (uint64_t)events_ns),
            prof_units_count(calls, sums->calls), plural);
  if (sums->loop_entries > 0)
    fprintf(file, " and %s loop entr%s", prof_units_count(loops, sums->loop_entries),
            sums->loop_entries == 1 ? "y" : "ies");
  if (!has_budget)
    fprintf(file, " (%.1f ns per event)", event_ns);
  if (sums->line_readings > 0)
    fprintf(file, " and %s readings for lines (%.1f ns each)", prof_units_count(readings, sums->line_readings),
            line_ns);
  if (!has_budget && START_PARTS * (double)result->pump.attach_ns >= events_ns && result->pump.attach_ns > 0)
    fprintf(file, " and %s %s", prof_units_duration(cost, result->pump.attach_ns), at_start(result));
  fprintf(file, ", %s waiting for the recorder\n",
          prof_units_duration(stalled, (uint64_t)((double)sums->stalled_ticks * tick_ns)));
}

static void print_trace(FILE *file, const struct prof_session_result *result) {
  const struct prof_channel_sums *sums = &result->pump.sums;
  char events[PROF_UNITS_BYTES], lost[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], folder[NAME_BYTES];
  uint64_t unwritten = result->written != PROF_OK ? sums->events - result->file_events : 0;
  uint64_t gone = sums->lost + unwritten, there = sums->events - unwritten;
  if (there == 0 && gone == 0) {
    fprintf(file, "prof: no calls, %s in %s\n", prof_units_bytes(bytes, result->file_bytes),
            escaped(folder, result->folder));
    return;
  }
  fprintf(file, "prof: %s event%s of %u thread%s, %s lost, %s in %s", prof_units_count(events, there),
          there == 1 ? "" : "s", result->pump.threads, result->pump.threads == 1 ? "" : "s",
          gone > 0 ? prof_units_count(lost, gone) : "none", prof_units_bytes(bytes, result->file_bytes),
          escaped(folder, result->folder));
  if (there > 0)
    fprintf(file, " (%.2f bytes per event)", (double)result->file_bytes / (double)there);
  fprintf(file, "\n");
}

static void print_kept(FILE *file, const struct prof_session_result *result) {
  char calls[PROF_UNITS_BYTES], text[NAME_BYTES];
  if (result->pump.sums.left_out > 0)
    fprintf(file, "prof: filters left out %s call%s\n", prof_units_count(calls, result->pump.sums.left_out / 2),
            result->pump.sums.left_out / 2 == 1 ? "" : "s");
  if (result->pump.unmet[0] != 0)
    fprintf(file, "prof: %s\n", escaped(text, result->pump.unmet));
}

static void print_parts(FILE *file, const struct prof_session_result *result) {
  const char *plural = result->parts == 1 ? "" : "s";
  if (result->mode == PROF_SERIES_RING)
    fprintf(file, "prof: %u snapshot%s; readers show the newest\n", result->parts, plural);
  else if (result->parts > 0)
    fprintf(file, "prof: %u part%s, %u kept; readers show the newest\n", result->parts, plural,
            result->parts - result->parts_deleted);
}

static void print_gpu(FILE *file, const struct prof_session_result *result) {
  const struct prof_gpu_sums *gpu = &result->pump.gpu;
  char kernels[PROF_UNITS_BYTES], copies[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES], lost[PROF_UNITS_BYTES];
  char untimed[PROF_UNITS_BYTES], note[NAME_BYTES];
  uint64_t gone = gpu->dropped + gpu->lost;
  if (gpu->kernels + gpu->copies + gpu->sets + gpu->calls > 0)
    fprintf(file, "prof: GPU: %s kernel%s, %s copies and sets, %s API call%s; %s lost, %s without a time\n",
            prof_units_count(kernels, gpu->kernels), gpu->kernels == 1 ? "" : "s",
            prof_units_count(copies, gpu->copies + gpu->sets), prof_units_count(calls, gpu->calls),
            gpu->calls == 1 ? "" : "s", gone > 0 ? prof_units_count(lost, gone) : "none",
            gpu->untimed > 0 ? prof_units_count(untimed, gpu->untimed) : "none");
  if (gpu->first_note[0] != 0)
    fprintf(file, "prof: %s\n", escaped(note, gpu->first_note));
  if (result->no_gpu != NULL)
    fprintf(file, "prof: %s\n", result->no_gpu);
}

/* The first thing that the runtime could not do, if it may be a measure. */
static void print_measures(FILE *file, const struct prof_session_result *result) {
  char note[NAME_BYTES];
  const char *error = result->pump.first_error;
  if (result->measures != 0 && error[0] != 0 && strcmp(error, PROF_LOG_NARROW) != 0)
    fprintf(file, "prof: %s\n", escaped(note, error));
}

static void print_remarks(FILE *file, const struct prof_session_remarks *remarks) {
  for (unsigned i = 0; i < remarks->count; i++)
    fprintf(file, "prof: %s\n", remarks->text[i]);
}

static void print_losses(FILE *file, const struct prof_session_result *result) {
  if (result->pump.sums.lost == 0 || result->written != PROF_OK)
    return;
  if (strcmp(result->pump.first_error, PROF_LOG_NARROW) == 0)
    fprintf(file, "prof: " PROF_LOG_NARROW "\n  raise the limit, or make fewer threads at a time\n");
  else
    fprintf(file,
            "prof: the recorder could not keep up\n"
            "  use --when-full=wait, a larger --buffer=N, or fewer probes (-fplugin-arg-prof-min-statements=N)\n");
}

/* The readers of the measures that were recorded. */
static void print_next_measures(FILE *file, const struct prof_session_result *result, const char *input) {
  static const struct {
    uint32_t flag;
    const char *reader;
    enum prof_measure_operation first, last;
  } rows[] = {{PROF_CONTROL_MEMORY, "memory", PROF_MEASURE_ALLOC, PROF_MEASURE_UNMAP},
              {PROF_CONTROL_LOCKS, "locks", PROF_MEASURE_WAITS, PROF_MEASURE_WORK_ENDS},
              {PROF_CONTROL_IO, "io", PROF_MEASURE_READ, PROF_MEASURE_ACCEPT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (result->measures & rows[i].flag &&
        result->pump.sums.operations >> rows[i].first & ((2ull << (rows[i].last - rows[i].first)) - 1))
      fprintf(file, " prof %s%s,", rows[i].reader, input);
}

static void print_next(FILE *file, const struct prof_session_result *result, bool has_calls) {
  char input[PROF_HINT_BYTES];
  if (result->file_bytes == 0) /* deleted */
    return;
  prof_hint_input(input, result->folder);
  fprintf(file, "prof: next:");
  print_next_measures(file, result, input);
  if (result->counts)
    fprintf(file, " prof counters%s,", input);
  if (!has_calls)
    fprintf(file, " prof gpu%s, prof flame --gpu%s\n", input, input);
  else
    fprintf(file, " prof report%s, prof tree%s, prof flame%s\n", input, input, input);
}

/* Prints which start of recording the program did not reach; false: another cause. */
static bool print_no_slice(FILE *file, const struct prof_session_result *result) {
  const struct prof_region_bounds *bounds = &result->bounds;
  char name[NAME_BYTES];
  if (result->pump.slices > 0 || result->pump.processes == 0 || (bounds->capture == NULL && bounds->delay_ns == 0))
    return false;
  if (bounds->capture == NULL)
    fprintf(file, "prof: nothing was recorded: the program ended before --delay had passed\n");
  else if (strcmp(bounds->capture, PROF_CAPTURE_API) == 0)
    fprintf(file, "prof: nothing was recorded: the program did not call cudaProfilerStart\n");
  else
    fprintf(file, "prof: nothing was recorded: no range of NVTX was called '%s'\n", escaped(name, bounds->capture));
  return true;
}

static void print_ended_early(FILE *file, const struct prof_session_result *result) {
  char bytes[PROF_UNITS_BYTES];
  if (result->written != PROF_OK)
    fprintf(file, "prof: %s%s%s%s\n  %s\n", result->write_diag.what, result->write_diag.file[0] ? " (" : "",
            result->write_diag.file, result->write_diag.file[0] ? ")" : "", result->write_diag.remedy);
  else if (result->pump.end == PROF_PUMP_SIZE_LIMIT && result->pump.names_fill)
    fprintf(file,
            "prof: the recording ended: function names alone fill its size limit of %s\n"
            "  raise --max-size=N, or use fewer probes (-fplugin-arg-prof-min-statements=N)\n",
            prof_units_bytes(bytes, result->max_bytes));
  else if (result->pump.end == PROF_PUMP_SIZE_LIMIT)
    fprintf(file,
            "prof: the recording reached its size limit of %s and ended; the program continued\n"
            "  raise --max-size=N, or use fewer probes (-fplugin-arg-prof-min-statements=N)\n",
            prof_units_bytes(bytes, result->max_bytes));
}

static void print_left_behind(FILE *file, const struct prof_session_result *result) {
  if (result->pump.going_on > 0)
    fprintf(file, "prof: %u of its processes still run%s, unrecorded from here on\n", result->pump.going_on,
            result->pump.going_on == 1 ? "s" : "");
}

static void print_unrecorded(FILE *file, const struct prof_session_result *result) {
  const struct prof_unrecorded *unrecorded = &result->pump.unrecorded;
  char name[NAME_BYTES];
  bool one = unrecorded->processes == 1;
  if (unrecorded->processes > 0)
    fprintf(file,
            "prof: %u instrumented process%s %s not recorded: started without PROF_RECORD (%s%s)\n"
            "  let the program pass PROF_RECORD, PROF_RING and PROF_RUNTIME on in the environment\n",
            unrecorded->processes, one ? "" : "es", one ? "was" : "were",
            one ? "" : "first: ", escaped(name, unrecorded->first));
}

/* Prints why nothing was recorded. */
static void print_why(FILE *file, const struct prof_session_result *result) {
  char name[NAME_BYTES];
  enum prof_no_probes why = prof_no_probes_find(result->program);
  if (print_no_slice(file, result))
    return;
  if (result->pump.end == PROF_PUMP_SIZE_LIMIT) {
    print_ended_early(file, result);
    return;
  }
  if (result->pump.unmet[0] != 0) {
    fprintf(file, "prof: nothing was recorded: %s\n", escaped(name, result->pump.unmet));
    return;
  }
  if (result->pump.sums.left_out > 0) {
    fprintf(file, "prof: nothing was recorded: no call passed the filters\n");
    return;
  }
  if (result->pump.first_error[0] != 0)
    fprintf(file, "prof: nothing was recorded: %s\n", escaped(name, result->pump.first_error));
  else if (result->pump.modules > 0)
    fprintf(file, "prof: nothing was recorded: no instrumented function was called%s\n",
            result->pump.slices == 0 ? ""
                                     : " in the time that was asked for\n"
                                       "  " PROF_FILTER_OPEN_CALLS);
  else
    fprintf(file, "prof: nothing was recorded: %s %s\n  %s\n", escaped(name, result->program),
            prof_no_probes_text(why).reason, prof_no_probes_text(why).remedy);
}

static void print_unprobed_module(FILE *file, const char *path, const struct prof_elf_unprobed *unprobed) {
  char name[NAME_BYTES], first[NAME_BYTES];
  fprintf(file,
          "prof: %u unit%s of %s %s no probes: -flto, linked without the plugin (first: %s)\n"
          "  give -fplugin=prof.so to the link step too\n",
          unprobed->units, unprobed->units == 1 ? "" : "s", escaped(name, path), unprobed->units == 1 ? "has" : "have",
          escaped(first, unprobed->first));
}

static bool is_same_file(const char *one, const char *other) {
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Also checks the program itself: it is no module of the recording if only its libraries are instrumented. */
static void print_unprobed(FILE *file, const struct prof_session_result *result) {
  const struct prof_pump_result *pump = &result->pump;
  struct prof_elf_unprobed program;
  bool said = false;
  for (uint32_t i = 0; i < pump->unprobed_count && i < PROF_PUMP_UNPROBED; i++) {
    print_unprobed_module(file, pump->unprobed[i].path, &pump->unprobed[i].units);
    said |= is_same_file(pump->unprobed[i].path, result->program);
  }
  if (pump->unprobed_count > PROF_PUMP_UNPROBED)
    fprintf(file, "prof: %u more libraries like that: see prof info\n", pump->unprobed_count - PROF_PUMP_UNPROBED);
  if (!said && prof_elf_unprobed_find(result->program, &program))
    print_unprobed_module(file, result->program, &program);
}

/* Does the file's text end with a newline?  false also if it is no regular file. */
static bool ends_line(int fd) {
  struct stat status;
  char path[40], last = 0;
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  at = at > 0 ? at : status.st_size; /* append mode: 0 before the first write */
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool read_it = file >= 0 && at > 0 && pread(file, &last, 1, at - 1) == 1;
  if (file >= 0)
    close(file);
  return at == 0 || (read_it && last == '\n');
}

/* Starts a new line, as the program's last line may have no end. */
static void begin_line(FILE *file) {
  fflush(stdout);
  fflush(file);
  if (!ends_line(fileno(file)))
    fputc('\n', file);
}

void prof_record_end_print(FILE *file, const struct prof_session_result *result) {
  begin_line(file);
  const struct prof_gpu_sums *gpu = &result->pump.gpu;
  char kept[NAME_BYTES];
  bool has_gpu = gpu->kernels + gpu->copies + gpu->sets + gpu->calls > 0;
  if (result->pump.sums.events == 0 && !has_gpu && result->written == PROF_OK) {
    print_why(file, result);
    print_unrecorded(file, result);
    print_left_behind(file, result);
    if (result->kept[0] != 0)
      fprintf(file, "prof: the earlier recording is kept in %s\n", escaped(kept, result->kept));
    print_gpu(file, result);
    return;
  }
  bool has_calls = result->pump.sums.events > 0;
  print_time(file, result);
  if (has_calls || !has_gpu)
    print_cost(file, result);
  prof_record_budget_print(file, result);
  print_trace(file, result);
  print_kept(file, result);
  print_parts(file, result);
  print_gpu(file, result);
  print_measures(file, result);
  print_remarks(file, &result->remarks);
  print_losses(file, result);
  print_unprobed(file, result);
  print_unrecorded(file, result);
  print_ended_early(file, result);
  print_left_behind(file, result);
  print_next(file, result, has_calls || !has_gpu);
}
