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

/*
 * What a probe marks.  A probe that writes an event has the event's number (wire/event.h).  A row has 4 bits for it, an
 * event 6: kinds from 16 on are events without rows.
 */
enum prof_probe_kind {
  PROF_PROBE_ENTRY = 1,  /* function entered */
  PROF_PROBE_EXIT = 2,   /* function left, or about to jump to a tail callee */
  PROF_PROBE_LANDED = 3, /* control arrived in this frame from below: landing pad, second return of setjmp */
  PROF_PROBE_LINE = 4,   /* another line begins or goes on (wire/times.h): writes no event; a PLACE row follows */
  PROF_PROBE_PLACE = 5, /* no sled: `sled` leads to a text of PROF_PLACES_SECTION; the bits above the kind are a line */
  PROF_PROBE_POINT = 6, /* the program reports something now: a POINT, or a POINT_TIME and its POINT_VALUE */
  PROF_PROBE_GATE = 7,  /* writes no event: sets eax to 1.  With ZONE: then the program calls PROF_CONTROL_NAMED */
  PROF_PROBE_VALUE = 8, /* an argument or returned value of its function, where the recorder wants it
                           (PROF_CONTROL_ARGS): POINT_VALUE.  Has ZONE and HAS_VALUE */
  PROF_PROBE_LOOP_ENTRY = 12,
  PROF_PROBE_LOOP_EXIT = 13,
  PROF_PROBE_COUNTS = 15,     /* no sled: `sled` leads to the module's struct prof_counts_switch (wire/counts.h) */
  PROF_PROBE_LOOP_COUNT = 14, /* writes a VALUE without reading the clock: entries or iterations of an inner loop;
                                 with ZONE a POINT_VALUE: what the program reports of the call that is open */
};

#define PROF_ROW_KIND_MASK 0xfu
/* Set on the ENTRY row of a function that has a LANDED probe: its entry also records its frame address. */
#define PROF_ROW_WANTS_FRAME 0x10u
/* LOOP_ENTRY, LOOP_EXIT: the register below holds the iterations of this entry.  LOOP_COUNT always has it. */
#define PROF_ROW_HAS_VALUE 0x20u
/* LOOP_EXIT where control may also come from outside of the loop (landing pad, second return of setjmp).  It ends the
 * loop only if that is the innermost open frame, or has only open loops of the same function above it. */
#define PROF_ROW_MAYBE 0x40u
/* LOOP_COUNT: adds the value to the loop's entries; else to its iterations. */
#define PROF_ROW_COUNTS_ENTRIES 0x80u
/* LINE: control comes to the line; is about to call a function; is back from that call.  A row has one of these. */
#define PROF_ROW_LINE_BEGINS 0x10u
#define PROF_ROW_LINE_CALLS 0x20u
#define PROF_ROW_LINE_GOES_ON 0x40u
/* EXIT of a function with LINEs: ends the line being timed. */
#define PROF_ROW_ENDS_LINE 0x10u
#define PROF_ROW_PLACE_LINE_SHIFT 4 /* PLACE */
/* Left by include/prof.h.  ENTRY, EXIT: of a zone, not of a function.  Such an ENTRY's event has no caller.  An EXIT
 * with HAS_VALUE has no key: the low half of the register below is the line of its ENTRY, and becomes the event's aux.
 * POINT, and LOOP_COUNT or VALUE with it: of a point, not of a function or loop. */
#define PROF_ROW_ZONE 0x1000u
/* POINT, VALUE, LOOP_COUNT with ZONE: the value is a double; is unsigned.  Else it is signed. */
#define PROF_ROW_FLOAT 0x2000u
#define PROF_ROW_UNSIGNED 0x4000u
/* VALUE: what the function returns; else an argument. */
#define PROF_ROW_RETURNED 0x10u
/* VALUE: what the value is in the source; enum prof_row_shown. */
#define PROF_ROW_SHOWN_SHIFT 16
#define PROF_ROW_SHOWN_MASK 0x70000u
enum prof_row_shown {
  PROF_SHOWN_NUMBER = 0,
  PROF_SHOWN_BOOL = 1,
  PROF_SHOWN_CHARACTER = 2,
  PROF_SHOWN_ADDRESS = 3,
  PROF_SHOWN_TEXT = 4,  /* the register holds the address of a text; point.h has its values */
  PROF_SHOWN_FLOAT = 5, /* a double that was a float; with FLOAT */
};
/* The 64-bit register that holds the value at the sled: its number in an instruction (x86-64: 0 rax, 1 rcx, 2 rdx, 3
 * rbx, 5 rbp, 6 rsi, 7 rdi, 8-15 r8-r15; never 4, rsp). */
