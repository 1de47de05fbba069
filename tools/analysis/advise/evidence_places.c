/*
 * tools/analysis/advise/evidence_places.c - see evidence.h: advice about measured places, and what threads waited for.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

static const char *file_of(const struct prof_evidence *evidence, const struct prof_measured_place *place) {
  return place->file[0] ? prof_shown_path(evidence->recording->paths, place->file) : "";
}

struct prof_advice *prof_advice_add_place(struct prof_evidence *evidence, const struct prof_advice_rule *rule,
                                          const struct prof_measured_place *place) {
  struct prof_advice *advice = prof_advice_add(evidence, rule, PROF_NONE);
  if (!advice)
    return NULL;
  advice->where = place->function;
  advice->file = file_of(evidence, place);
  advice->line = place->line;
  return advice;
}

const char *prof_advice_place_text(struct prof_evidence *evidence, const struct prof_measured_place *place) {
  const char *file = strrchr(place->file, '/') ? strrchr(place->file, '/') + 1 : place->file;
  return place->line ? prof_advice_text(evidence, "%s (%s:%u)", place->function, file, place->line)
                     : prof_advice_text(evidence, "%s", place->function);
}

bool prof_measured_evidence_waits(struct prof_evidence *evidence) {
  const struct prof_locks *locks = &evidence->measured.locks;
  struct prof_advice_list *out = evidence->out;
  out->has_waits = locks->recorded;
  out->has_measures = locks->recorded || evidence->measured.io.recorded || evidence->measured.memory.recorded;
  out->idle_share = prof_evidence_idle(evidence);
  for (size_t i = 0; i < locks->count; i++) {
    const struct prof_lock_row *row = &locks->rows[i];
    double share = row->waiters_ns ? (double)row->wait_ns / (double)row->waiters_ns : 0;
    if (share < evidence->options->min_share || !row->first.function)
      continue;
    const struct prof_hot_wait wait = {.kind = row->kind,
                                       .name = prof_advice_text(evidence, "%s", row->name),
                                       .function = row->first.function,
                                       .file = file_of(evidence, &row->first),
                                       .line = row->first.line,
                                       .waits = row->contended,
                                       .wait_ns = row->wait_ns,
                                       .share = fmin(share, 1)};
    if (!prof_vec_push(&out->waits, wait))
      return false;
  }
  return true;
}
