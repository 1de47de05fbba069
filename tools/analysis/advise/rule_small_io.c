/*
 * tools/analysis/advise/rule_small_io.c - many writes or reads of few bytes each.
 *
 * Evidence: events of --io: many calls for a file, of few bytes each, which take part of their threads' time.  Without
 * such events: CPU time in write or read (libc and the kernel), and how often the function comes to the call: so little
 * time for each that it can't have moved much.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_TIMES 1000u
#define LEAST_EVENTS 3.0  /* a system call takes at least so many times what an event costs */
#define MOST_EVENTS 600.0 /* ... and a small one at most */
#define USUAL_EVENT_NS 20.0
#define MOST_BYTES 512u

static bool is_small(const struct prof_evidence *evidence, double share, uint64_t times) {
  double ticks = share * (double)evidence->running_ticks / (double)times;
  double event = evidence->event_ticks;
  if (event <= 0)
    event = (double)prof_trace_ticks(evidence->recording->trace, (uint64_t)USUAL_EVENT_NS);
  return ticks >= LEAST_EVENTS * event && ticks <= MOST_EVENTS * event;
}

/* CPU time in the call, with that in the kernel if the function's code enters it by no other call that we know. */
static struct prof_weighted time_of(struct prof_evidence *evidence, uint32_t function, enum prof_call_class class) {
  static const enum prof_call_class others[] = {PROF_CALL_WRITE, PROF_CALL_READ, PROF_CALL_SLEEP, PROF_CALL_LOCK};
  struct prof_weighted sum = evidence->functions[function].calls_of[class];
  bool alone = sum.count > 0;
  uint32_t at;
  for (size_t i = 0; i < sizeof others / sizeof *others && alone; i++)
    alone = others[i] == class || !prof_evidence_calls(evidence, function, others[i], &at);
  if (alone)
    prof_weighted_join(&sum, &evidence->functions[function].kernel);
  return sum;
}

/* Endpoints are left out: what is sent in small pieces may be waited for. */
static bool is_small_measured(const struct prof_io_row *row, enum prof_call_class class) {
  static const enum prof_measure_operation writes[] = {PROF_MEASURE_WRITE, PROF_MEASURE_PWRITE, PROF_MEASURE_WRITEV,
                                                       PROF_MEASURE_PWRITEV};
  static const enum prof_measure_operation reads[] = {PROF_MEASURE_READ, PROF_MEASURE_PREAD, PROF_MEASURE_READV,
                                                      PROF_MEASURE_PREADV};
  const enum prof_measure_operation *operations = class == PROF_CALL_WRITE ? writes : reads;
  bool known = false;
  for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
    known |= row->operation == prof_io_operation(operations[i]);
  uint64_t calls = row->calls - row->failed;
  return known && row->path[0] == '/' && strncmp(row->path, "/dev/", 5) != 0 && calls >= LEAST_TIMES &&
         row->bytes <= MOST_BYTES * calls;
}

static bool find_measured(struct prof_evidence *evidence, const struct prof_advice_rule *rule,
                          enum prof_call_class class) {
  const struct prof_io *io = &evidence->measured.io;
  for (size_t i = 0; i < io->count; i++) {
    const struct prof_io_row *row = &io->rows[i];
    double share = row->threads_ns ? fmin((double)row->wait_ns / (double)row->threads_ns, 1) : 0;
    if (share < evidence->options->min_share || !is_small_measured(row, class))
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, rule, &row->place);
    if (!advice)
      return false;
    advice->of = "these threads' time";
    advice->check = "io";
    const struct prof_interval interval = {share * 0.8, share};
    prof_advice_weigh(advice, interval, 4, HUGE_VAL);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share,
                           prof_advice_text(evidence, "of these threads' time in %s", row->operation));
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->calls, "calls");
    prof_advice_figure_add(advice, PROF_ADVICE_BYTES, (double)row->bytes / (double)row->calls, "each");
    prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, prof_advice_text(evidence, "file %s", row->path));
  }
  return true;
}

static bool find(struct prof_evidence *evidence, const struct prof_advice_rule *rule, enum prof_call_class class,
                 const char *text) {
  if (evidence->measured.io.recorded)
    return find_measured(evidence, rule, class);
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    struct prof_weighted met = time_of(evidence, i, class);
    double share = prof_evidence_share(evidence, &met);
    uint32_t at;
    if (met.count < 3 || share < evidence->options->min_share || !prof_evidence_calls(evidence, i, class, &at))
      continue;
    uint64_t times = prof_evidence_executions(evidence, i, at);
    if (times < LEAST_TIMES || !is_small(evidence, share, times))
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, rule, i);
    if (!advice)
      return false;
    prof_advice_place(evidence, advice, evidence->codes[i]->lines.items[at].instruction.address);
    prof_advice_weigh(advice, prof_evidence_interval(evidence, &met), 4, HUGE_VAL);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, text);
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)times, "times it comes to the call");
    prof_advice_figure_add(
        advice, PROF_ADVICE_NS,
        (double)prof_trace_ns(evidence->recording->trace, (uint64_t)(share * (double)evidence->running_ticks)) /
            (double)times,
        "each");
  }
  return true;
}

extern const struct prof_advice_rule prof_rule_small_writes, prof_rule_small_reads;

static bool find_writes(struct prof_evidence *evidence) {
  return find(evidence, &prof_rule_small_writes, PROF_CALL_WRITE, "of CPU time in writes, called from it");
}

static bool find_reads(struct prof_evidence *evidence) {
  return find(evidence, &prof_rule_small_reads, PROF_CALL_READ, "of CPU time in reads, called from it");
}

const struct prof_advice_rule prof_rule_small_writes = {
    .kind = "small-writes",
    .title = "Many small writes",
    .of = "CPU time",
    .why =
        "Each write enters the kernel, which costs more than copying a few bytes. Collect them in a buffer, and write "
        "it when it is full; flush where someone waits for the data.",
    .before = "for (i = 0; i < n; i++)\n  write(fd, &record[i], sizeof record[i]);",
    .after = "for (i = 0; i < n; i++)\n  fwrite(&record[i], sizeof record[i], 1, file);\nfflush(file);",
    .check = "lines -F @",
    .find = find_writes,
};

const struct prof_advice_rule prof_rule_small_reads = {
    .kind = "small-reads",
    .title = "Many small reads",
    .of = "CPU time",
    .why = "Each read enters the kernel, which costs more than copying a few bytes. Read large blocks into a buffer.",
    .before = "while (read(fd, &letter, 1) == 1)\n  take(letter);",
    .after = "while ((letter = getc(file)) != EOF)\n  take(letter);",
    .check = "lines -F @",
    .find = find_reads,
};
