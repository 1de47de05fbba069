/*
 * tools/command/cover_lines.c - see cover_lines.h.
 *
 * To add a fact: a writer and its row in `parts`.  A writer writes nothing if its fact does not apply.
 */
#include "cover_lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/whole.h"
#include "burst_words.h"
#include "view/units.h"
#include "view/width.h"

#define WORTH_SAYING 0.05 /* of the time in instrumented functions */
#define WORTH_SPUN 0.01   /* likewise, of waiting in a loop */
#define WORTH_WIDE 0.1    /* likewise, of an uncertainty */
#define MOST_TIMED 0.95   /* of all calls: below it the header mentions the durations left out */
#define HEADER_WIDTH 160  /* columns at most; also without a terminal */
#define TEXT_BYTES 512    /* of a part, at most */
#define HEADER_LINES 2

/* ---- faults of the trace itself ---- */

struct flaw { /* a reason why figures are incomplete */
  const char *key, *one, *many;
  size_t offset;
  bool brief; /* shown without --verbose too */
  bool rare;  /* in JSON only if not 0 */
};

#define FLAW(member, brief, one, many)                                                                                 \
  { #member, one, many, offsetof(struct prof_cover, member), brief, false }
static const struct flaw flaws[] = {
    FLAW(unmatched, true, "unmatched exit", "unmatched exits"),
    FLAW(skipped, false, "orphan call (left by longjmp or an exception)",
         "orphan calls (left by longjmp or an exception)"),
    FLAW(frames_cut, false, "call whose begin or end was not recorded", "calls whose begin or end was not recorded"),
    FLAW(unplaced_waits, false, "wait in a sparse-clock interval, attributed to an outer call",
         "waits in sparse-clock intervals, attributed to outer calls"),
    FLAW(too_deep, true, "call deeper than 65,536 levels", "calls deeper than 65,536 levels"),
    {"folded_paths", "cold call path in [other] (--max-memory)", "cold call paths in [other] (--max-memory)",
     offsetof(struct prof_cover, folded_paths), true, true},
    FLAW(inversions, true, "clock step backwards", "clock steps backwards"),
    FLAW(torn, true, "unfinished event", "unfinished events"),
};
#define FLAW_COUNT (sizeof flaws / sizeof *flaws)

static uint64_t value_of(const struct prof_cover *cover, const struct flaw *flaw) {
  return *(const uint64_t *)(const void *)((const char *)cover + flaw->offset);
}

/* ---- parts ---- */

struct text {
  char bytes[TEXT_BYTES];
  size_t used;
  bool verbose, utf8, compact;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used, format, arguments);
  va_end(arguments);
  if (bytes > 0)
    text->used += (size_t)bytes < sizeof text->bytes - text->used ? (size_t)bytes : sizeof text->bytes - 1 - text->used;
}

static double share_of(uint64_t part_ns, uint64_t all_ns) {
  return all_ns ? (double)part_ns / (double)all_ns : 0;
}

static void calls_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  add(text, "%s%s call%s",
      cover->unknown_functions + cover->unknown_zones ? "at least "
      : cover->burst_functions + cover->burst_zones   ? "~"
                                                      : "",
      prof_units_count(number, cover->calls), cover->calls == 1 ? "" : "s");
  if (cover->hidden)
    add(text, " (%s more hidden by filters)", prof_units_count(number, cover->hidden));
  add(text, " in %" PRIu32 " thread%s", cover->threads, cover->threads == 1 ? "" : "s");
  if (cover->processes > 1)
    add(text, " of %" PRIu32 " processes", cover->processes);
}

/* What ~ means. */
static void bursts_part(const struct prof_cover *cover, struct text *text) {
  char words[TEXT_BYTES];
  add(text, "%s", prof_burst_words(words, sizeof words, cover, text->verbose));
}

static bool times_hold_probes(const struct prof_cover *cover) {
  return !cover->corrected_threads && !cover->sampled_threads;
}

