/*
 * tools/source/points.c - see points.h.
 */
#include "source/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/vec.h"

/* Arguments of one name are one point: which function's one is, its site says. */
static bool take_value(struct prof_elf_points *points, const struct prof_fact_view *view) {
  struct prof_fact_value fact;
  const char *name;
  if (!prof_fact_value_read(view, &fact, &name))
    return true;
  const struct prof_elf_point_fact point = {.sled = fact.sled,
                                            .point = {.what = *name == 0 ? PROF_POINT_RETURNED : PROF_POINT_ARGUMENT,
                                                      .name = *name == 0 ? "returned" : name,
                                                      .unit = "",
                                                      .file = ""}};
  return prof_vec_push(points, point);
}

bool prof_elf_points_take(struct prof_elf_points *points, struct prof_elf *file, const struct prof_fact_view *view) {
  struct prof_fact_point fact;
  if (!prof_fact_point_read(view, &fact))
    return take_value(points, view);
  const char *name = prof_elf_string_at(file, fact.name), *unit = prof_elf_string_at(file, fact.unit),
             *source = prof_elf_string_at(file, fact.file);
  if (name == NULL)
    return true;
  const struct prof_elf_point_fact point = {.sled = fact.sled,
                                            .point = {.what = fact.what,
                                                      .line = fact.line,
                                                      .name = *name != 0 ? name : "(empty)",
                                                      .unit = unit != NULL ? unit : "",
                                                      .file = source != NULL ? source : ""}};
  return prof_vec_push(points, point);
}

static int by_name(const struct prof_elf_point *a, const struct prof_elf_point *b) {
  return prof_order(a->what, b->what) ?: strcmp(a->name, b->name) ?: strcmp(a->unit, b->unit);
}

static int by_name_and_place(const void *left, const void *right) {
  const struct prof_elf_point *a = &((const struct prof_elf_point_fact *)left)->point;
  const struct prof_elf_point *b = &((const struct prof_elf_point_fact *)right)->point;
  return by_name(a, b) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
}

/* All sites at the sled: the compiler may have copied it, and a linker folded equal functions. */
static void join(struct prof_elf_module *module, const uint32_t *by_address, uint64_t sled, uint32_t point) {
  const struct prof_elf_site *sites = module->sites;
  size_t at = prof_search(0, module->site_count, middle, sites[by_address[middle]].address < sled);
  for (; at < module->site_count && sites[by_address[at]].address == sled; at++) {
    struct prof_elf_site *site = &module->sites[by_address[at]];
    site->point = prof_elf_is_point(site->kind) ? point : site->point;
  }
}

bool prof_elf_points_join(struct prof_elf_points *points, struct prof_elf_module *module, const uint32_t *by_address,
                          struct prof_arena *arena) {
  if (points->count == 0)
    return true;
  module->points = prof_arena_array(arena, points->count, sizeof *module->points);
  if (module->points == NULL)
    return false;
  qsort(points->items, points->count, sizeof *points->items, by_name_and_place);
  for (size_t i = 0; i < points->count; i++) {
    const struct prof_elf_point *point = &points->items[i].point;
    if (module->point_count == 0 || by_name(&module->points[module->point_count - 1], point) != 0)
      module->points[module->point_count++] = *point;
    join(module, by_address, points->items[i].sled, module->point_count - 1);
  }
  return true;
}
