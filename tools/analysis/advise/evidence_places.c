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

static struct prof_hot_wait wait_of(struct prof_evidence *evidence, const struct prof_lock_row *row, double share) {
  const struct prof_lock_waiting *most = &row->waiting[0];
  struct prof_hot_wait wait = {.kind = row->kind,
                               .name = prof_advice_text(evidence, "%s", row->name),
                               .function = most->place.function,
                               .file = file_of(evidence, &most->place),
                               .line = most->place.line,
                               .waits = row->contended,
                               .wait_ns = row->wait_ns,
                               .share = fmin(share, 1),
                               .part = row->wait_ns ? (double)most->wait_ns / (double)row->wait_ns : 0};
  if (row->holder_count > 0) {
    const struct prof_lock_holder *holder = &row->holders[0];
    wait.holder = holder->place.function;
    wait.holder_file = file_of(evidence, &holder->place);
    wait.holder_line = holder->place.line;
    wait.holder_part = row->wait_ns ? (double)(holder->wait_ns + holder->handover_ns) / (double)row->wait_ns : 0;
  }
  return wait;
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
    if (share < evidence->options->min_share || row->waiting_count == 0)
      continue;
    if (!prof_vec_push(&out->waits, wait_of(evidence, row, share)))
      return false;
  }
  return true;
}