static void time_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  add(text, "%s", prof_units_duration(number, cover->thread_ns));
  if (!text->compact && !times_hold_probes(cover) &&
      (text->verbose || share_of(cover->error_ns, cover->thread_ns) >= WORTH_WIDE)) {
    add(text, " (%s", prof_units_duration(number, cover->low_ns));
    add(text, " to %s)", prof_units_duration(number, cover->high_ns));
  }
  add(text, " in your functions");
  if (text->compact)
    return;
  if (cover->has_switches) {
    add(text, " (%s%s waiting", cover->sparse_switches ? "~" : "",
        prof_units_share(number, share_of(cover->time.waiting, cover->thread_ns)));
    if (share_of(cover->spun_ns, cover->thread_ns) >= WORTH_SPUN)
      add(text, ", of it %s spinning in OpenMP",
          prof_units_share(number, share_of(cover->spun_ns, cover->time.waiting)));
    add(text, ")");
  } else {
    add(text, " (waiting included)");
  }
  add(text, ", %s elapsed", prof_units_duration(number, cover->span_ns));
}

static void elapsed_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (text->compact) /* else time_part has it */
    add(text, "%s elapsed", prof_units_duration(number, cover->span_ns));
}

/* The kind of time, if not the default. */
static void kind_part(const struct prof_cover *cover, struct text *text) {
  if (cover->has_switches && cover->shown != PROF_TIME_RUNNING && !text->compact)
    add(text, "SELF and shares: %s time", prof_time_words[cover->shown]);
}

static void flaws_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  for (size_t i = 0; i < FLAW_COUNT; i++) {
    uint64_t value = value_of(cover, &flaws[i]);
    if (value && (text->verbose || flaws[i].brief))
      add(text, "%s%s %s", text->used ? ", " : "", prof_units_count(number, value),
          value == 1 ? flaws[i].one : flaws[i].many);
  }
}

/* " of 2 of 3 threads"; "" for all of them. */
static void add_some(struct text *text, const char *word, uint32_t some, uint32_t all) {
  if (some < all)
    add(text, " %s %" PRIu32 " of %" PRIu32 " threads", word, some, all);
}

static void overhead_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (times_hold_probes(cover)) {
    if (cover->call_cost_ns > 0)
      add(text, "probe overhead included: about %s (%.0f%%)", prof_units_duration(number, prof_whole(cover->cost_ns)),
          100 * cover->cost_share);
    else
      add(text, "probe overhead included, of unknown size");
    return;
  }
  add(text, "probe overhead removed");
  add_some(text, "from", cover->corrected_threads + cover->sampled_threads, cover->threads);
  add(text, ": %s (%.0f%%)", prof_units_duration(number, cover->taken_ns),
      100 * share_of(cover->taken_ns, cover->thread_ns + cover->taken_ns));
  if (text->verbose)
    add(text, "; --raw shows times as measured");
}

static void few_part(const struct prof_cover *cover, struct text *text) {
  if (!cover->few_threads)
    return;
  add(text, "probe overhead not removed");
  add_some(text, "from", cover->few_threads, cover->threads);
  add(text, ": fewer than 100 samples");
}

static void preempted_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  double share = share_of(cover->time.preempted, cover->thread_ns);
  if (cover->time.preempted && (text->verbose || share >= WORTH_SAYING))
    add(text, "preempted: %s (%.0f%%), --cpu shows where", prof_units_duration(number, cover->time.preempted),
        100 * share);
}

static void stalled_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (cover->stalled_ns && (text->verbose || share_of(cover->stalled_ns, cover->thread_ns) >= WORTH_SAYING))
    add(text, "waiting for the recorder removed: %s", prof_units_duration(number, cover->stalled_ns));
}

static void line_share_part(const struct prof_cover *cover, struct text *text) {
  if (prof_cover_lacks_samples(cover))
    add(text, "lines have %.0f%% of running time (short threads)", 100 * cover->line_share);
}

static void samples_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (cover->line_samples && !text->verbose) /* prof_sample_line has more */
    add(text, "self times from %s sample%s", prof_units_count(number, cover->line_samples),
        cover->line_samples == 1 ? "" : "s");
}

