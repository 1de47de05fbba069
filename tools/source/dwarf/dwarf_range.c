/*
 * tools/source/dwarf/dwarf_range.c - see dwarf_range.h.
 *
 * Source: DWARF 4, section 2.17.3; DWARF 5, sections 2.17.3 and 7.25.
 */
#include "source/dwarf/dwarf_range.h"

struct walk {
  const struct prof_dwarf_unit *unit;
  struct prof_bytes bytes;
  uint64_t base;
  prof_dwarf_range_visit *visit;
  void *context;
  bool stopped;
};

/* Where addresses and the older range lists of a split unit are. */
static const struct prof_dwarf_unit *main_unit(const struct prof_dwarf_unit *unit) {
  return unit->skeleton != NULL ? unit->skeleton : unit;
}

static bool put(struct walk *walk, uint64_t low, uint64_t high) {
  walk->stopped = !walk->visit(walk->context, low, high);
  return !walk->stopped;
}

/* Pairs of addresses; false: the end. */
static bool next_pair(struct walk *walk) {
  unsigned width = walk->unit->address_bytes;
  uint64_t low = prof_bytes_number(&walk->bytes, width), high = prof_bytes_number(&walk->bytes, width);
  if (walk->bytes.bad || (low == 0 && high == 0))
    return false;
  if (low == UINT64_MAX >> (64 - 8 * width)) {
    walk->base = high;
    return true;
  }
  return put(walk, walk->base + low, walk->base + high);
}

static uint64_t indexed(struct walk *walk) {
  uint64_t address = 0;
  if (!prof_dwarf_address(walk->unit, prof_bytes_uleb(&walk->bytes), &address))
    prof_bytes_fail(&walk->bytes);
  return address;
}

/* An entry of version 5; false: the end. */
static bool next_entry(struct walk *walk) {
  struct prof_bytes *bytes = &walk->bytes;
  unsigned width = walk->unit->address_bytes, kind = prof_bytes_u8(bytes);
  uint64_t low = 0, high = 0;
  switch (kind) {
  case PROF_RLE_BASE_ADDRESSX:
    walk->base = indexed(walk);
    return !bytes->bad;
  case PROF_RLE_BASE_ADDRESS:
    walk->base = prof_bytes_number(bytes, width);
    return !bytes->bad;
  case PROF_RLE_STARTX_ENDX:
    low = indexed(walk);
    high = indexed(walk);
    break;
  case PROF_RLE_STARTX_LENGTH:
    low = indexed(walk);
    high = low + prof_bytes_uleb(bytes);
    break;
  case PROF_RLE_OFFSET_PAIR:
    low = walk->base + prof_bytes_uleb(bytes);
    high = walk->base + prof_bytes_uleb(bytes);
    break;
  case PROF_RLE_START_END:
    low = prof_bytes_number(bytes, width);
    high = prof_bytes_number(bytes, width);
    break;
  case PROF_RLE_START_LENGTH:
    low = prof_bytes_number(bytes, width);
    high = low + prof_bytes_uleb(bytes);
    break;
  case PROF_RLE_END_OF_LIST:
    return false;
  default:
    prof_bytes_fail(bytes);
    return false;
  }
  return !bytes->bad && put(walk, low, high);
}

/* Where in .debug_rnglists the list begins. */
static uint64_t list_offset(const struct prof_dwarf_unit *unit, const struct prof_elf_section *lists,
                            const struct prof_dwarf_value *value) {
  if (value->kind != PROF_VALUE_INDEX)
    return value->number;
  uint64_t base = unit->lists_base, at;
  if (base == PROF_DWARF_NOWHERE)
    base = unit->offset_bytes == 8 ? 20 : 12; /* behind the header */
  if (__builtin_mul_overflow(value->number, unit->offset_bytes, &at) || __builtin_add_overflow(at, base, &at))
    return PROF_DWARF_NOWHERE;
  struct prof_bytes bytes = prof_bytes_from(lists->bytes, lists->size, at);
  uint64_t offset = prof_bytes_number(&bytes, unit->offset_bytes);
  return bytes.bad || __builtin_add_overflow(offset, base, &offset) ? PROF_DWARF_NOWHERE : offset;
}

bool prof_dwarf_ranges_walk(const struct prof_dwarf_unit *unit, const struct prof_dwarf_value *value,
                            prof_dwarf_range_visit *visit, void *context) {
  if (value->kind != PROF_VALUE_OFFSET && value->kind != PROF_VALUE_NUMBER && value->kind != PROF_VALUE_INDEX)
    return true;
  const struct prof_dwarf_unit *main = main_unit(unit);
  struct walk walk = {.unit = unit, .base = unit->has_low ? unit->low : main->low, .visit = visit, .context = context};
  const struct prof_elf_section *lists;
  const uint8_t *begin;
  if (unit->version >= 5) {
    lists = prof_dwarf_section(unit->file, PROF_DWARF_RNGLISTS);
    walk.bytes = prof_bytes_from(lists->bytes, lists->size, list_offset(unit, lists, value));
    begin = walk.bytes.at;
    while (prof_dwarf_spend(unit->file, 1) && next_entry(&walk))
      ;
  } else {
    lists = prof_dwarf_section(main->file, PROF_DWARF_RANGES);
    uint64_t at = value->number;
    if (unit != main && __builtin_add_overflow(at, main->old_ranges_base, &at))
      at = PROF_DWARF_NOWHERE;
    walk.bytes = prof_bytes_from(lists->bytes, lists->size, at);
    begin = walk.bytes.at;
    while (prof_dwarf_spend(unit->file, 1) && next_pair(&walk))
      ;
  }
  unit->file->damaged |= walk.bytes.bad;
  if (!walk.bytes.bad && begin != NULL)
    prof_dwarf_spend(unit->file, (uint64_t)(walk.bytes.at - begin));
  return !walk.stopped;
}
