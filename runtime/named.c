/*
 * named.c - zones and points whose names the program makes while it runs (wire/module.h).
 *
 * In: calls from prof.h behind a GATE.  Out: the events that a trampoline would write; at the first call with a name
 * also a site number and a log record.  All threads share the table of names: open addressing by a hash of the text,
 * filled under the lock and read without it.  Names are never removed; each recording gives them new site numbers.
 *
 * Only the first NAME_BYTES - 1 bytes of a name count.  When the table is full, further names share one,
 * "(other names)", and the recording says so.  No libc: a signal handler may come here.
 */
#include "named.h"

#include "api.h"
#include "image.h"
#include "log.h"
#include "module.h"
#include "modules.h"
#include "ring.h"
#include "slow_path.h"
#include "system.h"

/* SHARED_NAMES: one of each kind, what and group, of which each line with a PROF_ZONE_NAMED has its own. */
enum { OWN_NAMES = 4032, SHARED_NAMES = 1024, NAMES = OWN_NAMES + SHARED_NAMES, SLOTS = 8192, NAME_BYTES = 220 };

struct name {
  uint64_t site; /* of the latest recording, whose number is in the upper half */
  uint32_t hash, kind, what, group;
  uint32_t bytes;
  char text[NAME_BYTES];
};

static struct names {
  uint16_t slots[SLOTS]; /* index of a name + 1; 0: free */
  struct name items[NAMES];
} * names;
static uint32_t name_count; /* these change under the lock */
static bool full, sites_said;
static const char shared_name[] = "(other names)";

/* ---- the table ---- */

struct text { /* what counts of a name */
  uint32_t bytes, hash;
};

/* A character of several bytes is not cut.  The hash is Bernstein's, mixed as in MurmurHash3. */
static struct text text_read(const struct prof_named_event *named) {
  const unsigned char *name = (const unsigned char *)named->name;
  uint32_t bytes = 0, hash = named->kind + named->what * 31 + named->group * 1009;
  while (bytes < NAME_BYTES - 1 && name[bytes])
    hash = hash * 33 + name[bytes++];
  if (name[bytes])
    while (bytes > 0 && (name[bytes] & 0xc0) == 0x80)
      bytes--;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  return (struct text){bytes, hash ^ hash >> 13};
}

static bool is_it(const struct name *name, const struct prof_named_event *named, struct text text) {
  if (name->hash != text.hash || name->bytes != text.bytes || name->kind != named->kind || name->what != named->what ||
      name->group != named->group)
    return false;
  uint32_t at = 0;
  for (uint64_t a, b; at + sizeof a <= text.bytes; at += sizeof a) {
    __builtin_memcpy(&a, name->text + at, sizeof a);
    __builtin_memcpy(&b, named->name + at, sizeof b);
    if (a != b)
      return false;
  }
  while (at < text.bytes && name->text[at] == named->name[at])
    at++;
  return at == text.bytes;
}

/* NULL: it isn't there; *slot: where it would be. */
static struct name *find(const struct prof_named_event *named, struct text text, uint16_t **slot) {
  uint32_t at = text.hash % SLOTS;
  for (;; at = (at + 1) % SLOTS) {
    uint32_t index = __atomic_load_n(&names->slots[at], __ATOMIC_ACQUIRE);
    if (!index) {
      *slot = &names->slots[at];
      return NULL;
    }
    if (is_it(&names->items[index - 1], named, text))
      return &names->items[index - 1];
  }
}

/* Under the lock.  NULL: no room. */
static struct name *put(const struct prof_named_event *named, uint32_t limit) {
  struct text text = text_read(named);
  uint16_t *slot;
  struct name *name = find(named, text, &slot);
  if (name || name_count >= limit)
    return name;
  name = &names->items[name_count++];
  *name = (struct name){
      .hash = text.hash, .kind = named->kind, .what = named->what, .group = named->group, .bytes = text.bytes};
  for (uint32_t i = 0; i < text.bytes; i++)
    name->text[i] = named->name[i];
  __atomic_store_n(slot, (uint16_t)name_count, __ATOMIC_RELEASE);
  return name;
}

static struct prof_named_event shared_of(const struct prof_named_event *named) {
  struct prof_named_event shared = *named;
  shared.name = shared_name;
  return shared;
}

static struct name *put_shared(const struct prof_named_event *named) {
  const struct prof_named_event shared = shared_of(named);
  if (!full)
    prof_log_error("the program makes more than 4032 names: further ones are recorded as (other names)");
  __atomic_store_n(&full, true, __ATOMIC_RELAXED);
  return put(&shared, NAMES);
}

/* ---- site numbers ---- */

static uint32_t site_of(const struct name *name) {
  uint64_t site = __atomic_load_n(&name->site, __ATOMIC_ACQUIRE);
  return site >> 32 == prof_runtime.recording ? (uint32_t)site : 0;
}

