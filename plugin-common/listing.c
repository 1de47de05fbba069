/* listing.c - see listing.h. */
#include "listing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static void add_place(struct prof_text *text, const char *name, const char *file, uint32_t line) {
  prof_text_add_field(text, name);
  prof_text_add(text, "\t");
  prof_text_add_field(text, *file ? file : "?");
  prof_text_format(text, ":%u\t", line);
}

void prof_listing_add(struct prof_text *text, const struct prof_candidate *function, enum prof_reason reason) {
  add_place(text, function->assembler_name, function->file, function->line);
  prof_text_format(text, "%s\t%s\n", reason == PROF_REASON_PROBED ? "probed" : "skipped", prof_reason_text(reason));
}

void prof_listing_add_loop(struct prof_text *text, const struct prof_candidate *function,
                           const struct prof_candidate_loop *loop, enum prof_loop_reason reason) {
  const char *word = loop->flags & PROF_LOOP_COUNTED ? "counted" : "skipped";
  add_place(text, function->assembler_name, loop->file, loop->line);
  prof_text_format(text, "%s\tloop: %s\n", reason == PROF_LOOP_REASON_PROBED ? "probed" : word,
                   prof_loop_reason_text(reason));
}

int prof_listing_append(const char *path, const struct prof_text *text) {
  if (text->failed)
    return ENOMEM;
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (file < 0)
    return errno;
  int error = 0;
  const char *bytes = prof_text_string(text);
  size_t left = text->length;
  if (left)
    flock(file, LOCK_EX); /* if locking fails, a single write still keeps lines whole */
  while (left && !error) {
    ssize_t written = write(file, bytes, left);
    if (written < 0 && errno != EINTR)
      error = errno;
    if (written > 0) {
      bytes += written;
      left -= (size_t)written;
    }
  }
  if (close(file) && !error)
    error = errno;
  return error;
}
