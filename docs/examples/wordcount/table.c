#include "table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"

int table_init(struct table *table, size_t bucket_count) {
  table->bucket_count = bucket_count;
  table->entry_count = 0;
  table->buckets = calloc(bucket_count, sizeof *table->buckets);
  return table->buckets ? 0 : -1;
}

void table_free(struct table *table) {
  for (size_t i = 0; i < table->bucket_count; i++) {
    for (struct entry *entry = table->buckets[i], *next; entry; entry = next) {
      next = entry->next;
      free(entry);
    }
  }
  free(table->buckets);
}

/* The link to the word's entry, or the link where its entry belongs. */
struct entry **table_find(const struct table *table, const char *word) {
  struct entry **link = &table->buckets[hash_word(word) % table->bucket_count];
  while (*link && strcmp((*link)->word, word) != 0)
    link = &(*link)->next;
  return link;
}

int table_add(struct table *table, const char *word) {
  struct entry **link = table_find(table, word);
  if (!*link) {
    size_t bytes = strlen(word) + 1;
    struct entry *entry = malloc(sizeof *entry + bytes);
    if (!entry)
      return -1;
    *entry = (struct entry){.next = NULL, .count = 0};
    memcpy(entry->word, word, bytes);
    *link = entry;
    table->entry_count++;
  }
  (*link)->count++;
  return 0;
}

static int compare_counts(const void *left, const void *right) {
  const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;
  if (a->count != b->count)
    return a->count < b->count ? 1 : -1;
  return strcmp(a->word, b->word);
}

struct entry **table_sorted(const struct table *table) {
  struct entry **sorted = malloc((table->entry_count + 1) * sizeof *sorted);
  if (!sorted)
    return NULL;
  size_t n = 0;
  for (size_t i = 0; i < table->bucket_count; i++) {
    for (struct entry *entry = table->buckets[i]; entry; entry = entry->next)
      sorted[n++] = entry;
  }
  qsort(sorted, n, sizeof *sorted, compare_counts);
  return sorted;
}
