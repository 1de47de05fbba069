/*
 * tools/record/keep/quiet.c - see quiet.h.
 */
#include "record/keep/quiet.h"

#include "record/clock/ticks.h"
#include "record/governor/sieve.h"
#include "row.h"

bool prof_quiet_wanted(const struct prof_kept_wish *wish) {
  const struct prof_kept_patterns *patterns = wish->patterns;
  bool places = patterns[PROF_KEPT_FILE].count > 0 || patterns[PROF_KEPT_MODULE].count > 0;
  return places || (wish->depth == 1 && patterns[PROF_KEPT_ONLY].count > 0);
}

void prof_quiet_begin(struct prof_quiet *quiet, int region_fd, uint64_t begin, uint64_t end,
                      struct prof_text_others others) {
  *quiet = (struct prof_quiet){.on = begin > 0, .users = {.others = others}};
  prof_texts_init(&quiet->texts, region_fd, begin, end);
}

void prof_quiet_fini(struct prof_quiet *quiet) {
  if (quiet->on)
    prof_texts_fini(&quiet->texts);
  prof_vec_fini(&quiet->loads);
  prof_text_users_fini(&quiet->users);
  prof_vec_fini(&quiet->sites);
  quiet->on = false;
}

void prof_quiet_process(struct prof_quiet *quiet, const struct prof_log_process *record) {
  if (quiet->on)
    prof_text_users_add(&quiet->users, record, prof_steady_ns());
}

/* No filter switches zones off, and points and lines are no events of a function's frame.  Where control lands it tells
 * which frames are gone. */
static bool is_switched(uint32_t kind) {
  uint32_t probe = kind & PROF_ROW_KIND_MASK;
  bool of_call = probe == PROF_PROBE_ENTRY || probe == PROF_PROBE_EXIT;
  bool of_loop = probe == PROF_PROBE_LOOP_ENTRY || probe == PROF_PROBE_LOOP_EXIT || probe == PROF_PROBE_LOOP_COUNT;
  return (of_call || of_loop) && !(kind & PROF_ROW_ZONE);
}

/* The function that a site's function or loop belongs to, counted from the entry's first one. */
static uint32_t function_of(const struct prof_module_entry *entry, uint32_t site) {
  uint32_t unit = entry->functions[site] & ~PROF_MATCHER_MAYBE;
  for (uint32_t level = 0; level < entry->unit_count && entry->functions[site] != PROF_MATCHER_NO_FUNCTION &&
                           unit < entry->unit_count && entry->around[unit] != PROF_MATCHER_NO_FUNCTION;
       level++)
    unit = entry->around[unit];
  return entry->functions[site] == PROF_MATCHER_NO_FUNCTION ? PROF_MATCHER_NO_FUNCTION : unit;
}

/* Lists the sites of a loaded module that are to be off, or on. */
static void list(struct prof_quiet *quiet, const struct prof_modules *modules, const struct prof_module_entry *entry,
                 uint32_t first_site, bool off) {
  const struct prof_keep_rules *rules = &modules->kept->rules;
  quiet->sites.count = 0;
  for (uint32_t i = 0; i < entry->site_count; i++) {
    uint32_t function = function_of(entry, i), number = entry->first_function + function;
    bool quiet_now = function != PROF_MATCHER_NO_FUNCTION && !entry->kept[function] && number < rules->flag_count &&
                     (rules->flags[number] & PROF_KEEP_QUIET);
    if (quiet_now && (entry->functions[i] & ~PROF_MATCHER_MAYBE) != function)
      prof_kept_quiet_loop(modules->kept, entry->first_function + (entry->functions[i] & ~PROF_MATCHER_MAYBE));
    if (quiet_now == off && is_switched(entry->kinds[i]))
      (void)prof_vec_push(&quiet->sites, first_site + i); /* without memory it is recorded, and left out */
    quiet->lands |= quiet_now && (entry->kinds[i] & PROF_ROW_KIND_MASK) == PROF_PROBE_LANDED;
  }
}

static void switch_listed(struct prof_quiet *quiet, enum prof_site_state state) {
  for (size_t i = 0; i < quiet->sites.count; i++)
    prof_texts_state(&quiet->texts, quiet->sites.items[i], state);
  (void)prof_texts_switch(&quiet->texts, quiet->sites.items, quiet->sites.count,
                          state == PROF_SITE_OFF ? PROF_TEXT_OFF : PROF_TEXT_ON);
}

void prof_quiet_module(struct prof_quiet *quiet, const struct prof_modules *modules,
                       const struct prof_module_entry *entry, const struct prof_log_module *record) {
  if (!quiet->on || entry == NULL || entry->functions == NULL || !prof_texts_add(&quiet->texts, record))
    return;
  struct prof_quiet_load load = {(uint32_t)(entry - modules->entries.items), record->first_site};
  (void)prof_vec_push(&quiet->loads, load); /* without memory another filter doesn't switch it */
  list(quiet, modules, entry, record->first_site, true);
  switch_listed(quiet, PROF_SITE_OFF);
}

void prof_quiet_lose(struct prof_quiet *quiet, uint32_t process, uint32_t first_site) {
  if (quiet->on)
    prof_text_users_lose(&quiet->users, process, first_site, prof_steady_ns());
}

static void end_text(void *context, uint32_t process) {
  prof_texts_end(context, process);
}

static void lose_text(void *context, uint32_t first_site) {
  prof_texts_lose(context, first_site);
}

void prof_quiet_look(struct prof_quiet *quiet, const struct prof_processes *processes, uint64_t now_ns) {
  const struct prof_text_news news = {end_text, lose_text, &quiet->texts};
  if (!quiet->on)
    return;
  prof_text_users_ask(&quiet->users, now_ns);
  prof_text_users_look(&quiet->users, &quiet->texts, processes, now_ns, &news);
}

/* Sites of text that has ended are left as they are. */
void prof_quiet_judge(struct prof_quiet *quiet, const struct prof_modules *modules) {
  for (size_t i = 0; i < quiet->loads.count && quiet->on; i++) {
    const struct prof_module_entry *entry = &modules->entries.items[quiet->loads.items[i].entry];
    list(quiet, modules, entry, quiet->loads.items[i].first_site, true);
    switch_listed(quiet, PROF_SITE_OFF);
    list(quiet, modules, entry, quiet->loads.items[i].first_site, false);
    switch_listed(quiet, PROF_SITE_ALWAYS);
  }
}

void prof_quiet_slots(const struct prof_keep_rules *rules, const struct prof_site_map *map, struct prof_event *slots,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (__atomic_load_n(&slots[i].time, __ATOMIC_ACQUIRE) == 0)
      continue;
    uint32_t kind = prof_event_kind(slots[i].what), site = prof_event_site(slots[i].what);
    uint32_t number = site < map->count ? map->functions[site] & ~PROF_MATCHER_MAYBE : UINT32_MAX;
    if (kind == PROF_EVENT_ENTRY && i + 1 < count)
      i += prof_sieve_frame_first(&slots[i]);
    else if (kind == PROF_EVENT_LANDED && number < rules->flag_count && (rules->flags[number] & PROF_KEEP_QUIET))
      slots[i].what = prof_event_what(0, PROF_EVENT_LANDED);
  }
}
