/*
 * code_work.h - floating-point operations and bytes of pieces of code (wire/work.h).
 *
 * In: pieces from a backend.  Out: the object with their counters, as words or as assembler text.  One function at a
 * time; the owner calls prof_work_fini.  Out of memory: `failed` is set, later calls do nothing.
 */
#ifndef PROF_PLUGIN_CODE_WORK_H
#define PROF_PLUGIN_CODE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_work { /* of one execution */
  uint64_t flops, more_flops;
  uint64_t loaded, more_loaded; /* bytes */
  uint64_t stored, more_stored;
  uint64_t unknown_flops, unknown_bytes; /* statements */
};

struct prof_work_piece {
  uint64_t loop; /* key; 0: outside of loops */
  struct prof_work work;
};

struct prof_work_function { /* all zero: empty */
  uint64_t key;
  struct prof_work_piece *pieces;
  uint32_t piece_count, piece_room;
  uint32_t flags; /* PROF_WORK_ */
  bool failed;
};

bool prof_work_is_any(const struct prof_work *work);
void prof_work_add(struct prof_work *to, const struct prof_work *more);
/* Operations on `lanes` whose number is `least` to `most` each. */
void prof_work_add_flops(struct prof_work *to, uint64_t lanes, unsigned least, unsigned most);

/* Operations of a call of a mathematical function, whose name may begin with __builtin_ and end with a letter for the
 * type; PROF_WORK_UNKNOWN: in the library. */
#define PROF_WORK_UNKNOWN UINT32_MAX
uint32_t prof_work_of_math(const char *name, bool has_fused);
/* Is it the name of a library function that goes over memory ("memcpy", "strlen")?  Its bytes are not known. */
bool prof_work_is_memory_function(const char *name);

/* Operations that add up the lanes of a vector of `lanes` lanes and `bits` bits, as x86-64's code generators do: halves
 * down to 128 bits, then whole vectors.  last_is_scalar: Clang adds the last two lanes alone. */
unsigned prof_work_sum_of_lanes(unsigned lanes, unsigned bits, bool last_is_scalar);

/* Returns the piece's counter. */
uint32_t prof_work_piece_add(struct prof_work_function *function, uint64_t loop, const struct prof_work *work);

/* The object as 64-bit words, counters zero; *word_count.  The caller frees it.  NULL: out of memory.  Counter n is
 * word PROF_WORK_FIRST_COUNTER + n. */
#define PROF_WORK_FIRST_COUNTER 2
uint64_t *prof_work_object(const struct prof_work_function *function, size_t *word_count);

/* The same as assembler text, in its section, at the label PROF_WORK_LABEL with `number` behind it. */
#define PROF_WORK_LABEL ".Lprof_work"
void prof_work_add_object(struct prof_text *text, const struct prof_work_function *function, unsigned number);
/* The module's switch of counters (wire/counts.h) as assembler text, in a COMDAT group. */
void prof_work_add_switch(struct prof_text *text);

void prof_work_fini(struct prof_work_function *function);

#ifdef __cplusplus
}
#endif

#endif
