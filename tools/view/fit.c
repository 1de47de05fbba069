/*
 * tools/view/fit.c - see fit.h.
 */
#include "fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "names/short.h"
#include "width.h"

#define LEAD_BYTES 1024

struct column {
  enum prof_cut cut;
  size_t width; /* of names that are cut: what the longest lead leaves */
  bool utf8;
};

/* ---- one text ---- */

/* Whether it is a C++ name alone: not one that prof made of several words. */
static bool is_scoped(const char *name) {
  return strpbrk(name, ":<(") && !strstr(name, " [") && strncmp(name, "[", 1) != 0;
}

#define BYTES_PER_COLUMN 16 /* of a name's end: more are not looked at */

/*
 * Columns of a name's end that are shown behind the mark: whole components, if they fill half of the room, else all of
 * it.  0: the last component has more.
 */
static size_t end_width(const char *name, size_t room) {
  size_t length = strlen(name), whole = 0, last = prof_text_width(name), nested = 0;
  for (const char *at = name; *at; at++) {
    nested += *at == '<' || *at == '(' || *at == '{';
    nested -= nested > 0 && (*at == '>' || *at == ')' || *at == '}');
    if (nested > 0 || at[0] != ':' || at[1] != ':' || (size_t)(name + length - at) > room * BYTES_PER_COLUMN)
      continue;
    last = prof_text_width(at + 2);
    whole = !whole && last <= room ? last : whole;
  }
  return last > room ? 0 : whole >= room / 2 ? whole : room;
}

/* A C++ name without what tells least; the last component stays longest.  NULL: no memory. */
static char *cut_function(const char *name, size_t room, bool utf8) {
  static void (*const ways[])(char *) = {prof_name_shorten, prof_name_cut_templates};
  char *shorter = strdup(name), *shown = NULL;
  for (size_t i = 0; shorter && i < sizeof ways / sizeof *ways && (!shown || prof_text_width(shown) > room); i++) {
    ways[i](shorter);
    free(shown);
    shown = prof_text_escaped(shorter);
  }
  free(shorter);
  if (!shown || prof_text_width(shown) <= room)
    return shown;
  size_t tail = room > 1 ? end_width(shown, room - 1) : 0;
  if (tail)
    prof_text_cut_out(shown, 0, tail, utf8);
  else
    prof_text_cut_middle(shown, room, utf8);
  return shown;
}

/* The name, escaped and cut.  from_bytes: where it goes on after its first columns; 0: anywhere.  NULL: no memory. */
static char *cut_name(const struct prof_fit_text *text, const struct column *column, size_t from_bytes) {
  size_t room = column->width;
  if (column->cut == PROF_CUT_NAME && !from_bytes && is_scoped(text->text + text->lead))
    return cut_function(text->text + text->lead, room, column->utf8);
  char *name = prof_text_escaped(text->text + text->lead);
  if (!name)
    return NULL;
  if (from_bytes && from_bytes < strlen(name)) {
    size_t head = room / 3, width = prof_text_width(name), tail = prof_text_width(name + from_bytes);
    if (width > head + tail + 1)
      prof_text_cut_out(name, head, tail, column->utf8);
    prof_text_cut(name, room, column->utf8);
  } else if (column->cut == PROF_CUT_LEFT) {
    prof_text_cut_left(name, room, column->utf8);
  } else if (column->cut == PROF_CUT_RIGHT) {
    prof_text_cut(name, room, column->utf8);
  } else {
    prof_text_cut_middle(name, room, column->utf8);
  }
  return name;
}

/* Cuts a lead at its beginning: the nearest branches stay. */
static void cut_lead(const struct prof_fit_text *text, size_t width, bool utf8, char out[LEAD_BYTES]) {
  prof_text_escape(out, LEAD_BYTES, text->text, text->lead);
  if (prof_text_width(out) <= width / 2)
    return;
  prof_text_cut_out(out, 0, width / 2 ? width / 2 - 1 : 0, utf8);
  const size_t length = strlen(out), mark = prof_text_fitting(out, 1);
  if (prof_text_width(out) < width / 2 && length + 1 < LEAD_BYTES) { /* branches stand below each other */
    memmove(out + mark + 1, out + mark, length - mark + 1);
    out[mark] = ' ';
  }
}

/* ---- texts that look the same ---- */

