/* append.h - makes short texts, without libc.  Both functions return the end, where they store a NUL. */
#ifndef PROF_RUNTIME_APPEND_H
#define PROF_RUNTIME_APPEND_H

static inline char *prof_append(char *at, const char *text) {
  while (*text)
    *at++ = *text++;
  *at = 0;
  return at;
}

static inline char *prof_append_number(char *at, unsigned number) {
  char digits[12];
  int count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count)
    *at++ = digits[--count];
  *at = 0;
  return at;
}

#endif
