/*
 * tools/command/options/suggest.h - finds the known word nearest to a mistyped one.
 */
#ifndef PROF_COMMAND_SUGGEST_H
#define PROF_COMMAND_SUGGEST_H

#include <stddef.h>

struct prof_suggest {
  const char *word; /* what the user typed; borrowed */
  const char *best; /* nearest offered word so far, NULL: none near enough; borrowed */
  size_t distance;
};

void prof_suggest_init(struct prof_suggest *, const char *word);
void prof_suggest_offer(struct prof_suggest *, const char *candidate);

/* Edits (insert, delete, change, swap of neighbours) between two words; words over 63 bytes count as far apart. */
size_t prof_suggest_distance(const char *, const char *);

#endif
