/* wordcount [WORDS] - counts the words of a generated text with WORDS words and prints the most frequent ones. */
#include <stdio.h>
#include <stdlib.h>

#include "table.h"
#include "text.h"

static size_t count_words(struct table *table, const char *text) {
  char word[64];
  size_t words = 0;
  while (text_next_word(&text, word, sizeof word) > 0) {
    if (table_add(table, word) != 0)
      return 0;
    words++;
  }
  return words;
}

static void print_top(const struct table *table, size_t limit) {
  struct entry **sorted = table_sorted(table);
  for (size_t i = 0; sorted && i < limit && i < table->entry_count; i++)
    printf("%8lu %s\n", sorted[i]->count, sorted[i]->word);
  free(sorted);
}

int main(int argc, char **argv) {
  size_t words = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  struct table table;
  char *text = text_make(words);
  if (!text || table_init(&table, 16384) != 0) {
    fprintf(stderr, "wordcount: no memory\n");
    return 1;
  }
  printf("%zu words, ", count_words(&table, text));
  printf("%zu different\n", table.entry_count);
  print_top(&table, 10);
  table_free(&table);
  free(text);
  return 0;
}
