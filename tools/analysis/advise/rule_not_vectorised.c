/*
 * tools/analysis/advise/rule_not_vectorised.c - a hot loop that the compiler did not vectorise, with its reason.
 *
 * Evidence: the recording's time in the loop, and a remark of the compiler on a line of it (import/remarks.h).  Only
 * reasons that a programmer can remove count.
 */
#include <string.h>

#include "analysis/advise/evidence.h"

extern const struct prof_advice_rule prof_rule_not_vectorised;

struct reason {
  const char *remark; /* a part of it */
  const char *words;
  bool needs_store; /* only if the loop stores something: else it is a search, which ends early */
};

static const struct reason reasons[] = {
    {"number of iterations cannot be computed", "a store in it may change the bound: copy that before the loop", true},
    {"could not determine number of loop iterations", "a store in it may change the bound: copy that before the loop",
     true},
    {"possible dependence", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"possible alias", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"can't determine dependence", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"bad data dependence", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"cannot identify array bounds", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"reorder memory operations", "its pointers may overlap: restrict, or copies of what stays the same", false},
    {"unsafe dependent memory", "its pointers may overlap: restrict, or copies of what stays the same", false},
};

static const struct reason *reason_of(const char *text) {
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (strstr(text, reasons[i].remark))
      return &reasons[i];
  return NULL;
}

/* Packed arithmetic or moves: it is vectorised. */
static bool is_packed(const char *text) {
  static const char *const moves[] = {"movup", "movap", "movdq", "vmovup", "vmovap", "vmovdq", "padd",  "vpadd",
                                      "addps", "addpd", "mulps", "mulpd",  "vaddp",  "vmulp",  "vfmadd"};
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
    if (!strncmp(text, moves[i], strlen(moves[i])) && !strstr(text, "132s") && !strstr(text, "213s") &&
        !strstr(text, "231s"))
      return true;
  return false;
}

#define MOST_LINES 64u

struct hot_loop { /* of the code */
  bool packed, stores;
  const char *file; /* of its lines */
  uint32_t first, last;
  uint32_t lines[MOST_LINES], line_count; /* that its instructions have; further ones are left out */
};

static bool has_line(const struct hot_loop *loop, uint32_t line) {
  for (uint32_t i = 0; i < loop->line_count; i++)
    if (loop->lines[i] == line)
      return true;
  return false;
}

static struct hot_loop describe(struct prof_evidence *evidence, uint32_t function, const struct prof_code *code,
                                const struct prof_code_loop *loop) {
  struct hot_loop out = {.first = UINT32_MAX};
  for (uint32_t i = loop->first; i <= loop->last; i++) {
    const struct prof_code_line *line = &code->lines.items[i];
    struct prof_line_frame frame = prof_evidence_line(evidence, function, line->instruction.address);
    out.packed |= is_packed(line->instruction.text);
    out.stores |= line->facts.writes_memory && line->facts.base != PROF_REGISTER_RSP;
    if (!frame.file || !frame.line || (out.file && strcmp(out.file, frame.file) != 0))
      continue;
    out.file = frame.file;
    out.first = frame.line < out.first ? frame.line : out.first;
    out.last = frame.line > out.last ? frame.line : out.last;
    if (out.line_count < MOST_LINES && !has_line(&out, frame.line))
      out.lines[out.line_count++] = frame.line;
  }
  return out;
}

/* Is the compiler's path, as it was given, the end of the whole one? */
static bool is_file(const char *whole, const char *given) {
  while (!strncmp(given, "../", 3) || !strncmp(given, "./", 2))
    given += given[1] == '.' ? 3 : 2;
  size_t whole_bytes = strlen(whole), bytes = strlen(given);
  return whole_bytes >= bytes && !strcmp(whole + whole_bytes - bytes, given) &&
         (whole_bytes == bytes || whole[whole_bytes - bytes - 1] == '/');
}

/* How well a remark fits: 0 not at all.  Between its lines code of another place may lie, where calls were inlined. */
static int fits(const struct hot_loop *hot, const struct prof_remark *remark) {
  const bool tells = strstr(remark->text, "not vectorized: ") != NULL; /* more than that it isn't */
  if (remark->line < hot->first || remark->line > hot->last || !is_file(hot->file, remark->file))
    return 0;
  return 1 + tells + 2 * has_line(hot, remark->line);
}

