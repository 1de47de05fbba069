/*
 * tools/command/annotate/annotate_code.c - see annotate_code.h.
 */
#include "annotate_code.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/call_instructions.h"
#include "analysis/lines/sample_addresses.h"
#include "base/diag.h"
#include "base/order.h"
#include "row.h"
#include "study/code.h"

/* Assigns the instruction to its line of the page; false: it belongs to none. */
static bool place(const struct prof_annotate_target *target, struct prof_symbols *symbols,
                  struct prof_annotate_instruction *instruction) {
  struct prof_line_source source = prof_symbols_source(symbols);
  const struct prof_line_frame *frames;
  uint32_t count;
  if (source.find(source.context, target->module, instruction->address, &frames, &count) != PROF_OK)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!frames[i].file || strcmp(frames[i].file, target->file) != 0 || frames[i].line < target->first ||
        frames[i].line > target->last)
      continue;
    instruction->line = frames[i].line;
    if (i > 0 && frames[0].file) {
      instruction->from_file = prof_shown_path(prof_symbols_recording(symbols)->paths, frames[0].file);
      instruction->from_line = frames[0].line;
    }
    return true;
  }
  return false;
}

static int by_address(const void *a, const void *b) {
  const struct prof_annotate_instruction *left = a, *right = b;
  return prof_order(left->address, right->address);
}

static int by_line(const void *a, const void *b) {
  const struct prof_annotate_instruction *left = a, *right = b;
  return prof_order(left->line, right->line) ?: by_address(a, b);
}

/* Kind and line of the probe whose sled is at the address; NULL: none. */
static const char *probe_at(const prof_trace *trace, uint32_t module, uint64_t address, uint32_t *line) {
  static const char *const kinds[PROF_ROW_KIND_MASK + 1] = {
      [PROF_PROBE_ENTRY] = "function entry",  [PROF_PROBE_EXIT] = "function exit",
      [PROF_PROBE_LANDED] = "landing",        [PROF_PROBE_LINE] = "line",
      [PROF_PROBE_LOOP_ENTRY] = "loop entry", [PROF_PROBE_LOOP_EXIT] = "loop exit",
      [PROF_PROBE_LOOP_COUNT] = "loop count",
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

static prof_status arrange(const struct prof_annotate_target *target, struct prof_symbols *symbols,
                           const struct prof_call_instructions *calls, const struct prof_sample_addresses *samples,
                           struct prof_diag *diag, struct prof_annotate_code *code) {
  const struct prof_recording *recording = prof_symbols_recording(symbols);
  for (size_t i = 0; i < code->instructions.list.count; i++) {
    const struct prof_instruction *from = &code->instructions.list.items[i];
    const struct prof_call_instruction *call = prof_call_instruction_at(calls, from->next);
    struct prof_annotate_instruction instruction = {.address = from->address, .text = from->text};
    struct prof_weighted met = prof_sample_addresses_within(samples, target->module, from->address, from->next);
    uint32_t line = 0;
    instruction.samples = met.count;
    instruction.share = prof_weighted_share(&met, &samples->all);
    if (!strncmp(from->text, "nop", 3))
      instruction.probe = probe_at(prof_symbols_recording(symbols)->trace, target->module, from->address, &line);
    if (call) {
      instruction.calls = call->calls;
      instruction.calls_estimated = call->estimated;
      instruction.in_calls = prof_time_split(recording->trace, call->total_ticks, &call->off);
      instruction.calls_ns = prof_time_ns_of(recording->time, &instruction.in_calls);
    }
    bool is_placed = place(target, symbols, &instruction);
    if (!is_placed && instruction.probe && line >= target->first && line <= target->last) {
      instruction.line = line; /* Clang's sleds have no line in the debug information */
      is_placed = true;
    }
    if (is_placed && !prof_vec_push(&code->list, instruction))
      return prof_diag_memory(diag);
  }
  if (code->list.count)
    qsort(code->list.items, code->list.count, sizeof *code->list.items, by_line);
  return PROF_OK;
}

prof_status prof_annotate_code_read(const struct prof_annotate_target *target, const struct prof_profile *profile,
                                    const struct prof_samples *samples, struct prof_symbols *symbols,
                                    struct prof_diag *diag, struct prof_annotate_code *code) {
  const struct prof_recording *recording = prof_symbols_recording(symbols);
  struct prof_call_instructions calls = {0};
  struct prof_sample_addresses addresses = {0};
  if (target->module == PROF_NONE)
    return prof_command_usage(diag, "prof annotate FUNCTION --asm", "--asm shows the instructions of a function");
  if (target->places)
    return prof_command_usage(diag, "prof annotate without --asm lists them",
                              "%s was inlined: its instructions are those of other functions", target->function);
  prof_status status = prof_code_read(symbols, target->module, target->address, diag, &code->instructions);
  if (status == PROF_OK)
    status = prof_call_instructions_of(profile, target->module, diag, &calls);
  if (status == PROF_OK)
    status = prof_sample_addresses_of(samples, profile, recording->filter.has_only, diag, &addresses);
  if (status == PROF_OK)
    status = arrange(target, symbols, &calls, &addresses, diag, code);
  prof_sample_addresses_free(&addresses);
  prof_call_instructions_free(&calls);
  return status;
}

void prof_annotate_code_by_address(struct prof_annotate_code *code) {
  if (code->list.count)
    qsort(code->list.items, code->list.count, sizeof *code->list.items, by_address);
}

void prof_annotate_code_fini(struct prof_annotate_code *code) {
  prof_vec_fini(&code->list);
  prof_instructions_fini(&code->instructions);
}
