/* Counts words in a hash table.  Planted: the hash adds the letters, so that few chains hold all words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 16384, WORDS = 20000, LOOKUPS = 60000 };

struct entry {
  struct entry *next;
  char word[16];
  unsigned count;
};
static struct entry *buckets[BUCKETS], entries[WORDS];

static unsigned hash_of(const char *word) {
#ifdef CLEAN
  unsigned hash = 2166136261u;
  for (; *word; word++)
    hash = (hash ^ (unsigned char)*word) * 16777619u;
#else
  unsigned hash = 0;
  for (; *word; word++)
    hash += (unsigned char)*word;
#endif
  return hash % BUCKETS;
}

__attribute__((noinline)) static struct entry *table_find(const char *word) {
  struct entry *entry = buckets[hash_of(word)];
  while (entry && strcmp(entry->word, word) != 0)
    entry = entry->next;
  return entry;
}

static void table_add(struct entry *entry) {
  unsigned bucket = hash_of(entry->word);
  entry->next = buckets[bucket];
  buckets[bucket] = entry;
}

int main(void) {
#ifdef CLEAN
  enum { ROUNDS = 40 };
#else
  enum { ROUNDS = 1 };
#endif
  for (int i = 0; i < WORDS; i++) {
    snprintf(entries[i].word, sizeof entries[i].word, "word%06d", i * 7 % 1000000);
    table_add(&entries[i]);
  }
  unsigned found = 0, state = 1;
  for (int i = 0; i < ROUNDS * LOOKUPS; i++) {
    state = state * 1664525u + 1013904223u;
    struct entry *entry = table_find(entries[(state >> 8) % WORDS].word);
    found += entry != NULL && ++entry->count > 0;
  }
  printf("%u\n", found);
  return 0;
}
