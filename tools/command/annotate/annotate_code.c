/*
 * tools/command/annotate/annotate_code.c - see annotate_code.h.
 */
#include "annotate_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"

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

static prof_status arrange(const struct prof_annotate_target *target, struct prof_symbols *symbols,
                           struct prof_diag *diag, struct prof_annotate_code *code) {
  const struct prof_recording *recording = prof_symbols_recording(symbols);
  for (size_t i = 0; i < code->rows.list.count; i++) {
    const struct prof_code_row *row = &code->rows.list.items[i];
    struct prof_annotate_instruction instruction = {.address = row->address,
                                                    .text = row->text,
                                                    .samples = row->samples,
                                                    .share = row->share,
                                                    .calls = row->calls,
                                                    .calls_estimated = row->calls_estimated,
                                                    .outside_ns = row->outside_ns,
                                                    .probe = row->probe};
    instruction.in_calls = prof_time_split(recording->trace, row->total_ticks, &row->off);
    instruction.calls_ns = prof_time_ns_of(recording->time, &instruction.in_calls);
    bool is_placed = place(target, symbols, &instruction);
    if (!is_placed && row->probe && row->probe_line >= target->first && row->probe_line <= target->last) {
      instruction.line = row->probe_line; /* Clang's sleds have no line in the debug information */
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
  struct prof_code_costs costs;
  if (target->module == PROF_NONE)
    return prof_command_usage(diag, "prof annotate FUNCTION --asm", "--asm shows the instructions of a function");
  if (target->places)
    return prof_command_usage(diag, "prof annotate without --asm lists them",
                              "%s was inlined: its instructions are those of other functions", target->function);
  prof_status status = prof_code_costs_init(&costs, profile, samples, symbols, diag);
  if (status == PROF_OK)
    status = prof_code_costs_read(&costs, target->module, target->address, diag, &code->rows);
  if (status == PROF_OK)
    status = arrange(target, symbols, diag, code);
  prof_code_costs_fini(&costs);
  return status;
}

void prof_annotate_code_by_address(struct prof_annotate_code *code) {
  if (code->list.count)
    qsort(code->list.items, code->list.count, sizeof *code->list.items, by_address);
}

void prof_annotate_code_fini(struct prof_annotate_code *code) {
  prof_vec_fini(&code->list);
  prof_code_rows_fini(&code->rows);
}
