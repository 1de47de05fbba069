/*
 * tools/analysis/advise/code_text.h - what an instruction of x86-64 does, from objdump's text.
 *
 *     mov    0x8(%rbx,%rcx,4),%eax    reads memory with base rbx, index rcx; writes rax
 *     add    $0x4000,%rax             adds 16384 to rax
 *     jne    1248 <wait+0x8>          jumps to 0x1248
 *
 * Pure functions of a text; an unknown instruction is taken to write its last operand.  Source: the AT&T syntax, in the
 * manual of GNU as, "i386-Syntax".
 */
#ifndef PROF_ANALYSIS_CODE_TEXT_H
#define PROF_ANALYSIS_CODE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_NO_REGISTER 0xffu
enum { PROF_REGISTER_RSP = 4, PROF_REGISTER_RBP = 5, PROF_REGISTER_RIP = 16 }; /* general ones: 0 to 15 */

struct prof_code_facts {
  bool is_jump, is_call, is_return;
  bool is_idle; /* a nop or pause: does nothing */
  bool reads_memory, writes_memory, is_locked;
  bool compares;       /* cmp, test: writes only flags */
  uint8_t base, index; /* of its memory operand; PROF_NO_REGISTER: none */
  uint8_t scale;       /* of the index: 1, 2, 4, 8 */
  uint8_t from;        /* general register in the first operand, if that is all of it; else PROF_NO_REGISTER */
  uint8_t written;     /* general register that it writes; PROF_NO_REGISTER: none */
  bool moves;          /* `written` = the value that it reads, no more */
  bool is_wide;        /* all 64 bits of `written`, by a plain mov */
  bool adds_constant;  /* `written` += constant */
  int64_t constant;    /* added */
  uint64_t target;     /* of a jump or call; 0: not known */
  uint64_t data;       /* address of its memory operand, where that is relative to rip; 0: it isn't */
  const char *symbol;  /* in <> behind it, without the bracket: "malloc@plt>", "counters+0x8>"; NULL: none */
  size_t symbol_bytes; /* up to "@", "+" or ">" */
};

void prof_code_read_text(const char *text, struct prof_code_facts *out);

/* Does it change the register? */
bool prof_code_writes(const struct prof_code_facts *, uint8_t general);

#endif
