/*
 * tools/source/facts.c - see facts.h.
 */
#include "source/facts.h"

#include <string.h>

enum { STEP_BYTES = 8 }; /* records are aligned to this, and so are gaps between them */

struct prof_fact_walk prof_fact_walk_begin(const uint8_t *bytes, size_t size) {
  return (struct prof_fact_walk){bytes, bytes + size, false};
}

bool prof_fact_walk_next(struct prof_fact_walk *walk, struct prof_fact_view *out) {
  struct prof_fact head;
  for (;;) {
    if ((size_t)(walk->end - walk->at) < sizeof head)
      return false;
    memcpy(&head, walk->at, sizeof head);
    if (head.length != 0 || head.kind != 0 || head.version != 0)
      break;
    walk->at += STEP_BYTES;
  }
  if (head.length < sizeof head || head.length % STEP_BYTES != 0 || head.length > (size_t)(walk->end - walk->at)) {
    walk->damaged = true;
    return false;
  }
  *out = (struct prof_fact_view){walk->at, head.length, head.kind, head.version};
  walk->at += head.length;
  return true;
}

static bool take(const struct prof_fact_view *view, enum prof_fact_kind kind, void *out, size_t size) {
  if (view->kind != kind || view->version != PROF_FACT_VERSION || view->length < size)
    return false;
  memcpy(out, view->record, size);
  return true;
}

/* Two strings, one after the other, from `offset` on. */
static bool strings(const struct prof_fact_view *view, size_t offset, const char **first, const char **second) {
  const char *text = (const char *)view->record + offset, *end = (const char *)view->record + view->length;
  const char *stop = memchr(text, 0, (size_t)(end - text));
  if (stop == NULL || memchr(stop + 1, 0, (size_t)(end - stop - 1)) == NULL)
    return false;
  *first = text;
  *second = stop + 1;
  return true;
}

bool prof_fact_probe_read(const struct prof_fact_view *view, struct prof_fact_probe *out) {
  return take(view, PROF_FACT_PROBE, out, sizeof *out);
}

uint64_t prof_fact_probe_loop(const struct prof_fact_view *view) {
  struct prof_fact_loop_probe probe;
  return take(view, PROF_FACT_PROBE, &probe, sizeof probe) ? probe.loop : 0;
}

bool prof_fact_loop_read(const struct prof_fact_view *view, struct prof_fact_loop *out, const char **name,
                         const char **file) {
  return take(view, PROF_FACT_LOOP, out, sizeof *out) && strings(view, sizeof *out, name, file);
}

bool prof_fact_function_read(const struct prof_fact_view *view, struct prof_fact_function *out, const char **name,
                             const char **file) {
  return take(view, PROF_FACT_FUNCTION, out, sizeof *out) && strings(view, sizeof *out, name, file);
}

bool prof_fact_zone_read(const struct prof_fact_view *view, struct prof_fact_zone *out) {
  return take(view, PROF_FACT_ZONE, out, sizeof *out);
}

bool prof_fact_point_read(const struct prof_fact_view *view, struct prof_fact_point *out) {
  return take(view, PROF_FACT_POINT, out, sizeof *out);
}

bool prof_fact_value_read(const struct prof_fact_view *view, struct prof_fact_value *out, const char **name) {
  if (!take(view, PROF_FACT_VALUE, out, sizeof *out))
    return false;
  *name = (const char *)view->record + sizeof *out;
  return memchr(*name, 0, view->length - sizeof *out) != NULL;
}

bool prof_fact_unit_read(const struct prof_fact_view *view, struct prof_fact_unit *out, const char **compiler,
                         const char **file) {
  return take(view, PROF_FACT_UNIT, out, sizeof *out) && strings(view, sizeof *out, compiler, file);
}

bool prof_fact_lto_read(const struct prof_fact_view *view, struct prof_fact_lto *out, const char **compiler,
                        const char **file) {
  return take(view, PROF_FACT_LTO, out, sizeof *out) && strings(view, sizeof *out, compiler, file);
}
