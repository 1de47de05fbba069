/* Generated text, so that the example needs no file; the same in every run. */
#ifndef WORDCOUNT_TEXT_H
#define WORDCOUNT_TEXT_H

#include <stddef.h>

/* `words` words separated by blanks and full stops, NUL at the end; the caller frees it.  NULL: no memory. */
char *text_make(size_t words);

/* The next word at or after *position, lower case, at most `room` - 1 letters.  0 at the end, else its length. */
size_t text_next_word(const char **position, char *word, size_t room);

#endif
