/*
 * tools/source/dwarf/dwarf_line.c - see dwarf_line.h.
 *
 * Source: DWARF 4 and 5, sections 6.2.2 (the state machine's registers) and 6.2.5 (its opcodes).
 */
#include "source/dwarf/dwarf_line.h"
#include "base/order.h"

#include <stdlib.h>

struct machine {
  const struct prof_dwarf_line_header *header;
  struct prof_bytes bytes;
  struct prof_dwarf_row row; /* the registers */
  uint64_t operation;        /* of an instruction word with several */
};

struct sequence {
  uint64_t low, high;
  size_t first, count; /* rows, the end's included */
};

struct reader {
  struct prof_dwarf_lines *lines;
  const struct prof_intervals *code;
  PROF_VEC(struct prof_dwarf_row) rows; /* in the order of the program */
  PROF_VEC(struct sequence) sequences;
  size_t first; /* row of the open sequence */
  bool no_memory;
};

static void reset(struct machine *machine) {
  machine->row = (struct prof_dwarf_row){.file = 1, .line = 1, .statement = machine->header->statement};
  machine->operation = 0;
}

static void advance(struct machine *machine, uint64_t operations) {
  const struct prof_dwarf_line_header *header = machine->header;
  uint64_t sum = machine->operation + operations;
  machine->row.address += header->instruction_bytes * (sum / header->operations);
  machine->operation = sum % header->operations;
}

/* Ends the open sequence, whose last row is the first address behind it. */
static void close_sequence(struct reader *reader) {
  size_t count = reader->rows.count - reader->first;
  const struct prof_dwarf_row *rows = reader->rows.items + reader->first;
  struct sequence sequence = {rows[0].address, rows[count - 1].address, reader->first, count};
  uint64_t high = sequence.high;
  if (sequence.low >= sequence.high || !prof_intervals_clip(reader->code, sequence.low, &high))
    reader->rows.count = reader->first; /* empty, or thrown away by the linker */
  else
    reader->no_memory |= !prof_vec_push(&reader->sequences, sequence);
  reader->first = reader->rows.count;
}

static void add_row(struct reader *reader, const struct prof_dwarf_row *row) {
  if (reader->rows.count > reader->first) {
    struct prof_dwarf_row *last = &reader->rows.items[reader->rows.count - 1];
    if (row->address < last->address) { /* damaged: the sequence ends at its last row */
      last->end = true;
      close_sequence(reader);
    }
  }
  reader->no_memory |= !prof_vec_push(&reader->rows, *row);
  if (row->end && !reader->no_memory)
    close_sequence(reader);
}

static bool extended(struct machine *machine, struct reader *reader) {
  uint64_t length = prof_bytes_uleb(&machine->bytes);
  if (machine->bytes.bad || length == 0 || length > prof_bytes_left(&machine->bytes))
    return false;
  struct prof_bytes body = {machine->bytes.at, machine->bytes.at + length, false};
  machine->bytes.at = body.end;
  switch (prof_bytes_u8(&body)) {
  case PROF_LNE_END_SEQUENCE:
    machine->row.end = true;
    add_row(reader, &machine->row);
    reset(machine);
    break;
  case PROF_LNE_SET_ADDRESS:
    machine->row.address = prof_bytes_number(&body, (unsigned)(length - 1 <= 8 ? length - 1 : 9));
    machine->operation = 0;
    break;
  case PROF_LNE_DEFINE_FILE: {
    struct prof_dwarf_source file = {prof_bytes_text(&body), prof_bytes_uleb(&body)};
    reader->no_memory |= !body.bad && !prof_vec_push(&reader->lines->files, file);
    break;
  }
  default:
    break;
  }
  return !body.bad;
}

static void standard(struct machine *machine, struct reader *reader, unsigned opcode) {
  struct prof_bytes *bytes = &machine->bytes;
  uint64_t number;
  switch (opcode) {
  case PROF_LNS_COPY:
    add_row(reader, &machine->row);
    break;
  case PROF_LNS_ADVANCE_PC:
    advance(machine, prof_bytes_uleb(bytes));
    break;
  case PROF_LNS_ADVANCE_LINE:
    machine->row.line += (uint32_t)prof_bytes_sleb(bytes);
    break;
  case PROF_LNS_SET_FILE:
    number = prof_bytes_uleb(bytes);
    machine->row.file = number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    break;
  case PROF_LNS_SET_COLUMN:
    number = prof_bytes_uleb(bytes);
    machine->row.column = number <= UINT16_MAX ? (uint16_t)number : 0;
    break;
  case PROF_LNS_NEGATE_STATEMENT:
    machine->row.statement = !machine->row.statement;
    break;
  case PROF_LNS_CONST_ADD_PC:
    advance(machine, (255u - machine->header->opcode_base) / machine->header->line_range);
    break;
  case PROF_LNS_FIXED_ADVANCE_PC:
    machine->row.address += prof_bytes_u16(bytes);
    machine->operation = 0;
    break;
  default: /* marks without use here, or of a later version: the header has their number of operands */
    for (unsigned i = machine->header->lengths[opcode]; i > 0; i--)
      prof_bytes_leb_skip(bytes);
  }
}

