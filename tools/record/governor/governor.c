/*
 * tools/record/governor/governor.c - see governor.h.
 *
 * Demotion: events of functions in state always use up a credit, which grows with the processes' CPU time.  When it is
 * used up, the functions with the highest rates leave state always, until the rest fits.  A state begins before sites
 * are switched off and after they are switched on, so that no event is missing in it.
 */
#include "record/governor/governor.h"

#include <string.h>
#include <time.h>

#include "record/governor/bursts.h"

#define LOOK_NS 2000000u
#define LOOK_EVENTS 2000u
#define HOUSE_NS 100000000u
#define SPAN_CPU_NS 50000000u /* rates are of so much CPU time */
#define SPAN_EVENTS 500u      /* at least, for a decision */
#define RATED_NS 10e6         /* events of a late reading look dense in less: their CPU time was read before */
#define EVENT_NS 20.0         /* until a process tells */
#define PAID 0.9              /* of the part: what costs less only pays off a debt */
#define UNSWITCHABLE_LEAST 0.1
#define WINDOW_NS 20000.0 /* what a window costs, until it is known */

static struct prof_governor_mark mark_now(const struct prof_governor *governor, uint64_t now_ns) {
  return (struct prof_governor_mark){.ns = now_ns,
                                     .cpu_ns = governor->cpu.sum_ns,
                                     .events = governor->sieve.events,
                                     .dropped = governor->sieve.dropped,
                                     .opened = prof_window_book_count(&governor->sieve.book),
                                     .rows = governor->sieve.book.rows_written,
                                     .counted = governor->sieve.book.counted};
}

static void look(void *context) {
  struct prof_governor *governor = context;
  prof_opener_limit(&governor->opener);
  prof_opener_look(&governor->opener, &governor->sieve.book);
}

bool prof_governor_start(struct prof_governor *governor, const struct prof_governor_options *options) {
  *governor =
      (struct prof_governor){.options = *options, .event_ns = EVENT_NS, .cpus = 1, .window_ns = WINDOW_NS, .left = 1};
  if (options->budget <= 0)
    return true;
  governor->users.others = options->others;
  governor->parts = prof_parts_of(options->budget, options->sample_hz, options->sample_ns);
  prof_credit_begin(&governor->credit);
  prof_own_begin(&governor->own);
  governor->first_ns = prof_steady_ns();
  governor->first_ticks = prof_ticks_now(options->clock);
  governor->looked = governor->span = governor->house = mark_now(governor, governor->first_ns);
  governor->sieve.look = look;
  governor->sieve.context = governor;
  governor->on = true;
  bool good = prof_opener_start(&governor->opener, options->clock, options->region_fd, options->texts_begin,
                                options->texts_end);
  if (good && options->region != NULL)
    prof_opener_count(&governor->opener, options->region, options->thread_of, options->context);
  return good;
}

void prof_governor_stop(struct prof_governor *governor) {
  if (governor->on)
    prof_opener_stop(&governor->opener);
}

void prof_governor_fini(struct prof_governor *governor) {
  if (!governor->on)
    return;
  prof_opener_fini(&governor->opener);
  prof_sieve_fini(&governor->sieve);
  prof_cpu_times_fini(&governor->cpu);
  prof_text_users_fini(&governor->users);
  prof_vec_fini(&governor->rated);
  prof_vec_fini(&governor->states);
  prof_vec_fini(&governor->sites.sites);
  governor->on = false;
}

/* ---- processes and modules ---- */

void prof_governor_process(struct prof_governor *governor, const struct prof_log_process *record) {
  if (!governor->on)
    return;
  uint32_t alone = record->body_ticks_x1000, among = record->among_ticks_x1000;
  uint32_t cost = among > alone ? among : alone; /* dense programs come near the higher one */
  prof_text_users_add(&governor->users, record, prof_steady_ns());
  prof_cpu_times_add(&governor->cpu, record->process, record->flags & PROF_PROCESS_OTHER_PIDS ? 0 : record->pid,
                     governor->options.attached && !(record->flags & PROF_PROCESS_FORKED));
  governor->event_ticks_sum += cost / 1000.0;
  governor->count_ticks_sum += record->count_ticks_x1000 / 1000.0;
  governor->costs += cost > 0;
  if (record->flags & PROF_PROCESS_FORKED && record->parent != 0) {
    pthread_mutex_lock(&governor->opener.beat.lock);
    prof_count_reader_parent(&governor->opener.counts, record->process, record->parent);
    pthread_mutex_unlock(&governor->opener.beat.lock);
  }
}

