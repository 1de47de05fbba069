/*
 * tools/source/unwind/frame_program.c - see frame_program.h.
 */
#include "source/unwind/frame_program.h"

enum { ENCODING_BYTES_8 = 0x00, ENCODING_ULEB = 0x01, ENCODING_SLEB = 0x09, ENCODING_PCREL = 0x10 };

/* Ours, against files that are made to cost time.  GCC and Clang save two levels, have four letters. */
enum { SAVED_MAX = 8, LETTERS_MAX = 8, CIE_BYTES_MAX = 1 << 12, PROGRAM_BYTES_MAX = 1 << 16 };

uint64_t prof_frame_pointer(struct prof_bytes *bytes, const struct prof_frame_section *section, uint8_t encoding) {
  static const uint8_t widths[16] = {[0] = 8, [2] = 2, [3] = 4, [4] = 8, [0x0a] = 2, [0x0b] = 4, [0x0c] = 8};
  uint64_t here = section->address + (uint64_t)(bytes->at - section->bytes), value = 0;
  uint8_t form = encoding & 0x0f;
  if (form == ENCODING_ULEB)
    value = prof_bytes_uleb(bytes);
  else if (form == ENCODING_SLEB)
    value = (uint64_t)prof_bytes_sleb(bytes);
  else if (widths[form] != 0)
    value = prof_bytes_number(bytes, widths[form]);
  else
    prof_bytes_fail(bytes);
  if (form > ENCODING_SLEB && widths[form] != 0) { /* signed */
    unsigned unused = 64 - 8 * widths[form];
    value = (uint64_t)((int64_t)(value << unused) >> unused);
  }
  if ((encoding & 0x70) == ENCODING_PCREL)
    value += here;
  else if ((encoding & 0x70) != 0)
    prof_bytes_fail(bytes);
  return value;
}

/* Bytes of the record at `offset`, its length read; bad: none, or its 64-bit form. */
static struct prof_bytes record_bytes(const struct prof_frame_section *section, size_t offset) {
  struct prof_bytes bytes = prof_bytes_from(section->bytes, section->size, offset);
  uint32_t length = prof_bytes_u32(&bytes);
  if (length < 4 || length > prof_bytes_left(&bytes))
    prof_bytes_fail(&bytes);
  else
    bytes.end = bytes.at + length;
  return bytes;
}

static bool augmentation_read(struct prof_bytes *bytes, const struct prof_frame_section *section, const char *letters,
                              struct prof_frame_cie *cie) {
  struct prof_bytes data = *bytes;
  uint64_t size = prof_bytes_uleb(&data);
  *bytes = data;
  prof_bytes_skip(bytes, size);
  for (; *letters != 0 && !data.bad; letters++) {
    if (*letters == 'R')
      cie->encoding = prof_bytes_u8(&data);
    else if (*letters == 'L')
      prof_bytes_u8(&data);
    else if (*letters == 'P') {
      uint8_t encoding = prof_bytes_u8(&data);
      prof_frame_pointer(&data, section, encoding & 0x0f);
    } else if (*letters == 'S')
      cie->signal = true;
    else if (*letters != 'B')
      return false;
  }
  return !data.bad && !bytes->bad;
}

static bool cie_read(const struct prof_frame_section *section, size_t offset, struct prof_frame_cie *cie) {
  *cie = (struct prof_frame_cie){.offset = offset, .encoding = ENCODING_BYTES_8};
  struct prof_bytes bytes = record_bytes(section, offset);
  if (prof_bytes_left(&bytes) > CIE_BYTES_MAX || prof_bytes_u32(&bytes) != (section->is_debug ? UINT32_MAX : 0))
    return false;
  uint8_t version = prof_bytes_u8(&bytes);
  struct prof_bytes text = {bytes.at, bytes.end, bytes.bad};
  if (prof_bytes_left(&text) > LETTERS_MAX + 1)
    text.end = text.at + LETTERS_MAX + 1;
  const char *letters = prof_bytes_text(&text);
  bytes.at = letters != NULL ? text.at : bytes.at;
  if (letters == NULL || (version != 1 && version != 3 && !(version == 4 && section->is_debug)))
    return false;
  if (version == 4 && prof_bytes_u16(&bytes) != 8) /* bytes of an address, and no segments */
    return false;
  cie->code_align = prof_bytes_uleb(&bytes);
  cie->data_align = prof_bytes_sleb(&bytes);
  if ((version == 1 ? prof_bytes_u8(&bytes) : prof_bytes_uleb(&bytes)) != PROF_FRAME_PC)
    return false;
  cie->augmented = letters[0] == 'z';
  if (letters[0] != 0 && (!cie->augmented || !augmentation_read(&bytes, section, letters + 1, cie)))
    return false;
  cie->program = bytes;
  return !bytes.bad;
}