static void cpu_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  struct {
    const char *where;
    double share;
  } parts[] = {{"your code", cover->probed_share},
               {"uninstrumented libraries", cover->library_share},
               {"kernel", cover->kernel_share},
               {"generated code", cover->unknown_share}};
  if (!cover->samples)
    return;
  for (size_t left = sizeof parts / sizeof *parts, most; left > 0; parts[most] = parts[--left]) {
    most = 0;
    for (size_t i = 1; i < left; i++)
      most = parts[i].share > parts[most].share ? i : most;
    if (parts[most].share >= 0.005 || (text->verbose && parts[most].share > 0))
      add(text, "%s%.*f%% %s", text->used ? ", " : "CPU time: ", text->verbose, 100 * parts[most].share,
          parts[most].where);
  }
  if (text->verbose)
    add(text, " (%s sample%s%s)", prof_units_count(number, cover->samples), cover->samples == 1 ? "" : "s",
        cover->kernel_by_accounts ? "; kernel: by the system's accounting" : "");
}

static void timed_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (!cover->untimed_calls)
    return;
  double share = 1 - share_of(cover->untimed_calls, cover->calls);
  if (text->verbose || share < MOST_TIMED)
    add(text, "MIN to P99: %.*f%% of calls", share < 0.9995 ? 1 : 2, 100 * share);
  if (text->verbose)
    add(text, "; %s others touch sparse-clock intervals or were cut", prof_units_count(number, cover->untimed_calls));
}

/* Frames that began before a fork or pause have time but no call here, so TOTAL exceeds CALLS times AVG. */
static void open_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  const uint64_t all[PROF_TIME_KINDS] = {cover->time.running, cover->time.waiting, cover->thread_ns};
  if (cover->open_ns && (text->verbose || share_of(cover->open_ns, all[cover->shown]) >= WORTH_SAYING))
    add(text, "AVG to P99 leave out %s of calls begun before a fork or pause",
        prof_units_duration(number, cover->open_ns));
}

/* ---- parts of --verbose: how estimates came about ---- */

static void correction_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  bool included = times_hold_probes(cover);
  double call_ns = included ? cover->call_cost_ns : cover->call_taken_ns;
  double reading_ns = included ? cover->reading_cost_ns : cover->reading_taken_ns;
  if (!cover->corrected_threads && (!included || call_ns <= 0))
    return;
  add(text, "probe overhead");
  add_some(text, "of", included ? cover->threads : cover->corrected_threads, cover->threads);
  add(text, ": %.1f ns per %s", call_ns, cover->has_loops ? "call or loop entry" : "call");
  if (cover->readings)
    add(text, ", %.1f ns per clock reading for lines", reading_ns);
  if (!included)
    add(text, ", %s in all", prof_units_duration(number, cover->corrected_taken_ns));
  if (!included)
    add(text, ", uncertainty %s%s", text->utf8 ? "±" : "+-", prof_units_duration(number, cover->corrected_error_ns));
}

static void sampled_part(const struct prof_cover *cover, struct text *text) {
  if (!cover->sampled_threads)
    return;
  add(text, "times");
  add_some(text, "of", cover->sampled_threads, cover->threads);
  add(text, " estimated from samples");
  if (cover->light_threads == cover->sampled_threads)
    add(text, " in sparse-clock intervals");
  else if (cover->light_threads)
    add(text, ", of %" PRIu32 " in sparse-clock intervals", cover->light_threads);
  add(text, ": probe overhead was over %s", cover->light_threads ? "a third" : "half");
}

static void shadow_part(const struct prof_cover *cover, struct text *text) {
  char number[PROF_UNITS_BYTES];
  if (cover->shadow_ns)
    add(text, "%s of the estimate overlaps clock readings: distributed evenly over calls",
        prof_units_duration(number, cover->shadow_ns));
}

