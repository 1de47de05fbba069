/*
 * tools/command/burst_words.c - see burst_words.h.
 */
#include "burst_words.h"

#include <stdarg.h>
#include <stdio.h>

#include "view/units.h"

struct words {
  char *out;
  size_t used, bytes;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = vsnprintf(words->out + words->used, words->bytes - words->used, format, arguments);
  va_end(arguments);
  size_t left = words->bytes - words->used;
  if (bytes > 0)
    words->used += (size_t)bytes < left ? (size_t)bytes : left - 1;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* Nothing was in bursts.  Times may be estimates all the same: less those of calls in bursts that a filter hides. */
static void write_exact(const struct prof_cover *cover, struct words *words) {
  char number[PROF_UNITS_BYTES];
  const uint32_t functions = cover->functions_shown, zones = cover->zones_shown, unseen = cover->unseen_functions;
  if (functions + zones > 1 && unseen == 0)
    add(words, "all ");
  if (functions)
    add(words, "%s function%s", prof_units_count(number, functions), plural(functions));
  if (zones)
    add(words, "%s%s zone%s", functions ? " and " : "", prof_units_count(number, zones), plural(zones));
  if (functions + zones)
    add(words, " recorded exactly%s", cover->any_estimated ? ", times with ~ are estimates" : "");
  if (unseen)
    add(words, "%s%s%s recorded in bursts not seen", functions + zones ? ", " : "", prof_units_count(number, unseen),
        functions + zones ? " more" : "");
}

static void add_part(struct words *words, uint32_t part, uint32_t all, const char *noun) {
  char number[PROF_UNITS_BYTES];
  add(words, "%s of ", prof_units_count(number, part));
  add(words, "%s %s%s", prof_units_count(number, all), noun, plural(all));
}

static void write_bursts(const struct prof_cover *cover, struct words *words) {
  char number[PROF_UNITS_BYTES];
  bool zones = cover->burst_zones > 0; /* else they are no matter */
  uint32_t shown = cover->functions_shown + (zones ? cover->zones_shown : 0);
  uint32_t bursts = cover->burst_functions + cover->burst_zones;
  uint32_t unknown = cover->unknown_functions + cover->unknown_zones;
  if (!zones || cover->functions_shown)
    add_part(words, cover->burst_functions, cover->functions_shown, "function");
  if (zones && cover->functions_shown)
    add(words, " and ");
  if (zones)
    add_part(words, cover->burst_zones, cover->zones_shown, "zone");
  add(words, " recorded in bursts (~ estimated)");
  if (bursts < shown)
    add(words, ", %s exactly", prof_units_count(number, shown - bursts));
  if (unknown)
    add(words, ", calls of %s not known", prof_units_count(number, unknown));
  if (cover->unseen_functions)
    add(words, ", %s more not seen", prof_units_count(number, cover->unseen_functions));
}

const char *prof_burst_words(char *out, size_t bytes, const struct prof_cover *cover, bool verbose) {
  struct words words = {.out = out, .bytes = bytes};
  char number[PROF_UNITS_BYTES];
  out[0] = 0;
  if (!cover->has_budget)
    return out;
  if (cover->burst_functions + cover->burst_zones == 0) {
    write_exact(cover, &words);
    return out;
  }
  write_bursts(cover, &words);
  if (verbose)
    add(&words, "; calls of bursts from %s windows", prof_units_count(number, cover->windows));
  return out;
}
