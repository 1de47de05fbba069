/*
 * tools/command/info/sample_info.c - see sample_info.h.
 */
#include "sample_info.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/options/common.h"
#include "estimate/measured_pauses.h"
#include "estimate/own_code.h"
#include "estimate/sample_rates.h"
#include "estimate/samples_fold.h"
#include "fold/summary/summary.h"
#include "view/units.h"

static const char *const methods[] = {
    [PROF_SAMPLER_NONE] = "none", [PROF_SAMPLER_PERF] = "perf_event", [PROF_SAMPLER_TIMER] = "timer"};

static const char *method_of(const struct prof_sampler *sampler) {
  size_t method = (size_t)sampler->method;
  return method < sizeof methods / sizeof *methods ? methods[method] : "unknown";
}

struct counting {
  const prof_trace *trace;
  struct prof_sample_facts *facts;
  const struct prof_process *processes;
  size_t process_count;
  const struct prof_thread_info *threads;
  uint64_t timed; /* samples while the thread's CPU time was counted */
  struct prof_sample_rates rates;
};

/* Classifies as in estimate/samples.h. */
static void count_sample(struct counting *counting, const struct prof_sample_chunk *chunk, uint32_t i) {
  struct prof_place found;
  uint64_t time = chunk->times[i];
  bool known = prof_trace_place(counting->trace, chunk->process, chunk->addresses[i], time, &found);
  uint32_t path = chunk->paths != NULL ? chunk->paths[i] : 0;
  bool kernel = chunk->flags[i] & PROF_SAMPLE_KERNEL,
       own = prof_sample_is_own(counting->trace, chunk->flags[i], known ? &found : NULL, path);
  if (!kernel && !known)
    own |= chunk->process < counting->process_count && time < counting->processes[chunk->process].start_ticks;
  counting->facts->samples++;
  counting->facts->kernel += kernel && !own;
  counting->facts->in_probes += own;
  counting->facts->with_callers += path != 0;
}

static void count_chunk(struct counting *counting, const struct prof_sample_chunk *chunk, uint32_t thread) {
  size_t slice_count = 0, slice = 0;
  const struct prof_light_slice *slices =
      thread != PROF_NONE ? prof_trace_light_slices(counting->trace, thread, &slice_count) : NULL;
  for (uint32_t i = 0; i < chunk->count; i++) {
    uint64_t time = chunk->times[i];
    bool extra = chunk->flags[i] & PROF_SAMPLE_EXTRA,
         in_stretch = extra && prof_sample_rates_times(&counting->rates, time) > 0;
    counting->facts->stretch_samples += in_stretch;
    if (extra && !in_stretch) {
      while (slice < slice_count && slices[slice].end <= time)
        slice++;
      counting->facts->light_samples += slice < slice_count && slices[slice].begin <= time;
      continue;
    }
    count_sample(counting, chunk, i);
    if (thread != PROF_NONE && counting->threads[thread].cpu_ticks)
      counting->timed += time >= counting->threads[thread].start_ticks && time <= counting->threads[thread].cpu_ticks;
  }
}

/*
 * Samples per second of the CPU time that threads report.  Without samples in the kernel its time still counts, which
 * lowers the rate.
 */
static double rate(const struct counting *counting, size_t thread_count) {
  double cpu_ns = 0;
  for (size_t i = 0; i < thread_count; i++)
    cpu_ns += counting->threads[i].cpu_ticks ? (double)counting->threads[i].cpu_ns : 0;
  return cpu_ns > 0 ? (double)counting->timed / cpu_ns * 1e9 : 0;
}

/* Of a recording that keeps no events. */
static prof_status count_summary(const prof_trace *trace, struct prof_sample_facts *facts, struct prof_diag *diag) {
  struct prof_summary summary;
  size_t thread_count;
  struct counting counting = {.trace = trace, .threads = prof_trace_threads(trace, &thread_count)};
  prof_status status = prof_summary_of(trace, diag, &summary);
  if (status != PROF_OK)
    return status;
  for (size_t i = 0; i < summary.samples.count; i++) {
    const struct prof_summary_sample *row = &summary.samples.items[i];
    facts->samples += row->count;
    facts->kernel += row->where == PROF_WHERE_KERNEL ? row->count : 0;
    facts->in_probes += row->where == PROF_WHERE_PROFILER ? row->count : 0;
    counting.timed += row->thread && !(row->flags & PROF_SUMMARY_CALIBRATING) ? row->count : 0;
  }
  for (size_t i = 0; i < summary.pauses.count; i++)
    facts->switches += 2 * summary.pauses.items[i].count;
  facts->achieved_hz = rate(&counting, thread_count);
  prof_summary_fini(&summary);
  return PROF_OK;
}

