/*
 * tools/analysis/advise/evidence_code.c - see evidence.h: the code of functions, and where in the source it is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise/evidence.h"
#include "base/order.h"
#include "study/code.h"

/* ---- loops of the code ---- */

static int by_address(const void *key, const void *item) {
  uint64_t address = *(const uint64_t *)key;
  return prof_order(address, ((const struct prof_code_line *)item)->instruction.address);
}

/* The index of the line at an address; UINT32_MAX: none. */
static uint32_t line_at(const struct prof_code *code, uint64_t address) {
  const struct prof_code_line *found =
      code->lines.count ? bsearch(&address, code->lines.items, code->lines.count, sizeof *found, by_address) : NULL;
  return found ? (uint32_t)(found - code->lines.items) : UINT32_MAX;
}

/* Several jumps to one place make one loop. */
static bool add_loop(struct prof_code *code, uint32_t first, uint32_t last) {
  for (size_t i = 0; i < code->loops.count; i++)
    if (code->loops.items[i].first == first) {
      code->loops.items[i].last = last > code->loops.items[i].last ? last : code->loops.items[i].last;
      return true;
    }
  struct prof_code_loop fresh = {.first = first, .last = last, .is_innermost = true};
  return prof_vec_push(&code->loops, fresh);
}

static bool find_loops(struct prof_code *code) {
  for (uint32_t i = 0; i < code->lines.count; i++) {
    const struct prof_code_line *line = &code->lines.items[i];
    if (!line->facts.is_jump || line->facts.target == 0 || line->facts.target > line->instruction.address)
      continue;
    uint32_t first = line_at(code, line->facts.target);
    if (first != UINT32_MAX && !add_loop(code, first, i))
      return false;
  }
  for (size_t i = 0; i < code->loops.count; i++)
    for (size_t j = 0; j < code->loops.count; j++)
      code->loops.items[i].is_innermost &= i == j || code->loops.items[j].first < code->loops.items[i].first ||
                                           code->loops.items[j].last > code->loops.items[i].last;
  return true;
}

static void add_samples(const struct prof_evidence *evidence, uint32_t function, struct prof_code *code) {
  for (size_t i = 0; i < evidence->code_samples.count; i++) {
    const struct prof_code_sample *sample = &evidence->code_samples.items[i];
    if (sample->function != function || sample->module != evidence->functions[function].module)
      continue;
    struct prof_code_loop *shortest = NULL;
    for (size_t j = 0; j < code->loops.count; j++) {
      const struct prof_code_line *lines = code->lines.items;
      struct prof_code_loop *loop = &code->loops.items[j];
      if (sample->address < lines[loop->first].instruction.address ||
          sample->address >= lines[loop->last].instruction.next)
        continue;
      prof_weighted_join(&loop->met, &sample->met);
      if (!shortest || loop->last - loop->first < shortest->last - shortest->first)
        shortest = loop;
    }
    if (shortest)
      prof_weighted_join(&shortest->own, &sample->met);
  }
}

static bool fill(struct prof_evidence *evidence, uint32_t function, struct prof_code *code) {
  for (size_t i = 0; i < code->instructions.list.count; i++) {
    struct prof_code_line line = {.instruction = code->instructions.list.items[i]};
    prof_code_read_text(line.instruction.text, &line.facts);
    if (!prof_vec_push(&code->lines, line))
      return false;
  }
  if (!find_loops(code))
    return false;
  add_samples(evidence, function, code);
  return true;
}

const struct prof_code *prof_evidence_code(struct prof_evidence *evidence, uint32_t function) {
  if (function >= evidence->function_count || evidence->functions[function].module == PROF_NONE)
    return NULL;
  struct prof_code *code = evidence->codes[function];
  if (!code) {
    struct prof_diag diag;
    code = evidence->codes[function] = calloc(1, sizeof *code);
    if (!code)
      return NULL;
    const struct prof_function_evidence *figures = &evidence->functions[function];
    code->is_read =
        prof_code_read(evidence->symbols, figures->module, figures->address, &diag, &code->instructions) == PROF_OK &&
        fill(evidence, function, code);
    evidence->out->unread_functions += !code->is_read;
  }
  return code->is_read ? code : NULL;
}

bool prof_evidence_calls(struct prof_evidence *evidence, uint32_t function, enum prof_call_class class, uint32_t *at) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (uint32_t i = 0; code && i < code->lines.count; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if ((!facts->is_call && !facts->is_jump) || !facts->symbol ||
        prof_call_class_of(facts->symbol, facts->symbol_bytes) != class)
      continue;
    *at = i;
    return true;
  }
  return false;
}

