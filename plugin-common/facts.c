/* facts.c - see facts.h. */
#include "facts.h"

#include <stdio.h>
#include <string.h>

#include "version.h"

/* G. Fowler, L. C. Noll, K.-P. Vo: FNV-1a; the mix is the finisher of A. Appleby's MurmurHash3 (public domain). */
uint64_t prof_facts_hash(uint64_t seed, const char *string) {
  uint64_t hash = seed ^ 0xcbf29ce484222325u;
  do
    hash = (hash ^ (unsigned char)*string) * 0x100000001b3u;
  while (*string++);
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 33;
}

uint64_t prof_facts_key(uint64_t seed, const struct prof_candidate *function) {
  return prof_facts_hash(prof_facts_hash(seed, function->unit), function->assembler_name);
}

uint64_t prof_facts_loop_key(uint64_t function, uint32_t ordinal) {
  char word[16];
  snprintf(word, sizeof word, "loop %u", ordinal);
  return prof_facts_hash(function, word);
}

/* `more`: NULL, or a second part of the string, after a blank. */
static void add_string(struct prof_text *text, const char *string, const char *more) {
  prof_text_add(text, "\t.string \"");
  prof_text_add_literal(text, string);
  if (more) {
    prof_text_add(text, " ");
    prof_text_add_literal(text, more);
  }
  prof_text_add(text, "\"\n");
}

static void add_head(struct prof_text *text, size_t string_bytes, size_t head_bytes, int kind) {
  size_t length = (head_bytes + string_bytes + 7) / 8 * 8;
  prof_text_format(text, "\t.p2align 3\n\t.long %zu\n\t.value %d,%d\n", length, kind, PROF_FACT_VERSION);
}

void prof_facts_add_function(struct prof_text *text, uint64_t key, const struct prof_candidate *function) {
  const char *name = function->assembler_name, *source = function->source_name;
  size_t bytes = strlen(name) + 1 + (source ? strlen(source) + 1 : 0) + strlen(function->recorded_file) + 1;
  add_head(text, bytes, sizeof(struct prof_fact_function), PROF_FACT_FUNCTION);
  prof_text_format(text, "\t.quad 0x%llx\n\t.long %u,%u,%u\n\t.value %u,0\n", (unsigned long long)key, function->line,
                   function->statements, function->flags, (unsigned)function->language);
  add_string(text, name, source);
  add_string(text, function->recorded_file, NULL);
  prof_text_add(text, "\t.p2align 3\n");
}

void prof_facts_add_loop(struct prof_text *text, uint64_t function, const struct prof_candidate_loop *loop) {
  size_t bytes = strlen(loop->source_function) + 1 + strlen(loop->recorded_file) + 1;
  add_head(text, bytes, sizeof(struct prof_fact_loop), PROF_FACT_LOOP);
  prof_text_format(text, "\t.quad 0x%llx,0x%llx,0x%llx,%llu\n\t.long %u,%u,%u\n\t.value %u,0\n",
                   (unsigned long long)loop->key, (unsigned long long)function, (unsigned long long)loop->parent,
                   (unsigned long long)loop->iterations, loop->line, loop->last_line, loop->flags,
                   (unsigned)loop->depth);
  add_string(text, loop->source_function, NULL);
  add_string(text, loop->recorded_file, NULL);
  prof_text_add(text, "\t.p2align 3\n");
}

static void add_unit_strings(struct prof_text *text, const char *compiler, const char *source) {
  add_string(text, compiler, NULL);
  add_string(text, source, NULL);
  prof_text_add(text, "\t.p2align 3\n");
}

void prof_facts_add_unit(struct prof_text *text, const char *compiler, const char *source) {
  add_head(text, strlen(compiler) + 1 + strlen(source) + 1, sizeof(struct prof_fact_unit), PROF_FACT_UNIT);
  prof_text_format(text, "\t.long %d,0\n", PROF_WIRE_VERSION);
  add_unit_strings(text, compiler, source);
}

void prof_facts_add_lto(struct prof_text *text, const char *compiler, const char *source) {
  add_head(text, strlen(compiler) + 1 + strlen(source) + 1, sizeof(struct prof_fact_lto), PROF_FACT_LTO);
  prof_text_format(text, "\t.long %d,0\n\t.quad " PROF_LTO_WARNED "\n", PROF_WIRE_VERSION);
  add_unit_strings(text, compiler, source);
}
