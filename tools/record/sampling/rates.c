/*
 * tools/record/sampling/rates.c - see rates.h.
 */
#include "record/sampling/rates.h"

#include <sys/prctl.h>
#include <time.h>

#include "record/sampling/stretch_share.h"

#define IDLE_NS 1000000000u
#define STRETCH_NS 1000000u
#define QUIET_NS 3000000u
#define SWITCHING_TIMES 100 /* a gap is so many times longer than the CPU time of switching the samplers */
#define GAP_MOST_NS 2e9
#define IDLE_CPUS 0.002    /* processors that the program uses: with less, gaps are longer */
#define LOOK_SWITCHES 256u /* for a rate */
#define LOOK_CPU_NS 50000000u
#define SELDOM_NS 1000000000u /* so long, until the usual rate comes back */
#define WRITE_NS 500000000u
#define HEAD_BYTES 128u /* of a chunk */

/* Of this thread: on a busy machine it often waits for a processor, which costs nobody anything. */
static uint64_t own_cpu_ns(void) {
  struct timespec now;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
                                                           : 0;
}

/* With the lock. */
static void record_switches(struct prof_rates *rates, bool on) {
  uint64_t now_ns = prof_steady_ns();
  prof_perf_switches(rates->perf, on);
  rates->lacked_ns += on ? now_ns - rates->lacks_ns : 0;
  rates->lacks_ns = on ? 0 : now_ns;
  rates->lacks = !on;
}

/* With the lock.  The change holds from the middle of the switching: records of switches are whole within it. */
static void turn_to(struct prof_rates *rates, enum prof_sample_rate rate, bool lacks) {
  if (rates->rate == rate && rates->lacks == lacks)
    return;
  uint64_t begin_ns = own_cpu_ns();
  if (rates->lacks && !lacks)
    record_switches(rates, true);
  uint64_t begin = prof_ticks_now(rates->clock);
  if (rates->rate == PROF_RATE_FAST)
    prof_perf_extra(rates->perf, false);
  if (rates->rate == PROF_RATE_USUAL || rate == PROF_RATE_USUAL)
    prof_perf_usual(rates->perf, rate == PROF_RATE_USUAL);
  if (rate == PROF_RATE_FAST)
    prof_perf_extra(rates->perf, true);
  uint64_t end = prof_ticks_now(rates->clock);
  struct prof_rate_change change = {begin + (end - begin) / 2, rate, lacks};
  if (!rates->lacks && lacks)
    record_switches(rates, false);
  if (rates->rate != rate)
    rates->took_ns = own_cpu_ns() - begin_ns;
  rates->rate = rate;
  (void)prof_vec_push(&rates->changes, change); /* without memory the samples of a stretch don't count */
}

/* As long as the last stretch was in fact, its share has to be kept. */
static double gap_ns(const struct prof_rates *rates) {
  double length = (double)(rates->stretch_ns > 0 ? rates->stretch_ns : STRETCH_NS);
  double gap = length * (1 / rates->share - 1), least = SWITCHING_TIMES * (double)rates->took_ns;
  gap = gap > least ? gap : least;
  gap *= rates->cpus < IDLE_CPUS ? IDLE_CPUS / (rates->cpus > 0 ? rates->cpus : IDLE_CPUS / GAP_MOST_NS) : 1;
  return gap < GAP_MOST_NS ? gap : GAP_MOST_NS;
}

static void tell(const struct prof_rates *rates, bool on) {
  if (rates->stretch != NULL && rates->sparse)
    rates->stretch(rates->context, on);
}

/* Windows open in it, so nothing else disturbs.  false: the recording ends. */
static bool quiet_stretch(struct prof_rates *rates) {
  turn_to(rates, PROF_RATE_NONE, false);
  tell(rates, true);
  bool goes_on = prof_beat_rest(&rates->beat, QUIET_NS);
  tell(rates, false);
  turn_to(rates, PROF_RATE_NONE, rates->sparse);
  return goes_on;
}

static bool rest(struct prof_rates *rates, double mean_ns) {
  return prof_beat_rest(&rates->beat, prof_beat_gap_ns(&rates->beat, mean_ns)) && rates->wanted;
}

/* false: the recording ends. */
static bool stretch(struct prof_rates *rates) {
  turn_to(rates, PROF_RATE_NONE, rates->sparse);
  double gap = gap_ns(rates);
  if (rates->sparse && (!rest(rates, gap / 2) || !quiet_stretch(rates)))
    return !rates->beat.ends;
  if (!rest(rates, rates->sparse ? gap / 2 : gap))
    return !rates->beat.ends;
  uint64_t begin_ns = prof_steady_ns();
  turn_to(rates, PROF_RATE_FAST, false);
  bool goes_on = prof_beat_rest(&rates->beat, STRETCH_NS);
  turn_to(rates, PROF_RATE_NONE, rates->sparse);
  rates->stretch_ns = prof_steady_ns() - begin_ns;
  return goes_on;
}

static void *run(void *context) {
  struct prof_rates *rates = context;
  prctl(PR_SET_TIMERSLACK, 1);
  pthread_mutex_lock(&rates->beat.lock);
  for (bool goes_on = true; goes_on;) {
    if (!rates->wanted)
      turn_to(rates, PROF_RATE_USUAL, false);
    goes_on = rates->wanted ? stretch(rates) : prof_beat_rest(&rates->beat, IDLE_NS);
  }
  pthread_mutex_unlock(&rates->beat.lock);
  return NULL;
}