/* ---- source ---- */

struct prof_line_frame prof_evidence_line(struct prof_evidence *evidence, uint32_t function, uint64_t address) {
  struct prof_line_source source = prof_symbols_source(evidence->symbols);
  const struct prof_line_frame *frames;
  uint32_t count;
  if (source.find(source.context, evidence->functions[function].module, address, &frames, &count) != PROF_OK)
    return (struct prof_line_frame){0};
  for (uint32_t i = 0; i < count; i++) /* the innermost that isn't a header of the system */
    if (frames[i].file && frames[i].line && strncmp(frames[i].file, "/usr/", 5) != 0)
      return frames[i];
  return count > 0 ? frames[count - 1] : (struct prof_line_frame){0};
}

static bool is_in_code_loop(const struct prof_code *code, uint32_t at) {
  for (size_t i = 0; i < code->loops.count; i++)
    if (at >= code->loops.items[i].first && at <= code->loops.items[i].last)
      return true;
  return false;
}

/* The innermost loop of the recording in this function around any of the frames; NULL: none. */
static const struct prof_loop_row *loop_around(const struct prof_evidence *evidence, uint32_t function,
                                               const struct prof_line_frame *frames, uint32_t count) {
  const struct prof_loop *loops = prof_trace_loops(evidence->recording->trace, NULL);
  const struct prof_loop_row *found = NULL;
  for (size_t i = 0; i < evidence->loops.count; i++) {
    const struct prof_loop_row *row = &evidence->loops.rows[i];
    if (loops[row->loop].function != function ||
        (found && row->last_line - row->line >= found->last_line - found->line))
      continue;
    for (uint32_t j = 0; j < count; j++)
      if (frames[j].file && frames[j].line >= row->line && frames[j].line <= row->last_line &&
          prof_loop_may_be_in(row, frames[j].file))
        found = row;
  }
  return found;
}

uint64_t prof_evidence_executions(struct prof_evidence *evidence, uint32_t function, uint32_t at) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  struct prof_line_source source = prof_symbols_source(evidence->symbols);
  const struct prof_line_frame *frames;
  uint32_t count;
  if (!code || at >= code->lines.count)
    return 0;
  if (!is_in_code_loop(code, at))
    return evidence->functions[function].calls;
  if (source.find(source.context, evidence->functions[function].module, code->lines.items[at].instruction.address,
                  &frames, &count) != PROF_OK)
    return 0;
  const struct prof_loop_row *row = loop_around(evidence, function, frames, count);
  return row && row->has_iterations ? row->iterations : 0;
}

/* ---- advice ---- */

struct prof_advice *prof_advice_add(struct prof_evidence *evidence, const struct prof_advice_rule *rule,
                                    uint32_t function) {
  struct prof_advice fresh = {.rule = rule, .function = function, .file = ""};
  if (function < evidence->function_count) {
    fresh.file = prof_shown_path(evidence->recording->paths, prof_names_file(evidence->recording->names, function));
    fresh.line = prof_names_line(evidence->recording->names, function);
  }
  return prof_vec_push(&evidence->out->items, fresh) ? &evidence->out->items.items[evidence->out->items.count - 1]
                                                     : NULL;
}

void prof_advice_figure_add(struct prof_advice *advice, enum prof_advice_unit unit, double value, const char *text) {
  if (advice->figure_count < PROF_ADVICE_FIGURES)
    advice->figures[advice->figure_count++] = (struct prof_advice_figure){unit, value, text};
}

const char *prof_advice_text(struct prof_evidence *evidence, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int bytes = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size_t kept = bytes < 0 ? 0 : (size_t)bytes < sizeof text ? (size_t)bytes : sizeof text - 1;
  const char *copy = prof_arena_copy(&evidence->out->texts, text, kept);
  return copy ? copy : "";
}

void prof_advice_weigh(struct prof_advice *advice, struct prof_interval share, double factor_low, double factor_high) {
  advice->share = share;
  advice->factor_low = factor_low;
  advice->factor_high = factor_high;
}

void prof_advice_place(struct prof_evidence *evidence, struct prof_advice *advice, uint64_t address) {
  struct prof_line_frame frame = prof_evidence_line(evidence, advice->function, address);
  if (!frame.file || !frame.line)
    return;
  advice->file = prof_shown_path(evidence->recording->paths, frame.file);
  advice->line = frame.line;
}
