/*
 * cfa.c - reads from .eh_frame, when recording starts, how to compute the canonical frame address at a sled.
 *
 * So the caller's address costs nothing while recording is off, and the code needs no operand.  In: .eh_frame_hdr of a
 * loaded module and a pc.  Out: register and offset, or "unknown" for an unusual rule; never a wrong rule. Sources: LSB
 * Core 5.0, 10.6 (the tables); DWARF 5, 6.4 (the instructions).
 */
#include <string.h>

#include "cfa.h"

enum {
  PE_ABSPTR = 0x00,
  PE_ULEB = 0x01,
  PE_UDATA2 = 0x02,
  PE_UDATA4 = 0x03,
  PE_UDATA8 = 0x04,
  PE_SLEB = 0x09,
  PE_SDATA2 = 0x0a,
  PE_SDATA4 = 0x0b,
  PE_SDATA8 = 0x0c,
  PE_PCREL = 0x10,
  PE_DATAREL = 0x30,
  PE_OMIT = 0xff,
};

#define TABLE_HEAD_BYTES 8 /* of a table that we make: encodings, then the count */

struct reader {
  const uint8_t *at, *end;
  bool bad;
};

static uint64_t read_fixed(struct reader *r, size_t bytes) {
  uint64_t value = 0;
  if ((size_t)(r->end - r->at) < bytes) {
    r->bad = true;
    return 0;
  }
  memcpy(&value, r->at, bytes);
  r->at += bytes;
  return value;
}

static uint64_t read_leb(struct reader *r, bool is_signed) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !r->bad; shift += 7) {
    uint64_t byte = read_fixed(r, 1);
    value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      if (is_signed && (byte & 0x40) && shift + 7 < 64)
        value |= ~0ull << (shift + 7);
      return value;
    }
  }
  r->bad = true;
  return 0;
}

/* Reads a pointer of the exception tables; `data`: the base of "datarel". */
static uint64_t read_encoded(struct reader *r, uint8_t encoding, const uint8_t *data) {
  const uint8_t *here = r->at;
  uint64_t value = 0;
  switch (encoding & 0x0f) {
  case PE_ABSPTR:
  case PE_UDATA8:
  case PE_SDATA8:
    value = read_fixed(r, 8);
    break;
  case PE_UDATA4:
    value = read_fixed(r, 4);
    break;
  case PE_SDATA4:
    value = (uint64_t)(int64_t)(int32_t)read_fixed(r, 4);
    break;
  case PE_UDATA2:
    value = read_fixed(r, 2);
    break;
  case PE_SDATA2:
    value = (uint64_t)(int64_t)(int16_t)read_fixed(r, 2);
    break;
  case PE_ULEB:
  case PE_SLEB:
    value = read_leb(r, (encoding & 0x0f) == PE_SLEB);
    break;
  default:
    r->bad = true;
  }
  if ((encoding & 0x70) == PE_PCREL)
    value += (uintptr_t)here;
  else if ((encoding & 0x70) == PE_DATAREL)
    value += (uintptr_t)data;
  else if (encoding & 0x70)
    r->bad = true;
  return value; /* callers only skip indirect ones (0x80) */
}

/* The FDE that covers pc, by the binary search table (pairs of 32-bit offsets from the header); NULL: none. */
static const uint8_t *fde_find(const uint8_t *header, const uint8_t *pc) {
  struct reader r = {header + 4, header + 64, false};
  if (header[0] != 1 || header[3] != (PE_DATAREL | PE_SDATA4) || header[2] == PE_OMIT)
    return NULL;
  if (header[1] != PE_OMIT)
    read_encoded(&r, header[1], header);
  uint64_t count = read_encoded(&r, header[2], header);
  if (r.bad || !count)
    return NULL;
  const int32_t(*table)[2] = (const int32_t(*)[2])(const void *)r.at;
  intptr_t key = pc - header;
  size_t low = 0, high = count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (table[middle][0] <= key)
      low = middle;
    else
      high = middle;
  }
  return table[low][0] <= key ? header + table[low][1] : NULL;
}

struct cie {
  uint64_t code_align;
  int64_t data_align;
  uint8_t pointer_encoding;
  bool augmented;
  struct reader program;
};

