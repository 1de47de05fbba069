/*
 * tools/record/pump/governing.c - see governing.h.
 */
#include "record/pump/governing.h"

#include "record/pump/left_behind.h"

#define START_NS 200000000u
#define WHOLE_NS 30000000u
#define ENDED_BYTES (256u << 20) /* of texts of ended processes */

static uint32_t thread_of(void *context, uint32_t record, int32_t tid) {
  const struct prof_pump *pump = context;
  return pump->channels[record].tid == tid ? pump->channels[record].number : 0;
}

static void stretch(void *context, bool on) {
  prof_opener_stretch(context, on);
}

/* Only a process that forked can leave one. */
static bool others_there(void *context, uint64_t *first_ns, uint64_t *last_ns) {
  const struct prof_pump *pump = context;
  const struct prof_region *region = pump->options.region;
  return __atomic_load_n(&region->control->forks, __ATOMIC_RELAXED) > 0 &&
         prof_left_behind_unknown(region, &pump->processes, first_ns, last_ns);
}

struct prof_text_others prof_governing_others(struct prof_pump *pump) {
  return (struct prof_text_others){others_there, pump};
}

bool prof_governing_start(struct prof_pump *pump) {
  const struct prof_region *region = pump->options.region;
  const struct prof_control *control = region->control;
  const struct prof_governor_options options = {
      .budget = pump->options.budget,
      .sample_hz = pump->options.sampling->figures.asked_hz,
      .sample_ns = PROF_SAMPLE_COST_NS,
      .clock = pump->options.clock->of,
      .region_fd = region->fd,
      .region = region,
      .thread_of = thread_of,
      .context = pump,
      .texts_begin = control->texts_offset,
      .texts_end = control->texts_offset + control->texts_bytes,
      .limits_own = true,
      .attached = pump->options.sampling->attached,
      .writer = pump->options.writer,
      .processes = &pump->processes,
      .others = prof_governing_others(pump),
      .rules = &pump->kept.rules,
  };
  pump->modules.hints = pump->options.hints;
  bool good = prof_governor_start(&pump->governor, &options);
  if (pump->governor.on) {
    pump->source.sieve = &pump->governor.sieve;
    prof_rates_start(&pump->rates, &pump->options.sampling->perf, pump->options.clock->of, options.budget,
                     &pump->governor.parts);
  }
  if (pump->rates.is_open) {
    pthread_mutex_lock(&pump->rates.beat.lock);
    pump->rates.stretch = stretch;
    pump->rates.context = &pump->governor.opener;
    pthread_mutex_unlock(&pump->rates.beat.lock);
  }
  return good;
}

enum prof_channel_depth prof_governing_depth(const struct prof_pump *pump) {
  return pump->governor.on && prof_steady_ns() - pump->whole_ns >= WHOLE_NS ? PROF_CHANNEL_WHOLE : PROF_CHANNEL_LEFT;
}

uint64_t prof_governing_ticks(const struct prof_pump *pump) {
  return pump->governor.on ? prof_ticks_now(pump->options.clock->of) : 0;
}

void prof_governing_turn(struct prof_pump *pump, enum prof_channel_depth depth, uint64_t begin_ticks) {
  if (!pump->governor.on || pump->closed)
    return;
  if (depth == PROF_CHANNEL_WHOLE)
    prof_governor_caught_up(&pump->governor);
  prof_governor_turn(&pump->governor, pump->source.now_ns);
  prof_rates_note_cpus(&pump->rates, pump->governor.cpus);
  prof_rates_look(&pump->rates, pump->options.sampling->switches, pump->governor.cpu.sum_ns);
  pump->governor.left = prof_rates_left(&pump->rates);
  pump->options.sampling->lacks_switches |= pump->rates.lacked;
  if (pump->rates.lacked && !pump->rates.sparse)
    prof_opener_leave_stretches(&pump->governor.opener);
  prof_rates_write(&pump->rates, pump->options.writer, pump->source.now_ns, false);
  if (depth != PROF_CHANNEL_WHOLE)
    return;
  pump->whole_ns = pump->source.now_ns;
  struct prof_site_map map = prof_modules_map(&pump->modules);
  uint32_t used = prof_region_records_used(pump->options.region);
  for (uint32_t i = 0; i < used; i++)
    if (pump->channels[i].number != 0)
      prof_sieve_settle(&pump->governor.sieve, &pump->channels[i].sieved, begin_ticks);
  prof_governor_write(&pump->governor, &map, begin_ticks, pump->source.now_ns, false);
}

void prof_governing_keep_house(struct prof_pump *pump) {
  if (pump->governor.on && pump->source.now_ns - pump->started_ns > START_NS)
    prof_region_limit_threads(pump->options.region, false);
  prof_quiet_look(&pump->quiet, &pump->processes, pump->source.now_ns);
  struct prof_text_set *texts = pump->governor.on ? &pump->governor.opener.texts : &pump->quiet.texts;
  if ((!pump->governor.on && !pump->quiet.on) || texts->ended_bytes < ENDED_BYTES)
    return;
  uint64_t first_ns, last_ns;
  if (prof_left_behind_unknown(pump->options.region, &pump->processes, &first_ns, &last_ns))
    return; /* it has perhaps texts of an ended one */
  if (pump->governor.on)
    pthread_mutex_lock(&pump->governor.opener.beat.lock);
  prof_texts_free_ended(texts);
  if (pump->governor.on)
    pthread_mutex_unlock(&pump->governor.opener.beat.lock);
}

void prof_governing_stop(struct prof_pump *pump) {
  prof_governor_stop(&pump->governor);
  prof_rates_stop(&pump->rates);
}

void prof_governing_figures(const struct prof_pump *pump, struct prof_governor_figures *figures) {
  const struct prof_sampling *sampling = pump->options.sampling;
  prof_governor_figures(&pump->governor, figures);
  if (!pump->governor.on)
    return;
  figures->samples_ns = (double)sampling->sampled * PROF_SAMPLE_COST_NS;
  figures->switches_ns = prof_rates_cost_ns(&pump->rates, sampling->switches);
}

void prof_governing_finish(struct prof_pump *pump) {
  struct prof_site_map map = prof_modules_map(&pump->modules);
  prof_governor_write(&pump->governor, &map, UINT64_MAX, pump->source.now_ns, true);
  if (pump->governor.on)
    prof_rates_write(&pump->rates, pump->options.writer, pump->source.now_ns, true);
  prof_governing_figures(pump, &pump->result.governor);
}
