/*
 * tools/estimate/burst/loop_code.c - see loop_code.h.
 */
#include "estimate/burst/loop_code.h"

#include <stdlib.h>

#include "base/order.h"

/* Adds the sites of a load's loops: a part for each loop and module. */
static bool add_load(struct prof_loop_code *code, const struct prof_load *load, size_t *of) {
  for (uint32_t i = 0; i < load->site_count; i++) {
    struct prof_site_info site = prof_trace_site(code->trace, load->first_site + i);
    uint32_t kind = site.kind & PROF_SITE_KIND_MASK;
    if (site.loop == PROF_NONE || site.address == 0 || (kind != PROF_SITE_LOOP_ENTRY && kind != PROF_SITE_LOOP_EXIT))
      continue;
    size_t at = of[site.loop];
    if (at >= code->parts.count || code->parts.items[at].loop != site.loop) {
      of[site.loop] = at = code->parts.count;
      struct prof_loop_code_part part = {site.address, site.address, 0, load->module, site.loop};
      if (!prof_vec_push(&code->parts, part))
        return false;
    }
    struct prof_loop_code_part *part = &code->parts.items[at];
    part->begin = site.address < part->begin ? site.address : part->begin;
    part->end = site.address > part->end ? site.address : part->end;
  }
  return true;
}

static int by_place(const void *left, const void *right) {
  const struct prof_loop_code_part *a = left, *b = right;
  return prof_order(a->module, b->module) ?: prof_order(a->begin, b->begin) ?: prof_order(b->end, a->end);
}

bool prof_loop_code_init(struct prof_loop_code *code, const prof_trace *trace) {
  size_t load_count, loop_count, module_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  prof_trace_loops(trace, &loop_count);
  prof_trace_modules(trace, &module_count);
  size_t *of = calloc(loop_count + 1, sizeof *of);
  bool *taken = calloc(module_count + 1, sizeof *taken), done = of && taken;
  *code = (struct prof_loop_code){.trace = trace};
  for (size_t i = 0; i < load_count && done; i++) {
    done = taken[loads[i].module] || add_load(code, &loads[i], of);
    taken[loads[i].module] = true;
  }
  free(taken);
  free(of);
  if (code->parts.count > 0)
    qsort(code->parts.items, code->parts.count, sizeof *code->parts.items, by_place);
  for (size_t i = 0; i < code->parts.count; i++) {
    struct prof_loop_code_part *part = &code->parts.items[i];
    bool first = i == 0 || part[-1].module != part->module;
    part->reach = first || part->end > part[-1].reach ? part->end : part[-1].reach;
  }
  return done;
}

void prof_loop_code_fini(struct prof_loop_code *code) {
  prof_vec_fini(&code->parts);
}

uint32_t prof_loop_code_at(const struct prof_loop_code *code, uint32_t function, uint32_t module, uint64_t address) {
  const struct prof_loop_code_part *parts = code->parts.items;
  const struct prof_loop *loops = prof_trace_loops(code->trace, NULL);
  uint32_t found = PROF_NONE;
  uint64_t least = UINT64_MAX;
  size_t end = prof_search(0, code->parts.count, i,
                           parts[i].module != module ? parts[i].module < module : parts[i].begin <= address);
  for (size_t i = end; i-- > 0 && parts[i].module == module && parts[i].reach > address;) {
    bool inside = parts[i].end > address && loops[parts[i].loop].function == function;
    uint64_t bytes = parts[i].end - parts[i].begin;
    if (inside && bytes < least) {
      least = bytes;
      found = parts[i].loop;
    }
  }
  return found;
}