#define PROF_ROW_REGISTER_SHIFT 8
#define PROF_ROW_REGISTER_MASK 0xf00u

/* 8 bytes, 4-aligned.  Site index = position in the section. */
struct prof_row {
  int32_t sled;  /* address of the sled minus the address of this field */
  uint32_t kind; /* enum prof_probe_kind in the low 4 bits, then PROF_ROW_ flags */
};
_Static_assert(sizeof(struct prof_row) == 8, "prof_row is 8 bytes");

/*
 * Facts: records one after another, each 8-aligned, little-endian.  A reader walks them by `length`, and skips a
 * linker's zero bytes between them in steps of 8.  It skips unknown kinds.
 */
enum prof_fact_kind {
  PROF_FACT_PROBE = 1,
  PROF_FACT_FUNCTION = 2,
  PROF_FACT_UNIT = 3,
  PROF_FACT_LTO = 4, /* only in PROF_LTO_SECTION */
  PROF_FACT_LOOP = 5,
  PROF_FACT_ZONE = 6,
  PROF_FACT_POINT = 7, /* point.h */
  PROF_FACT_VALUE = 8, /* point.h */
};

#define PROF_FACT_VERSION 1 /* of each kind below; a reader skips records of another version */

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

/*
 * Loops.  An instrumented loop has a LOOP_ENTRY on the edge into it and a LOOP_EXIT on each edge out of it that can
 * hold one.  For other edges (to landing pads and second returns of setjmp outside of it) a LOOP_EXIT with
 * PROF_ROW_MAYBE follows the LANDED; a LANDED leaves the loops of its own function open.
 *
 * An iteration begins where the loop's body begins, as a counter at the body's first statement would count; so an
 * iteration left by break or return counts.  An entry without iteration may have no event (the compiler tests before
 * the loop): readers count entries with 0 iterations separately, and compute figures per entry without them.
 */
struct prof_fact_loop_probe {   /* the PROBE fact of a loop's probe; head.length 40 */
  struct prof_fact_probe probe; /* function: key of the function that it was compiled into */
  uint64_t loop;                /* key of its loop */
};
_Static_assert(sizeof(struct prof_fact_loop_probe) == 40, "prof_fact_loop_probe is 40 bytes");

/* Loop flags. */
#define PROF_LOOP_COUNTABLE 0x1u  /* the iterations of an entry are known before it begins */
#define PROF_LOOP_CONSTANT 0x2u   /* they are known at compile time: `iterations` */
#define PROF_LOOP_VECTORISED 0x4u /* these three are known for some loops only */
#define PROF_LOOP_UNROLLED 0x8u
#define PROF_LOOP_GONE 0x10u    /* no loop is left of it (unrolled completely, made a library call) */
#define PROF_LOOP_PROBED 0x20u  /* has LOOP_ENTRY and LOOP_EXIT */
#define PROF_LOOP_COUNTED 0x40u /* has LOOP_COUNTs, or iterations known from its parent's and `iterations` */

struct prof_fact_loop { /* per loop of an instrumented nest, several if the compiler copies it; equal for one key */
  struct prof_fact head;
  uint64_t key;        /* 64-bit hash, unique in a link as the function's */
  uint64_t function;   /* key of the function that it was compiled into */
  uint64_t parent;     /* key of the loop around it; 0: it is an outermost one */
  uint64_t iterations; /* CONSTANT: of each entry; else 0 */
  uint32_t line;       /* where its statement begins; 0 unknown */
  uint32_t last_line;  /* last known line of its body; at least `line` */
  uint32_t flags;      /* PROF_LOOP_ */
  uint16_t depth;      /* 1: outermost */
  uint16_t reserved;
  /* then: assembler name of its function in the source, if that was inlined here, NUL; source path as in struct
   * prof_fact_function NUL; zeros up to length */
};
_Static_assert(sizeof(struct prof_fact_loop) == 56, "prof_fact_loop is 56 bytes");

