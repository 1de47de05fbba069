/*
 * tools/record/pump/orders.c - see orders.h.
 */
#include "record/pump/orders.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "record/parts/cut.h"
#include "record/pump/governing.h"

#define TURN_NS 5000000
#define NO_BUDGET "this recording has no budget: its probes stay on\trecord with --overhead=5%"
#define HAS_BUDGET "filters can't be used with a budget\trecord with --full, or filter when reading: prof report -F"

bool prof_orders_give(struct prof_pump *pump, const char *order, const uint32_t *ends, char *answer,
                      size_t answer_bytes) {
  struct prof_orders *orders = &pump->orders;
  const struct timespec turn = {0, TURN_NS};
  uint32_t number = orders->asked + 1;
  snprintf(orders->text, sizeof orders->text, "%s", order);
  __atomic_store_n(&orders->asked, number, __ATOMIC_RELEASE);
  prof_region_ring_bell(pump->options.region);
  while (__atomic_load_n(&orders->done, __ATOMIC_ACQUIRE) != number) {
    if (__atomic_load_n(ends, __ATOMIC_ACQUIRE) || __atomic_load_n(&pump->closed, __ATOMIC_RELAXED)) {
      snprintf(answer, answer_bytes, "the recording ends\tprof report shows what was recorded");
      return false;
    }
    nanosleep(&turn, NULL);
  }
  snprintf(answer, answer_bytes, "%s", orders->answer);
  return orders->good;
}

bool prof_orders_wait(const struct prof_pump *pump) {
  return __atomic_load_n(&pump->orders.asked, __ATOMIC_ACQUIRE) != pump->orders.done && !pump->closed;
}

static bool say(struct prof_pump *pump, bool good, const char *answer) {
  snprintf(pump->orders.answer, sizeof pump->orders.answer, "%s", answer);
  return good;
}

static void note(struct prof_pump *pump, uint64_t ticks, enum prof_control_what what, const char *text) {
  (void)prof_writer_control(pump->options.writer,
                            &(struct prof_control_record){.ticks = ticks, .what = what, .text = prof_span(text)});
}

/* All threads follow the rules as they are now. */
static void judge(struct prof_pump *pump, uint64_t ticks) {
  struct prof_keep_rules *rules = pump->kept.on || pump->kept.rules.off ? &pump->kept.rules : NULL;
  pump->source.keep = rules;
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      prof_matcher_judge(pump->channels[i].matcher, rules, ticks);
}

static bool set_off(struct prof_pump *pump, uint64_t ticks, bool off) {
  if (pump->kept.rules.off == off)
    return say(pump, false,
               off ? "nothing is being recorded now\tgo on with: prof ctl NAME start"
                   : "recording is on already\tsee how far it is: prof ctl NAME status");
  pump->kept.rules.off = off;
  judge(pump, ticks);
  prof_slices_switch(&pump->slices, &pump->processes, ticks, !off);
  prof_governor_pause(&pump->governor, off);
  if (!pump->governor.on)
    prof_region_pause(pump->options.region, off);
  note(pump, ticks, off ? PROF_CONTROL_STOPPED : PROF_CONTROL_STARTED, "");
  return say(pump, true, off ? "recording is off" : "recording goes on");
}

static bool take_stop(struct prof_pump *pump, const char *value, uint64_t ticks) {
  (void)value;
  return set_off(pump, ticks, true);
}

static bool take_start(struct prof_pump *pump, const char *value, uint64_t ticks) {
  (void)value;
  return set_off(pump, ticks, false);
}

static bool take_overhead(struct prof_pump *pump, const char *value, uint64_t ticks) {
  double budget = strtod(value, NULL);
  char text[80], percent[24];
  if (!pump->governor.on)
    return say(pump, false, NO_BUDGET);
  if (!(budget > 0 && budget <= 0.5))
    return say(pump, false, "no such budget\tgive 1% to 50%");
  snprintf(percent, sizeof percent, "%g%%", budget * 100);
  prof_governor_set_budget(&pump->governor, budget);
  prof_rates_set_budget(&pump->rates, budget, &pump->governor.parts);
  note(pump, ticks, PROF_CONTROL_OVERHEAD, percent);
  snprintf(text, sizeof text, "the budget is %s", percent);
  return say(pump, true, text);
}

