/* unit.c - see unit.h. */
#include "unit.h"

#include "listing.h"

bool prof_unit_fact_is_due(struct prof_unit *unit, bool in_group) {
  bool due = !unit->unit_fact_added || (!in_group && !unit->unit_fact_lasts);
  unit->unit_fact_added = true;
  unit->unit_fact_lasts |= !in_group;
  return due;
}

enum prof_reason prof_unit_decide(struct prof_unit *unit, const struct prof_candidate *function) {
  enum prof_reason reason = prof_select(&unit->arguments, function);
  if (unit->arguments.list_path)
    prof_listing_add(&unit->listing, function, reason);
  return reason;
}
