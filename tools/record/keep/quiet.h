/*
 * tools/record/keep/quiet.h - switches functions off in the program that a filter can never keep: then they cost
 * nothing.
 *
 * In: modules as they are loaded, the filter's flags (PROF_KEEP_QUIET).  Out: stores into text that the programs share
 * with the recorder (wire/control.h).  Only in recordings whose filter makes functions quiet.  With a budget the
 * governor leaves these alone; it has a mapping of its own of the same text.  Used by the pump only.
 */
#ifndef PROF_RECORD_QUIET_H
#define PROF_RECORD_QUIET_H

#include "record/governor/text_users.h"
#include "record/keep/kept_functions.h"
#include "record/tables/module_table.h"
#include "record/tables/process_table.h"

struct prof_quiet_load {
  uint32_t entry, first_site; /* entry: index */
};

struct prof_quiet {
  bool on;
  bool lands; /* control may land in functions that are off: entries tell their frame's address first */
  struct prof_text_set texts;
  PROF_VEC(struct prof_quiet_load) loads;
  struct prof_text_users users;
  PROF_VEC(uint32_t) sites; /* to switch */
};

/* Could the wish make functions quiet? */
bool prof_quiet_wanted(const struct prof_kept_wish *);

/* The region has room for texts from `begin` to `end`; none: it stays off, and the others have no effect. */
void prof_quiet_begin(struct prof_quiet *, int region_fd, uint64_t begin, uint64_t end, struct prof_text_others);
void prof_quiet_fini(struct prof_quiet *);

void prof_quiet_process(struct prof_quiet *, const struct prof_log_process *);
/* entry: NULL if its sites aren't known. */
void prof_quiet_module(struct prof_quiet *, const struct prof_modules *, const struct prof_module_entry *entry,
                       const struct prof_log_module *);
/* A process has a module's text no longer, or switches it by itself. */
void prof_quiet_lose(struct prof_quiet *, uint32_t process, uint32_t first_site);
/* Now and then: text that nobody has any more isn't needed. */
void prof_quiet_look(struct prof_quiet *, const struct prof_processes *, uint64_t now_ns);
/* Where control lands in functions that are off, the matcher learns which frames are gone from their addresses: before
 * it takes these slots. */
void prof_quiet_slots(const struct prof_keep_rules *, const struct prof_site_map *, struct prof_event *slots,
                      size_t count);
/* Another filter holds: switches what differs. */
void prof_quiet_judge(struct prof_quiet *, const struct prof_modules *);

#endif
