/*
 * tools/analysis/measures/lock_waits.c - see lock_waits.h.
 */
#include "analysis/measures/lock_waits.h"

#include <stdlib.h>

#include "analysis/measures/lock_name.h"
#include "base/diag.h"
#include "base/order.h"

struct finding {
  const prof_trace *trace;
  struct prof_lock_namer namer;
  struct prof_lock_states states;
  uint32_t *names; /* by lock: index of its name; UINT32_MAX: none yet */
};

static bool take(void *context, const struct prof_measured *event) {
  return prof_lock_states_take(&((struct finding *)context)->states, event);
}

/* UINT32_MAX: no memory. */
static uint32_t name_of(struct finding *finding, uint32_t lock, struct prof_lock_waits *out) {
  char *name;
  if (finding->names[lock] != UINT32_MAX)
    return finding->names[lock];
  if (prof_lock_name(&finding->namer, &finding->states.locks.items[lock], &name) != PROF_OK)
    return UINT32_MAX;
  if (!prof_vec_push(&out->names, name)) {
    free(name);
    return UINT32_MAX;
  }
  return finding->names[lock] = (uint32_t)out->names.count - 1;
}

static uint64_t ns_of(const struct finding *finding, uint64_t ticks) {
  const uint64_t start = prof_trace_info(finding->trace)->start_ticks;
  return prof_trace_ns(finding->trace, ticks > start ? ticks - start : 0);
}

static bool add(struct finding *finding, const struct prof_lock_ended *wait, struct prof_lock_waits *out) {
  const uint32_t name = name_of(finding, wait->lock, out);
  const bool known = wait->site != UINT32_MAX;
  return name != UINT32_MAX &&
         prof_vec_push(&out->items, (struct prof_lock_interval){
                                        .thread = wait->thread,
                                        .begin_ns = ns_of(finding, wait->begin),
                                        .end_ns = ns_of(finding, wait->end),
                                        .name = name,
                                        .holder = known ? wait->holder : PROF_NONE,
                                        .holder_function =
                                            known ? finding->states.sites.items.items[wait->site].function : PROF_NONE,
                                        .has_release = wait->released > 0,
                                        .released_ns = wait->released > 0 ? ns_of(finding, wait->released) : 0});
}

static int by_time(const void *left, const void *right) {
  const struct prof_lock_interval *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->begin_ns, b->begin_ns);
}

static bool add_all(struct finding *finding, struct prof_lock_waits *out) {
  const size_t locks = finding->states.locks.count;
  bool good = prof_lock_states_end(&finding->states, prof_trace_info(finding->trace)->last_ticks);
  finding->names = malloc((locks + 1) * sizeof *finding->names);
  good = good && finding->names;
  for (size_t i = 0; good && i < locks; i++) {
    finding->names[i] = UINT32_MAX;
    if (prof_lock_is_shared(finding->states.locks.items[i].kind))
      out->all += finding->states.locks.items[i].contended;
  }
  for (size_t i = 0; good && i < finding->states.ended.count; i++)
    good = add(finding, &finding->states.ended.items[i], out);
  if (good && out->items.count > 0)
    qsort(out->items.items, out->items.count, sizeof *out->items.items, by_time);
  return good;
}

prof_status prof_lock_waits_find(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                                 struct prof_symbols *symbols, size_t most, struct prof_diag *diag,
                                 struct prof_lock_waits *out) {
  struct prof_line_source source = prof_symbols_source(symbols);
  struct prof_measured_paths paths = {.known = {0}};
  struct finding finding = {.trace = trace, .states = {.most_ended = most}};
  *out = (struct prof_lock_waits){.all = 0};
  if (!prof_measured_asked(trace, "--locks"))
    return PROF_OK;
  prof_status status = prof_measured_walk(trace, filter, take, &finding, &paths, diag);
  bool good = prof_lock_namer_init(&finding.namer, trace, names, &source, symbols, &finding.states.sites);
  if (status == PROF_OK)
    status = good && add_all(&finding, out) ? PROF_OK : prof_diag_memory(diag);
  free(finding.names);
  prof_measured_paths_fini(&paths);
  prof_lock_namer_fini(&finding.namer);
  prof_lock_states_fini(&finding.states);
  return status;
}

void prof_lock_waits_fini(struct prof_lock_waits *waits) {
  for (size_t i = 0; i < waits->names.count; i++)
    free(waits->names.items[i]);
  prof_vec_fini(&waits->names);
  prof_vec_fini(&waits->items);
}