bool prof_frame_record_next(const struct prof_frame_section *section, size_t *offset, bool *is_record,
                            struct prof_frame_record *out) {
  size_t begin = *offset;
  struct prof_bytes bytes = record_bytes(section, begin);
  *is_record = false;
  if (bytes.bad)
    return false;
  *offset = (size_t)(bytes.end - section->bytes);
  uint32_t cie = prof_bytes_u32(&bytes);
  if (cie == (section->is_debug ? UINT32_MAX : 0) || (!section->is_debug && cie > begin + 4))
    return true;
  size_t cie_offset = section->is_debug ? cie : begin + 4 - cie;
  if ((out->cie.program.at == NULL || out->cie.offset != cie_offset) && !cie_read(section, cie_offset, &out->cie)) {
    out->cie.program.at = NULL;
    return true;
  }
  out->low = prof_frame_pointer(&bytes, section, out->cie.encoding);
  uint64_t length = prof_frame_pointer(&bytes, section, out->cie.encoding & 0x0f);
  out->high = out->low + length;
  if (out->cie.augmented)
    prof_bytes_skip(&bytes, prof_bytes_uleb(&bytes));
  out->program = bytes;
  *is_record = !bytes.bad && out->high > out->low;
  return true;
}

enum action {
  UNKNOWN,
  NOTHING,
  LOCATE,
  ADVANCE,
  SET,
  RESTORE,
  SAVE,
  RECALL,
  CFA,
  CFA_REGISTER,
  CFA_OFFSET,
  CFA_EXPRESSION
};

/*
 * Operands: R register, Q a second one, U unsigned, S signed, B block, A address, 1 2 4 bytes.  Lower case: the number
 * counts in units of the CIE's data alignment.
 */
static const struct instruction {
  const char *operands;
  uint8_t action, kind;
} instructions[0x40] = {
    [0x00] = {"", NOTHING, 0},
    [0x01] = {"A", LOCATE, 0},
    [0x02] = {"1", ADVANCE, 0},
    [0x03] = {"2", ADVANCE, 0},
    [0x04] = {"4", ADVANCE, 0},
    [0x05] = {"Ru", SET, PROF_RULE_AT_CFA},
    [0x06] = {"R", RESTORE, 0},
    [0x07] = {"R", SET, PROF_RULE_UNDEFINED},
    [0x08] = {"R", SET, PROF_RULE_SAME},
    [0x09] = {"RQ", SET, PROF_RULE_REGISTER},
    [0x0a] = {"", SAVE, 0},
    [0x0b] = {"", RECALL, 0},
    [0x0c] = {"RU", CFA, 0},
    [0x0d] = {"R", CFA_REGISTER, 0},
    [0x0e] = {"U", CFA_OFFSET, 0},
    [0x0f] = {"B", CFA_EXPRESSION, 0},
    [0x10] = {"RB", SET, PROF_RULE_AT_EXPRESSION},
    [0x11] = {"Rs", SET, PROF_RULE_AT_CFA},
    [0x12] = {"Rs", CFA, 0},
    [0x13] = {"s", CFA_OFFSET, 0},
    [0x14] = {"Ru", SET, PROF_RULE_IS_CFA},
    [0x15] = {"Rs", SET, PROF_RULE_IS_CFA},
    [0x16] = {"RB", SET, PROF_RULE_IS_EXPRESSION},
    [0x2e] = {"U", NOTHING, 0}, /* GNU: bytes of arguments pushed, which the CFA includes */
};

/* The three whose operand lies in the first byte. */
static const struct instruction short_instructions[4] = {
    [1] = {"", ADVANCE, 0}, [2] = {"u", SET, PROF_RULE_AT_CFA}, [3] = {"", RESTORE, 0}};

struct operands {
  uint64_t reg, base, number;
};

struct machine {
  const struct prof_frame_section *section;
  const struct prof_frame_cie *cie;
  struct prof_frame_rules now, first, saved[SAVED_MAX];
  unsigned depth;
  bool over; /* the address lies before the next location */
};

