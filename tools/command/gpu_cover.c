/*
 * tools/command/gpu_cover.c - see gpu_cover.h.
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

/* "none dropped, 3 without a time": every sort of loss has its word, so that none is passed over in silence. */
static void print_losses(const struct prof_gpu_cover *cover, FILE *file) {
  const struct {
    uint64_t count;
    const char *what;
    bool always;
  } losses[] = {
      {cover->dropped, "dropped", true},
      {cover->untimed, "without a time", true},
      {cover->unmatched, "unmatched", true},
      {cover->pathless, "outside of probed functions", false},
      {cover->lost, "lost while recording", false},
      {cover->unknown, "of an unknown kind", false},
      {cover->damaged_chunks, "damaged chunks", false},
  };
  const char *between = "records: ";
  char number[PROF_UNITS_BYTES];
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
    if (losses[i].count > 0 || losses[i].always) {
      fprintf(file, "%s%s %s", between, losses[i].count > 0 ? prof_units_count(number, losses[i].count) : "none",
              losses[i].what);
      between = ", ";
    }
  fprintf(file, "%s\n", cover->hung > 0 ? "; the last flush hung: the last ones are missing" : "");
}

/* Averages, so that the parts can be compared with the time of a kernel. */
static void print_launches(const struct prof_gpu_launch_row *all, FILE *file) {
  char total[PROF_UNITS_BYTES], api[PROF_UNITS_BYTES], queue[PROF_UNITS_BYTES], start[PROF_UNITS_BYTES];
  if (all->launches > 0)
    fprintf(
        file,
        "from a launch to its begin: %s on average: %s in the call, %s behind other work of the stream, %s to begin\n",
        prof_units_duration(total, all->avg_ns), prof_units_duration(api, all->api_ns / all->launches),
        prof_units_duration(queue, all->queue_ns / all->launches),
        prof_units_duration(start, all->start_ns / all->launches));
}

void prof_gpu_cover_lines(const struct prof_gpu_result *result, const struct prof_output *output) {
  const struct prof_gpu_cover *cover = &result->work.cover;
  FILE *file = output->file;
  char count[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], other[PROF_UNITS_BYTES], other_time[PROF_UNITS_BYTES];
  fprintf(file, "%s kernels: %s; %s copies and sets: %s; %llu device%s\n", prof_units_count(count, cover->kernels),
          prof_units_duration(time, cover->kernel_ns), prof_units_count(other, cover->copies + cover->sets),
          prof_units_duration(other_time, cover->copy_ns + cover->set_ns), (unsigned long long)cover->devices,
          cover->devices == 1 ? "" : "s");
  fprintf(file, "%s API calls; %s waits for the GPU: %s\n", prof_units_count(count, cover->calls),
          prof_units_count(other, cover->waits), prof_units_duration(time, cover->wait_ns));
  print_launches(&result->launches.all, file);
  print_losses(cover, file);
  fprintf(file, "clock: read within %s%s", prof_units_duration(time, cover->clock_error_ns),
          cover->converted ? ", converted from the library's" : "");
  if (cover->early > 0)
    fprintf(file, "; %s began before their call, by up to %s", prof_units_count(count, cover->early),
            prof_units_duration(other_time, cover->early_worst_ns));
  fprintf(file, "\n");
}