/* The first site of the module that an address is in; 0: it isn't attached. */
static uint32_t module_of(const void *rows) {
  const uint8_t *at = rows;
  for (const struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (at >= module->begin && at < module->end && module->state == PROF_MODULE_ATTACHED)
      return module->first_site;
  return 0;
}

static void announce(struct name *name, const void *rows) {
  uint32_t module = site_of(name) ? 0 : module_of(rows), site = module ? prof_sites_take(1) : 0;
  if (module && !site && !sites_said) {
    prof_log_error("some named zones are not recorded: no site numbers are left");
    sites_said = true;
  }
  if (!site)
    return;
  struct prof_log_named record = {.process = prof_runtime.process,
                                  .module = module,
                                  .site = site,
                                  .kind = name->kind,
                                  .what = name->what,
                                  .group = name->group};
  prof_log_write(PROF_LOG_NAMED, &record, sizeof record, name->text);
  __atomic_store_n(&name->site, (uint64_t)prof_runtime.recording << 32 | site, __ATOMIC_RELEASE);
}

/* The first call with a name, in this recording.  NULL: it isn't recorded. */
static __attribute__((noinline)) struct name *name_make(const struct prof_named_event *named, struct name *name) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return NULL;
  if (!names)
    __atomic_store_n(&names, prof_memory_map(sizeof *names), __ATOMIC_RELEASE);
  if (names && !name) {
    name = put(named, OWN_NAMES);
    name = name ? name : put_shared(named);
  }
  if (name)
    announce(name, named->rows);
  prof_api_end(mask);
  return name && site_of(name) ? name : NULL;
}

static struct name *name_of(const struct prof_named_event *named) {
  struct name *name = NULL;
  struct prof_named_event shared;
  uint16_t *slot;
  if (__atomic_load_n(&names, __ATOMIC_ACQUIRE))
    name = find(named, text_read(named), &slot);
  if (!name && __atomic_load_n(&full, __ATOMIC_RELAXED)) { /* without the lock: the program may make many */
    shared = shared_of(named);
    name = find(&shared, text_read(&shared), &slot);
  }
  return name && site_of(name) ? name : name_make(named, name);
}

/* Names that another call made; the other facts may differ.  NULL: there is no such number. */
static const char *text_of(uint32_t number) {
  bool known = __atomic_load_n(&names, __ATOMIC_ACQUIRE) && number - 1u < NAMES; /* 0 isn't */
  return known && names->items[number - 1].kind ? names->items[number - 1].text : NULL;
}

/* ---- events ---- */

static void write_event(uint32_t site, uint32_t kind, uint32_t aux) {
  uint64_t time;
  struct prof_event *event = prof_slots_take(sizeof *event, &time);
  if (event)
    prof_event_store(event, time, prof_event_what(site, kind), aux);
}

/* The first slot is written last, so that a reader sees both at once. */
static void write_valued(uint32_t site, uint64_t value) {
  uint64_t time;
  struct prof_event *events = prof_slots_take(2 * sizeof *events, &time);
  if (!events)
    return;
  prof_event_store(&events[1], value | PROF_EVENT_VALUE_BIT, prof_event_what(site, PROF_EVENT_POINT_VALUE),
                   (uint32_t)(value >> 63));
  prof_event_store(&events[0], time, prof_event_what(site, PROF_EVENT_POINT_TIME), 0);
}

/* All ends have one site. */
static const struct name *end_of(const void *rows) {
  const struct prof_named_event end = {
      .rows = rows, .name = "", .kind = PROF_PROBE_EXIT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE};
  return name_of(&end);
}

static const struct name *other_of(const struct prof_named_event *named) {
  struct prof_named_event other = *named;
  other.name = text_of(named->number);
  return other.name ? name_of(&other) : NULL;
}

int prof_named_control(const void *argument) {
  const struct prof_named_event *named = argument; /* a copy would wait for the caller's stores */
  uint32_t probe = named->kind & PROF_ROW_KIND_MASK;
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON)
    return 0;
  const struct name *name = probe == PROF_PROBE_EXIT ? end_of(named->rows)
                            : named->name            ? name_of(named)
                                                     : other_of(named);
  uint32_t site = name ? site_of(name) : 0;
  if (!site)
    return 0;
  if (probe == PROF_PROBE_POINT && (named->kind & PROF_ROW_HAS_VALUE))
    write_valued(site, named->value);
  else
    write_event(site, probe == PROF_PROBE_POINT ? PROF_EVENT_POINT : probe,
                probe == PROF_PROBE_EXIT ? PROF_NAMED_LINE + named->group : 0);
  return (int)(name - names->items) + 1;
}
