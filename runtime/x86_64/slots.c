/*
 * x86_64/slots.c - see slots.h.  What each kind of row writes:
 *
 *   ENTRY                       caller; then FRAME with PROF_ROW_WANTS_FRAME
 *   ENTRY of a zone             then POINT_VALUE with PROF_ROW_HAS_VALUE
 *   EXIT                        of a zone with PROF_ROW_HAS_VALUE: its line
 *   LANDED                      address of the frame
 *   LOOP_ENTRY, LOOP_EXIT       then VALUE with PROF_ROW_HAS_VALUE
 *   LOOP_COUNT                  VALUE alone; of a point: POINT_VALUE alone
 *   VALUE                       POINT_VALUE alone; for a text see strings.c
 *   POINT                       POINT; with PROF_ROW_HAS_VALUE POINT_TIME, then POINT_VALUE
 */
#include "slots.h"

#include "event.h"

/* DWARF numbers of registers that the trampoline has pushed, and where its rsp is below the sled's. */
enum { DWARF_RAX = 0, DWARF_RDX = 1, DWARF_RCX = 2 };
#define PUSHED_BYTES (128 + 3 * 8)

/* DWARF number -> number in an instruction. */
static const uint8_t dwarf_register[16] = {0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};

/* %edx = CFA or the 4 bytes below it (the return address's low half).  It may use the trampoline's registers but rax,
 * rcx. */
static void put_aux(struct code *code, const struct prof_cfa *cfa, bool frame) {
  if (!cfa->known) {
    PUT(code, 0x31, 0xd2); /* xor %edx, %edx */
    return;
  }
  uint8_t base = dwarf_register[cfa->reg];
  int32_t offset = cfa->offset;
  if (cfa->reg == DWARF_RSP) {
    offset += PUSHED_BYTES;
  } else if (cfa->reg <= DWARF_RCX) {
    static const int32_t slot[3] = {16, 8, 0}; /* rax, rdx, rcx as pushed */
    put_memory(code, true, OPCODE_LOAD, RDX, RSP, slot[cfa->reg]);
    base = RDX;
  }
  if (cfa->deref) {
    put_memory(code, true, OPCODE_LOAD, RDX, base, offset);
    base = RDX;
    offset = 0;
  }
  if (frame)
    put_memory(code, true, OPCODE_LEA, RDX, base, offset);
  else
    put_memory(code, false, OPCODE_LOAD, RDX, base, offset - 8);
}

/* %destination (rax or rdx) = the register that the row names, as the sled found it. */
static void put_register(struct code *code, uint8_t destination, uint32_t kind) {
  static const int32_t pushed[] = {[RAX] = 16, [RCX] = 0, [RDX] = 8};
  uint8_t source = (uint8_t)((kind & PROF_ROW_REGISTER_MASK) >> PROF_ROW_REGISTER_SHIFT);
  if (source <= RDX)
    put_memory(code, true, OPCODE_LOAD, destination, RSP, pushed[source]);
  else
    PUT(code, (uint8_t)(0x48 | source >> 3), OPCODE_LOAD, (uint8_t)(0xc0 | destination << 3 | (source & 7)));
}

/* The same, with PROF_EVENT_VALUE_BIT. */
static void put_value(struct code *code, uint8_t destination, uint32_t kind) {
  put_register(code, destination, kind);
  PUT(code, 0x48, 0x0f, 0xba, (uint8_t)(0xe8 | destination), 63); /* bts $63, %destination */
}

/* aux of the slot at `at`(%rcx) = the value's highest bit; %rdx is lost. */
static void put_high_bit(struct code *code, uint8_t at, uint32_t kind) {
  put_register(code, RDX, kind);
  PUT(code, 0x48, 0xc1, 0xea, 63);           /* shr $63, %rdx */
  PUT(code, 0x89, 0x51, (uint8_t)(at + 12)); /* mov %edx, at+12(%rcx) */
}

/* An event at `at`(%rcx), time in rax, aux in edx if `aux`. */
static void put_event(struct code *code, uint8_t at, uint32_t what, bool aux) {
  if (aux)
    PUT(code, 0x89, 0x51, (uint8_t)(at + 12)); /* mov %edx, at+12(%rcx) */
  PUT(code, 0xc7, 0x41, (uint8_t)(at + 8));    /* movl $what, at+8(%rcx) */
  put_u32(code, what);
  PUT(code, 0x48, 0x89, 0x41, at); /* mov %rax, at(%rcx) */
}

