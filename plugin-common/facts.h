/*
 * facts.h - writes the facts of wire/row.h as assembler text, and makes their keys.
 *
 * Every record goes into PROF_FACTS_SECTION with the flags "o?", linked to its function: a linker refuses to join
 * linked and unlinked sections of one name (bfd -r), so there is no record without a function beside it.
 */
#ifndef PROF_PLUGIN_FACTS_H
#define PROF_PLUGIN_FACTS_H

#include <stdint.h>

#include "candidate.h"
#include "loop.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 64 bits, equal if the same unit is compiled again: FNV-1a of the strings with a final mix. */
uint64_t prof_facts_hash(uint64_t seed, const char *string);

/* The key of a function: a hash of the compilation's seed, the unit's name and the assembler name. */
uint64_t prof_facts_key(uint64_t seed, const struct prof_candidate *function);

/*
 * The key of a loop: `function` is the key of the function that it was compiled into; `ordinal` numbers the loops of
 * that function, and is the same for copies of a loop that the compiler makes later.
 */
uint64_t prof_facts_loop_key(uint64_t function, uint32_t ordinal);

/* Directives of one record, without section. */
void prof_facts_add_function(struct prof_text *text, uint64_t key, const struct prof_candidate *function);
/* `function`: key of the function that the loop was compiled into. */
void prof_facts_add_loop(struct prof_text *text, uint64_t function, const struct prof_candidate_loop *loop);
void prof_facts_add_unit(struct prof_text *text, const char *compiler, const char *source);
void prof_facts_add_lto(struct prof_text *text, const char *compiler, const char *source);

#ifdef __cplusplus
}
#endif

#endif