void prof_governor_pause(struct prof_governor *governor, bool paused) {
  if (!governor->on)
    return;
  pthread_mutex_lock(&governor->opener.beat.lock);
  governor->opener.paused = paused;
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

void prof_governor_set_budget(struct prof_governor *governor, double budget) {
  pthread_mutex_lock(&governor->opener.beat.lock);
  governor->options.budget = budget;
  governor->parts = prof_parts_of(budget, governor->options.sample_hz, governor->options.sample_ns);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

/* They are off for good, by a filter: none of ours. */
static void leave_quiet(struct prof_governor *governor, const struct prof_module_entry *entry) {
  const struct prof_keep_rules *rules = governor->options.rules;
  struct prof_units *units = &governor->sieve.units;
  for (uint32_t i = 0; rules != NULL && i < entry->unit_count; i++) {
    uint32_t number = entry->first_function + i;
    if (number < rules->flag_count && number < units->items.count && (rules->flags[number] & PROF_KEEP_QUIET))
      units->items.items[number].site = 0;
  }
}

void prof_governor_module(struct prof_governor *governor, const struct prof_module_entry *entry,
                          const struct prof_log_module *record) {
  if (!governor->on)
    return;
  pthread_mutex_lock(&governor->opener.beat.lock);
  bool good = entry != NULL && entry->functions != NULL && prof_texts_add(&governor->opener.texts, record);
  if (good && !prof_units_load(&governor->sieve.units, entry, record)) {
    prof_texts_lose(&governor->opener.texts, record->first_site);
    good = false;
  }
  if (good)
    leave_quiet(governor, entry);
  if (good)
    prof_bursts_begin_in(governor, record->first_site);
  pthread_mutex_unlock(&governor->opener.beat.lock);
  governor->private_modules += !good && record->site_count > 0;
}

struct losing {
  struct prof_governor *governor;
  bool any;
};

static void end_text(void *context, uint32_t process) {
  struct losing *losing = context;
  prof_texts_end(&losing->governor->opener.texts, process);
  prof_units_end(&losing->governor->sieve.units, process);
  losing->any = true;
}

static void lose_text(void *context, uint32_t first_site) {
  struct losing *losing = context;
  prof_units_unload(&losing->governor->sieve.units, first_site);
  prof_texts_lose(&losing->governor->opener.texts, first_site);
  losing->any = true;
}

void prof_governor_lose(struct prof_governor *governor, uint32_t process, uint32_t first_site, bool is_private) {
  struct losing losing = {governor, false};
  if (!governor->on)
    return;
  governor->private_modules += is_private;
  if (!is_private) {
    prof_text_users_lose(&governor->users, process, first_site, prof_steady_ns());
    return;
  }
  pthread_mutex_lock(&governor->opener.beat.lock);
  if (prof_text_users_are_alone(&governor->users, &governor->opener.texts, process, first_site))
    lose_text(&losing, first_site);
  if (losing.any)
    prof_bursts_list(governor);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

static void look_at_texts(struct prof_governor *governor, uint64_t now_ns) {
  struct losing losing = {governor, false};
  const struct prof_text_news news = {end_text, lose_text, &losing};
  prof_text_users_ask(&governor->users, now_ns);
  pthread_mutex_lock(&governor->opener.beat.lock);
  prof_text_users_look(&governor->users, &governor->opener.texts, governor->options.processes, now_ns, &news);
  if (losing.any)
    prof_bursts_list(governor);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

/* ---- decisions ---- */

/* Events that come next may be older than now: the span begins where the last ones that were read end. */
static void span_begin(struct prof_governor *governor, uint64_t now_ns) {
  struct prof_units *units = &governor->sieve.units;
  for (size_t i = 0; i < units->items.count; i++) {
    units->items.items[i].called |= units->items.items[i].count > 0;
    units->items.items[i].taken += units->items.items[i].count;
    units->items.items[i].count = 0;
  }
  governor->span = mark_now(governor, now_ns);
  governor->span.cpu_ns = governor->read_cpu_ns;
}

static bool is_switchable(const struct prof_units *units, const struct prof_governed_unit *unit) {
  return unit->site != 0 && units->modules.items[unit->module].loads.count > 0;
}

struct load {
  double always, fixed; /* events of this span: of functions in state always; of them, those that can't be switched */
};

/* Events of functions that have left state always meanwhile were on their way: they tell nothing of what comes. */
static struct load load_find(struct prof_governor *governor) {
  struct prof_units *units = &governor->sieve.units;
  uint64_t all = 0, left = 0, switchable = 0;
  governor->rated.count = 0;
  for (size_t i = 0; i < units->items.count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[i];
    all += unit->count;
    left += unit->state != PROF_RECORD_ALWAYS ? unit->count : 0;
    if (unit->count == 0 || unit->state != PROF_RECORD_ALWAYS || !is_switchable(units, unit))
      continue;
    switchable += unit->count;
    (void)prof_vec_push(&governor->rated, (struct prof_rated){(uint32_t)i, (double)unit->count});
  }
  uint64_t events = governor->sieve.events - governor->span.events;
  events = events > all ? events : all;
  return (struct load){.always = (double)(events - left), .fixed = (double)(events - left - switchable)};
}

static void demote(struct prof_governor *governor, uint64_t now_ns) {
  double part = prof_governor_always(governor), cpu_ns = (double)(governor->cpu.sum_ns - governor->span.cpu_ns);
  if (governor->sieve.events - governor->span.events < SPAN_EVENTS)
    return;
  struct load load = load_find(governor);
  double spent_ns = load.always * prof_governor_event_ns(governor);
  if (load.always < SPAN_EVENTS || spent_ns <= part * PAID * cpu_ns)
    return;
  /* Events are read later than they are written, and clocks of the kernel step: either may be behind. */
  double plain_ns = prof_plain_ns(cpu_ns > spent_ns ? cpu_ns : spent_ns, spent_ns);
  double rated_ns = plain_ns > RATED_NS ? plain_ns : RATED_NS;
  double left = part - load.fixed * prof_governor_event_ns(governor) / rated_ns;
  left = left > part * UNSWITCHABLE_LEAST ? left : part * UNSWITCHABLE_LEAST;
  for (size_t i = 0; i < governor->rated.count; i++)
    governor->rated.items[i].rate /= rated_ns;
  size_t kept =
      prof_choice_keep(governor->rated.items, governor->rated.count, governor->event_ns * PROF_EVENT_COLD, left);
  if (kept < governor->rated.count)
    prof_bursts_demote(governor, governor->rated.items + kept, governor->rated.count - kept, plain_ns);
  span_begin(governor, now_ns);
}

/* What functions in state always cost of late, as a part of the CPU time. */
static double always_part(const struct prof_governor *governor) {
  double cpu_ns = (double)(governor->cpu.sum_ns - governor->house.cpu_ns);
  return cpu_ns > 0
             ? (double)(governor->sieve.events - governor->house.events) * prof_governor_event_ns(governor) / cpu_ns
             : 1;
}

static uint64_t own_cpu_ns(void) {
  struct timespec now;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
                                                            : 0;
}

/* What the recorder did before the first housekeeping was to read modules. */
static void limit_own(struct prof_governor *governor, double cpu_ns) {
  uint64_t own_ns = own_cpu_ns();
  if (governor->options.limits_own && governor->own_ns != 0)
    prof_own_add(&governor->own, governor->options.budget, (double)(own_ns - governor->own_ns), cpu_ns);
  governor->own_ns = own_ns;
}

static void keep_house(struct prof_governor *governor, uint64_t now_ns) {
  struct prof_governor_mark now = mark_now(governor, now_ns), before = governor->house;
  double wall_ns = (double)(now.ns - before.ns), cpu_ns = (double)(now.cpu_ns - before.cpu_ns);
  governor->cpus = 0.7 * governor->cpus + 0.3 * cpu_ns / wall_ns;
  if (now.opened > before.opened) {
    double cost = prof_bursts_window_cost(governor, now.opened - before.opened, now.dropped - before.dropped,
                                          now.rows - before.rows) /
                  (double)(now.opened - before.opened);
    cost += (double)(now.counted - before.counted) * governor->count_ns / (double)(now.opened - before.opened);
    governor->window_ns = 0.7 * governor->window_ns + 0.3 * cost;
  }
  limit_own(governor, cpu_ns);
  look_at_texts(governor, now_ns);
  prof_bursts_again(governor, now.dropped - before.dropped, now.opened - before.opened);
  prof_bursts_landings(governor, cpu_ns);
  prof_bursts_promote(governor, now_ns, prof_governor_always(governor) - always_part(governor));
  prof_bursts_plan(governor);
  governor->house = now;
  if (governor->cpu.sum_ns - governor->span.cpu_ns > SPAN_CPU_NS)
    span_begin(governor, now_ns);
}

void prof_governor_caught_up(struct prof_governor *governor) {
  governor->read_cpu_ns = governor->looked.cpu_ns; /* that look was before the turn */
}

void prof_governor_thread_ended(struct prof_governor *governor, uint32_t process, uint64_t cpu_ns) {
  if (governor->on)
    prof_cpu_times_tell(&governor->cpu, process, cpu_ns);
}

void prof_governor_turn(struct prof_governor *governor, uint64_t now_ns) {
  uint64_t events = governor->sieve.events - governor->looked.events;
  if (!governor->on || (events < LOOK_EVENTS && now_ns - governor->looked.ns < LOOK_NS))
    return;
  if (governor->costs > 0)
    governor->event_ns = governor->event_ticks_sum / governor->costs / prof_bursts_ticks_per_ns(governor);
  if (governor->costs > 0)
    governor->count_ns = governor->count_ticks_sum / governor->costs / prof_bursts_ticks_per_ns(governor);
  uint64_t cpu_ns = prof_cpu_times_read(&governor->cpu) - governor->looked.cpu_ns;
  double spent_ns = (double)events * prof_governor_event_ns(governor);
  governor->spent_ns += spent_ns;
  prof_credit_add(&governor->credit, prof_governor_always(governor), (double)cpu_ns, spent_ns);
  governor->looked = mark_now(governor, now_ns);
  if (governor->credit.ns < 0)
    demote(governor, now_ns);
  if (now_ns - governor->house.ns >= HOUSE_NS)
    keep_house(governor, now_ns);
}

/* ---- what is written, and told ---- */

#define WRITE_WINDOWS 512u
#define WRITE_NS 500000000u

void prof_governor_write(struct prof_governor *governor, const struct prof_site_map *map, uint64_t ticks,
                         uint64_t now_ns, bool last) {
  struct prof_window_book *book = &governor->sieve.book;
  size_t count = 0;
  if (!governor->on)
    return;
  look(governor);
  while (count < book->windows.count && book->windows.items[count].window.end != 0 &&
         (last || book->windows.items[count].window.end <= ticks))
    count++;
  if (!last && count < WRITE_WINDOWS && now_ns - governor->written_ns < WRITE_NS)
    return;
  governor->written_ns = now_ns;
  for (size_t i = 0; i < count; i++)
    prof_bursts_learn(governor, map, &book->windows.items[i], prof_bursts_ticks_per_ns(governor));
  prof_window_book_write(book, governor->options.writer, count);
}

void prof_governor_hurry(struct prof_governor *governor) {
  governor->written_ns = 0;
}

uint64_t prof_governor_waiting_bytes(const struct prof_governor *governor) {
  return governor->on ? prof_window_book_waiting_bytes(&governor->sieve.book) : 0;
}

bool prof_governor_is_of_zones(const struct prof_governor *governor) {
  const struct prof_units *units = &governor->sieve.units;
  uint64_t zones = 0, kept = 0, all = 0;
  for (size_t i = 0; governor->on && i < units->items.count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[i];
    uint64_t events = unit->taken + unit->count;
    zones += unit->is_zone && unit->site == 0 ? events : 0;
    kept += unit->site == 0 ? events : 0;
    all += events;
  }
  return zones > 0 && kept > all / 2;
}

void prof_governor_figures(const struct prof_governor *governor, struct prof_governor_figures *out) {
  const struct prof_units *units = &governor->sieve.units;
  *out = (struct prof_governor_figures){0};
  if (!governor->on)
    return;
  out->budget = governor->options.budget;
  for (size_t i = 0; i < units->items.count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[i];
    bool called = unit->called || unit->count > 0;
    out->functions += called && !unit->is_loop && !unit->is_zone;
    out->burst_functions += unit->change != 0 && !unit->is_loop && !unit->is_zone;
    out->zones += called && unit->is_zone;
    out->burst_zones += unit->change != 0 && unit->is_zone;
    out->burst_loops += unit->change != 0 && unit->is_loop;
  }
  out->of_zones = prof_governor_is_of_zones(governor);
  out->private_modules = governor->private_modules;
  out->windows = governor->sieve.book.written;
  out->always_events = governor->sieve.events;
  out->burst_events = governor->sieve.dropped;
  out->cpu_ns = governor->cpu.sum_ns;
  out->events_ns = governor->spent_ns +
                   (double)(governor->sieve.events - governor->looked.events) * prof_governor_event_ns(governor);
  out->windows_ns = prof_bursts_window_cost(governor, prof_window_book_count(&governor->sieve.book),
                                            governor->sieve.dropped, governor->sieve.book.rows_written) +
                    (double)governor->sieve.book.counted * governor->count_ns;
  out->samples_ns = (double)governor->cpu.sum_ns / 1e9 * governor->options.sample_hz * governor->options.sample_ns;
}
