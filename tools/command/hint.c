/*
 * tools/command/hint.c - see hint.h.
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2.2 (nothing is special between single quotes).
 */
#include "hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fold/filter.h"

#define LONGEST 60 /* bytes of a name that is shown in full */
#define PART 20    /* bytes of a part of a longer one */

static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-";

const char *prof_hint_word(char out[PROF_HINT_BYTES], const char *word) {
  char text[PROF_HINT_BYTES];
  size_t used = 0;
  prof_text_escape(text, sizeof text, word, strlen(word));
  if (*text && !text[strspn(text, harmless)])
    return strcpy(out, text);
  out[used++] = '\'';
  for (const char *at = text; *at && used + 6 < PROF_HINT_BYTES; at++) {
    const char *part = *at == '\'' ? "'\\''" : (char[2]){*at, 0};
    size_t bytes = strlen(part);
    memcpy(out + used, part, bytes);
    used += bytes;
  }
  out[used++] = '\'';
  out[used] = 0;
  return out;
}

struct pattern {
  char text[PROF_HINT_BYTES];
  size_t used;
};

static void add_star(struct pattern *pattern) {
  if ((pattern->used == 0 || pattern->text[pattern->used - 1] != '*') && pattern->used + 1 < sizeof pattern->text)
    pattern->text[pattern->used++] = '*';
  pattern->text[pattern->used] = 0;
}

/* Adds bytes [from, to) of a name, with a * for characters unfit for a pattern or terminal. */
static void add_part(struct pattern *pattern, const char *name, size_t from, size_t to) {
  for (size_t at = from, length = strlen(name); at < to && at < length;) {
    size_t bytes = prof_text_character(name + at, length - at);
    bool plain = bytes > 0 && prof_text_is_plain(name + at, bytes) && !strchr("[\\'", name[at]);
    bytes = bytes ? bytes : 1;
    if (!plain || pattern->used + bytes >= sizeof pattern->text) {
      add_star(pattern);
    } else {
      memcpy(pattern->text + pattern->used, name + at, bytes);
      pattern->used += bytes;
      pattern->text[pattern->used] = 0;
    }
    at += bytes;
  }
}

/* Counts the functions that the pattern matches.  *differs: the first byte where `name` differs from all other
 * matches. */
static size_t count_matches(const struct prof_reader *reader, const char *pattern, const char *name, size_t *differs) {
  struct prof_diag diag;
  uint8_t *matches = NULL;
  size_t function_count, count = 0;
  prof_trace_functions(reader->recording.trace, &function_count);
  *differs = 0;
  if (prof_filter_match(reader->recording.trace, "", &pattern, 1, &diag, &matches) != PROF_OK)
    return 0;
  for (uint32_t i = 0; i < function_count; i++) {
    if (!matches[i])
      continue;
    const char *other = prof_names_function(reader->recording.names, i);
    size_t same = 0;
    while (name[same] && name[same] == other[same])
      same++;
    count++;
    if ((name[same] || other[same]) && same > *differs)
      *differs = same;
  }
  free(matches);
  return count;
}

static bool is_plain(const char *name) {
  size_t length = strlen(name), at = 0;
  for (size_t bytes; at < length; at += bytes) {
    bytes = prof_text_character(name + at, length - at);
    if (bytes == 0 || !prof_text_is_plain(name + at, bytes))
      return false;
  }
  return length <= LONGEST;
}

const char *prof_hint_function(char out[PROF_HINT_BYTES], const struct prof_reader *reader, const char *name) {
  size_t length = strlen(name), differs, ignored;
  if (is_plain(name))
    return prof_hint_word(out, name);
  struct pattern ends = {.used = 0}, middle = {.used = 0}, parts = {.used = 0}, whole = {.used = 0};
  size_t same = count_matches(reader, name, name, &ignored);
  add_part(&ends, name, 0, PART);
  add_star(&ends);
  size_t end = length > 2 * PART ? length - PART : PART;
  add_part(&ends, name, end, length);
  if (count_matches(reader, ends.text, name, &differs) <= same)
    return prof_hint_word(out, ends.text);
  add_star(&middle);
  add_part(&middle, name, differs > PART ? differs - PART : 0, differs + PART);
  add_star(&middle);
  if (count_matches(reader, middle.text, name, &ignored) <= same)
    return prof_hint_word(out, middle.text);
  add_part(&parts, name, 0, PART);
  add_star(&parts);
  add_part(&parts, name, differs > 2 * PART ? differs - PART : PART, differs + PART < end ? differs + PART : end);
  add_star(&parts);
  add_part(&parts, name, end, length);
  if (count_matches(reader, parts.text, name, &ignored) <= same)
    return prof_hint_word(out, parts.text);
  add_part(&whole, name, 0, length);
  return prof_hint_word(out, whole.text);
}

const char *prof_hint_input(char out[PROF_HINT_BYTES], const char *input) {
  char word[PROF_HINT_BYTES - 8];
  char quoted[PROF_HINT_BYTES];
  *out = 0;
  if (!strcmp(input, PROF_DEFAULT_INPUT))
    return out;
  snprintf(word, sizeof word, "%s", prof_hint_word(quoted, input));
  snprintf(out, PROF_HINT_BYTES, " -i %s", word);
  return out;
}
