/*
 * wire/row.h - what a plugin leaves in an object: one row per sled, and facts that only tools read.
 *
 * A sled is a 5-byte nop (0f 1f 44 00 00 on x86-64) that lies within one aligned 8-byte word, so that one
 * 8-byte store turns it into a jump and back while other threads run through it.
 *
 *     .p2align 3,,4
 *   sled: .byte 0x0f,0x1f,0x44,0,0
 *     .pushsection prof_rows_v1,"ao?",@progbits,sled        row: loaded, linked to the text it describes
 *     .pushsection .prof_facts_v1,"o?",@progbits,sled       PROBE fact: not loaded
 */
#ifndef PROF_WIRE_ROW_H
#define PROF_WIRE_ROW_H

#include <stdint.h>

/* What a probe marks.  The number is also the kind of the event that it writes (wire/event.h). */
enum prof_probe_kind {
  PROF_PROBE_ENTRY = 1,  /* function entered */
  PROF_PROBE_EXIT = 2,   /* function left, or about to jump to a tail callee */
  PROF_PROBE_LANDED = 3, /* control arrived in this frame from below: landing pad, second return of setjmp */
};

#define PROF_ROW_KIND_MASK 0xfu
/* Set on the ENTRY row of a function that has a LANDED probe: its entry also records its frame address. */
#define PROF_ROW_WANTS_FRAME 0x10u

/* 8 bytes, 4-aligned.  Site index = position in the section. */
struct prof_row {
  int32_t sled;  /* address of the sled minus the address of this field */
  uint32_t kind; /* enum prof_probe_kind in the low 4 bits, then PROF_ROW_ flags */
};
_Static_assert(sizeof(struct prof_row) == 8, "prof_row is 8 bytes");

/*
 * Facts: records one after another, each 8-aligned, little-endian; a reader walks them by `length` and skips
 * zero bytes that a linker put between them in steps of 8.  An unknown kind is skipped.
 */
enum prof_fact_kind {
  PROF_FACT_PROBE = 1,
  PROF_FACT_FUNCTION = 2,
  PROF_FACT_UNIT = 3,
  PROF_FACT_LTO = 4, /* only in PROF_LTO_SECTION */
};

#define PROF_FACT_VERSION 1 /* of each kind below; a reader leaves out records of another version */

struct prof_fact { /* every record begins so */
  uint32_t length; /* of the whole record in bytes, a multiple of 8 */
  uint16_t kind;   /* enum prof_fact_kind */
  uint16_t version;
};

struct prof_fact_probe { /* beside its sled, in the sled's COMDAT group if it has one */
  struct prof_fact head;
  uint64_t sled;     /* link-time address of the sled (R_X86_64_64) */
  uint64_t function; /* key of its function */
  uint32_t kind;     /* as in the row */
  uint32_t line;     /* line of the probe: first of the function, of the return, of the tail call; 0 unknown */
};
_Static_assert(sizeof(struct prof_fact_probe) == 32, "prof_fact_probe is 32 bytes");

/* Function flags. */
#define PROF_FUNCTION_STATIC 0x1u     /* local to its unit */
#define PROF_FUNCTION_ARTIFICIAL 0x2u /* made by the compiler */
#define PROF_FUNCTION_TAIL_CALLS 0x4u /* has an exit before a tail call */
#define PROF_FUNCTION_LANDS 0x8u      /* has a LANDED probe */
#define PROF_FUNCTION_LEAF 0x10u      /* calls nothing */

enum prof_language { /* of the source, as the compiler names it */
                     PROF_LANGUAGE_UNKNOWN = 0,
                     PROF_LANGUAGE_C = 1,
                     PROF_LANGUAGE_CXX = 2,
                     PROF_LANGUAGE_FORTRAN = 3,
                     PROF_LANGUAGE_ADA = 4,
                     PROF_LANGUAGE_D = 5,
};

struct prof_fact_function { /* once per probed function and unit; no address, so nothing can dangle */
  struct prof_fact head;
  uint64_t key;        /* joins probes to it: 64-bit hash of unit and assembler name, unique in a link */
  uint32_t line;       /* of its declaration; 0 unknown */
  uint32_t statements; /* GIMPLE statements or IR instructions when probed */
  uint32_t flags;      /* PROF_FUNCTION_ */
  uint16_t language;   /* enum prof_language */
  uint16_t reserved;
  /* then: name NUL, source path as the compiler was given it (and -ffile-prefix-map changed it) NUL, zeros up
   * to length */
};
_Static_assert(sizeof(struct prof_fact_function) == 32, "prof_fact_function is 32 bytes");
/*
 * The name is the assembler's.  Where that is not what the source says, in Fortran, a blank and the source's name
 * follow: of the main program ("MAIN__ heat"), and of internal procedures with what they are in
 * ("inner.0 __solver_MOD_step::inner", "local.1 heat::local").
 */

struct prof_fact_unit { /* once per compiled unit */
  struct prof_fact head;
  uint32_t wire_version;
  uint32_t reserved;
  /* then: compiler name and version NUL, main source path NUL, zeros up to length */
};

/*
 * GCC with -flto: code is generated at the link, by a compiler that may lack the plugin.  So the plugin leaves a mark
 * in each unit's intermediate code when it compiles, and takes it out wherever it is about to generate code.  What is
 * left of them in a linked file are the units that have no probes for want of the plugin in the link command.
 *
 * PROF_LTO_SECTION holds these records, one after another like facts; its flags are none, so that every linker keeps
 * it.
 */
struct prof_fact_lto {
  struct prof_fact head;
  uint32_t wire_version;
  uint32_t reserved;
  uint64_t warned; /* reference to PROF_LTO_WARNED (R_X86_64_64), in a linked file 0 */
  /* then: compiler name and version NUL, main source path NUL, zeros up to length */
};
_Static_assert(sizeof(struct prof_fact_lto) == 24, "prof_fact_lto is 24 bytes");

#endif
