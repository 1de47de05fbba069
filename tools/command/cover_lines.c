/*
 * tools/command/cover_lines.c - the lines above a view: what its figures cover, how exact they are, what is missing.
 */
#include "cover_lines.h"

#include <inttypes.h>

#include "view/units.h"

struct flaw { /* something that makes figures less than whole */
  const char *key, *one, *many;
  size_t offset;
};

#define FLAW(member, one, many)                                                                                        \
  { #member, one, many, offsetof(struct prof_cover, member) }
static const struct flaw flaws[] = {
    FLAW(unmatched, "exit without its entry", "exits without their entries"),
    FLAW(skipped, "call left without an exit (longjmp, exception)", "calls left without an exit (longjmp, exception)"),
    FLAW(frames_cut, "call whose begin or end was not seen", "calls whose begin or end was not seen"),
    FLAW(unplaced_waits, "wait in light slices, told of a call around the one that waited",
         "waits in light slices, told of calls around those that waited"),
    FLAW(too_deep, "call deeper than 65,536 levels", "calls deeper than 65,536 levels"),
    FLAW(inversions, "step back of the clock", "steps back of the clock"),
    FLAW(torn, "event never finished", "events never finished"),
};
#define WORTH_SAYING 0.05 /* of the time inside */
#define FLAW_COUNT (sizeof flaws / sizeof *flaws)

static uint64_t value_of(const struct prof_cover *cover, const struct flaw *flaw) {
  return *(const uint64_t *)(const void *)((const char *)cover + flaw->offset);
}

static void first_line(const struct prof_cover *cover, FILE *file) {
  char calls[PROF_UNITS_BYTES], span[PROF_UNITS_BYTES], inside[PROF_UNITS_BYTES], hidden[PROF_UNITS_BYTES];
  fprintf(file, "%s call%s", prof_units_count(calls, cover->calls), cover->calls == 1 ? "" : "s");
  if (cover->hidden)
    fprintf(file, " (and %s hidden within them)", prof_units_count(hidden, cover->hidden));
  fprintf(file, " in %" PRIu32 " thread%s", cover->threads, cover->threads == 1 ? "" : "s");
  if (cover->processes > 1)
    fprintf(file, " of %" PRIu32 " processes", cover->processes);
  fprintf(file, ": %s inside probed functions, %s from first to last event\n",
          prof_units_duration(inside, cover->thread_ns), prof_units_duration(span, cover->span_ns));
}

/* "times", or "times of 2 of 3 threads". */
static void some_times(char out[80], uint32_t some, uint32_t all) {
  if (some < all)
    snprintf(out, 80, "times of %" PRIu32 " of %" PRIu32 " threads", some, all);
  else
    snprintf(out, 80, "times");
}

/* ", 9.8 ns a reading for a line"; "" where none was timed. */
static void reading_text(char out[80], const struct prof_cover *cover, double each_ns) {
  out[0] = 0;
  if (cover->readings)
    snprintf(out, 80, ", %.1f ns a reading for a line", each_ns);
}

/* Times as measured of threads where that says less than elsewhere. */
static void measured_lines(const struct prof_cover *cover, FILE *file) {
  char some[80];
  some_times(some, cover->few_threads, cover->threads);
  if (cover->few_threads)
    fprintf(file, "%s are as measured, though more probe than program: there are fewer than 100 samples\n", some);
  some_times(some, cover->loose_threads, cover->threads);
  if (cover->loose_threads)
    fprintf(file,
            "%s were measured in light slices too, where several events share a time: self times there may be a "
            "neighbour's\n",
            some);
}

static void error_lines(const struct prof_cover *cover, FILE *file) {
  char all[PROF_UNITS_BYTES], error[PROF_UNITS_BYTES], some[80], reading[80];
  const char *call = cover->has_loops ? "call or loop entry" : "call";
  reading_text(reading, cover, cover->reading_taken_ns);
  some_times(some, cover->corrected_threads, cover->threads);
  if (cover->corrected_threads)
    fprintf(file,
            "%s are without the probes: %.1f ns a %s%s, %s in all, taken out; off by at most %s (--raw: as measured)\n",
            some, cover->call_taken_ns, call, reading, prof_units_duration(all, cover->corrected_taken_ns),
            prof_units_duration(error, cover->corrected_error_ns));
  some_times(some, cover->sampled_threads, cover->threads);
  char slices[80] = "";
  if (cover->sliced_threads == cover->sampled_threads)
    snprintf(slices, sizeof slices, " in light slices");
  else if (cover->sliced_threads)
    snprintf(slices, sizeof slices, ", of %" PRIu32 " in light slices", cover->sliced_threads);
  if (cover->sampled_threads)
    fprintf(file, "%s come from samples%s, as the probes took more than %s (--raw: as measured)\n", some, slices,
            cover->sliced_threads ? "a third" : "half");
  if (cover->shadow_ns)
    fprintf(file,
            "%s of them no sample saw, as the processor did it while it read the clock: spread evenly over calls\n",
            prof_units_duration(all, cover->shadow_ns));
  reading_text(reading, cover, cover->reading_cost_ns);
  bool contain = !cover->corrected_threads && !cover->sampled_threads;
  if (contain && cover->call_cost_ns > 0)
    fprintf(file, "times contain the probes: about %.1f ns a %s%s, %s in all, %.0f%% of the time inside\n",
            cover->call_cost_ns, call, reading, prof_units_duration(all, (uint64_t)cover->cost_ns),
            100 * cover->cost_share);
  else if (contain)
    fprintf(file, "times contain the probes, whose cost was not measured\n");
  measured_lines(cover, file);
  fprintf(file, "error of a time: %.1f ns, a step of the clock; of a percentile: 2%%\n", cover->step_ns);
}

static void where_line(const struct prof_cover *cover, FILE *file) {
  if (!cover->samples)
    return;
  char number[PROF_UNITS_BYTES];
  fprintf(file, "processor time: %.1f%% in code with probes, %.1f%% in libraries without, %.1f%% in the kernel",
          100 * cover->probed_share, 100 * cover->library_share, 100 * cover->kernel_share);
  if (cover->unknown_share > 0)
    fprintf(file, ", %.1f%% in generated code", 100 * cover->unknown_share);
  fprintf(file, " (by %s sample%s%s)\n", prof_units_count(number, cover->samples), cover->samples == 1 ? "" : "s",
          cover->kernel_by_accounts ? ", the kernel's part by the system's accounts" : "");
}

/* On a machine with too few cores this may be most of every time, and more in one function than in another. */
static void preempted_line(const struct prof_cover *cover, FILE *file) {
  char number[PROF_UNITS_BYTES];
  double share = cover->thread_ns ? (double)cover->preempted_ns / (double)cover->thread_ns : 0;
  if (share >= WORTH_SAYING)
    fprintf(file,
            "times contain %s (%.0f%%) in which threads were ready but kept from running: --cpu tells them apart\n",
            prof_units_duration(number, cover->preempted_ns), 100 * share);
}

/* What a row says of durations is not of all of its calls. */
static void untimed_line(const struct prof_cover *cover, FILE *file) {
  char timed[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES];
  if (cover->untimed_calls)
    fprintf(file, "MIN to P99 are of %s of the %s calls: the others began or ended in light slices\n",
            prof_units_count(timed, cover->calls - cover->untimed_calls), prof_units_count(calls, cover->calls));
}

static void flaw_line(const struct prof_cover *cover, FILE *file) {
  bool any = false;
  for (size_t i = 0; i < FLAW_COUNT; i++) {
    char number[PROF_UNITS_BYTES];
    uint64_t value = value_of(cover, &flaws[i]);
    if (!value)
      continue;
    fprintf(file, "%s%s %s", any ? ", " : "besides: ", prof_units_count(number, value),
            value == 1 ? flaws[i].one : flaws[i].many);
    any = true;
  }
  if (any)
    putc('\n', file);
}

void prof_cover_lines(const struct prof_cover *cover, const struct prof_output *output) {
  FILE *file = output->file;
  char stalled[PROF_UNITS_BYTES];
  if (output->style.color)
    fputs("\x1b[2m", file);
  first_line(cover, file);
  error_lines(cover, file);
  where_line(cover, file);
  preempted_line(cover, file);
  untimed_line(cover, file);
  if (cover->stalled_ns)
    fprintf(file, "times are without %s of waiting for the recorder\n",
            prof_units_duration(stalled, cover->stalled_ns));
  flaw_line(cover, file);
  fputs(output->style.color ? "\x1b[0m\n" : "\n", file);
}

void prof_cover_json(const struct prof_cover *cover, struct prof_json *json, const char *key) {
  prof_json_object(json, key);
  prof_json_count(json, "events", cover->events);
  prof_json_count(json, "calls", cover->calls);
  prof_json_count(json, "hidden_calls", cover->hidden);
  prof_json_count(json, "threads", cover->threads);
  prof_json_count(json, "processes", cover->processes);
  prof_json_count(json, "span_ns", cover->span_ns);
  prof_json_count(json, "inside_ns", cover->thread_ns);
  prof_json_count(json, "corrected_threads", cover->corrected_threads);
  prof_json_count(json, "sampled_threads", cover->sampled_threads);
  prof_json_count(json, "sliced_threads", cover->sliced_threads);
  prof_json_count(json, "shadow_ns", cover->shadow_ns);
  prof_json_count(json, "probe_taken_ns", cover->taken_ns);
  prof_json_number(json, "probe_taken_per_call_ns", cover->call_taken_ns);
  prof_json_count(json, "probe_error_ns", cover->error_ns);
  prof_json_number(json, "probe_cost_per_call_ns", cover->call_cost_ns);
  prof_json_number(json, "probe_cost_share", cover->cost_share);
  if (cover->readings) {
    prof_json_count(json, "line_readings", cover->readings);
    prof_json_number(json, "line_reading_taken_ns", cover->reading_taken_ns);
    prof_json_number(json, "line_reading_cost_ns", cover->reading_cost_ns);
  }
  prof_json_number(json, "clock_step_ns", cover->step_ns);
  prof_json_count(json, "stall_ns", cover->stalled_ns);
  if (cover->has_preempted)
    prof_json_count(json, "preempted_ns", cover->preempted_ns);
  if (cover->samples) {
    prof_json_count(json, "samples", cover->samples);
    prof_json_number(json, "probed_share", cover->probed_share);
    prof_json_number(json, "library_share", cover->library_share);
    prof_json_number(json, "kernel_share", cover->kernel_share);
    prof_json_number(json, "unknown_share", cover->unknown_share);
    prof_json_bool(json, "kernel_by_accounts", cover->kernel_by_accounts);
  }
  if (cover->few_threads || cover->loose_threads) {
    prof_json_count(json, "few_sample_threads", cover->few_threads);
    prof_json_count(json, "loose_threads", cover->loose_threads);
  }
  if (cover->untimed_calls)
    prof_json_count(json, "untimed_calls", cover->untimed_calls);
  if (cover->unplaced_waits)
    prof_json_count(json, "unplaced_wait_ns", cover->unplaced_wait_ns);
  prof_json_count(json, "lost_events", cover->lost);
  prof_json_count(json, "damaged_chunks", cover->chunks_damaged);
  for (size_t i = 0; i < FLAW_COUNT; i++)
    prof_json_count(json, flaws[i].key, value_of(cover, &flaws[i]));
  prof_json_object_end(json);
}

void prof_sample_line(const struct prof_samples *samples, uint64_t counted, const struct prof_output *output) {
  char number[PROF_UNITS_BYTES], each[PROF_UNITS_BYTES], left[PROF_UNITS_BYTES];
  if (!samples || !samples->sampler || samples->count == 0)
    return;
  fprintf(output->file, "%sself times from %s sample%s, one every %s of processor time",
          output->style.color ? "\x1b[2m" : "", prof_units_count(number, counted), counted == 1 ? "" : "s",
          prof_units_duration(each, samples->sampler->period_ns));
  if (samples->sliced_threads)
    fprintf(output->file, ", or of %" PRIu32 " thread%s one every %s of light slices", samples->sliced_threads,
            samples->sliced_threads == 1 ? "" : "s", prof_units_duration(each, samples->sampler->extra_period_ns));
  if (samples->where[PROF_WHERE_PROFILER])
    fprintf(output->file, "; %s in the profiler left out", prof_units_count(left, samples->where[PROF_WHERE_PROFILER]));
  fprintf(output->file, "%s\n", output->style.color ? "\x1b[0m" : "");
}

void prof_cover_no_switches(void) {
  fputs("prof: this recording doesn't say when threads ran and when they waited (see prof info)\n", stderr);
}
