#include "text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t random_state = 12345;

static uint32_t random_next(void) { /* a linear congruential generator is good enough for words */
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

/* Some numbers come often and most come seldom, as words do in a text. */
static uint32_t pick_word(void) {
  uint32_t limit = 1u << (4 + random_next() % 12);
  return random_next() % limit;
}

/* Word number n, spelled in syllables. */
static char *spell(char *out, uint32_t n) {
  static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
  n += 70;
  while (n > 0) {
    *out++ = consonants[n % 14];
    *out++ = vowels[n / 14 % 5];
    n /= 70;
  }
  return out;
}

char *text_make(size_t words) {
  char *text = malloc(words * 8 + 1);
  if (!text)
    return NULL;
  char *out = text;
  for (size_t i = 0; i < words; i++) {
    out = spell(out, pick_word());
    *out++ = i % 12 == 11 ? '.' : ' ';
  }
  *out = '\0';
  return text;
}

size_t text_next_word(const char **position, char *word, size_t room) {
  const char *in = *position;
  while (*in && !isalpha((unsigned char)*in))
    in++;
  size_t length = 0;
  for (; isalpha((unsigned char)*in); in++) {
    if (length + 1 < room)
      word[length++] = (char)tolower((unsigned char)*in);
  }
  word[length] = '\0';
  *position = in;
  return length;
}
