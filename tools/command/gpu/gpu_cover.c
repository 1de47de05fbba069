/*
 * tools/command/gpu/gpu_cover.c - see gpu_cover.h.
 */
#include "gpu_cover.h"

#include <stddef.h>

#include "view/units.h"

static const struct {
  const char *key;
  size_t offset;
} members[] = {
#define MEMBER(name)                                                                                                   \
  { #name, offsetof(struct prof_gpu_cover, name) }
    MEMBER(kernels),        MEMBER(kernel_ns),      MEMBER(copies),   MEMBER(copy_ns),        MEMBER(sets),
    MEMBER(set_ns),         MEMBER(waits),          MEMBER(wait_ns),  MEMBER(calls),          MEMBER(sources),
    MEMBER(devices),        MEMBER(unmatched),      MEMBER(untimed),  MEMBER(pathless),       MEMBER(dropped),
    MEMBER(unknown),        MEMBER(lost),           MEMBER(hung),     MEMBER(early),          MEMBER(early_worst_ns),
    MEMBER(clock_error_ns), MEMBER(damaged_chunks), MEMBER(pageable), MEMBER(pageable_bytes), MEMBER(pageable_ns),
#undef MEMBER
};

void prof_gpu_cover_json(const struct prof_gpu_result *result, struct prof_json *json) {
  const struct prof_gpu_cover *cover = &result->work.cover;
  const struct prof_gpu_launch_row *launches = &result->launches.all;
  prof_json_object(json, "launch_sum");
  prof_json_count(json, "launches", launches->launches);
  prof_json_count(json, "total_ns", launches->total_ns);
  prof_json_count(json, "api_ns", launches->api_ns);
  prof_json_count(json, "queue_ns", launches->queue_ns);
  prof_json_count(json, "start_ns", launches->start_ns);
  prof_json_object_end(json);
  prof_json_object(json, "gpu_cover");
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    prof_json_count(json, members[i].key, *(const uint64_t *)((const char *)cover + members[i].offset));
  prof_json_bool(json, "converted_clock", cover->converted);
  prof_json_object_end(json);
}

/* "3 dropped, 3 without a time": nonzero ones, with --verbose all.  Returns whether anything was written. */
static bool print_losses(const struct prof_gpu_cover *cover, bool verbose, FILE *file) {
  const struct {
    uint64_t count;
    const char *what;
    bool always;
  } losses[] = {
      {cover->dropped, "dropped", true},
      {cover->untimed, "without a time", true},
      {cover->unmatched, "unmatched", true},
      {cover->pathless, "outside of instrumented functions", false},
      {cover->lost, "lost while recording", false},
      {cover->unknown, "of an unknown kind", false},
      {cover->damaged_chunks, "damaged chunks", false},
  };
  const char *between = "records: ";
  char number[PROF_UNITS_BYTES];
  bool any = cover->hung > 0 || verbose;
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
    any |= losses[i].count > 0;
  for (size_t i = 0; any && i < sizeof losses / sizeof *losses; i++)
    if (losses[i].count > 0 || (verbose && losses[i].always)) {
      fprintf(file, "%s%s %s", between, losses[i].count > 0 ? prof_units_count(number, losses[i].count) : "none",
              losses[i].what);
      between = ", ";
    }
  if (any)
    fprintf(file, "%s\n", cover->hung > 0 ? "; the last flush hung: the last records are missing" : "");
  return any;
}

/* Prints averages, for comparison with the time of a kernel. */
static void print_launches(const struct prof_gpu_launch_row *all, FILE *file) {
  char total[PROF_UNITS_BYTES], api[PROF_UNITS_BYTES], queue[PROF_UNITS_BYTES], start[PROF_UNITS_BYTES];
  if (all->launches > 0)
    fprintf(file, "launch to begin: %s on average: %s API, %s queued, %s start\n",
            prof_units_duration(total, all->avg_ns), prof_units_duration(api, all->api_ns / all->launches),
            prof_units_duration(queue, all->queue_ns / all->launches),
            prof_units_duration(start, all->start_ns / all->launches));
}

static void print_clock(const struct prof_gpu_cover *cover, FILE *file) {
  char number[PROF_UNITS_BYTES];
  fprintf(file, "clock: uncertainty %s%s", prof_units_duration(number, cover->clock_error_ns),
          cover->converted ? ", converted from the library's" : "");
  if (cover->early > 0) {
    fprintf(file, "; %s began before their call", prof_units_count(number, cover->early));
    fprintf(file, ", by up to %s", prof_units_duration(number, cover->early_worst_ns));
  }
  fprintf(file, "\n");
}

static void print_sums(const struct prof_gpu_cover *cover, const struct prof_output *output) {
  char count[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], line[300];
  size_t used = (size_t)snprintf(line, sizeof line, "%s kernel%s: %s", prof_units_count(count, cover->kernels),
                                 cover->kernels == 1 ? "" : "s", prof_units_duration(time, cover->kernel_ns));
  used += (size_t)snprintf(line + used, sizeof line - used, "; %s copies and sets: %s",
                           prof_units_count(count, cover->copies + cover->sets),
                           prof_units_duration(time, cover->copy_ns + cover->set_ns));
  used += (size_t)snprintf(line + used, sizeof line - used, "; %s wait%s: %s", prof_units_count(count, cover->waits),
                           cover->waits == 1 ? "" : "s", prof_units_duration(time, cover->wait_ns));
  used += (size_t)snprintf(line + used, sizeof line - used, "; %s API calls", prof_units_count(count, cover->calls));
  snprintf(line + used, sizeof line - used, "; %s device%s", prof_units_count(count, cover->devices),
           cover->devices == 1 ? "" : "s");
  prof_output_line(output, line);
}

/* Prints two lines, a warning of prof_reader_warn included; with --verbose all. */
void prof_gpu_cover_lines(const struct prof_gpu_result *result, const struct prof_output *output) {
  const struct prof_gpu_cover *cover = &result->work.cover;
  print_sums(cover, output);
  if (output->warned && !output->verbose)
    return;
  if (!print_losses(cover, output->verbose, output->file) || output->verbose)
    print_launches(&result->launches.all, output->file);
  if (output->verbose)
    print_clock(cover, output->file);
}
