/*
 * facts.h - the static facts of wire/row.h as assembler text, and the key that joins them.
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

/* 64 bits that stay the same when the same unit is compiled again: FNV-1a with a final mix, over the strings. */
uint64_t prof_facts_hash(uint64_t seed, const char *string);

/* The key of a function: its unit's name and its assembler name, on top of the seed of the compilation. */
uint64_t prof_facts_key(uint64_t seed, const struct prof_candidate *function);

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
