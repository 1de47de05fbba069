/*
 * probe_text.c - see probe_text.h.
 *
 * Probes use a macro: with one line per probe the compiler, which counts lines, estimates the statement's size well,
 * and its output is small.  `\@` makes labels unique even if a pass duplicates the statement.
 *
 * Section flags: "o" links rows and facts to the function's text, so that --gc-sections drops them together; "?" puts
 * them into the function's COMDAT group, so that they are dropped with a copy.  The linked-to symbol is not the sled
 * but one function per text section: the assembler makes a section per linked-to symbol, and searches all of them for
 * each new one.
 */
#include "probe_text.h"

#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "point.h"
#include "times.h"
#include "version.h"

#define PROBE_MACRO "__prof_probe_v" PROF_TEXT(PROF_WIRE_VERSION)
#define LOOP_MACRO "__prof_loop_v" PROF_TEXT(PROF_WIRE_VERSION)
#define VALUE_MACRO "__prof_value_v" PROF_TEXT(PROF_WIRE_VERSION)
#define LINE_MACRO "__prof_line_v" PROF_TEXT(PROF_WIRE_VERSION)
#define REGISTER_SYMBOL ".Lprof_reg_"
#define NO_REGISTER "none"

/* The parts of one probe's text: numbers, or the macro's parameters. */
struct probe_words {
  const char *label, *anchor, *kind, *line, *key;
  const char *loop;          /* NULL: no loop's probe */
  const char *value;         /* its register's name */
  const char *place;         /* symbol of a LINE's text; else NULL */
  const char *length, *name; /* of a VALUE's fact; else NULL */
};

static void add_kind(struct prof_text *text, const struct probe_words *words) {
  prof_text_add(text, words->kind);
  if (words->value)
    prof_text_format(text, "+(" REGISTER_SYMBOL "%s<<%d)", words->value, PROF_ROW_REGISTER_SHIFT);
}

static void add_fact(struct prof_text *text, const struct probe_words *words) {
  size_t bytes = words->loop ? sizeof(struct prof_fact_loop_probe) : sizeof(struct prof_fact_probe);
  prof_text_format(text,
                   "\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n"
                   "\t.p2align 3\n"
                   "\t.long %zu\n"
                   "\t.value %d,%d\n"
                   "\t.quad %s,%s\n"
                   "\t.long ",
                   words->anchor, bytes, PROF_FACT_PROBE, PROF_FACT_VERSION, words->label, words->key);
  add_kind(text, words);
  prof_text_format(text, ",%s\n", words->line);
  if (words->loop)
    prof_text_format(text, "\t.quad %s\n", words->loop);
  prof_text_add(text, "\t.popsection\n");
}

static void add_value_fact(struct prof_text *text, const struct probe_words *words) {
  prof_text_format(text,
                   "\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n"
                   "\t.p2align 3\n"
                   "\t.long %s\n"
                   "\t.value %d,%d\n"
                   "\t.quad %s\n"
                   "\t.string \"%s\"\n"
                   "\t.p2align 3\n"
                   "\t.popsection\n",
                   words->anchor, words->length, PROF_FACT_VALUE, PROF_FACT_VERSION, words->label, words->name);
}

static void add_probe(struct prof_text *text, const struct prof_arch *arch, const struct probe_words *words) {
  prof_text_add(text, arch->sled_alignment);
  prof_text_format(text, "%s:", words->label);
  prof_text_add(text, arch->sled);
  prof_text_format(text,
                   "\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,%s\n"
                   "\t.p2align 2\n"
                   "\t.long %s-.\n"
                   "\t.long ",
                   words->anchor, words->label);
  add_kind(text, words);
  if (words->place)
    prof_text_format(text, "\n\t.long %s-.\n\t.long %d+(%s<<%d)", words->place, PROF_PROBE_PLACE, words->line,
                     PROF_ROW_PLACE_LINE_SHIFT);
  prof_text_add(text, "\n\t.popsection\n");
  add_fact(text, words);
  if (words->name)
    add_value_fact(text, words);
}

