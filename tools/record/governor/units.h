/*
 * tools/record/governor/units.h - the functions, loops and zones that the governor decides about: their sites, states,
 * counts.
 *
 * In: modules as they are loaded, changes.  Out: the state of a unit at any time; its sites in all processes.  A unit's
 * number is its identity in prof_site_map.  A loop is in state always only while what is around it is, and a zone while
 * the functions that have it in their code are, and the zones around it.  Used by the pump only.
 */
#ifndef PROF_RECORD_UNITS_H
#define PROF_RECORD_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "proftrace_bursts.h"
#include "record/tables/module_table.h"

struct prof_governed_unit {
  uint64_t count;  /* events in state always, since the governor took it last */
  uint64_t taken;  /* those before */
  uint64_t since;  /* ticks of its last change */
  uint32_t change; /* number of its last change, from 1; 0: none */
  uint32_t site;   /* names it in the trace; 0: it has no sled that can be switched, or is kept */
  uint32_t around; /* of a loop: the loop or function around it; 0: none, or not known */
  uint32_t module, first_row, row_count;
  uint32_t demotions;
  uint32_t landings; /* LANDED events in state burst, since the last housekeeping */
  uint8_t state;     /* enum prof_record_state */
  bool is_loop;
  bool is_zone;
  bool hinted;                /* it was dense in an earlier recording */
  bool lands;                 /* has a LANDED row */
  bool called;                /* it wrote an event */
  double rate;                /* state burst: calls per nanosecond of CPU time, an estimate */
  double seen_calls, seen_ns; /* in windows; older ones count less */
  uint64_t fits_ns;           /* since when it fits into the budget; 0: it doesn't */
};

struct prof_unit_row {
  uint32_t unit, row, kind; /* kind: as in struct prof_row */
};
struct prof_unit_load {
  uint32_t process, first_site;
};
struct prof_unit_module {
  uint32_t number, first_unit, unit_count;
  struct prof_unit_row *rows; /* by unit */
  PROF_VEC(struct prof_unit_load) loads;
};
struct prof_unit_change {
  uint64_t time;
  uint32_t unit;
  uint32_t previous; /* number of the unit's change before; 0: none */
  uint8_t before;    /* state */
};

struct prof_unit_tie { /* the zone is in state always only while `around` is */
  uint32_t zone, around;
};

struct prof_units {
  PROF_VEC(struct prof_governed_unit) items;
  PROF_VEC(struct prof_unit_module) modules;
  PROF_VEC(struct prof_unit_change) changes; /* by time */
  PROF_VEC(struct prof_unit_tie) ties;       /* by zone */
  PROF_VEC(uint8_t) counts_entries;          /* by site: a VALUE of it counts entries of a loop */
  PROF_VEC(uint32_t) ends;                   /* by site: the zone that an end by line belongs to; 0: it is none */
};

void prof_units_fini(struct prof_units *);

/* A process loaded the module.  false: no memory; its functions are recorded as before. */
bool prof_units_load(struct prof_units *, const struct prof_module_entry *, const struct prof_log_module *);
/* Its sites aren't switched any more. */
void prof_units_unload(struct prof_units *, uint32_t first_site);
void prof_units_end(struct prof_units *, uint32_t process); /* the same, of all its modules */

/* Not before the last change's time.  false: no memory. */
bool prof_units_change(struct prof_units *, uint32_t unit, uint64_t time, enum prof_record_state);

/* Is what is around it in state always? */
bool prof_units_may_be_always(const struct prof_units *, uint32_t unit);

struct prof_site_list {
  PROF_VEC(uint32_t) sites;
};
enum prof_unit_sites {
  PROF_UNIT_ALL,      /* all that write events, but LANDED: they show which frames are gone */
  PROF_UNIT_LANDINGS, /* these */
  PROF_UNIT_COUNTS,   /* those that count calls: entries of a function or zone; all of a loop */
};
/* Appends a unit's sites in all processes.  false: no memory. */
bool prof_units_sites(const struct prof_units *, const struct prof_governed_unit *, enum prof_unit_sites,
                      struct prof_site_list *);
/* The same, of one load only. */
bool prof_units_sites_of(const struct prof_units *, const struct prof_governed_unit *, const struct prof_unit_load *,
                         enum prof_unit_sites, struct prof_site_list *);
/* The load that begins at `first_site`; NULL: none. */
const struct prof_unit_module *prof_units_module_of(const struct prof_units *, uint32_t first_site,
                                                    struct prof_unit_load *);

static inline struct prof_governed_unit *prof_unit_of(const struct prof_units *units, uint32_t number) {
  return number < units->items.count ? &units->items.items[number] : NULL;
}

/* Its state at a time, by its last changes. */
static inline uint8_t prof_unit_state_at(const struct prof_units *units, const struct prof_governed_unit *unit,
                                         uint64_t time) {
  if (time >= unit->since)
    return unit->state;
  uint8_t state = unit->state;
  for (uint32_t at = unit->change; at != 0 && units->changes.items[at - 1].time > time;) {
    state = units->changes.items[at - 1].before;
    at = units->changes.items[at - 1].previous;
  }
  return state;
}

#endif