static bool run(struct machine *machine, struct reader *reader) {
  const struct prof_dwarf_line_header *header = machine->header;
  reset(machine);
  while (prof_bytes_left(&machine->bytes) > 0 && !reader->no_memory) {
    unsigned opcode = prof_bytes_u8(&machine->bytes);
    if (opcode >= header->opcode_base) {
      unsigned adjusted = opcode - header->opcode_base;
      advance(machine, adjusted / header->line_range);
      machine->row.line += (uint32_t)(header->line_base + (int)(adjusted % header->line_range));
      add_row(reader, &machine->row);
    } else if (opcode == PROF_LNS_EXTENDED) {
      if (!extended(machine, reader))
        return false;
    } else {
      standard(machine, reader, opcode);
    }
  }
  return !machine->bytes.bad;
}

static int compare_sequence(const void *left, const void *right) {
  const struct sequence *a = left, *b = right;
  return prof_order(a->low, b->low) ?: prof_order(a->first, b->first);
}

/* Moves the rows of the sequences in order of address. */
static bool arrange(struct reader *reader) {
  if (reader->sequences.count > 1)
    qsort(reader->sequences.items, reader->sequences.count, sizeof *reader->sequences.items, compare_sequence);
  if (reader->sequences.count == 0)
    return true;
  if (!prof_vec_reserve(&reader->lines->rows, reader->rows.count))
    return false;
  uint64_t done = 0;
  for (size_t i = 0; i < reader->sequences.count; i++) {
    const struct sequence *sequence = &reader->sequences.items[i];
    if (sequence->low < done)
      continue;
    memcpy(reader->lines->rows.items + reader->lines->rows.count, reader->rows.items + sequence->first,
           sequence->count * sizeof *reader->rows.items);
    reader->lines->rows.count += sequence->count;
    done = sequence->high;
  }
  return prof_jumps_make(&reader->lines->jumps, reader->lines->rows.items, reader->lines->rows.count,
                         sizeof *reader->lines->rows.items);
}

bool prof_dwarf_lines_read(const struct prof_dwarf_unit *unit, const struct prof_intervals *code,
                           struct prof_dwarf_lines *lines) {
  if (unit->skeleton != NULL)
    unit = unit->skeleton;
  const struct prof_elf_section *section = prof_dwarf_section(unit->file, PROF_DWARF_LINE);
  struct prof_dwarf_line_header header = {0};
  struct reader reader = {.lines = lines, .code = code};
  lines->offset = unit->lines;
  if (unit->lines == PROF_DWARF_NOWHERE)
    return true;
  struct prof_bytes bytes = prof_bytes_from(section->bytes, section->size, unit->lines);
  bool good = prof_dwarf_line_header_read(unit, &bytes, lines, &header, &reader.no_memory) &&
              prof_dwarf_spend(unit->file, prof_bytes_left(&bytes));
  if (good) {
    struct machine machine = {.header = &header, .bytes = bytes};
    good = run(&machine, &reader);
  }
  unit->file->damaged |= !good;
  bool done = !reader.no_memory && arrange(&reader);
  prof_vec_fini(&reader.rows);
  prof_vec_fini(&reader.sequences);
  return done;
}

void prof_dwarf_lines_fini(struct prof_dwarf_lines *lines) {
  prof_vec_fini(&lines->rows);
  prof_jumps_fini(&lines->jumps);
  prof_vec_fini(&lines->directories);
  prof_vec_fini(&lines->files);
}

size_t prof_dwarf_lines_upto(const struct prof_dwarf_lines *lines, uint64_t address) {
  return prof_jumps_upto(&lines->jumps, lines->rows.items, lines->rows.count, sizeof *lines->rows.items, address);
}

/* Of rows with one address the last holds. */
const struct prof_dwarf_row *prof_dwarf_lines_find(const struct prof_dwarf_lines *lines, uint64_t address) {
  size_t upto = prof_dwarf_lines_upto(lines, address);
  return upto == 0 || lines->rows.items[upto - 1].end ? NULL : &lines->rows.items[upto - 1];
}
