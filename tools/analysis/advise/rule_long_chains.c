/*
 * tools/analysis/advise/rule_long_chains.c - lookups that walk long linked lists, as of a hash table whose hash spreads
 * badly.
 *
 * Evidence: the recording counted many iterations per entry, and the loop's code replaces a pointer by what it points
 * to.
 */
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_STEPS 8.0 /* on average */
#define LEAST_ENTRIES 100u
#define MOST_SAMPLES 0.5 /* of those in the recording's loop's own instructions */
#define GOOD_STEPS 1.5   /* of a table that is half full */

extern const struct prof_advice_rule prof_rule_long_chains;

/* mov 0x8(%rbx),%rbx */
static bool follows_pointer(const struct prof_code_facts *facts) {
  return facts->is_wide && facts->reads_memory && facts->base == facts->written && facts->index == PROF_NO_REGISTER &&
         facts->base < 16;
}

static bool is_on_lines(struct prof_evidence *evidence, uint32_t function, const struct prof_code *code,
                        const struct prof_code_loop *loop, const struct prof_loop_row *row) {
  for (uint32_t i = loop->first; i <= loop->last; i++) { /* compilers leave some without a line */
    struct prof_line_frame frame = prof_evidence_line(evidence, function, code->lines.items[i].instruction.address);
    if (frame.file && frame.line >= row->line && frame.line <= row->last_line && prof_loop_may_be_in(row, frame.file))
      return true;
  }
  return false;
}

/* Do most samples in instructions on the recording's loop's lines lie in this loop of the code? */
static bool is_most_of(struct prof_evidence *evidence, uint32_t function, const struct prof_code_loop *loop,
                       const struct prof_loop_row *row) {
  uint64_t all = 0;
  for (size_t i = 0; i < evidence->code_samples.count; i++) {
    const struct prof_code_sample *sample = &evidence->code_samples.items[i];
    if (sample->function != function || sample->module != evidence->functions[function].module)
      continue;
    struct prof_line_frame frame = prof_evidence_line(evidence, function, sample->address);
    if (frame.file && frame.line >= row->line && frame.line <= row->last_line && prof_loop_may_be_in(row, frame.file))
      all += sample->met.count;
  }
  return (double)loop->met.count >= MOST_SAMPLES * (double)all;
}

/* Is the recording's loop such a walk, and not one with a walk somewhere in it? */
static bool walks(struct prof_evidence *evidence, uint32_t function, const struct prof_loop_row *row) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++) {
    const struct prof_code_loop *loop = &code->loops.items[i];
    bool found = false;
    for (uint32_t j = loop->first; loop->is_innermost && j <= loop->last && !found; j++)
      found = follows_pointer(&code->lines.items[j].facts);
    if (found && is_on_lines(evidence, function, code, loop, row) && is_most_of(evidence, function, loop, row))
      return true;
  }
  return false;
}

static bool has_word(const char *text, const char *word) {
  return text && strcasestr(text, word) != NULL;
}

/* Is it of a hash table?  By the names of the function and of what was inlined into it. */
static bool is_hashing(struct prof_evidence *evidence, uint32_t function) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  struct prof_line_source source = prof_symbols_source(evidence->symbols);
  bool found = has_word(prof_names_function(evidence->recording->names, function), "hash");
  for (size_t i = 0; code && i < code->lines.count && !found; i++) {
    const struct prof_line_frame *frames;
    uint32_t count;
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if (facts->symbol && has_word(facts->symbol, "hash"))
      return true;
    if (source.find(source.context, evidence->functions[function].module, code->lines.items[i].instruction.address,
                    &frames, &count) != PROF_OK)
      continue;
    for (uint32_t j = 0; j < count && !found; j++)
      found = has_word(frames[j].function, "hash") || has_word(frames[j].function, "bucket");
  }
  return found;
}

static bool find(struct prof_evidence *evidence) {
  const struct prof_loop *loops = prof_trace_loops(evidence->recording->trace, NULL);
  for (size_t i = 0; i < evidence->loops.count; i++) {
    const struct prof_loop_row *row = &evidence->loops.rows[i];
    uint32_t function = loops[row->loop].function;
    if (!row->has_mean || !row->has_times || row->estimated || row->avg_iterations < LEAST_STEPS ||
        row->entries < LEAST_ENTRIES || row->self_share < evidence->options->min_share)
      continue;
    if (!walks(evidence, function, row))
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_long_chains, function);
    if (!advice)
      return false;
    if (!is_hashing(evidence, function))
      advice->title = "Lookups walk a long linked list";
    advice->file = prof_shown_path(evidence->recording->paths, row->file);
    advice->line = row->line;
    prof_advice_weigh(advice, prof_evidence_spread(evidence, row->self_share), row->avg_iterations / 4,
                      row->avg_iterations / GOOD_STEPS);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, row->self_share, "of CPU time in this loop");
    prof_advice_figure_add(advice, PROF_ADVICE_MEAN, row->avg_iterations, "steps from pointer to pointer per lookup");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->max_iterations, "at most");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->entries, "lookups");
  }
  return true;
}

const struct prof_advice_rule prof_rule_long_chains = {
    .kind = "hash-chains",
    .title = "The chains of a hash table are long",
    .of = "CPU time",
    .why = "A lookup follows pointers one after another, and each may be a cache miss. A hash that spreads its keys, "
           "or more buckets, leaves one or two steps.",
    .before = "for (; *word; word++)\n  hash += *word; /* few different sums */\nreturn hash % BUCKETS;",
    .after = "for (; *word; word++) /* FNV-1a */\n  hash = (hash ^ *word) * 16777619u;\nreturn hash % BUCKETS;",
    .check = "loops -F @",
    .find = find,
};