static bool cie_read(const uint8_t *at, struct cie *cie) {
  uint32_t length;
  memcpy(&length, at, 4);
  if (length == 0 || length == UINT32_MAX)
    return false;
  struct reader r = {at + 8, at + 4 + length, false};
  uint8_t version = (uint8_t)read_fixed(&r, 1);
  const char *augmentation = (const char *)r.at;
  while (read_fixed(&r, 1) && !r.bad)
    ;
  if (r.bad || (version != 1 && version != 3))
    return false;
  cie->code_align = read_leb(&r, false);
  cie->data_align = (int64_t)read_leb(&r, true);
  version == 1 ? read_fixed(&r, 1) : read_leb(&r, false); /* return address column */
  cie->pointer_encoding = PE_ABSPTR;
  cie->augmented = augmentation[0] == 'z';
  if (cie->augmented) {
    uint64_t bytes = read_leb(&r, false);
    const uint8_t *behind = r.at + bytes;
    for (const char *letter = augmentation + 1; *letter && !r.bad; letter++)
      if (*letter == 'R')
        cie->pointer_encoding = (uint8_t)read_fixed(&r, 1);
      else if (*letter == 'L')
        read_fixed(&r, 1);
      else if (*letter == 'P') {
        uint8_t encoding = (uint8_t)read_fixed(&r, 1);
        read_encoded(&r, encoding & 0x7f, NULL);
      } else if (*letter != 'S' && *letter != 'B')
        return false;
    r.at = behind;
  } else if (augmentation[0]) {
    return false;
  }
  cie->program = r;
  return !r.bad && r.at <= r.end;
}

/* DW_CFA_def_cfa_expression: breg N, deref (a realigned stack), or breg N alone. */
static struct prof_cfa expression_read(struct reader *r) {
  struct prof_cfa cfa = {.known = false};
  uint64_t bytes = read_leb(r, false);
  if (r->bad || bytes > (uint64_t)(r->end - r->at)) {
    r->bad = true;
    return cfa;
  }
  struct reader e = {r->at, r->at + bytes, false};
  r->at += bytes;
  uint8_t op = (uint8_t)read_fixed(&e, 1);
  if (op < 0x70 || op >= 0x70 + PROF_DWARF_REGISTERS) /* DW_OP_breg0 and more */
    return cfa;
  cfa.reg = op - 0x70;
  cfa.offset = (int32_t)read_leb(&e, true);
  if (e.at < e.end)
    cfa.deref = read_fixed(&e, 1) == 0x06; /* DW_OP_deref */
  cfa.known = !e.bad && e.at == e.end;
  return cfa;
}

enum { CFA_STACK = 8 };

struct machine {
  struct prof_cfa now, saved[CFA_STACK];
  unsigned depth;
  uint64_t location;
};

/* Instructions for saved registers: only their operands are skipped.  U: unsigned LEB, S: signed, B: block. */
static const char *const skipped_operands[0x40] = {
    [0x05] = "UU", [0x06] = "U",  [0x07] = "U",  [0x08] = "U",  [0x09] = "UU", [0x10] = "UB",
    [0x11] = "US", [0x14] = "UU", [0x15] = "US", [0x16] = "UB", [0x2e] = "U",  [0x2f] = "UU",
};

static void operands_skip(struct reader *r, uint8_t op) {
  const char *operands = op < 0x40 ? skipped_operands[op] : NULL;
  if (!operands) {
    r->bad = true;
    return;
  }
  for (; *operands; operands++) {
    uint64_t value = read_leb(r, *operands == 'S');
    if (*operands == 'B')
      r->at = value <= (uint64_t)(r->end - r->at) ? r->at + value : r->end;
  }
}

/* Runs until the location passes pc.  Long: one case per instruction that changes the CFA or the location. */
static void machine_run(struct machine *m, struct reader r, const struct cie *cie, uint64_t pc) {
  while (r.at < r.end && !r.bad && m->location <= pc) {
    uint8_t op = (uint8_t)read_fixed(&r, 1);
    uint64_t step = 0;
    switch (op >> 6) {
    case 1: /* advance_loc */
      step = op & 0x3f;
      break;
    case 2: /* offset */
      read_leb(&r, false);
      continue;
    case 3: /* restore */
      continue;
    default:
      switch (op) {
      case 0x00: /* nop */
        continue;
      case 0x01: /* set_loc */
        m->location = read_encoded(&r, cie->pointer_encoding, NULL);
        continue;
      case 0x02: /* advance_loc1, 2, 4 */
      case 0x03:
      case 0x04:
        step = read_fixed(&r, (size_t)1 << (op - 2));
        break;
      case 0x0a: /* remember_state */
        if (m->depth == CFA_STACK)
          r.bad = true;
        else
          m->saved[m->depth++] = m->now;
        continue;
      case 0x0b: /* restore_state */
        if (m->depth == 0)
          r.bad = true;
        else
          m->now = m->saved[--m->depth];
        continue;
      case 0x0c: /* def_cfa */
        m->now = (struct prof_cfa){.known = true, .reg = (uint8_t)read_leb(&r, false)};
        m->now.offset = (int32_t)read_leb(&r, false);
        continue;
      case 0x0d: /* def_cfa_register */
        m->now.reg = (uint8_t)read_leb(&r, false);
        continue;
      case 0x0e: /* def_cfa_offset */
        m->now.offset = (int32_t)read_leb(&r, false);
        continue;
      case 0x0f: /* def_cfa_expression */
        m->now = expression_read(&r);
        continue;
      case 0x12: /* def_cfa_sf, def_cfa_offset_sf */
      case 0x13:
        if (op == 0x12)
          m->now = (struct prof_cfa){.known = true, .reg = (uint8_t)read_leb(&r, false)};
        m->now.offset = (int32_t)((int64_t)read_leb(&r, true) * cie->data_align);
        continue;
      default:
        operands_skip(&r, op);
        continue;
      }
    }
    m->location += step * cie->code_align;
  }
  if (r.bad)
    m->now.known = false;
}