/* The remark on the loop that fits best, with a reason that can be removed; NULL: none. */
static const struct prof_remark *find_remark(const struct prof_evidence *evidence, const struct hot_loop *loop,
                                             const struct reason **reason) {
  const struct prof_remarks *remarks = evidence->options->remarks;
  const struct prof_remark *found = NULL;
  for (size_t i = 0; i < remarks->items.count; i++) {
    const struct prof_remark *remark = &remarks->items.items[i];
    const struct reason *its = reason_of(remark->text);
    if (!its || (its->needs_store && !loop->stores) || fits(loop, remark) <= (found ? fits(loop, found) : 0))
      continue;
    found = remark;
    *reason = its;
  }
  return found;
}

/* The compiler's reason for the loop, whatever it is: for the list of hot loops.  Several loops of the code may be one
 * of the source.  false: no memory. */
static bool keep_reason(struct prof_evidence *evidence, uint32_t function, const struct hot_loop *hot, double share) {
  const struct prof_remarks *remarks = evidence->options->remarks;
  const struct prof_remark *found = NULL;
  for (size_t i = 0; i < remarks->items.count; i++) {
    const struct prof_remark *remark = &remarks->items.items[i];
    if (fits(hot, remark) > (found ? fits(hot, found) : 0))
      found = remark;
  }
  if (!found)
    return true;
  const char *file = prof_shown_path(evidence->recording->paths, hot->file);
  for (size_t i = 0; i < evidence->out->loops.count; i++) {
    struct prof_hot_remark *kept = &evidence->out->loops.items[i];
    if (kept->function == function && kept->line == found->line && !strcmp(kept->file, file)) {
      kept->share += share;
      return true;
    }
  }
  const struct prof_hot_remark kept = {.function = function,
                                       .file = file,
                                       .line = found->line,
                                       .share = share,
                                       .text = prof_advice_text(evidence, "%s", found->text)};
  return prof_vec_push(&evidence->out->loops, kept);
}

static bool take_loop(struct prof_evidence *evidence, uint32_t function, const struct prof_code *code,
                      const struct prof_code_loop *loop) {
  const struct reason *reason;
  struct hot_loop hot = describe(evidence, function, code, loop);
  const double least = evidence->options->min_share, own = prof_evidence_share(evidence, &loop->own);
  if (!hot.file || hot.packed)
    return true;
  if (own >= least && !keep_reason(evidence, function, &hot, own))
    return false;
  if (!loop->is_innermost)
    return true;
  const struct prof_remark *remark = find_remark(evidence, &hot, &reason);
  if (!remark)
    return true;
  struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_not_vectorised, function);
  if (!advice)
    return false;
  advice->file = prof_shown_path(evidence->recording->paths, hot.file);
  advice->line = remark->line;
  prof_advice_weigh(advice, prof_evidence_interval(evidence, &loop->met), 1.3, 4);
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, prof_evidence_share(evidence, &loop->met),
                         "of CPU time in this loop");
  prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, prof_advice_text(evidence, "the compiler: %s", remark->text));
  prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, reason->words);
  return true;
}

static bool find(struct prof_evidence *evidence) {
  double least = evidence->options->min_share;
  bool done = true;
  for (uint32_t i = 0; evidence->options->remarks && i < evidence->function_count && done; i++) {
    if (evidence->functions[i].samples.count < 3 ||
        prof_evidence_share(evidence, &evidence->functions[i].samples) < least)
      continue;
    const struct prof_code *code = prof_evidence_code(evidence, i);
    for (size_t j = 0; code && j < code->loops.count && done; j++)
      if (prof_evidence_share(evidence, &code->loops.items[j].met) >= least)
        done = take_loop(evidence, i, code, &code->loops.items[j]);
  }
  return done;
}

const struct prof_advice_rule prof_rule_not_vectorised = {
    .kind = "not-vectorised",
    .title = "A hot loop is not vectorised",
    .of = "CPU time",
    .why = "One element is computed at a time, where the processor can do 4 to 16. The compiler says what it could not "
           "prove.",
    .before = "for (int i = 0; i < row->count; i++) /* the store may change count, factor */\n"
              "  row->values[i] = in[i] * row->factor;",
    .after = "int count = row->count, factor = row->factor, *restrict values = row->values;\n"
             "for (int i = 0; i < count; i++)\n  values[i] = in[i] * factor;",
    .check = "annotate @",
    .find = find,
};
