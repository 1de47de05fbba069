/*
 * tools/estimate/code_functions.c - see code_functions.h: the sites of all modules, by address, and what follows each.
 */
#include "estimate/code_functions.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/vec.h"
#include "row.h"

struct place { /* of a site */
  uint64_t address;
  uint64_t begin; /* of an entry: of its function's code; 0: not known */
  uint32_t module, function;
  uint32_t next;  /* place of the same function; PROF_NONE: none, or the next one is an entry */
  uint32_t after; /* function of the code behind it */
  bool entry, exit;
};

struct prof_code_functions {
  PROF_VEC(struct place) places;
};

static int by_address(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->module, b->module) ?: prof_order(a->address, b->address) ?: prof_order(a->function, b->function);
}

/* The sites of each module's first load: all loads have the same. */
static bool collect(struct prof_code_functions *code, const prof_trace *trace) {
  size_t load_count, module_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  prof_trace_modules(trace, &module_count);
  bool *seen = calloc(module_count + 1, sizeof *seen), done = seen != NULL;
  for (size_t i = 0; i < load_count && done; i++) {
    if (seen[loads[i].module])
      continue;
    seen[loads[i].module] = true;
    for (uint32_t j = 0; j < loads[i].site_count && done; j++) {
      struct prof_site_info site = prof_trace_site(trace, loads[i].first_site + j);
      uint32_t kind = site.kind & PROF_SITE_KIND_MASK;
      bool of_zone = (site.kind & PROF_ROW_ZONE) != 0 && kind <= PROF_PROBE_EXIT; /* in some function's code */
      if (!of_zone && site.function != PROF_NONE && site.address && kind >= PROF_PROBE_ENTRY &&
          kind <= PROF_PROBE_LANDED)
        done = prof_vec_push(&code->places, ((struct place){.address = site.address,
                                                            .begin = site.begin,
                                                            .module = loads[i].module,
                                                            .function = site.function,
                                                            .entry = kind == PROF_PROBE_ENTRY,
                                                            .exit = kind == PROF_PROBE_EXIT}));
    }
  }
  free(seen);
  return done;
}

/* next: from the last one on. */
static bool link_places(struct prof_code_functions *code, size_t function_count) {
  uint32_t *first = malloc((function_count + 1) * sizeof *first); /* of each function, of those seen */
  for (size_t i = 0; first && i < function_count; i++)
    first[i] = PROF_NONE;
  for (size_t i = code->places.count; first && i > 0; i--) {
    struct place *place = &code->places.items[i - 1];
    uint32_t next = first[place->function];
    place->next = next != PROF_NONE && !code->places.items[next].entry ? next : PROF_NONE;
    first[place->function] = (uint32_t)i - 1;
  }
  free(first);
  return first != NULL;
}

/*
 * Fills `after`.  `open`: the functions that the present place lies in, each by its last place so far; a function goes
 * on behind the present place if it has another place there.
 */
static bool find_nesting(struct prof_code_functions *code) {
  PROF_VEC(uint32_t) open = {0};
  bool done = true;
  struct place *places = code->places.items;
  for (uint32_t i = 0; i < code->places.count && done; i++) {
    struct place *place = &places[i];
    if (i > 0 && places[i - 1].module != place->module)
      open.count = 0;
    while (open.count && places[open.items[open.count - 1]].function != place->function &&
           (places[open.items[open.count - 1]].next == PROF_NONE || places[open.items[open.count - 1]].next < i))
      open.count--;
    if (open.count && places[open.items[open.count - 1]].function == place->function)
      open.items[open.count - 1] = i;
    else
      done = prof_vec_push(&open, i);
    if (place->exit && place->next == PROF_NONE && open.count > 1)
      open.count--;
    if (done)
      place->after = places[open.items[open.count - 1]].function;
  }
  prof_vec_fini(&open);
  return done;
}

struct prof_code_functions *prof_code_functions_new(const prof_trace *trace) {
  struct prof_code_functions *code = calloc(1, sizeof *code);
  size_t function_count;
  prof_trace_functions(trace, &function_count);
  bool done = code && collect(code, trace);
  if (done && code->places.count)
    qsort(code->places.items, code->places.count, sizeof *code->places.items, by_address);
  if (done && link_places(code, function_count) && find_nesting(code))
    return code;
  prof_code_functions_free(code);
  return NULL;
}

void prof_code_functions_free(struct prof_code_functions *code) {
  if (!code)
    return;
  prof_vec_fini(&code->places);
  free(code);
}

/* The last place at or before the address; NULL: none in that module. */
static const struct place *place_before(const struct prof_code_functions *code, uint32_t module, uint64_t address) {
  const struct place *places = code ? code->places.items : NULL;
  size_t low =
      prof_search(0, code ? code->places.count : 0, middle,
                  (prof_order(places[middle].module, module) ?: prof_order(places[middle].address, address)) <= 0);
  const struct place *before = low ? &places[low - 1] : NULL;
  return before && before->module == module ? before : NULL;
}

uint32_t prof_code_function_at(const struct prof_code_functions *code, uint32_t module, uint64_t address) {
  const struct place *before = place_before(code, module, address);
  return before ? before->after : PROF_NONE;
}

/* Where begins are not known: functions are aligned, and set up their frame before the sled. */
#define ALIGNED 16u      /* where functions begin */
#define SET_UP_BYTES 32u /* a function's code before its entry's sled, mostly less */
#define LEAVE_BYTES 40u  /* a function's code from its last sled on, mostly less: the frame is freed, and return */

uint32_t prof_code_function_running(const struct prof_code_functions *code, uint32_t module, uint64_t address) {
  const struct place *before = place_before(code, module, address);
  const struct place *end = code ? code->places.items + code->places.count : NULL, *next = before ? before + 1 : NULL;
  if (!before || next == end || next->module != module || !next->entry || before->next != PROF_NONE)
    return before ? before->after : PROF_NONE;
  uint64_t aligned = next->address - next->address % ALIGNED;
  bool known = next->begin > before->address; /* else it is of code before: the function has no unwind table */
  bool sets_up = known ? address >= next->begin
                       : address >= aligned ||
                             (next->address - address <= SET_UP_BYTES && address - before->address > LEAVE_BYTES);
  return sets_up ? next->function : before->after;
}

bool prof_code_is_site(const struct prof_code_functions *code, uint32_t module, uint64_t address) {
  const struct place *before = place_before(code, module, address);
  return before && before->address == address;
}