static void loose_part(const struct prof_cover *cover, struct text *text) {
  if (!cover->loose_threads)
    return;
  add(text, "times");
  add_some(text, "of", cover->loose_threads, cover->threads);
  add(text, " include sparse-clock intervals: self time may belong to a neighbouring call");
}

static void resolution_part(const struct prof_cover *cover, struct text *text) {
  add(text, "resolution: %.1f ns (clock step); percentiles within 2%%", cover->step_ns);
}

/* Most important first. */
static const struct part {
  const char *before; /* separator from the part before it on a line */
  void (*write)(const struct prof_cover *, struct text *);
  bool brief; /* also without --verbose */
} parts[] = {
    {"", calls_part, true},         {"; ", flaws_part, true},       {": ", time_part, true},
    {", ", elapsed_part, true},     {"; ", bursts_part, true},      {"; ", kind_part, true},
    {"; ", line_share_part, true},  {"; ", few_part, true},         {"; ", overhead_part, true},
    {"; ", open_part, true},        {"; ", preempted_part, true},   {"; ", stalled_part, true},
    {"; ", samples_part, true},     {"; ", cpu_part, true},         {"; ", timed_part, true},
    {"; ", correction_part, false}, {"; ", sampled_part, false},    {"; ", shadow_part, false},
    {"; ", loose_part, false},      {"; ", resolution_part, false},
};
#define PART_COUNT (sizeof parts / sizeof *parts)

/* ---- the header ---- */

struct line {
  char text[TEXT_BYTES];
  size_t used;
};

/* Returns whether the part fits.  An empty line takes any part; the caller cuts it. */
static bool take(struct line *line, const char *before, const char *part, size_t width) {
  size_t used = line->used, before_bytes = used ? strlen(before) : 0, bytes = strlen(part) + 1;
  if (used + before_bytes + bytes > sizeof line->text)
    return false;
  memcpy(line->text + used, before, before_bytes);
  memcpy(line->text + used + before_bytes, part, bytes);
  line->used = used + before_bytes + bytes - 1;
  if (!used || prof_text_width(line->text) <= width)
    return true;
  line->text[line->used = used] = 0;
  return false;
}

static void print_brief(const struct prof_cover *cover, const struct prof_output *output) {
  struct line lines[HEADER_LINES] = {0};
  size_t room = output->style.width, count = HEADER_LINES - (output->warned || output->compact ? 1 : 0);
  size_t width = room && room < HEADER_WIDTH ? room : HEADER_WIDTH;
  for (size_t i = 0; i < PART_COUNT; i++) {
    struct text text = {.utf8 = output->style.utf8, .compact = output->compact};
    if (parts[i].brief)
      parts[i].write(cover, &text);
    for (size_t j = 0; j < count && text.used; j++)
      if (take(&lines[j], parts[i].before, text.bytes, width))
        text.used = 0;
  }
  for (size_t j = 0; j < count && lines[j].used; j++) {
    prof_text_cut(lines[j].text, width, output->style.utf8);
    fprintf(output->file, "%s\n", lines[j].text);
  }
}

static void print_all(const struct prof_cover *cover, const struct prof_output *output) {
  char line[2 * TEXT_BYTES + 2];
  struct text calls = {.verbose = true, .utf8 = output->style.utf8}, time = calls;
  calls_part(cover, &calls);
  time_part(cover, &time);
  snprintf(line, sizeof line, "%s: %s", calls.bytes, time.bytes);
  prof_output_wrap(output, line, 2);
  for (size_t i = 0; i < PART_COUNT; i++) {
    struct text text = {.verbose = true, .utf8 = output->style.utf8};
    if (parts[i].write != calls_part && parts[i].write != time_part)
      parts[i].write(cover, &text);
    if (text.used)
      prof_output_wrap(output, text.bytes, 2);
  }
}

void prof_cover_lines(const struct prof_cover *cover, const struct prof_output *output) {
  if (output->style.color)
    fputs("\x1b[2m", output->file);
  if (output->verbose)
    print_all(cover, output);
  else
    print_brief(cover, output);
  fputs(output->style.color ? "\x1b[0m\n" : "\n", output->file);
}

