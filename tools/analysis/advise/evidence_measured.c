/*
 * tools/analysis/advise/evidence_measured.c - see evidence_measured.h.
 */
#include "analysis/advise/evidence_measured.h"

/* Recordings from other sources do not say what was asked for: then their events do. */
static bool may_have(const prof_trace *trace, const char *option) {
  return !prof_trace_setting(trace, "options", NULL) || prof_measured_asked(trace, option);
}

static prof_status take_locks(const struct prof_recording *recording, const struct prof_line_source *source,
                              struct prof_symbols *symbols, struct prof_diag *diag,
                              struct prof_measured_evidence *out) {
  const prof_trace *trace = recording->trace;
  const struct prof_filter *filter = &recording->filter;
  const struct prof_lock_options options = {.sort = PROF_LOCK_WAIT, .all = true};
  prof_status status = prof_locks_rank(trace, filter, recording->names, source, symbols, &options, diag, &out->locks);
  if (status == PROF_OK && out->locks.recorded)
    status = prof_held_waits_rank(trace, filter, recording->names, source, symbols, diag, &out->held);
  if (status == PROF_OK && out->locks.recorded)
    status = prof_wait_habits_rank(trace, filter, recording->names, source, diag, &out->habits);
  if (status == PROF_OK)
    status = prof_openmp_rank(trace, filter, recording->names, source, false, PROF_OPENMP_UNEQUAL, diag, &out->regions);
  if (status == PROF_OK && out->regions.recorded)
    status =
        prof_openmp_rank(trace, filter, recording->names, source, true, PROF_OPENMP_TIME, diag, &out->region_threads);
  return status;
}

prof_status prof_measured_evidence_make(const struct prof_recording *recording, struct prof_symbols *symbols,
                                        struct prof_diag *diag, struct prof_measured_evidence *out) {
  const prof_trace *trace = recording->trace;
  const struct prof_memory_options by_place = {.sort = PROF_MEMORY_CALLS};
  const struct prof_io_options by_time = {.group = PROF_IO_BY_PLACE, .sort = PROF_IO_TIME};
  struct prof_line_source source = prof_symbols_source(symbols);
  prof_status status = PROF_OK;
  if (may_have(trace, "--locks"))
    status = take_locks(recording, &source, symbols, diag, out);
  if (status == PROF_OK && may_have(trace, "--io"))
    status = prof_io_rank(trace, &recording->filter, recording->names, &source, &by_time, diag, &out->io);
  if (status == PROF_OK && may_have(trace, "--memory"))
    status = prof_memory_rank(trace, &recording->filter, recording->names, &source, &by_place, diag, &out->memory);
  return status;
}

void prof_measured_evidence_free(struct prof_measured_evidence *measured) {
  prof_locks_free(&measured->locks);
  prof_held_waits_free(&measured->held);
  prof_wait_habits_free(&measured->habits);
  prof_openmp_free(&measured->regions);
  prof_openmp_free(&measured->region_threads);
  prof_io_free(&measured->io);
  prof_memory_free(&measured->memory);
}