void prof_probe_registers(struct prof_text *text, const struct prof_arch *arch) {
  for (const struct prof_arch_register *row = arch->registers; row->name; row++)
    prof_text_format(text, "\t.set " REGISTER_SYMBOL "%s,%u\n", row->name, row->number);
  prof_text_add(text, "\t.set " REGISTER_SYMBOL NO_REGISTER ",0\n");
}

void prof_probe_macros(struct prof_text *text, const struct prof_arch *arch) {
#define MACRO_WORDS .label = ".Lprof\\@", .anchor = "\\anchor", .kind = "\\kind", .line = "\\line", .key = "\\key"
  static const struct probe_words words = {MACRO_WORDS};
  static const struct probe_words loop_words = {MACRO_WORDS, .loop = "\\loop", .value = "\\value"};
  static const struct probe_words line_words = {MACRO_WORDS, .place = "\\place"};
  static const struct probe_words value_words = {MACRO_WORDS, .value = "\\value", .length = "\\length",
                                                 .name = "\\name"};
  prof_text_add(text, "\t.macro " PROBE_MACRO " anchor, kind, line, key\n");
  add_probe(text, arch, &words);
  prof_text_add(text, "\t.endm\n");
  prof_probe_registers(text, arch);
  prof_text_add(text, "\t.macro " LOOP_MACRO " anchor, kind, line, key, loop, value\n");
  add_probe(text, arch, &loop_words);
  prof_text_add(text, "\t.endm\n");
  prof_text_add(text, "\t.macro " VALUE_MACRO " anchor, kind, line, key, length, name, value\n");
  add_probe(text, arch, &value_words);
  prof_text_add(text, "\t.endm\n");
  prof_text_add(text, "\t.macro " LINE_MACRO " anchor, kind, line, key, place\n");
  add_probe(text, arch, &line_words);
  prof_text_add(text, "\t.endm\n");
}

/* The numbers of a plain probe as text. */
struct number_words {
  char kind[16], line[16], key[24], loop[24];
};

static void numbers_format(struct number_words *numbers, uint32_t kind, uint32_t line, uint64_t key, uint64_t loop) {
  snprintf(numbers->kind, sizeof numbers->kind, "%u", kind);
  snprintf(numbers->line, sizeof numbers->line, "%u", line);
  snprintf(numbers->key, sizeof numbers->key, "0x%llx", (unsigned long long)key);
  snprintf(numbers->loop, sizeof numbers->loop, "0x%llx", (unsigned long long)loop);
}

void prof_probe_add_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                          const struct prof_candidate *function, uint64_t key, uint32_t kind, uint32_t line) {
  struct number_words numbers;
  numbers_format(&numbers, kind, line, key, 0);
  const struct probe_words words = {
      .label = label, .anchor = function->anchor, .kind = numbers.kind, .line = numbers.line, .key = numbers.key};
  add_probe(text, arch, &words);
}

void prof_probe_add_loop_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                               const struct prof_candidate *function, uint64_t key, uint64_t loop, uint32_t kind,
                               uint32_t line, const char *value) {
  struct number_words numbers;
  numbers_format(&numbers, kind, line, key, loop);
  const struct probe_words words = {.label = label,
                                    .anchor = function->anchor,
                                    .kind = numbers.kind,
                                    .line = numbers.line,
                                    .key = numbers.key,
                                    .loop = numbers.loop,
                                    .value = value ? value : NO_REGISTER};
  add_probe(text, arch, &words);
}

void prof_probe_place(struct prof_text *text, const char *label, const char *place) {
  prof_text_format(text, "\t.pushsection " PROF_PLACES_SECTION ",\"aMS\",@progbits,1\n%s:\t.string \"", label);
  prof_text_add_literal(text, place);
  prof_text_add(text, "\"\n\t.popsection\n");
}

void prof_probe_add_line_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                               const char *place_label, const struct prof_candidate *function, uint64_t key,
                               uint32_t kind, uint32_t line) {
  struct number_words numbers;
  numbers_format(&numbers, kind, line, key, 0);
  const struct probe_words words = {.label = label,
                                    .anchor = function->anchor,
                                    .kind = numbers.kind,
                                    .line = numbers.line,
                                    .key = numbers.key,
                                    .place = place_label};
  add_probe(text, arch, &words);
}