void prof_rates_start(struct prof_rates *rates, struct prof_perf *perf, enum prof_ticks_of clock, double budget,
                      const struct prof_parts *parts) {
  *rates = (struct prof_rates){
      .perf = perf, .clock = clock, .budget = budget, .parts = *parts, .rate = PROF_RATE_USUAL, .share = 1, .cpus = 1};
  rates->looked_ns = prof_steady_ns();
  if (parts->samples <= 0 || perf->layout.extra_ns == 0)
    return;
  rates->is_open = true;
  (void)prof_beat_start(&rates->beat, run, rates); /* without a thread the usual rate stays */
}

void prof_rates_set_budget(struct prof_rates *rates, double budget, const struct prof_parts *parts) {
  if (!rates->is_open)
    return;
  pthread_mutex_lock(&rates->beat.lock);
  rates->budget = budget;
  rates->parts = *parts;
  pthread_mutex_unlock(&rates->beat.lock);
}

void prof_rates_stop(struct prof_rates *rates) {
  prof_beat_stop(&rates->beat);
}

void prof_rates_fini(struct prof_rates *rates) {
  if (!rates->is_open)
    return;
  prof_beat_fini(&rates->beat);
  prof_vec_fini(&rates->changes);
  rates->is_open = false;
}

static bool wants(struct prof_rates *rates, double per_ns, uint64_t cpu_ns) {
  if (prof_stretch_wanted(per_ns, rates->parts.samples, rates->wanted)) {
    rates->seldom_ns = 0;
    return true;
  }
  rates->seldom_ns = rates->seldom_ns != 0 ? rates->seldom_ns : cpu_ns;
  return rates->wanted && cpu_ns - rates->seldom_ns < SELDOM_NS;
}

/* How many there were, if records of them were on for a part of the time only; 0: none of it. */
static double scaled(struct prof_rates *rates, uint64_t more, uint64_t now_ns) {
  uint64_t missed_ns = rates->lacked_ns + (rates->lacks ? now_ns - rates->lacks_ns : 0);
  double wall_ns = (double)(now_ns - rates->looked_ns), on_ns = wall_ns - (double)(missed_ns - rates->missed_ns);
  rates->missed_ns = missed_ns;
  return on_ns > 0 && wall_ns > 0 ? (double)more * wall_ns / on_ns : 0;
}

void prof_rates_look(struct prof_rates *rates, uint64_t switches, uint64_t cpu_ns) {
  uint64_t more = switches - rates->switches, ran_ns = cpu_ns - rates->cpu_ns;
  if (!rates->is_open || ran_ns == 0 || (more < LOOK_SWITCHES && ran_ns < LOOK_CPU_NS))
    return;
  pthread_mutex_lock(&rates->beat.lock);
  uint64_t now_ns = prof_steady_ns();
  double all = scaled(rates, more, now_ns), per_ns = rates->per_ns = all / (double)ran_ns;
  bool was = rates->wanted, sparse = rates->sparse;
  rates->all += all;
  rates->timed += all * (was ? rates->share : 1);
  rates->wanted = rates->beat.runs && wants(rates, per_ns, cpu_ns);
  rates->sparse = rates->wanted && prof_sparse_wanted(per_ns, rates->budget, sparse);
  rates->lacked |= rates->sparse;
  rates->share = prof_stretch_share(per_ns, rates->perf->layout.extra_ns,
                                    prof_parts_beside(&rates->parts, prof_rates_left(rates)).samples);
  if (rates->wanted != was)
    prof_beat_hurry(&rates->beat);
  pthread_mutex_unlock(&rates->beat.lock);
  rates->switches = switches;
  rates->cpu_ns = cpu_ns;
  rates->looked_ns = now_ns;
}

void prof_rates_note_cpus(struct prof_rates *rates, double cpus) {
  if (!rates->is_open || cpus == rates->cpus)
    return;
  pthread_mutex_lock(&rates->beat.lock);
  bool was_idle = rates->cpus < IDLE_CPUS;
  rates->cpus = cpus;
  if (was_idle && cpus >= IDLE_CPUS)
    prof_beat_hurry(&rates->beat);
  pthread_mutex_unlock(&rates->beat.lock);
}

double prof_rates_left(const struct prof_rates *rates) {
  return prof_left_beside_switches(rates->budget, rates->per_ns, rates->sparse);
}

double prof_rates_cost_ns(const struct prof_rates *rates, uint64_t switches) {
  double since = (double)(switches - rates->switches), all = rates->is_open ? rates->all + since : since;
  return all * PROF_SWITCH_COST_NS + (double)switches * PROF_SWITCH_RECORD_COST_NS + rates->timed * PROF_TIMER_COST_NS;
}

void prof_rates_write(struct prof_rates *rates, prof_writer *writer, uint64_t now_ns, bool last) {
  if (!rates->is_open || (!last && now_ns - rates->written_ns < WRITE_NS))
    return;
  rates->written_ns = now_ns;
  pthread_mutex_lock(&rates->beat.lock);
  if (rates->changes.count > 0)
    (void)prof_writer_rates(writer, rates->changes.items, rates->changes.count);
  rates->changes.count = 0;
  pthread_mutex_unlock(&rates->beat.lock);
}

uint64_t prof_rates_waiting_bytes(struct prof_rates *rates) {
  if (!rates->is_open)
    return 0;
  pthread_mutex_lock(&rates->beat.lock);
  uint64_t bytes = HEAD_BYTES + rates->changes.count * sizeof(struct prof_rate_change);
  pthread_mutex_unlock(&rates->beat.lock);
  return bytes;
}
