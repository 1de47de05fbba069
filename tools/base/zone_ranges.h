/*
 * tools/base/zone_ranges.h - which code lies in which zone (PROF_ZONE), from where the zones' sleds stand.
 *
 * In: the sleds of a module's zones and the exits of the functions around them, by address.  Out: ranges of addresses.
 * A zone's code lies from a begin to its end.  An end right before the exit of its function is that of a way out, which
 * compilers put anywhere: the zone goes on behind it, up to its next end, if that comes before its next begin.
 *
 *    begin  test  end exit  work  end exit     ranges: from the begin to the second end
 *    begin  work  end  other code  end exit    from the begin to the first end
 *
 * Code that the compiler put elsewhere, as parts that rarely run, is left out.
 */
#ifndef PROF_BASE_ZONE_RANGES_H
#define PROF_BASE_ZONE_RANGES_H

#include "base/vec.h"

#define PROF_ZONE_UNKNOWN UINT32_MAX

enum prof_zone_sled_kind {
  PROF_ZONE_SLED_BEGIN,
  PROF_ZONE_SLED_END,
  PROF_ZONE_SLED_EXIT, /* of the host itself */
};

struct prof_zone_sled {
  uint64_t address;
  uint32_t zone; /* any number; of an end PROF_ZONE_UNKNOWN: that of the zone that began last */
  uint32_t host; /* any number of the function whose code it lies in; zones of one host are one nest */
  uint8_t kind;  /* enum prof_zone_sled_kind */
};

struct prof_zone_range {
  uint64_t begin, end; /* the begin's sled; that of the last end */
  uint32_t zone, host;
  uint32_t open; /* begins that have no end yet, while they are found */
  bool returns;  /* the last end is right before its host's exit; likewise */
};

struct prof_zone_ranges { /* zeroed: none; prof_vec_fini frees it */
  struct prof_zone_range *items;
  size_t count, capacity;
};

/* Appends the ranges of the sleds, which are by address, by begin.  Without an end there is none.  false: no memory. */
bool prof_zone_ranges_find(struct prof_zone_ranges *, const struct prof_zone_sled *, size_t count);

#endif
