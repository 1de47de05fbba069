/*
 * tools/names/apart.c - see apart.h.
 */
#include "names/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

/* Of one name.  More have whole paths: each end would be compared with each path. */
#define MOST_SHORTENED 500

/* The last components of a path. */
static const char *tail_of(const char *path, unsigned components) {
  const char *at = path + strlen(path);
  for (; at > path; at--)
    if (at[-1] == '/' && at[0] && --components == 0)
      break;
  return at;
}

static int by_name(const void *left, const void *right) {
  const struct prof_apart_name *a = left, *b = right;
  return strcmp(a->name, b->name) ?: strcmp(a->file, b->file) ?: strcmp(a->module, b->module) ?: prof_order(a->line, b->line)
                                                                                              ?: prof_order(a->function, b->function);
}

/* Of one name, sorted: what can tell them apart. */
struct group {
  const struct prof_apart_name *names;
  size_t count;
  bool by_module, by_line;
};

static const char *path_of(const struct group *group, size_t at) {
  const struct prof_apart_name *name = &group->names[at];
  return group->by_module || !name->file[0] ? name->module : name->file;
}

/* In whole components. */
static bool is_end(const char *text, const char *end) {
  size_t bytes = strlen(text), end_bytes = strlen(end);
  return bytes >= end_bytes && !strcmp(text + bytes - end_bytes, end) &&
         (bytes == end_bytes || text[bytes - end_bytes - 1] == '/');
}

/* So many components of the path that no other path ends like that. */
static const char *label_of(const struct group *group, size_t at) {
  const char *path = path_of(group, at), *label = path;
  bool clear = group->count > MOST_SHORTENED;
  for (unsigned components = 1; !clear && (components == 1 || label > path); components++) {
    label = tail_of(path, components);
    clear = true;
    for (size_t i = 0; i < group->count && clear; i++)
      clear = !strcmp(path_of(group, i), path) || !is_end(path_of(group, i), label);
  }
  return label;
}

static bool differ_by(const struct group *group, const char *(*text)(const struct group *, size_t)) {
  for (size_t i = 1; i < group->count; i++)
    if (strcmp(text(group, 0), text(group, i)) != 0)
      return true;
  return false;
}

/* Two functions of one place that begin in different lines. */
static bool have_lines(const struct group *group) {
  for (size_t i = 1; i < group->count; i++)
    if (!strcmp(path_of(group, i - 1), path_of(group, i)) && group->names[i - 1].line && group->names[i].line &&
        group->names[i - 1].line != group->names[i].line)
      return true;
  return false;
}

static bool fill_one(const struct group *group, size_t at, struct prof_arena *arena, struct prof_apart_name *out) {
  const char *label = label_of(group, at);
  size_t bytes = strlen(out->name) + strlen(label) + 16;
  if (!label[0])
    return true;
  char *text = prof_arena_alloc(arena, bytes);
  if (!text)
    return false;
  if (group->by_line && out->line)
    snprintf(text, bytes, "%s (%s:%u)", out->name, label, out->line);
  else
    snprintf(text, bytes, "%s (%s)", out->name, label);
  out->apart = text;
  return true;
}

static bool fill(struct prof_apart_name *names, size_t count, struct prof_arena *arena) {
  struct group group = {.names = names, .count = count};
  if (!differ_by(&group, path_of)) {
    group.by_module = true;
    group.by_module = differ_by(&group, path_of);
  }
  group.by_line = have_lines(&group);
  if (!group.by_line && !differ_by(&group, path_of))
    return true; /* nothing tells them apart */
  for (size_t i = 0; i < count; i++)
    if (!fill_one(&group, i, arena, &names[i]))
      return false;
  return true;
}

bool prof_apart_fill(struct prof_apart_name *names, size_t count, struct prof_arena *arena) {
  bool good = true;
  if (count > 0)
    qsort(names, count, sizeof *names, by_name);
  for (size_t i = 0; i < count; i++)
    names[i].apart = names[i].name;
  for (size_t i = 0, end; i < count && good; i = end) {
    for (end = i + 1; end < count && !strcmp(names[end].name, names[i].name);)
      end++;
    good = end - i < 2 || fill(names + i, end - i, arena);
  }
  for (size_t i = 0; i < count && !good; i++)
    names[i].apart = names[i].name;
  return good;
}
