/*
 * tools/names/near_miss.h - suggests known names for an unknown one.
 *
 * Keeps the best of the offered candidates.  Names are copied.
 */
#ifndef PROF_NAMES_NEAR_MISS_H
#define PROF_NAMES_NEAR_MISS_H

#include <stddef.h>
#include <stdint.h>

#define PROF_NEAR_MISSES 3
#define PROF_NEAR_MISS_BYTES 64 /* longer names are ignored */

struct prof_near_miss {
  char wanted[PROF_NEAR_MISS_BYTES];
  char names[PROF_NEAR_MISSES][PROF_NEAR_MISS_BYTES]; /* best first; "": none */
  uint32_t costs[PROF_NEAR_MISSES];
};

/* `pattern` may be a glob; its wildcards are removed. */
void prof_near_miss_init(struct prof_near_miss *, const char *pattern);
void prof_near_miss_offer(struct prof_near_miss *, const char *name);
/* "did you mean a, b or c?"; "" if none is near. */
void prof_near_miss_text(const struct prof_near_miss *, char *out, size_t out_bytes);

#endif
