/*
 * test/support/tracetext_points.c - points of a text: what the program reports.
 */
#include <stdlib.h>
#include <string.h>

#include "point.h"
#include "tracetext_parts.h"

#define POINTS_AT 0xc00000ull /* their link-time addresses */

static const char *const kinds[] = {
    [PROF_POINT_MARK] = "mark",         [PROF_POINT_FRAME] = "frame",       [PROF_POINT_COUNTER] = "counter",
    [PROF_POINT_VALUE] = "value",       [PROF_POINT_REQUEST] = "request",   [PROF_POINT_SPAN_BEGIN] = "span-begin",
    [PROF_POINT_SPAN_END] = "span-end", [PROF_POINT_ARGUMENT] = "argument", [PROF_POINT_RETURNED] = "returned"};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Of arguments and returned values, by enum prof_row_shown. */
static const char *const types[] = {"number", "bool", "character", "address", "text", "float"};

/* The bits of a number, and the flags of its type. */
static uint64_t value_of(const char *value, uint32_t *flags) {
  double number = strtod(value, NULL);
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  *flags = strpbrk(value, ".nf") ? PROF_ROW_FLOAT : 0; /* also nan, inf */
  return *flags ? bits : strtoull(value, NULL, 0);     /* of a negative number, too */
}

static uint32_t site_of(struct tracetext *text, const struct text_point *point) {
  uint32_t at = 0;
  for (; at < text->points.count; at++) {
    const struct text_point *known = &text->points.items[at];
    if (known->what == point->what && known->kind == point->kind && !strcmp(known->name, point->name) &&
        !strcmp(known->unit, point->unit))
      return at;
  }
  if (!prof_vec_push(&text->points, *point))
    abort();
  return at;
}

static bool is_of_call(const struct text_point *point) {
  return point->what == PROF_POINT_ARGUMENT || point->what == PROF_POINT_RETURNED;
}

/* [type=TYPE]: the flags of a VALUE's row. */
static uint32_t value_flags(struct tracetext *text, const struct text_point *point) {
  const char *type = prof_tracetext_option(text, "type");
  uint32_t shown = 0;
  while (type && shown + 1 < sizeof types / sizeof *types && strcmp(types[shown], type))
    shown++;
  uint32_t is_unsigned = shown > PROF_SHOWN_NUMBER && shown < PROF_SHOWN_FLOAT ? PROF_ROW_UNSIGNED : 0;
  return shown << PROF_ROW_SHOWN_SHIFT | is_unsigned | (point->what == PROF_POINT_RETURNED ? PROF_ROW_RETURNED : 0);
}

/* [text=TEXT]: 8 bytes a value. */
static bool push_text(struct tracetext *text, struct text_event *event, const char *bytes) {
  for (size_t at = 0; at <= strlen(bytes); at += 8) {
    size_t rest = strlen(bytes) - at;
    event->value = 0;
    memcpy(&event->value, bytes + at, rest < 8 ? rest : 8);
    if (!prof_vec_push(&text->events, *event))
      return false;
  }
  return true;
}

/* THREAD TIME point KIND NAME [value=N] [unit=TEXT].  A request has a site of its own, not that of its zone's entry. */
prof_status prof_tracetext_point(struct tracetext *text, struct text_event *event) {
  struct text_point point = {.what = 1};
  while (text->word_count > 4 && point.what < KINDS && strcmp(kinds[point.what], text->words[3]))
    point.what++;
  if (text->word_count < 5 || point.what == KINDS)
    return prof_tracetext_wrong(text, "point KIND NAME [value=N] [unit=TEXT]", text->words[3]);
  const char *value = prof_tracetext_option(text, "value");
  uint32_t flags = 0;
  event->value = value ? value_of(value, &flags) : 0;
  event->has_value = value != NULL;
  bool of_call = is_of_call(&point),
       untimed = point.what == PROF_POINT_VALUE || point.what == PROF_POINT_REQUEST || of_call;
  flags |= of_call ? value_flags(text, &point) : point.what >= PROF_POINT_REQUEST ? PROF_ROW_UNSIGNED : 0;
  point.kind = (of_call   ? PROF_PROBE_VALUE
                : untimed ? PROF_PROBE_LOOP_COUNT
                          : PROF_PROBE_POINT) |
               PROF_ROW_ZONE | flags | (value || of_call ? PROF_ROW_HAS_VALUE : 0);
  point.name = prof_tracetext_words(text, "", text->words[4]);
  point.unit = prof_tracetext_words(text, "unit", "");
  event->point = site_of(text, &point);
  event->kind = untimed ? PROF_EVENT_POINT_VALUE : value ? PROF_EVENT_POINT_TIME : PROF_EVENT_POINT;
  text->modules.items[0].point_count = (uint32_t)text->points.count;
  const char *bytes = prof_tracetext_option(text, "text");
  if (of_call && bytes)
    return push_text(text, event, bytes) ? PROF_OK : PROF_NO_MEMORY;
  return prof_vec_push(&text->events, *event) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_tracetext_points_sites(const struct tracetext *text, struct prof_site_record *sites, uint32_t first) {
  for (uint32_t i = 0; i < text->points.count; i++)
    sites[first + i] = (struct prof_site_record){POINTS_AT + 0x10 * i, text->points.items[i].kind, 0, UINT32_MAX, 0};
}

void prof_tracetext_points_put(const struct tracetext *text, prof_writer *writer, uint32_t first) {
  uint32_t count = (uint32_t)text->points.count;
  struct prof_point_record *points = calloc(count + 1, sizeof *points);
  struct prof_point_site_record *sites = calloc(count + 1, sizeof *sites);
  if (!points || !sites)
    abort();
  for (uint32_t i = 0; i < count; i++) {
    const struct text_point *point = &text->points.items[i];
    points[i] = (struct prof_point_record){point->what, 10 * (i + 1), prof_span(point->name), prof_span(point->unit),
                                           prof_span("app.c")};
    sites[i] = (struct prof_point_site_record){first + i, i};
  }
  struct prof_points_record all = {1, points, count, sites, count};
  if (count)
    (void)prof_writer_points(writer, &all);
  free(points);
  free(sites);
}
