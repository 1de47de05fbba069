/*
 * probe_text.c - see probe_text.h.
 *
 * A macro and not plain text: one line per probe keeps the compiler's estimate of the statement's size near the
 * truth (it counts lines), its output small, and `\@` makes labels unique even when a pass duplicates the statement.
 *
 * Section flags: "o" ties rows and facts to the function's text, so that --gc-sections drops them together; "?" puts
 * them into the function's COMDAT group, so that a dropped copy takes them along.  The linked-to symbol is a function
 * and not the sled, and one function for all that share a text section: the assembler makes one section per linked-to
 * symbol, and looks through all of them for each new one.
 */
#include "probe_text.h"

#include <stdio.h>

#include "version.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define PROBE_MACRO "__prof_probe_v" TEXT(PROF_WIRE_VERSION)
/* The words of one probe, as text: numbers, or the parameters of the macro. */
struct probe_words {
  const char *label, *anchor, *kind, *line, *key;
};

static void add_probe(struct prof_text *text, const struct prof_arch *arch, const struct probe_words *words) {
  prof_text_add(text, arch->sled_alignment);
  prof_text_format(text, "%s:", words->label);
  prof_text_add(text, arch->sled);
  prof_text_format(text,
                   "\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,%s\n"
                   "\t.p2align 2\n"
                   "\t.long %s-.\n"
                   "\t.long %s\n"
                   "\t.popsection\n",
                   words->anchor, words->label, words->kind);
  prof_text_format(text,
                   "\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n"
                   "\t.p2align 3\n"
                   "\t.long %zu\n"
                   "\t.value %d,%d\n"
                   "\t.quad %s,%s\n"
                   "\t.long %s,%s\n"
                   "\t.popsection\n",
                   words->anchor, sizeof(struct prof_fact_probe), PROF_FACT_PROBE, PROF_FACT_VERSION, words->label,
                   words->key, words->kind, words->line);
}

void prof_probe_macros(struct prof_text *text, const struct prof_arch *arch) {
  static const struct probe_words words = {".Lprof\\@", "\\anchor", "\\kind", "\\line", "\\key"};
  prof_text_add(text, "\t.macro " PROBE_MACRO " anchor, kind, line, key\n");
  add_probe(text, arch, &words);
  prof_text_add(text, "\t.endm\n");
}

void prof_probe_add_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                          const struct prof_function *function, uint64_t key, uint32_t kind, uint32_t line) {
  char numbers[3][24];
  snprintf(numbers[0], sizeof numbers[0], "%u", kind);
  snprintf(numbers[1], sizeof numbers[1], "%u", line);
  snprintf(numbers[2], sizeof numbers[2], "0x%llx", (unsigned long long)key);
  const struct probe_words words = {label, function->anchor, numbers[0], numbers[1], numbers[2]};
  add_probe(text, arch, &words);
}

void prof_probe_add(struct prof_text *text, const struct prof_function *function, uint64_t key, uint32_t kind,
                    uint32_t line) {
  prof_text_format(text, PROBE_MACRO " %s,%u,%u,0x%llx", function->anchor, kind, line, (unsigned long long)key);
}

void prof_probe_add_facts(struct prof_text *text, struct prof_unit *unit, const struct prof_function *function,
                          uint64_t key) {
  prof_text_format(text, "\n\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n", function->anchor);
  if (prof_unit_fact_is_due(unit, function->in_group))
    prof_facts_add_unit(text, unit->compiler, *unit->source ? unit->source : function->unit);
  prof_facts_add_function(text, key, function);
  prof_text_add(text, "\t.popsection");
}