static prof_status count_samples(const prof_trace *trace, struct prof_sample_facts *facts, struct prof_diag *diag) {
  size_t count, thread_count;
  struct counting counting = {.trace = trace, .facts = facts};
  const struct prof_sample_chunk_ref *refs = prof_trace_sample_chunks(trace, &count);
  struct prof_sample_chunk chunk = {0};
  prof_status status = prof_sample_rates_init(&counting.rates, trace) ? PROF_OK : prof_diag_memory(diag);
  counting.processes = prof_trace_processes(trace, &counting.process_count);
  counting.threads = prof_trace_threads(trace, &thread_count);
  for (size_t i = 0; i < count && status != PROF_NO_MEMORY; i++) {
    status = refs[i].kind == PROF_SAMPLE_SAMPLES ? prof_sample_chunk_load(trace, i, diag, &chunk) : PROF_EMPTY;
    if (status == PROF_OK)
      count_chunk(&counting, &chunk, refs[i].thread);
  }
  prof_sample_chunk_free(&chunk);
  facts->achieved_hz = rate(&counting, thread_count);
  facts->stretches = counting.rates.stretches;
  facts->stretch_ticks = counting.rates.stretch_ticks;
  prof_sample_rates_fini(&counting.rates);
  return status == PROF_NO_MEMORY ? status : PROF_OK;
}

static uint64_t count_switches(const prof_trace *trace) {
  size_t count;
  uint64_t sum = 0;
  const struct prof_sample_chunk_ref *refs = prof_trace_sample_chunks(trace, &count);
  for (size_t i = 0; i < count; i++)
    sum += refs[i].kind == PROF_SAMPLE_SWITCHES ? refs[i].count : 0;
  return sum;
}

/* Finds the length of sparse-clock intervals, and their share of the time of threads with any. */
static void find_light(const prof_trace *trace, struct prof_sample_facts *facts) {
  size_t count, slice_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  uint64_t lived = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct prof_light_slice *slices = prof_trace_light_slices(trace, i, &slice_count);
    if (slice_count == 0)
      continue;
    uint64_t end = threads[i].end_ticks > threads[i].cpu_ticks ? threads[i].end_ticks : threads[i].cpu_ticks;
    end = end > slices[slice_count - 1].end ? end : slices[slice_count - 1].end;
    lived += end - threads[i].start_ticks;
    facts->light_threads++;
    for (size_t j = 0; j < slice_count; j++)
      facts->light_ticks += slices[j].end - slices[j].begin;
  }
  facts->light_share = lived ? (double)facts->light_ticks / (double)lived : 0;
}

/* Only a fold of all events finds the calls that samples lie in. */
static prof_status place_samples(const prof_trace *trace, struct prof_sample_facts *facts, struct prof_diag *diag) {
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_fold_options options = {.max_bytes = PROF_DEFAULT_MEMORY};
  prof_status status = prof_samples_fold(trace, NULL, &options, diag, &profile, &samples);
  if (status != PROF_OK)
    return status == PROF_NO_MEMORY ? status : PROF_OK;
  facts->placed = true;
  facts->ambiguous = samples->ambiguous;
  for (size_t i = 0; i < samples->count; i++) {
    uint32_t node = samples->items[i].node;
    bool extra = samples->items[i].flags & PROF_SAMPLED_EXTRA;
    facts->in_frames += !extra && node != PROF_NONE && profile->nodes[node].parent != 0;
  }
  prof_samples_free(samples);
  prof_profile_free(profile);
  return PROF_OK;
}

prof_status prof_sample_facts_find(const prof_trace *trace, bool places, struct prof_sample_facts *facts,
                                   struct prof_diag *diag) {
  *facts = (struct prof_sample_facts){.sampler = prof_trace_sampler(trace), .switches = count_switches(trace)};
  find_light(trace, facts);
  if (facts->sampler == NULL || facts->sampler->method == PROF_SAMPLER_NONE)
    return PROF_OK;
  prof_status status =
      prof_trace_summary(trace, NULL) ? count_summary(trace, facts, diag) : count_samples(trace, facts, diag);
  return status == PROF_OK && places ? place_samples(trace, facts, diag) : status;
}

static void put_line(const struct prof_output *output, const char *title, uint64_t count, bool only_if_any) {
  char text[PROF_UNITS_BYTES];
  if (count > 0 || !only_if_any)
    prof_output_fact(output, title, "%s", prof_units_count(text, count));
}