static void write_readings(const struct prof_cover *cover, struct prof_json *json) {
  if (!cover->readings)
    return;
  prof_json_count(json, "line_readings", cover->readings);
  prof_json_number(json, "line_reading_taken_ns", cover->reading_taken_ns);
  prof_json_number(json, "line_reading_cost_ns", cover->reading_cost_ns);
}

static void write_samples(const struct prof_cover *cover, struct prof_json *json) {
  if (!cover->samples)
    return;
  prof_json_count(json, "samples", cover->samples);
  prof_json_number(json, "probed_share", cover->probed_share);
  prof_json_number(json, "library_share", cover->library_share);
  prof_json_number(json, "kernel_share", cover->kernel_share);
  prof_json_number(json, "unknown_share", cover->unknown_share);
  prof_json_bool(json, "kernel_by_accounts", cover->kernel_by_accounts);
}

static void write_bursts(const struct prof_cover *cover, struct prof_json *json) {
  if (!cover->has_budget)
    return;
  prof_json_count(json, "shown_functions", cover->functions_shown);
  prof_json_count(json, "burst_functions", cover->burst_functions);
  prof_json_count(json, "unknown_functions", cover->unknown_functions);
  prof_json_count(json, "unseen_functions", cover->unseen_functions);
  prof_json_count(json, "shown_zones", cover->zones_shown);
  prof_json_count(json, "burst_zones", cover->burst_zones);
  prof_json_count(json, "unknown_zones", cover->unknown_zones);
  prof_json_count(json, "windows", cover->windows);
  prof_json_count(json, "damaged_window_chunks", cover->windows_damaged);
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
  prof_json_count(json, "inside_low_ns", cover->low_ns);
  prof_json_count(json, "inside_high_ns", cover->high_ns);
  prof_json_count(json, "corrected_threads", cover->corrected_threads);
  prof_json_count(json, "sampled_threads", cover->sampled_threads);
  prof_json_count(json, "sliced_threads", cover->light_threads);
  prof_json_count(json, "shadow_ns", cover->shadow_ns);
  prof_json_count(json, "probe_taken_ns", cover->taken_ns);
  prof_json_number(json, "probe_taken_per_call_ns", cover->call_taken_ns);
  prof_json_count(json, "probe_error_ns", cover->error_ns);
  prof_json_number(json, "probe_cost_per_call_ns", cover->call_cost_ns);
  prof_json_number(json, "probe_cost_share", cover->cost_share);
  write_readings(cover, json);
  prof_json_number(json, "clock_step_ns", cover->step_ns);
  prof_json_count(json, "stall_ns", cover->stalled_ns);
  prof_json_text(json, "time", prof_time_words[cover->shown]);
  if (cover->has_switches) {
    prof_json_count(json, "running_ns", cover->time.running);
    prof_json_count(json, "waiting_ns", cover->time.waiting);
    prof_json_count(json, "preempted_ns", cover->time.preempted);
    if (cover->spun_ns)
      prof_json_count(json, "spinning_ns", cover->spun_ns);
    prof_json_count(json, "probe_ns", cover->taken_ns);
    prof_json_count(json, "elapsed_ns", cover->measured_ns);
    if (cover->sparse_switches)
      prof_json_bool(json, "waits_estimated", true);
  }
  if (cover->open_ns)
    prof_json_count(json, "inherited_ns", cover->open_ns);
  write_samples(cover, json);
  write_bursts(cover, json);
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
    if (!flaws[i].rare || value_of(cover, &flaws[i]))
      prof_json_count(json, flaws[i].key, value_of(cover, &flaws[i]));
  if (cover->folded_paths) {
    prof_json_count(json, "folded_calls", cover->folded_calls);
    prof_json_count(json, "folded_ns", cover->folded_ns);
  }
  prof_json_object_end(json);
}

void prof_cover_no_switches(void) {
  fputs("prof: no scheduler switches were recorded: running and waiting time are unknown (see prof info)\n", stderr);
}
