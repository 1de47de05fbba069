/*
 * tools/source/loops.c - see loops.h.
 */
#include "source/loops.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

bool prof_elf_loops_take(struct prof_elf_loops *loops, const struct prof_fact_view *view) {
  struct prof_fact_loop fact;
  const char *name, *file;
  if (!prof_fact_loop_read(view, &fact, &name, &file) || fact.key == 0)
    return true;
  struct prof_elf_loop loop = {.key = fact.key,
                               .function = PROF_ELF_NO_FUNCTION,
                               .parent = PROF_ELF_NO_LOOP,
                               .iterations = fact.iterations,
                               .line = fact.line,
                               .last_line = fact.last_line,
                               .flags = fact.flags,
                               .depth = fact.depth,
                               .name = name,
                               .file = file};
  return prof_vec_push(loops, (struct prof_elf_loop_fact){loop, fact.function, fact.parent});
}

static int compare_key(const void *left, const void *right) {
  uint64_t a = ((const struct prof_elf_loop_fact *)left)->loop.key;
  uint64_t b = ((const struct prof_elf_loop_fact *)right)->loop.key;
  return prof_order(a, b);
}

static uint32_t find(const struct prof_elf_loops *loops, uint64_t key) {
  const struct prof_elf_loop_fact wanted = {.loop.key = key}, *found = NULL;
  if (key != 0 && loops->count > 0)
    found = bsearch(&wanted, loops->items, loops->count, sizeof wanted, compare_key);
  return found != NULL ? (uint32_t)(found - loops->items) : PROF_ELF_NO_LOOP;
}

/* Adds the loops that only probes name, so that entry and exit have the same loop. */
static bool add_probed(struct prof_elf_loops *loops, const struct prof_elf_module *module) {
  size_t known = loops->count;
  for (uint32_t i = 0; i < module->site_count; i++) {
    const struct prof_elf_site *site = &module->sites[i];
    const struct prof_elf_loops facts = {loops->items, known, 0};
    if (site->loop_key == 0 || find(&facts, site->loop_key) != PROF_ELF_NO_LOOP)
      continue;
    struct prof_elf_loop loop = {.key = site->loop_key,
                                 .function = PROF_ELF_NO_FUNCTION,
                                 .parent = PROF_ELF_NO_LOOP,
                                 .line = site->line,
                                 .last_line = site->line,
                                 .name = "",
                                 .file = ""};
    if (!prof_vec_push(loops, (struct prof_elf_loop_fact){loop, site->key, 0}))
      return false;
  }
  return true;
}

/* A flag of one copy is a flag of the loop; but a loop is gone only if all copies are. */
static uint32_t merge_flags(uint32_t a, uint32_t b) {
  return ((a | b) & ~PROF_LOOP_GONE) | (a & b & PROF_LOOP_GONE);
}

/* By key, one of each. */
static void sort_apart(struct prof_elf_loops *loops) {
  size_t kept = 0;
  if (loops->count > 1)
    qsort(loops->items, loops->count, sizeof *loops->items, compare_key);
  for (size_t i = 0; i < loops->count; i++) {
    if (kept > 0 && loops->items[kept - 1].loop.key == loops->items[i].loop.key)
      loops->items[kept - 1].loop.flags = merge_flags(loops->items[kept - 1].loop.flags, loops->items[i].loop.flags);
    else
      loops->items[kept++] = loops->items[i];
  }
  loops->count = kept;
}

struct function_key {
  uint64_t key;
  uint32_t index;
};

static int compare_function(const void *left, const void *right) {
  uint64_t a = ((const struct function_key *)left)->key, b = ((const struct function_key *)right)->key;
  return prof_order(a, b);
}

static bool join_functions(struct prof_elf_loops *loops, const struct prof_elf_module *module) {
  struct function_key *keys = malloc(((size_t)module->function_count + 1) * sizeof *keys);
  if (keys == NULL)
    return false;
  for (uint32_t i = 0; i < module->function_count; i++)
    keys[i] = (struct function_key){module->functions[i].key, i};
  qsort(keys, module->function_count, sizeof *keys, compare_function);
  for (size_t i = 0; i < loops->count; i++) {
    struct function_key wanted = {loops->items[i].function_key, 0};
    const struct function_key *found = bsearch(&wanted, keys, module->function_count, sizeof *keys, compare_function);
    if (found != NULL)
      loops->items[i].loop.function = found->index;
  }
  free(keys);
  return true;
}

bool prof_elf_loops_join(struct prof_elf_loops *loops, struct prof_elf_module *module, struct prof_arena *arena) {
  sort_apart(loops);
  if (!add_probed(loops, module))
    return false;
  sort_apart(loops);
  if (loops->count == 0)
    return true;
  module->loops = prof_arena_array(arena, loops->count, sizeof *module->loops);
  if (module->loops == NULL || !join_functions(loops, module))
    return false;
  for (size_t i = 0; i < loops->count; i++) {
    struct prof_elf_loop *loop = &loops->items[i].loop;
    uint32_t parent = find(loops, loops->items[i].parent_key);
    if (parent != PROF_ELF_NO_LOOP && loops->items[parent].loop.depth < loop->depth)
      loop->parent = parent;
    module->loops[i] = *loop;
  }
  module->loop_count = (uint32_t)loops->count;
  for (uint32_t i = 0; i < module->site_count; i++)
    module->sites[i].loop = find(loops, module->sites[i].loop_key);
  return true;
}