struct table_row { /* of an .eh_frame_hdr */
  int32_t code, record;
};

/* Sorts by code.  Heap sort, as libc's qsort may allocate. */
static void table_sort(struct table_row *rows, size_t count) {
  for (size_t end = count, top = count / 2; end > 1;) {
    struct table_row row;
    if (top > 0) {
      row = rows[--top];
    } else {
      row = rows[--end];
      rows[end] = rows[0];
    }
    size_t at = top;
    for (size_t child; (child = 2 * at + 1) < end; at = child) {
      child += child + 1 < end && rows[child + 1].code > rows[child].code;
      if (rows[child].code <= row.code)
        break;
      rows[at] = rows[child];
    }
    rows[at] = row;
  }
}

size_t prof_cfa_table_write(const uint8_t *eh_frame, size_t bytes, uint8_t *header) {
  const uint8_t *at = eh_frame, *end = eh_frame + bytes;
  struct table_row *rows = (struct table_row *)(void *)(header ? header + TABLE_HEAD_BYTES : NULL);
  uint32_t count = 0, length, back;
  for (; end - at >= 8; at += 4 + length) {
    memcpy(&length, at, 4);
    memcpy(&back, at + 4, 4);
    if (length == 0) /* a terminator, maybe of one input file only; crtend's is the last */
      break;
    if (length > (size_t)(end - at) - 4 || length < 4)
      return 0;
    struct cie cie;
    if (back == 0 || back > (size_t)(at + 4 - eh_frame) || !cie_read(at + 4 - back, &cie))
      continue;
    struct reader r = {at + 8, at + 4 + length, false};
    uint64_t begin = read_encoded(&r, cie.pointer_encoding, NULL);
    if (r.bad)
      continue;
    if (rows)
      rows[count] =
          (struct table_row){(int32_t)(begin - (uintptr_t)header), (int32_t)((uintptr_t)at - (uintptr_t)header)};
    count++;
  }
  if (header) {
    const uint8_t head[4] = {1, PE_OMIT, PE_UDATA4, PE_DATAREL | PE_SDATA4};
    memcpy(header, head, sizeof head);
    memcpy(header + sizeof head, &count, sizeof count);
    table_sort(rows, count);
  }
  return count ? TABLE_HEAD_BYTES + count * sizeof *rows : 0;
}

struct prof_cfa prof_cfa_read(const uint8_t *eh_frame_hdr, const uint8_t *pc) {
  const struct prof_cfa unknown = {.known = false};
  const uint8_t *fde = eh_frame_hdr ? fde_find(eh_frame_hdr, pc) : NULL;
  if (!fde)
    return unknown;
  uint32_t length, back;
  memcpy(&length, fde, 4);
  memcpy(&back, fde + 4, 4);
  struct cie cie;
  if (length == 0 || length == UINT32_MAX || back == 0 || !cie_read(fde + 4 - back, &cie))
    return unknown;
  struct reader r = {fde + 8, fde + 4 + length, false};
  uint64_t begin = read_encoded(&r, cie.pointer_encoding, NULL);
  uint64_t bytes = read_encoded(&r, cie.pointer_encoding & 0x0f, NULL);
  if (cie.augmented) {
    uint64_t augmentation = read_leb(&r, false);
    r.at += augmentation;
  }
  if (r.bad || r.at > r.end || (uintptr_t)pc - begin >= bytes)
    return unknown;
  struct machine m = {.location = begin};
  machine_run(&m, cie.program, &cie, (uintptr_t)pc);
  m.location = begin;
  machine_run(&m, r, &cie, (uintptr_t)pc);
  return m.now.reg < PROF_DWARF_REGISTERS ? m.now : unknown;
}