static bool take_filter(struct prof_pump *pump, const char *value, uint64_t ticks) {
  char text[PROF_KEPT_TEXT_BYTES], unmet[400];
  if (pump->governor.on)
    return say(pump, false, HAS_BUDGET);
  if (!prof_kept_change(&pump->kept, value, text))
    return say(pump, false, "no memory for the filter\tgive it fewer patterns");
  prof_kept_clock(&pump->kept,
                  pump->frequency_hz != 0 ? pump->frequency_hz : prof_clock_log_frequency(pump->options.clock));
  prof_modules_judge(&pump->modules, &pump->kept);
  prof_quiet_judge(&pump->quiet, &pump->modules);
  bool met = !prof_kept_unmet(&pump->kept, unmet, sizeof unmet);
  judge(pump, ticks);
  note(pump, ticks, PROF_CONTROL_FILTER, text);
  snprintf(pump->orders.filter, sizeof pump->orders.filter, "%s%.200s", text[0] != 0 ? ": " : "", text);
  return say(pump, true, !met ? unmet : text[0] != 0 ? "the filter holds from now on" : "there is no filter any more");
}

/* Of the program so far. */
static bool say_figures(struct prof_pump *pump, uint64_t ticks) {
  struct prof_governor_figures figures;
  char text[200];
  prof_governing_figures(pump, &figures);
  snprintf(text, sizeof text, PROF_FLUSHED, ticks,
           figures.events_ns + figures.windows_ns + figures.samples_ns + figures.switches_ns, (double)figures.cpu_ns,
           figures.budget);
  return say(pump, true, text);
}

static bool take_figures(struct prof_pump *pump, const char *value, uint64_t ticks) {
  (void)value;
  return say_figures(pump, ticks);
}

static bool take_flush(struct prof_pump *pump, const char *value, uint64_t ticks) {
  (void)value;
  if (pump->options.parts != NULL && pump->options.parts->wish.mode != PROF_SERIES_STREAM)
    return say(pump, false, PROF_FLUSH_RING "\ttake a snapshot: prof ctl NAME snapshot");
  prof_sampling_take_all(pump->options.sampling, pump->source.now_ns);
  prof_cut_flush(pump, ticks);
  return say_figures(pump, ticks);
}

/* ", off, budget 2%, overhead about 1.4%"; "" if every call is recorded */
static bool take_state(struct prof_pump *pump, const char *value, uint64_t ticks) {
  char text[400] = "", budget[80] = "";
  (void)value, (void)ticks;
  if (pump->governor.on) {
    struct prof_governor_figures figures;
    prof_governing_figures(pump, &figures);
    double added_ns = figures.events_ns + figures.windows_ns + figures.samples_ns + figures.switches_ns;
    double own_ns = (double)figures.cpu_ns - added_ns;
    int used = snprintf(budget, sizeof budget, ", budget %g%%", figures.budget * 100);
    if (own_ns > 0)
      snprintf(budget + used, sizeof budget - (size_t)used, ", overhead about %.1f%%", 100 * added_ns / own_ns);
  }
  snprintf(text, sizeof text, "%s%s%s%s", pump->kept.rules.off ? ", off" : "", pump->kept.on ? ", filtered" : "",
           pump->orders.filter, budget);
  return say(pump, true, text);
}

static const struct {
  const char *word;
  bool (*take)(struct prof_pump *, const char *value, uint64_t ticks);
} rows[] = {{"stop", take_stop},   {"start", take_start}, {"overhead", take_overhead}, {"filter", take_filter},
            {"flush", take_flush}, {"state", take_state}, {"figures", take_figures}};

void prof_orders_carry_out(struct prof_pump *pump, uint64_t ticks) {
  struct prof_orders *orders = &pump->orders;
  size_t length = strcspn(orders->text, " \x1f");
  const char *value = orders->text + length + (orders->text[length] != 0);
  orders->good = say(pump, false, "unknown word\tgive one of: status snapshot start stop overhead filter");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].word) == length && memcmp(rows[i].word, orders->text, length) == 0)
      orders->good = rows[i].take(pump, value, ticks);
  __atomic_store_n(&orders->done, orders->asked, __ATOMIC_RELEASE);
}