/* Function flags. */
#define PROF_FUNCTION_STATIC 0x1u     /* local to its unit */
#define PROF_FUNCTION_ARTIFICIAL 0x2u /* made by the compiler */
#define PROF_FUNCTION_TAIL_CALLS 0x4u /* has an exit before a tail call */
#define PROF_FUNCTION_LANDS 0x8u      /* has a LANDED probe */
#define PROF_FUNCTION_LEAF 0x10u      /* calls nothing */
#define PROF_FUNCTION_ZONE 0x20u      /* no function: a zone */
#define PROF_FUNCTION_NAMED 0x40u     /* with ZONE: its name was made at run time (wire/module.h); it has no rows */
#define PROF_FUNCTION_ITERATION 0x80u /* with ZONE: the iterations of a loop, each a call of the zone */

enum prof_language { /* of the source, as the compiler names it */
                     PROF_LANGUAGE_UNKNOWN = 0,
                     PROF_LANGUAGE_C = 1,
                     PROF_LANGUAGE_CXX = 2,
                     PROF_LANGUAGE_FORTRAN = 3,
                     PROF_LANGUAGE_ADA = 4,
                     PROF_LANGUAGE_D = 5,
};

struct prof_fact_function { /* once per instrumented function and unit; no address, so nothing can dangle */
  struct prof_fact head;
  uint64_t key;        /* probes name it: 64-bit hash of unit and assembler name, unique in a link */
  uint32_t line;       /* of its declaration; 0 unknown */
  uint32_t statements; /* GIMPLE statements or IR instructions when instrumented */
  uint32_t flags;      /* PROF_FUNCTION_ */
  uint16_t language;   /* enum prof_language */
  uint16_t reserved;
  /* then: name NUL, source path as given to the compiler (after -ffile-prefix-map) NUL, zeros up to length */
};
_Static_assert(sizeof(struct prof_fact_function) == 32, "prof_fact_function is 32 bytes");
/*
 * The name is the assembler's.  In Fortran a blank and the source's name follow where they differ: for the main program
 * ("MAIN__ heat"), and for internal procedures with their parent ("inner.0 __solver_MOD_step::inner", "local.1
 * heat::local").
 */

/*
 * Zones.  A header leaves them (include/prof.h), and the compiler may copy and inline them.  As the assembler can't
 * hash a name, the key of a zone's probes is the link-time address of its name, in loaded read-only data; equal names
 * in a program or library are one zone.
 *
 * Iterations of loops (plugin-common/iteration.h) are zones too.  As a plugin can hash, they have FUNCTION facts with
 * the flags ZONE and ITERATION instead, and these facts' key.
 */
struct prof_fact_zone { /* beside each ENTRY of a zone */
  struct prof_fact head;
  uint64_t name; /* link-time address of the name, which a NUL ends (R_X86_64_64) */
  uint64_t file; /* likewise, of the source path */
  uint32_t line;
  uint16_t language; /* enum prof_language */
  uint16_t reserved;
};
_Static_assert(sizeof(struct prof_fact_zone) == 32, "prof_fact_zone is 32 bytes");

struct prof_fact_unit { /* once per compiled unit */
  struct prof_fact head;
  uint32_t wire_version;
  uint32_t reserved;
  /* then: compiler name and version NUL, main source path NUL, zeros up to length */
};

/*
 * GCC with -flto generates code at the link, perhaps without the plugin.  So the plugin puts a mark into each unit's
 * intermediate code, and removes it where it generates code.  Marks in a linked file name the units that have no probes
 * because the link command lacked the plugin.
 *
 * PROF_LTO_SECTION holds these records, one after another like facts; it has no flags, so that every linker keeps it.
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
