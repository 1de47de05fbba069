/*
 * tools/analysis/lines/code_costs.c - see code_costs.h.
 */
#include "analysis/lines/code_costs.h"

#include <string.h>

#include "analysis/lines/outside.h"
#include "base/diag.h"
#include "base/whole.h"
#include "row.h"

prof_status prof_code_costs_init(struct prof_code_costs *costs, const struct prof_profile *profile,
                                 const struct prof_samples *samples, struct prof_symbols *symbols,
                                 struct prof_diag *diag) {
  *costs = (struct prof_code_costs){.profile = profile, .symbols = symbols, .module = PROF_NONE};
  bool within = prof_symbols_recording(symbols)->filter.has_only;
  prof_status status = prof_sample_addresses_of(samples, profile, within, diag, &costs->samples);
  return status == PROF_OK ? prof_outside_of(samples, profile, within, diag, &costs->outside) : status;
}

void prof_code_costs_fini(struct prof_code_costs *costs) {
  prof_sample_addresses_free(&costs->samples);
  prof_sample_addresses_free(&costs->outside);
  prof_call_instructions_free(&costs->calls);
}

static prof_status take_module(struct prof_code_costs *costs, uint32_t module, struct prof_diag *diag) {
  if (costs->module == module)
    return PROF_OK;
  prof_call_instructions_free(&costs->calls);
  costs->calls = (struct prof_call_instructions){0};
  costs->module = module;
  return prof_call_instructions_of(costs->profile, module, diag, &costs->calls);
}

/* Kind and line of the probe whose sled is at the address; NULL: none. */
static const char *probe_at(const prof_trace *trace, uint32_t module, uint64_t address, uint32_t *line) {
  static const char *const kinds[PROF_ROW_KIND_MASK + 1] = {
      [PROF_PROBE_ENTRY] = "function entry",  [PROF_PROBE_EXIT] = "function exit",
      [PROF_PROBE_LANDED] = "landing",        [PROF_PROBE_LINE] = "line",
      [PROF_PROBE_LOOP_ENTRY] = "loop entry", [PROF_PROBE_LOOP_EXIT] = "loop exit",
      [PROF_PROBE_LOOP_COUNT] = "loop count", [PROF_PROBE_VALUE] = "value",
  };
  size_t load_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  for (size_t i = 0; i < load_count; i++) {
    if (loads[i].module != module)
      continue;
    for (uint32_t site = 0; site < loads[i].site_count; site++) {
      struct prof_site_info info = prof_trace_site(trace, loads[i].first_site + site);
      if (info.address != address || !kinds[info.kind & PROF_ROW_KIND_MASK])
        continue;
      *line = info.line;
      return kinds[info.kind & PROF_ROW_KIND_MASK];
    }
    return NULL; /* loads in other processes have the same sites */
  }
  return NULL;
}

static struct prof_code_row row_of(const struct prof_code_costs *costs, const struct prof_instruction *from) {
  const prof_trace *trace = prof_symbols_recording(costs->symbols)->trace;
  const struct prof_call_instruction *call = prof_call_instruction_at(&costs->calls, from->next);
  struct prof_code_row row = {.address = from->address, .text = from->text};
  struct prof_weighted met = prof_sample_addresses_within(&costs->samples, costs->module, from->address, from->next);
  row.samples = met.count;
  row.share = prof_weighted_share(&met, &costs->samples.all);
  met = prof_sample_addresses_within(&costs->outside, costs->module, from->address, from->next);
  row.outside_ns = prof_whole(met.sum * 1e9 / (double)prof_trace_info(trace)->frequency_hz + 0.5);
  if (!strncmp(from->text, "nop", 3))
    row.probe = probe_at(trace, costs->module, from->address, &row.probe_line);
  if (call) {
    row.calls = call->calls;
    row.calls_estimated = call->estimated;
    row.total_ticks = call->total_ticks;
    row.off = call->off;
  }
  return row;
}

prof_status prof_code_costs_read(struct prof_code_costs *costs, uint32_t module, uint64_t address,
                                 struct prof_diag *diag, struct prof_code_rows *out) {
  *out = (struct prof_code_rows){.list = {NULL, 0, 0}};
  prof_status status = prof_code_read(costs->symbols, module, address, diag, &out->instructions);
  if (status == PROF_OK)
    status = take_module(costs, module, diag);
  for (size_t i = 0; status == PROF_OK && i < out->instructions.list.count; i++)
    if (!prof_vec_push(&out->list, row_of(costs, &out->instructions.list.items[i])))
      status = prof_diag_memory(diag);
  return status;
}

void prof_code_rows_fini(struct prof_code_rows *rows) {
  prof_vec_fini(&rows->list);
  prof_instructions_fini(&rows->instructions);
}
