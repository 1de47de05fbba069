/*
 * tools/source/unwind/frame_program.h - which rules one record of .eh_frame or .debug_frame gives for an address.
 *
 * In: a section, an offset in it and a link-time address.  Out: where the canonical frame address (CFA) lies and where
 * the caller's registers are, as the call frame instructions say.  A damaged record gives no rules.
 * Sources: DWARF 5, 6.4 and 7.24; LSB Core 5.0, 10.6 (encodings, augmentations); System V ABI for x86-64, 3.6.2.
 */
#ifndef PROF_SOURCE_FRAME_PROGRAM_H
#define PROF_SOURCE_FRAME_PROGRAM_H

#include "source/bytes.h"

enum { /* DWARF numbers of registers on x86-64 */
       PROF_FRAME_RAX = 0,
       PROF_FRAME_RDX = 1,
       PROF_FRAME_RCX = 2,
       PROF_FRAME_RBX = 3,
       PROF_FRAME_RSI = 4,
       PROF_FRAME_RDI = 5,
       PROF_FRAME_RBP = 6,
       PROF_FRAME_RSP = 7,
       PROF_FRAME_R8 = 8,
       PROF_FRAME_PC = 16, /* the return address */
       PROF_FRAME_REGISTERS,
};

struct prof_frame_section {
  const uint8_t *bytes;
  size_t size;
  uint64_t address; /* link-time */
  bool is_debug;    /* .debug_frame */
};

enum prof_frame_rule_kind {
  PROF_RULE_SAME, /* as in the callee */
  PROF_RULE_UNDEFINED,
  PROF_RULE_AT_CFA,   /* stored at CFA + offset */
  PROF_RULE_IS_CFA,   /* is CFA + offset */
  PROF_RULE_REGISTER, /* is register `base` + offset */
  PROF_RULE_AT_EXPRESSION,
  PROF_RULE_IS_EXPRESSION, /* the block whose length lies at `offset` of the section */
};

struct prof_frame_rule {
  uint8_t reg, kind, base;
  int32_t offset;
};

struct prof_frame_rules {
  uint64_t low, high; /* the addresses for which they hold */
  struct prof_frame_rule cfa, registers[PROF_FRAME_REGISTERS];
};

struct prof_frame_cie {
  size_t offset;
  uint64_t code_align;
  int64_t data_align;
  uint8_t encoding;
  bool augmented, signal;
  struct prof_bytes program;
};

struct prof_frame_record { /* an FDE */
  struct prof_frame_cie cie;
  uint64_t low, high;
  struct prof_bytes program;
};

/* A pointer as exception tables encode it, which does not count from anything but 0 or its own place. */
uint64_t prof_frame_pointer(struct prof_bytes *, const struct prof_frame_section *, uint8_t encoding);

/* What lies at *offset, which moves behind it; false: the section's end, or its terminator.  *is_record: an FDE that is
 * understood.  out->cie may hold the latest one, which is then not read again. */
bool prof_frame_record_next(const struct prof_frame_section *, size_t *offset, bool *is_record,
                            struct prof_frame_record *out);

/* False: the address is not the record's, or an instruction is damaged or unknown. */
bool prof_frame_rules_at(const struct prof_frame_section *, const struct prof_frame_record *, uint64_t address,
                         struct prof_frame_rules *out);

#endif