void prof_probe_add_line(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint32_t kind,
                         uint32_t line, const char *place_label) {
  prof_text_format(text, LINE_MACRO " %s,%u,%u,0x%llx,%s", function->anchor, kind, line, (unsigned long long)key,
                   place_label);
}

void prof_probe_add(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint32_t kind,
                    uint32_t line) {
  prof_text_format(text, PROBE_MACRO " %s,%u,%u,0x%llx", function->anchor, kind, line, (unsigned long long)key);
}

void prof_probe_add_loop(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint64_t loop,
                         uint32_t kind, uint32_t line) {
  prof_text_format(text, LOOP_MACRO " %s,%u,%u,0x%llx,0x%llx,", function->anchor, kind, line, (unsigned long long)key,
                   (unsigned long long)loop);
}

/* Of a value: words of the macro, or of the text without it. */
struct value_words {
  struct number_words numbers;
  char length[24], name[PROF_POINT_NAME_BYTES + 1];
};

/* A name is an identifier; any other byte that would end the string becomes '_'. */
static void value_format(struct value_words *words, uint64_t key, const struct prof_candidate_value *value,
                         uint32_t line) {
  uint32_t kind = PROF_PROBE_VALUE | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | value->flags;
  numbers_format(&words->numbers, kind, line, key, 0);
  snprintf(words->name, sizeof words->name, "%s", value->name);
  for (char *at = words->name; *at; at++)
    *at = strchr("\"\\%{|}$&,;#()", *at) || (unsigned char)*at < ' ' ? '_' : *at;
  size_t bytes = (sizeof(struct prof_fact_value) + strlen(words->name) + 1 + 7) / 8 * 8;
  snprintf(words->length, sizeof words->length, "%zu", bytes);
}

void prof_probe_add_value(struct prof_text *text, const struct prof_candidate *function, uint64_t key,
                          const struct prof_candidate_value *value, uint32_t line) {
  struct value_words words;
  value_format(&words, key, value, line);
  prof_text_format(text, VALUE_MACRO " %s,%s,%s,%s,%s,\"%s\",", function->anchor, words.numbers.kind,
                   words.numbers.line, words.numbers.key, words.length, words.name);
}

void prof_probe_add_value_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                                const struct prof_candidate *function, uint64_t key,
                                const struct prof_candidate_value *value, uint32_t line, const char *operand) {
  struct value_words given;
  value_format(&given, key, value, line);
  const struct probe_words words = {.label = label,
                                    .anchor = function->anchor,
                                    .kind = given.numbers.kind,
                                    .line = given.numbers.line,
                                    .key = given.numbers.key,
                                    .value = operand,
                                    .length = given.length,
                                    .name = given.name};
  add_probe(text, arch, &words);
}

/* The row that points to the module's switch of counters. */
static void add_counts_row(struct prof_text *text, const char *anchor) {
  prof_text_format(text,
                   "\n\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,%s\n"
                   "\t.p2align 2\n"
                   "\t.long " PROF_COUNTS_SWITCH "-.\n"
                   "\t.long %d\n"
                   "\t.popsection",
                   anchor, PROF_PROBE_COUNTS);
}

void prof_probe_add_facts(struct prof_text *text, struct prof_unit *unit, const struct prof_candidate *function,
                          uint64_t key, const struct prof_candidate_loop *loops, size_t loop_count) {
  bool first = prof_unit_fact_is_due(unit, function->in_group);
  if (unit->has_counts) /* beside each function: a linker may drop any */
    add_counts_row(text, function->anchor);
  prof_text_format(text, "\n\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n", function->anchor);
  if (first)
    prof_facts_add_unit(text, unit->compiler, *unit->source ? unit->source : function->unit);
  prof_facts_add_function(text, key, function);
  for (size_t i = 0; i < loop_count; i++)
    prof_facts_add_loop(text, key, &loops[i]);
  prof_text_add(text, "\t.popsection");
}
