/* Turns text into capitals.  Planted: the length is counted for each letter.  CLEAN: once. */
#include <stdio.h>
#include <string.h>

enum { BYTES = 20000 };
static char text[BYTES + 1];

__attribute__((noinline)) static void capitalise(char *letters) {
#ifdef CLEAN
  size_t length = strlen(letters);
  for (size_t i = 0; i < length; i++)
#else
  for (size_t i = 0; i < strlen(letters); i++)
#endif
    letters[i] = letters[i] >= 'a' && letters[i] <= 'z' ? (char)(letters[i] - 32) : (char)(letters[i] ^ 1 ^ 1);
}

int main(void) {
#ifdef CLEAN
  enum { ROUNDS = 20000 };
#else
  enum { ROUNDS = 40 };
#endif
  for (int round = 0; round < ROUNDS; round++) {
    memset(text, 'a' + round % 26, BYTES);
    capitalise(text);
  }
  puts(text[7] == 'A' ? "A" : "other");
  return 0;
}
