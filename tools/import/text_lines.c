/*
 * tools/import/text_lines.c - see text_lines.h.
 */
#include "import/text_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/vec.h"

#define READ_BYTES ((size_t)256 << 10)

void prof_text_lines_init(struct prof_text_lines *lines, int fd, const char *path) {
  *lines = (struct prof_text_lines){.fd = fd, .path = path};
}

void prof_text_lines_fini(struct prof_text_lines *lines) {
  free(lines->buffer);
  lines->buffer = NULL;
}

prof_status prof_text_lines_fault(const struct prof_text_lines *lines, struct prof_diag *diag, const char *remedy,
                                  const char *format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return prof_diag_fill(diag, PROF_CORRUPT, lines->path, PROF_NO_OFFSET, remedy, "line %" PRIu64 ": %s", lines->number,
                        text);
}

/* Reads more behind what there is; at the end of the file nothing comes. */
static prof_status more(struct prof_text_lines *lines, struct prof_diag *diag) {
  const size_t left = lines->end - lines->begin;
  if (lines->begin)
    memmove(lines->buffer, lines->buffer + lines->begin, left);
  lines->begin = 0;
  lines->end = left;
  char *grown = prof_vec_grow(lines->buffer, &lines->capacity, left + READ_BYTES + 1, 1);
  if (!grown)
    return prof_diag_memory(diag);
  lines->buffer = grown;
  ssize_t got;
  do
    got = read(lines->fd, lines->buffer + left, READ_BYTES);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return prof_diag_system(diag, errno, lines->path, "cannot read the file", NULL);
  lines->at_end = got == 0;
  lines->end += (size_t)got;
  return PROF_OK;
}

prof_status prof_text_lines_head(struct prof_text_lines *lines, const char **head, size_t *bytes,
                                 struct prof_diag *diag) {
  prof_status status = PROF_OK;
  while (status == PROF_OK && !lines->at_end && lines->end - lines->begin < PROF_TEXT_HEAD_BYTES)
    status = more(lines, diag);
  if (status != PROF_OK)
    return status;
  lines->buffer[lines->end] = 0;
  *head = lines->buffer + lines->begin;
  *bytes = lines->end - lines->begin;
  return PROF_OK;
}

/* The line [begin, begin + bytes); `skip`: bytes of its end. */
static prof_status give(struct prof_text_lines *lines, size_t bytes, size_t skip, char **line, size_t *length,
                        struct prof_diag *diag) {
  char *at = lines->buffer + lines->begin;
  lines->begin += bytes + skip;
  lines->number++;
  if (memchr(at, 0, bytes))
    return prof_text_lines_fault(lines, diag, "give a text file", "these bytes are no text");
  if (bytes && at[bytes - 1] == '\r')
    bytes--;
  at[bytes] = 0;
  *line = at;
  *length = bytes;
  return PROF_OK;
}

prof_status prof_text_lines_next(struct prof_text_lines *lines, char **line, size_t *bytes, struct prof_diag *diag) {
  size_t searched = 0;
  *line = NULL;
  *bytes = 0;
  for (;;) {
    const size_t left = lines->end - lines->begin;
    char *at = lines->buffer ? lines->buffer + lines->begin : NULL;
    char *end = left > searched ? memchr(at + searched, '\n', left - searched) : NULL;
    if (end)
      return give(lines, (size_t)(end - at), 1, line, bytes, diag);
    if (lines->at_end)
      return left ? give(lines, left, 0, line, bytes, diag) : PROF_OK;
    if (left > PROF_TEXT_LINE_BYTES) {
      lines->number++;
      return prof_text_lines_fault(lines, diag, "give a text file", "it has more than 16 MiB");
    }
    searched = left;
    prof_status status = more(lines, diag);
    if (status != PROF_OK)
      return status;
  }
}