static bool has_flags(uint32_t kind, uint32_t probe, uint32_t flags) {
  return (kind & PROF_ROW_KIND_MASK) == probe && (kind & flags) == flags;
}

/* The exit of a zone that names it by its line. */
static bool is_line_exit(uint32_t kind) {
  return has_flags(kind, PROF_PROBE_EXIT, PROF_ROW_ZONE | PROF_ROW_HAS_VALUE);
}

/* Does the value belong to the program's words, not to a loop? */
static bool is_of_point(uint32_t kind) {
  return has_flags(kind, PROF_PROBE_ENTRY, PROF_ROW_ZONE) || has_flags(kind, PROF_PROBE_POINT, 0) ||
         has_flags(kind, PROF_PROBE_LOOP_COUNT, PROF_ROW_ZONE) || has_flags(kind, PROF_PROBE_VALUE, 0);
}

bool prof_slots_are_two(uint32_t kind) {
  switch (kind & PROF_ROW_KIND_MASK) {
  case PROF_PROBE_ENTRY:
    return kind & (kind & PROF_ROW_ZONE ? PROF_ROW_HAS_VALUE : PROF_ROW_WANTS_FRAME);
  case PROF_PROBE_LOOP_ENTRY:
  case PROF_PROBE_LOOP_EXIT:
  case PROF_PROBE_POINT:
    return kind & PROF_ROW_HAS_VALUE;
  default:
    return false;
  }
}

bool prof_slots_are_untimed(uint32_t kind) {
  return has_flags(kind, PROF_PROBE_LOOP_COUNT, 0) || has_flags(kind, PROF_PROBE_VALUE, 0);
}

bool prof_slots_are_text(uint32_t kind) {
  return has_flags(kind, PROF_PROBE_VALUE, 0) && (kind & PROF_ROW_SHOWN_MASK) == PROF_SHOWN_TEXT
                                                                                     << PROF_ROW_SHOWN_SHIFT;
}

bool prof_slots_have_value(uint32_t kind) {
  bool pair = prof_slots_are_two(kind) && !has_flags(kind, PROF_PROBE_ENTRY, PROF_ROW_WANTS_FRAME);
  return pair || prof_slots_are_untimed(kind) || is_line_exit(kind);
}

void prof_slots_put_untimed(struct code *code, uint32_t kind) {
  put_value(code, RAX, kind);
}

void prof_slots_put_address(struct code *code, uint32_t kind) {
  put_register(code, RDX, kind);
}

/* The second slot: the value. */
static void put_second(struct code *code, const struct prof_trampoline *trampoline) {
  bool point = is_of_point(trampoline->kind);
  if (point)
    put_high_bit(code, 16, trampoline->kind);
  put_value(code, RDX, trampoline->kind);
  PUT(code, 0xc7, 0x41, 24); /* movl $what, 24(%rcx) */
  put_u32(code, prof_event_what(trampoline->site, point ? PROF_EVENT_POINT_VALUE : PROF_EVENT_VALUE));
  PUT(code, 0x48, 0x89, 0x51, 16); /* mov %rdx, 16(%rcx) */
}

static uint32_t event_of(uint32_t kind) {
  if (has_flags(kind, PROF_PROBE_POINT, 0))
    return kind & PROF_ROW_HAS_VALUE ? PROF_EVENT_POINT_TIME : PROF_EVENT_POINT;
  return prof_slots_are_untimed(kind) && is_of_point(kind) ? PROF_EVENT_POINT_VALUE : kind & PROF_ROW_KIND_MASK;
}

void prof_slots_put(struct code *code, const struct prof_trampoline *trampoline) {
  uint32_t kind = trampoline->kind;
  bool entry = has_flags(kind, PROF_PROBE_ENTRY, 0), landed = has_flags(kind, PROF_PROBE_LANDED, 0);
  if (entry && has_flags(kind, PROF_PROBE_ENTRY, PROF_ROW_WANTS_FRAME)) {
    put_aux(code, &trampoline->cfa, true);
    put_event(code, 16, prof_event_what(trampoline->site, PROF_EVENT_FRAME), true);
  } else if (prof_slots_are_two(kind)) {
    put_second(code, trampoline);
  }
  if (prof_slots_are_untimed(kind) && is_of_point(kind))
    put_high_bit(code, 0, kind);
  if (entry || landed)
    put_aux(code, &trampoline->cfa, landed);
  if (is_line_exit(kind))
    put_register(code, RDX, kind);
  put_event(code, 0, prof_event_what(trampoline->site, event_of(kind)), entry || landed || is_line_exit(kind));
}
