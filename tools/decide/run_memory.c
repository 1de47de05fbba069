/*
 * tools/decide/run_memory.c - see run_parts.h: what a run allocated.
 *
 * A function's allocations are those of the innermost instrumented function on the call path, as its row is of times.
 * Lines need debug information, and see inlined functions.
 */
#include "analysis/measures/memory.h"
#include "decide/run_parts.h"

#include <string.h>

#include "base/diag.h"
#include "study/symbols.h"

#define LEAST_SHARE 0.001 /* of all allocations, bytes or the peak: lines below are left out */

static prof_status no_lines(void *context, uint32_t module, uint64_t address, const struct prof_line_frame **frames,
                            uint32_t *count) {
  (void)context, (void)module, (void)address, (void)frames;
  *count = 0;
  return PROF_NOT_FOUND;
}

static bool is_small(const struct prof_memory_figures *figures, const struct prof_memory_figures *all) {
  return (double)figures->calls < LEAST_SHARE * (double)all->calls &&
         (double)figures->bytes < LEAST_SHARE * (double)all->bytes &&
         (double)figures->peak_bytes < LEAST_SHARE * (double)all->peak_bytes;
}

/* Where the function stands, as its row of times says; 0: it has none. */
static uint32_t line_of(const struct prof_run *run, const struct prof_run_row *memory) {
  struct prof_run_row function = *memory;
  function.kind = PROF_RUN_FUNCTION;
  const uint32_t at = prof_run_find(run, &function);
  return at == UINT32_MAX ? 0 : run->rows.items[at].line;
}

static prof_status add_rows(struct prof_run *run, const struct prof_recording *recording,
                            const struct prof_memory *memory, enum prof_run_kind kind, struct prof_diag *diag) {
  char name[PROF_RUN_LINE_NAME_BYTES];
  const bool lines = kind == PROF_RUN_MEMORY_LINE;
  for (size_t i = 0; i < memory->count; i++) {
    const struct prof_memory_row *from = &memory->rows[i];
    const struct prof_measured_place *place = &from->place;
    if (from->mapped || (lines && (!place->line || is_small(&from->sum, &memory->sum))))
      continue;
    struct prof_run_row row = {
        .kind = kind,
        .name = lines ? prof_run_line_name(recording, place->function, place->file, place->line, name)
                      : prof_run_plain_name(name, place->function),
        .file = place->file,
        .line = place->line,
        .calls = from->sum.calls,
        .bytes = from->sum.bytes,
        .peak_bytes = from->sum.peak_bytes};
    row.line = lines ? row.line : line_of(run, &row);
    if (row.name[0] && !prof_run_add(run, &row))
      return prof_diag_memory(diag);
  }
  return PROF_OK;
}

static prof_status add_by(struct prof_run *run, const struct prof_recording *recording,
                          const struct prof_line_source *lines, enum prof_run_kind kind, struct prof_diag *diag) {
  const struct prof_memory_options options = {.sort = PROF_MEMORY_PEAK};
  struct prof_memory memory = {0};
  prof_status status =
      prof_memory_rank(recording->trace, &recording->filter, recording->names, lines, &options, diag, &memory);
  if (status == PROF_OK && memory.recorded) {
    run->measures |= PROF_RUN_HAS_MEMORY;
    run->allocations = memory.sum.calls;
    run->allocated_bytes = memory.sum.bytes;
    run->peak_bytes = memory.sum.peak_bytes;
    status = add_rows(run, recording, &memory, kind, diag);
  }
  prof_memory_free(&memory);
  return status == PROF_EMPTY ? PROF_OK : status;
}

prof_status prof_run_add_memory(struct prof_run *run, const struct prof_recording *recording, bool lines,
                                struct prof_diag *diag) {
  const struct prof_line_source none = {.find = no_lines};
  struct prof_symbols *symbols = NULL;
  prof_status status = add_by(run, recording, &none, PROF_RUN_MEMORY, diag);
  if (status != PROF_OK || !lines || !run->allocations)
    return status;
  status = prof_symbols_new(recording, diag, &symbols);
  if (status == PROF_OK) {
    const struct prof_line_source source = prof_symbols_source(symbols);
    status = add_by(run, recording, &source, PROF_RUN_MEMORY_LINE, diag);
  }
  prof_symbols_free(symbols);
  return status;
}