void prof_sample_info_print(const prof_trace *trace, const struct prof_sample_facts *facts,
                            const struct prof_output *output) {
  const struct prof_sampler *sampler = facts->sampler;
  char reason[512], text[PROF_UNITS_BYTES], extra[PROF_UNITS_BYTES];
  if (sampler == NULL)
    return;
  prof_text_escape(reason, sizeof reason, sampler->reason, strlen(sampler->reason));
  const char *between = reason[0] != 0 ? ": " : "";
  if (sampler->method == PROF_SAMPLER_NONE) {
    prof_output_fact(output, "sampling", "none%s%s", between, reason[0] ? reason : " (--sample=off)");
    return;
  }
  char achieved[40] = "";
  if (facts->achieved_hz > 0)
    snprintf(achieved, sizeof achieved, ", %.0f Hz achieved", facts->achieved_hz);
  prof_output_fact(output, "sampling", "%s, %u Hz asked%s, times within %s%s%s", method_of(sampler), sampler->asked_hz,
                   achieved, prof_units_duration(text, prof_trace_ns(trace, sampler->error_ticks)), between, reason);
  put_line(output, "samples", facts->samples, false);
  if (sampler->kernel)
    put_line(output, "  in the kernel", facts->kernel, false);
  put_line(output, "  in probes", facts->in_probes, false);
  put_line(output, "  with callers", facts->with_callers, true);
  if (facts->in_frames > 0)
    prof_output_fact(output, "  ambiguous", "%s (%.1f%%)", prof_units_count(text, facts->ambiguous),
                     100.0 * (double)facts->ambiguous / (double)facts->in_frames);
  if (facts->stretches > 0)
    prof_output_fact(output, "  in stretches", "%s, in %u stretches of %s in all, as threads are switched often",
                     prof_units_count(extra, facts->stretch_samples), facts->stretches,
                     prof_units_duration(text, prof_trace_ns(trace, facts->stretch_ticks)));
  put_line(output, "  lost", sampler->lost, false);
  put_line(output, "  throttled", sampler->throttled, true);
  put_line(output, "  of other processes", sampler->foreign, true);
  put_line(output, "  threads without any", sampler->unsampled, true);
  if (facts->light_threads)
    prof_output_fact(output, "sparse clock", "%s, %.1f%% of the time of %u thread%s, %s samples",
                     prof_units_duration(text, prof_trace_ns(trace, facts->light_ticks)), 100 * facts->light_share,
                     facts->light_threads, facts->light_threads == 1 ? "" : "s",
                     prof_units_count(extra, facts->light_samples));
  if (sampler->switches)
    put_line(output, "scheduler switches", facts->switches, false);
  else
    prof_output_fact(output, "scheduler switches", "not available this way%s",
                     prof_pauses_are_measured(trace) ? "; waiting time: what --locks measured" : "");
}

void prof_sample_info_json(const prof_trace *trace, const struct prof_sample_facts *facts, struct prof_json *json) {
  const struct prof_sampler *sampler = facts->sampler;
  if (sampler == NULL)
    return;
  prof_json_object(json, "sampling");
  prof_json_text(json, "method", method_of(sampler));
  prof_json_text(json, "reason", sampler->reason);
  prof_json_count(json, "asked_hz", sampler->asked_hz);
  prof_json_number(json, "achieved_hz", facts->achieved_hz);
  prof_json_count(json, "period_ns", sampler->period_ns);
  prof_json_count(json, "error_ns", prof_trace_ns(trace, sampler->error_ticks));
  prof_json_count(json, "samples", facts->samples);
  prof_json_count(json, "kernel", facts->kernel);
  prof_json_bool(json, "has_kernel", sampler->kernel);
  prof_json_count(json, "in_probes", facts->in_probes);
  if (facts->placed) {
    prof_json_count(json, "in_frames", facts->in_frames);
    prof_json_count(json, "ambiguous", facts->ambiguous);
  }
  if (facts->with_callers > 0)
    prof_json_count(json, "with_callers", facts->with_callers);
  prof_json_count(json, "light_threads", facts->light_threads);
  prof_json_count(json, "light_ns", prof_trace_ns(trace, facts->light_ticks));
  prof_json_number(json, "light_share", facts->light_share);
  prof_json_count(json, "light_period_ns", sampler->extra_period_ns);
  prof_json_count(json, "light_samples", facts->light_samples);
  if (facts->stretches > 0) {
    prof_json_count(json, "stretches", facts->stretches);
    prof_json_count(json, "stretch_ns", prof_trace_ns(trace, facts->stretch_ticks));
    prof_json_count(json, "stretch_period_ns", sampler->extra_period_ns);
    prof_json_count(json, "stretch_samples", facts->stretch_samples);
  }
  prof_json_count(json, "lost", sampler->lost);
  prof_json_count(json, "throttled", sampler->throttled);
  prof_json_count(json, "foreign", sampler->foreign);
  prof_json_count(json, "unsampled_threads", sampler->unsampled);
  prof_json_bool(json, "has_switches", sampler->switches);
  prof_json_count(json, "switches", facts->switches);
  prof_json_object_end(json);
}
