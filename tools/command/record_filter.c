/*
 * tools/command/record_filter.c - see record_filter.h.
 */
#include "record_filter.h"

#include <string.h>

#include "base/diag.h"
#include "command.h"

/* The first text that is among both; NULL: none. */
static const char *common(const struct prof_texts *some, const struct prof_texts *others) {
  for (size_t i = 0; i < some->count; i++)
    for (size_t j = 0; j < others->count; j++)
      if (strcmp(some->items[i], others->items[j]) == 0)
        return some->items[i];
  return NULL;
}

prof_status prof_record_filter_pairs(const struct prof_texts patterns[PROF_KEPT_FLAGS], struct prof_diag *diag) {
  static const struct {
    enum prof_kept_flag some, other;
    const char *names;
  } pairs[] = {
      {PROF_KEPT_ONLY, PROF_KEPT_WITHOUT, "-F and -N"},
      {PROF_KEPT_CALLER, PROF_KEPT_WITHOUT, "--caller and -N"},
      {PROF_KEPT_UNDER, PROF_KEPT_WITHOUT, "--only-under and -N"},
      {PROF_KEPT_START, PROF_KEPT_STOP, "--start-at and --stop-at"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const char *both = common(&patterns[pairs[i].some], &patterns[pairs[i].other]);
    if (both != NULL)
      return prof_command_usage(diag, "leave it out of one of them", "%s contradict each other: both have %.60s",
                                pairs[i].names, both);
  }
  return PROF_OK;
}

/* --snapshot-if=F>50ms */
static prof_status take_watched(struct prof_record_filter *filter, struct prof_session_options *options,
                                struct prof_diag *diag) {
  struct prof_kept_wish *wish = &filter->wish;
  const char *sign = strrchr(filter->snapshot_if, '>');
  if (sign == NULL || sign == filter->snapshot_if ||
      prof_value_duration("--snapshot-if", sign + 1, &wish->watch_ns, NULL) != PROF_OK || wish->watch_ns == 0)
    return prof_command_usage(diag, "give a function and a time: --snapshot-if='handle>50ms'",
                              "--snapshot-if=%.40s is no condition", filter->snapshot_if);
  if (options->parts.mode != PROF_SERIES_RING)
    return prof_command_usage(diag, "add --mode=ring", "--snapshot-if needs --mode=ring");
  filter->watched = strndup(filter->snapshot_if, (size_t)(sign - filter->snapshot_if));
  if (filter->watched == NULL)
    return prof_diag_memory(diag);
  wish->patterns[PROF_KEPT_WATCH] = (struct prof_kept_patterns){(const char *const *)&filter->watched, 1};
  options->kept = wish;
  return PROF_OK;
}

/* With a budget calls outside of bursts are counted only: what they lie beneath, or how long they last, isn't known.
 * Which file they are of is. */
static bool is_of_places(const struct prof_kept_wish *wish) {
  bool good = wish->depth == 0 && wish->min_ns == 0 && wish->slow_ns == 0;
  for (int i = 0; i < PROF_KEPT_WATCH; i++)
    good &= i == PROF_KEPT_FILE || i == PROF_KEPT_MODULE || wish->patterns[i].count == 0;
  return good;
}

static prof_status take_values(const struct prof_kept_wish *wish, struct prof_session_options *options,
                               struct prof_diag *diag) {
  if (options->budget > 0)
    return prof_command_usage(diag, "record with --full", "with --overhead there are no --args and --ret: %s",
                              "calls outside of bursts are not seen");
  if (options->parts.mode == PROF_SERIES_SUMMARY)
    return prof_command_usage(diag, "record without --mode=summary", "a summary has no single calls: no --args, --ret");
  options->kept = wish;
  return PROF_OK;
}

prof_status prof_record_filter_check(struct prof_record_filter *filter, struct prof_session_options *options,
                                     struct prof_diag *diag) {
  struct prof_kept_wish *wish = &filter->wish;
  for (int i = 0; i < PROF_KEPT_FLAGS; i++)
    wish->patterns[i] = (struct prof_kept_patterns){filter->patterns[i].items, filter->patterns[i].count};
  prof_status status = filter->snapshot_if != NULL ? take_watched(filter, options, diag) : PROF_OK;
  if (status == PROF_OK && prof_kept_has_values(wish))
    status = take_values(wish, options, diag);
  if (status != PROF_OK || !prof_kept_wanted(wish))
    return status;
  bool chooses = wish->patterns[PROF_KEPT_ONLY].count > 0 || wish->patterns[PROF_KEPT_UNDER].count > 0;
  if (wish->slow_ns > 0 && !chooses)
    return prof_command_usage(diag, "say whose calls: -F handle --slower-than=10ms",
                              "--slower-than needs -F or --only-under");
  if (options->budget > 0 && !is_of_places(wish))
    return prof_command_usage(
        diag, "record with --full, or give the filter to the reader: prof report -F ...",
        "with --overhead only --file and --module can filter: calls outside of bursts are not seen");
  options->kept = wish;
  return prof_record_filter_pairs(filter->patterns, diag);
}
