/*
 * tools/view/width.c - the width of an escaped text on a terminal, and cutting it to fit.
 */
#include "width.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

/* The character at text: its bytes and columns. */
static size_t measure_one(const char *text, size_t left, size_t *columns) {
  size_t bytes = prof_text_character(text, left);
  *columns = 1; /* also if the locale doesn't know it: a terminal draws one column */
  if (bytes > 1) {
    wchar_t wide;
    mbstate_t state = {0};
    int width = mbrtowc(&wide, text, bytes, &state) == bytes ? wcwidth(wide) : 1;
    *columns = width < 0 ? 1 : (size_t)width;
  }
  return bytes ? bytes : 1;
}

size_t prof_text_width(const char *escaped) {
  size_t width = 0, columns;
  for (size_t left = strlen(escaped); left;) {
    size_t bytes = measure_one(escaped, left, &columns);
    width += columns;
    escaped += bytes;
    left -= bytes;
  }
  return width;
}

/* The buffer holds the whole text: a mark takes at most as many bytes as are cut. */
static const char *mark_for(size_t cut, bool utf8) {
  return utf8 && cut >= strlen("…") ? "…" : "|"; /* not ~: that is a destructor, or an estimate */
}

void prof_text_cut(char *escaped, size_t width, bool utf8) {
  size_t length = strlen(escaped), column = 0, keep = 0, columns;
  const size_t most = utf8 && length >= strlen("…") ? length - strlen("…") : length;
  for (size_t at = 0; at < length;) {
    size_t bytes = measure_one(escaped + at, length - at, &columns);
    column += columns;
    if (column > width) {
      const char *mark = mark_for(length - keep, utf8);
      memcpy(escaped + keep, mark, strlen(mark) + 1);
      return;
    }
    at += bytes;
    if (column < width && at <= most)
      keep = at; /* leaves a column for the mark, and room: a mark has three bytes */
  }
}

/* Length of the text's beginning that takes at most `width` columns. */
static size_t bytes_of(const char *escaped, size_t length, size_t width) {
  size_t at = 0, columns;
  for (size_t column = 0; at < length;) {
    size_t bytes = measure_one(escaped + at, length - at, &columns);
    column += columns;
    if (column > width)
      break;
    at += bytes;
  }
  return at;
}

size_t prof_text_fitting(const char *escaped, size_t width) {
  return bytes_of(escaped, strlen(escaped), width);
}

void prof_text_cut_out(char *escaped, size_t head, size_t tail, bool utf8) {
  size_t length = strlen(escaped), width = prof_text_width(escaped);
  if (width <= head + tail + 1)
    return;
  size_t front = bytes_of(escaped, length, head), back = bytes_of(escaped, length, width - tail);
  if (prof_text_width(escaped + back) > tail) /* a wide character crosses the cut */
    back += measure_one(escaped + back, length - back, &width);
  while (utf8 && back - front < strlen("…") && back < length) /* a mark has three bytes: one character more goes */
    back += measure_one(escaped + back, length - back, &width);
  const char *mark = mark_for(back - front, utf8);
  memcpy(escaped + front, mark, strlen(mark));
  memmove(escaped + front + strlen(mark), escaped + back, length - back + 1);
}

void prof_text_cut_middle(char *escaped, size_t width, bool utf8) {
  if (prof_text_width(escaped) > width)
    prof_text_cut_out(escaped, width / 2, width ? width - 1 - width / 2 : 0, utf8);
}

void prof_text_cut_left(char *escaped, size_t width, bool utf8) {
  if (prof_text_width(escaped) <= width || width == 0)
    return;
  prof_text_cut_out(escaped, 0, width - 1, utf8);
  char *kept = escaped + (strncmp(escaped, "…", strlen("…")) ? 1 : strlen("…")), *slash = strchr(kept, '/');
  if (slash && (size_t)(slash - kept) < strlen(kept) / 2)
    memmove(kept, slash, strlen(slash) + 1);
}

char *prof_text_escaped(const char *foreign) {
  size_t length = strlen(foreign), room = 4 * length + 1; /* the longest form of a byte is \xNN */
  char *escaped = malloc(room);
  if (escaped)
    prof_text_escape(escaped, room, foreign, length);
  return escaped;
}