static int by_look(const void *a, const void *b) {
  const struct prof_fit_text *left = *(struct prof_fit_text *const *)a, *right = *(struct prof_fit_text *const *)b;
  return strcmp(left->shown, right->shown) ?: strcmp(left->text + left->lead, right->text + right->lead);
}

static bool is_same(const struct prof_fit_text *left, const struct prof_fit_text *right) {
  return strcmp(left->text + left->lead, right->text + right->lead) == 0;
}

/* Length of the common beginning of a group's escaped names; the group is sorted, so the first and last show it. */
static size_t common_bytes(const struct prof_fit_text *first, const struct prof_fit_text *last) {
  char *a = prof_text_escaped(first->text + first->lead), *b = prof_text_escaped(last->text + last->lead);
  size_t bytes = 0;
  while (a && b && a[bytes] && a[bytes] == b[bytes])
    bytes++;
  while (bytes > 0 && a && ((unsigned char)a[bytes] & 0xc0) == 0x80) /* not within a character */
    bytes--;
  free(a);
  free(b);
  return bytes;
}

static void replace(struct prof_fit_text *text, char *shown) {
  if (shown) {
    free(text->shown);
    text->shown = shown;
  }
}

/* "name#2" */
static void number(struct prof_fit_text *text, const struct column *column, size_t ordinal) {
  char suffix[24], *joined = NULL;
  size_t bytes = (size_t)snprintf(suffix, sizeof suffix, "#%zu", ordinal);
  if (column->width <= bytes)
    return;
  struct column narrow = {column->cut, column->width - bytes, column->utf8};
  char *cut = cut_name(text, &narrow, 0);
  if (cut && asprintf(&joined, "%s%s", cut, suffix) < 0)
    joined = NULL;
  free(cut);
  replace(text, joined);
}

/* One pass over groups that look the same: first shows where names differ, then numbers them.  false: no such group. */
static bool tell_apart(struct prof_fit_text **sorted, size_t count, const struct column *column, bool numbers) {
  bool any = false;
  qsort(sorted, count, sizeof *sorted, by_look);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && strcmp(sorted[first]->shown, sorted[end]->shown) == 0;)
      end++;
    if (is_same(sorted[first], sorted[end - 1]))
      continue;
    any = true;
    size_t common = numbers ? 0 : common_bytes(sorted[first], sorted[end - 1]), ordinal = 1;
    const struct prof_fit_text *before = sorted[first];
    for (size_t i = first; i < end; i++) {
      ordinal += !is_same(before, sorted[i]);
      before = sorted[i];
      if (!numbers)
        replace(sorted[i], cut_name(sorted[i], column, common));
      else if (ordinal > 1)
        number(sorted[i], column, ordinal);
    }
  }
  return any;
}

/* false: no memory. */
static bool cut_names(struct prof_fit_text *texts, size_t count, const struct column *column, const size_t *leads,
                      size_t width) {
  struct prof_fit_text **sorted = malloc((count + 1) * sizeof *sorted);
  size_t cut = 0;
  for (size_t i = 0; i < count && sorted; i++) {
    char *whole = prof_text_escaped(texts[i].text + texts[i].lead);
    bool fits = whole && prof_text_width(whole) + leads[i] <= width;
    texts[i].shown = fits ? whole : cut_name(&texts[i], column, 0);
    if (!fits) {
      free(whole);
      sorted[cut++] = &texts[i];
    }
    if (!texts[i].shown) {
      free(sorted);
      return false;
    }
  }
  if (sorted && tell_apart(sorted, cut, column, false))
    tell_apart(sorted, cut, column, true);
  free(sorted);
  return sorted != NULL;
}

void prof_fit_texts(struct prof_fit_text *texts, size_t count, enum prof_cut cut, size_t width, bool utf8) {
  char lead[LEAD_BYTES];
  size_t most = 0, *leads = calloc(count + 1, sizeof *leads);
  for (size_t i = 0; i < count && leads; i++) {
    cut_lead(&texts[i], width, utf8, lead);
    leads[i] = prof_text_width(lead);
    most = leads[i] > most ? leads[i] : most;
  }
  struct column column = {cut, width > most ? width - most : 1, utf8};
  bool good = leads && cut_names(texts, count, &column, leads, width);
  for (size_t i = 0; i < count && good; i++) {
    char *joined = NULL;
    if (!texts[i].lead)
      continue;
    cut_lead(&texts[i], width, utf8, lead);
    if (asprintf(&joined, "%s%s", lead, texts[i].shown) >= 0)
      replace(&texts[i], joined);
  }
  free(leads);
}
