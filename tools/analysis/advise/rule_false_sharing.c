/*
 * tools/analysis/advise/rule_false_sharing.c - threads that write to one cache line: a suspicion.
 *
 * Evidence: several threads run a loop at the same time, which writes to memory at a place that stays the same; and the
 * variable that the threads were given, by the code of the functions around it, has less than a cache line for each.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/advise/evidence.h"
#include "study/data_objects.h"

#define LINE_BYTES 64u
#define LEAST_BYTES 4u   /* for each thread */
#define LEAST_SAMPLES 3u /* of a thread in the loop */
#define MOST_THREADS 64u
#define MOST_FUNCTIONS 16u

extern const struct prof_advice_rule prof_rule_false_sharing;

/* The first write to a place that no instruction of the loop moves; UINT32_MAX: none. */
static uint32_t fixed_write(const struct prof_code *code, const struct prof_code_loop *loop) {
  uint32_t found = UINT32_MAX;
  for (uint32_t i = loop->first; i <= loop->last; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    bool fixed = facts->writes_memory && facts->base < 16 && facts->base != PROF_REGISTER_RSP;
    if (facts->is_call)
      return UINT32_MAX;
    for (uint32_t j = loop->first; j <= loop->last && fixed; j++)
      fixed = !prof_code_writes(&code->lines.items[j].facts, facts->base) &&
              (facts->index == PROF_NO_REGISTER || !prof_code_writes(&code->lines.items[j].facts, facts->index));
    found = fixed && found == UINT32_MAX ? i : found;
  }
  return found;
}

/* ---- threads ---- */

struct seen_thread {
  uint32_t thread;
  uint64_t first, last; /* times of samples */
  uint32_t count;
};

/* Threads with samples between the addresses that overlap in time. */
static uint32_t count_threads(const struct prof_evidence *evidence, uint32_t function, uint64_t low, uint64_t high) {
  struct seen_thread seen[MOST_THREADS];
  uint32_t count = 0, together = 0;
  const struct prof_samples *samples = evidence->samples;
  for (size_t i = 0; i < samples->count; i++) { /* by thread */
    const struct prof_sample *sample = &samples->items[i];
    if (!prof_sample_is_counted(sample) || sample->where != PROF_WHERE_PROBED || sample->thread == PROF_NONE ||
        sample->module != evidence->functions[function].module || sample->address < low || sample->address >= high)
      continue;
    if (count == 0 || seen[count - 1].thread != sample->thread) {
      if (count == MOST_THREADS)
        break;
      seen[count++] = (struct seen_thread){sample->thread, sample->time, sample->time, 0};
    }
    seen[count - 1].last = sample->time;
    seen[count - 1].count++;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < count; j++)
      if (i != j && seen[i].count >= LEAST_SAMPLES && seen[j].count >= LEAST_SAMPLES && seen[i].first <= seen[j].last &&
          seen[j].first <= seen[i].last) {
        together++;
        break;
      }
  return together;
}

/* ---- the variable ---- */

struct functions {
  uint32_t list[MOST_FUNCTIONS], count;
};

static void add_function(struct functions *functions, uint32_t function) {
  for (uint32_t i = 0; i < functions->count; i++)
    if (functions->list[i] == function)
      return;
  if (function != PROF_NONE && functions->count < MOST_FUNCTIONS)
    functions->list[functions->count++] = function;
}

/* The function, those that called it, and those that made threads. */
static void collect(struct prof_evidence *evidence, uint32_t function, struct functions *out) {
  const struct prof_profile *profile = evidence->profile;
  uint32_t at;
  add_function(out, function);
  for (uint32_t i = 1; i < profile->node_count; i++)
    if (prof_evidence_owner(evidence, i) == function)
      for (uint32_t node = profile->nodes[i].parent; node != PROF_NONE && node != 0; node = profile->nodes[node].parent)
        add_function(out, prof_evidence_owner(evidence, node));
  for (uint32_t i = 0; i < evidence->function_count; i++)
    if (evidence->functions[i].waiting_ticks > 0 && prof_evidence_calls(evidence, i, PROF_CALL_THREAD, &at))
      add_function(out, i);
}

/* A variable named in the code with less than a line for each thread, but enough for something. */
static bool find_variable(struct prof_evidence *evidence, uint32_t function, uint32_t threads,
                          struct prof_data_object *out) {
  struct functions functions = {.count = 0};
  collect(evidence, function, &functions);
  for (uint32_t i = 0; i < functions.count; i++) {
    const struct prof_code *code = prof_evidence_code(evidence, functions.list[i]);
    for (size_t j = 0; code && j < code->lines.count; j++) {
      const struct prof_code_facts *facts = &code->lines.items[j].facts;
      if (facts->data && facts->base == PROF_REGISTER_RIP && !facts->reads_memory && !facts->writes_memory &&
          prof_data_object_find(evidence->symbols, evidence->functions[functions.list[i]].module, facts->data,
                                &evidence->out->texts, out) &&
          out->bytes < (uint64_t)threads * LINE_BYTES && out->bytes >= (uint64_t)threads * LEAST_BYTES)
        return true;
    }
  }
  return false;
}

/* ---- the rule ---- */

static bool take_function(struct prof_evidence *evidence, uint32_t function) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++) {
    const struct prof_code_loop *loop = &code->loops.items[i];
    double share = prof_evidence_share(evidence, &loop->met);
    struct prof_data_object object;
    if (!loop->is_innermost || share < evidence->options->min_share)
      continue;
    uint32_t at = fixed_write(code, loop);
    if (at == UINT32_MAX)
      continue;
    uint32_t threads = count_threads(evidence, function, code->lines.items[loop->first].instruction.address,
                                     code->lines.items[loop->last].instruction.next);
    if (threads < 2 || !find_variable(evidence, function, threads, &object))
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_false_sharing, function);
    if (!advice)
      return false;
    prof_advice_place(evidence, advice, code->lines.items[at].instruction.address);
    prof_advice_weigh(advice, prof_evidence_interval(evidence, &loop->met), 1.05, 5);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of CPU time in this loop");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, threads, "threads in it at the same time");
    prof_advice_figure_add(
        advice, PROF_ADVICE_BYTES, (double)object.bytes,
        prof_advice_text(evidence, "in `%s`, which they share: a cache line has %u", object.name, LINE_BYTES));
    prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, "each iteration writes to the same place in memory");
  }
  return true;
}

static bool find(struct prof_evidence *evidence) {
  bool done = true;
  for (uint32_t i = 0; i < evidence->function_count && done; i++)
    if (evidence->functions[i].samples.count >= 2 * LEAST_SAMPLES &&
        prof_evidence_share(evidence, &evidence->functions[i].samples) >= evidence->options->min_share)
      done = take_function(evidence, i);
  return done;
}

const struct prof_advice_rule prof_rule_false_sharing = {
    .kind = "false-sharing",
    .title = "Threads may write to one cache line (false sharing)",
    .of = "CPU time",
    .why =
        "A line that several cores write moves between them at each write. It is a suspicion: prof sees no addresses "
        "of data. Sum in a local variable, or give each thread a line of its own.",
    .before = "struct counter {\n  unsigned long value;\n} counters[THREADS];",
    .after = "struct counter {\n  alignas(64) unsigned long value;\n} counters[THREADS];",
    .check = "annotate @ --asm",
    .find = find,
};
