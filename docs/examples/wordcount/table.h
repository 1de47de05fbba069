/* A hash table that counts words. */
#ifndef WORDCOUNT_TABLE_H
#define WORDCOUNT_TABLE_H

#include <stddef.h>

struct entry {
  struct entry *next; /* in the same bucket */
  unsigned long count;
  char word[]; /* NUL at the end */
};

struct table {
  struct entry **buckets;
  size_t bucket_count;
  size_t entry_count;
};

int table_init(struct table *, size_t bucket_count); /* 0, or -1: no memory */
void table_free(struct table *);
int table_add(struct table *, const char *word); /* adds 1 to the word's count; 0, or -1: no memory */

/* All entries, most frequent first; the caller frees the array.  NULL: no memory. */
struct entry **table_sorted(const struct table *);

#endif