static struct operands operands_read(const struct machine *machine, struct prof_bytes *bytes, const char *letters) {
  struct operands out = {0};
  for (; *letters != 0; letters++) {
    switch (*letters) {
    case 'R':
      out.reg = prof_bytes_uleb(bytes);
      break;
    case 'Q':
      out.base = prof_bytes_uleb(bytes);
      break;
    case 'U':
    case 'u':
      out.number = prof_bytes_uleb(bytes);
      break;
    case 'S':
    case 's':
      out.number = (uint64_t)prof_bytes_sleb(bytes);
      break;
    case 'A':
      out.number = prof_frame_pointer(bytes, machine->section, machine->cie->encoding);
      break;
    case 'B':
      out.number = (uint64_t)(bytes->at - machine->section->bytes);
      prof_bytes_skip(bytes, prof_bytes_uleb(bytes));
      break;
    default:
      out.number = prof_bytes_number(bytes, (unsigned)(*letters - '0'));
    }
    if (*letters == 'u' || *letters == 's')
      out.number *= (uint64_t)machine->cie->data_align;
  }
  return out;
}

static void locate(struct machine *machine, uint64_t location, uint64_t address) {
  machine->over = location > address;
  *(machine->over ? &machine->now.high : &machine->now.low) = location;
}

/* What an instruction does once its operands are read; false: it can't. */
static bool act(struct machine *machine, const struct instruction *instruction, const struct operands *operands,
                uint64_t address) {
  struct prof_frame_rules *now = &machine->now;
  uint64_t low = now->low;
  const struct prof_frame_rule rule = {(uint8_t)operands->reg, instruction->kind, (uint8_t)operands->base,
                                       (int32_t)operands->number};
  switch (instruction->action) {
  case NOTHING:
    return true;
  case LOCATE:
    locate(machine, operands->number, address);
    return true;
  case ADVANCE:
    locate(machine, low + operands->number * machine->cie->code_align, address);
    return true;
  case SET: /* vector registers have numbers too */
    if (operands->reg < PROF_FRAME_REGISTERS)
      now->registers[operands->reg] = rule;
    return operands->base < PROF_FRAME_REGISTERS;
  case RESTORE:
    if (operands->reg < PROF_FRAME_REGISTERS)
      now->registers[operands->reg] = machine->first.registers[operands->reg];
    return true;
  case SAVE:
    if (machine->depth == SAVED_MAX)
      return false;
    machine->saved[machine->depth++] = *now;
    return true;
  case RECALL:
    if (machine->depth == 0)
      return false;
    *now = machine->saved[--machine->depth];
    now->low = low;
    return true;
  case CFA:
    now->cfa = (struct prof_frame_rule){0, PROF_RULE_REGISTER, rule.reg, rule.offset};
    return operands->reg < PROF_FRAME_REGISTERS;
  case CFA_REGISTER:
    now->cfa.base = rule.reg;
    return operands->reg < PROF_FRAME_REGISTERS && now->cfa.kind == PROF_RULE_REGISTER;
  case CFA_OFFSET:
    now->cfa.offset = rule.offset;
    return now->cfa.kind == PROF_RULE_REGISTER;
  case CFA_EXPRESSION:
    now->cfa = (struct prof_frame_rule){0, PROF_RULE_IS_EXPRESSION, 0, rule.offset};
    return true;
  default:
    return false;
  }
}

static bool run(struct machine *machine, struct prof_bytes program, uint64_t address) {
  if (prof_bytes_left(&program) > PROGRAM_BYTES_MAX)
    return false;
  while (program.at < program.end && !machine->over) {
    uint8_t code = prof_bytes_u8(&program);
    const struct instruction *instruction = code < 0x40 ? &instructions[code] : &short_instructions[code >> 6];
    if (instruction->operands == NULL)
      return false;
    struct operands operands = operands_read(machine, &program, instruction->operands);
    if (code >> 6 == 1)
      operands.number = code & 0x3f;
    else if (code >> 6 != 0)
      operands.reg = code & 0x3f;
    bool moves = instruction->action == ADVANCE || instruction->action == LOCATE;
    if (!moves && (int64_t)operands.number != (int32_t)operands.number)
      return false;
    if (program.bad || !act(machine, instruction, &operands, address))
      return false;
  }
  return true;
}

bool prof_frame_rules_at(const struct prof_frame_section *section, const struct prof_frame_record *record,
                         uint64_t address, struct prof_frame_rules *out) {
  if (address < record->low || address >= record->high)
    return false;
  struct machine machine = {.section = section, .cie = &record->cie};
  machine.now.low = record->low;
  machine.now.high = record->high;
  if (!run(&machine, record->cie.program, address) || machine.over)
    return false;
  machine.now.low = record->low;
  machine.first = machine.now;
  if (!run(&machine, record->program, address) || machine.now.cfa.kind == PROF_RULE_SAME)
    return false;
  *out = machine.now;
  return out->low <= address && address < out->high;
}
