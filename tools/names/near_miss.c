/*
 * tools/names/near_miss.c - see near_miss.h.  Distance: Levenshtein (1965), ignoring case.
 */
#include "names/near_miss.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void prof_near_miss_init(struct prof_near_miss *miss, const char *pattern) {
  memset(miss, 0, sizeof *miss);
  size_t used = 0;
  for (const char *p = pattern; *p && used + 1 < sizeof miss->wanted; p++)
    if (!strchr("*?[]\\", *p))
      miss->wanted[used++] = *p;
}

static char lower(char letter) {
  return (char)tolower((unsigned char)letter);
}

static uint32_t distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
  uint32_t row[PROF_NEAR_MISS_BYTES + 1];
  for (uint32_t j = 0; j <= b_bytes; j++)
    row[j] = j;
  for (size_t i = 0; i < a_bytes; i++) {
    uint32_t diagonal = row[0];
    row[0] = (uint32_t)i + 1;
    for (size_t j = 0; j < b_bytes; j++) {
      uint32_t change = diagonal + (lower(a[i]) != lower(b[j]));
      uint32_t best = row[j] < row[j + 1] ? row[j] + 1 : row[j + 1] + 1;
      diagonal = row[j + 1];
      row[j + 1] = change < best ? change : best;
    }
  }
  return row[b_bytes];
}

void prof_near_miss_offer(struct prof_near_miss *miss, const char *name) {
  size_t wanted = strlen(miss->wanted), bytes = strnlen(name, PROF_NEAR_MISS_BYTES);
  if (wanted < 2 || bytes < 2 || bytes == PROF_NEAR_MISS_BYTES)
    return;
  /* A name that contains the wanted one is near; the fewer other bytes, the nearer. */
  uint32_t edits = distance(miss->wanted, wanted, name, bytes), limit = 1 + (uint32_t)wanted / 3;
  uint32_t cost = strcasestr(name, miss->wanted) ? 1 + (uint32_t)(bytes - wanted) / 8 : edits;
  if (cost > limit)
    return;
  for (int i = 0; i < PROF_NEAR_MISSES; i++) {
    if (strcmp(miss->names[i], name) == 0)
      return;
    if (miss->names[i][0] && miss->costs[i] <= cost)
      continue;
    for (int j = PROF_NEAR_MISSES - 1; j > i; j--) {
      memcpy(miss->names[j], miss->names[j - 1], sizeof miss->names[j]);
      miss->costs[j] = miss->costs[j - 1];
    }
    strcpy(miss->names[i], name);
    miss->costs[i] = cost;
    return;
  }
}

void prof_near_miss_text(const struct prof_near_miss *miss, char *out, size_t out_bytes) {
  const char *const *n = (const char *const[]){miss->names[0], miss->names[1], miss->names[2]};
  if (n[2][0])
    snprintf(out, out_bytes, "did you mean %s, %s or %s?", n[0], n[1], n[2]);
  else if (n[1][0])
    snprintf(out, out_bytes, "did you mean %s or %s?", n[0], n[1]);
  else if (n[0][0])
    snprintf(out, out_bytes, "did you mean %s?", n[0]);
  else
    out[0] = 0;
}
