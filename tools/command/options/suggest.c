/*
 * tools/command/options/suggest.c - edit distance with swaps (optimal string alignment), on short words.
 */
#include "suggest.h"

#include <string.h>

#define LONGEST 63

static size_t min_of(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t prof_suggest_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST)
    return LONGEST;
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= m; j++)
    last[j] = j;
  for (size_t i = 1; i <= n; i++) {
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = min_of(min_of(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = min_of(row[j], before[j - 2] + 1);
    }
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[m];
}

void prof_suggest_init(struct prof_suggest *suggest, const char *word) {
  suggest->word = word;
  suggest->best = NULL;
  suggest->distance = strlen(word) / 3 + 1; /* beyond it: a different word */
}

void prof_suggest_offer(struct prof_suggest *suggest, const char *candidate) {
  size_t distance = prof_suggest_distance(suggest->word, candidate);
  size_t typed = strlen(suggest->word);
  if (typed >= 3 && !strncmp(suggest->word, candidate, typed)) /* a prefix */
    distance = 1;
  if (distance > suggest->distance || (suggest->best && distance == suggest->distance))
    return;
  suggest->best = candidate;
  suggest->distance = distance;
}
