/*
 * tools/source/dwarf/dwarf_unit.c - see dwarf_unit.h.
 *
 * Source: DWARF 5, sections 7.4 and 7.5.1; for split units before version 5, the GNU extensions as GCC and Clang write
 * them.
 */
#include "source/dwarf/dwarf_unit.h"
#include "base/order.h"

enum { FIRST_VERSION = 2, LAST_VERSION = 5, LONG_FORMAT = -1 };

/* False: not of a kind that is read; the unit's end is known all the same. */
static bool read_header(struct prof_bytes *bytes, uint64_t at, struct prof_dwarf_unit *unit) {
  uint64_t length = prof_bytes_u32(bytes);
  unit->offset = at;
  unit->offset_bytes = 4;
  if (length == (uint32_t)LONG_FORMAT) {
    length = prof_bytes_u64(bytes);
    unit->offset_bytes = 8;
  }
  uint64_t header = unit->offset_bytes == 8 ? 12 : 4;
  if (bytes->bad || length > prof_bytes_left(bytes)) {
    prof_bytes_fail(bytes);
    return false;
  }
  unit->end = at + header + length;
  struct prof_bytes body = {bytes->at, bytes->at + length, false};
  bytes->at = body.end;
  unit->version = prof_bytes_u16(&body);
  unit->type = PROF_UNIT_COMPILE;
  if (unit->version >= 5) {
    unit->type = prof_bytes_u8(&body);
    unit->address_bytes = prof_bytes_u8(&body);
  }
  unit->abbrev_offset = prof_bytes_number(&body, unit->offset_bytes);
  if (unit->version < 5)
    unit->address_bytes = prof_bytes_u8(&body);
  if (unit->type == PROF_UNIT_SKELETON || unit->type == PROF_UNIT_SPLIT_COMPILE)
    unit->id = prof_bytes_u64(&body);
  unit->first = unit->end - prof_bytes_left(&body);
  return !body.bad && unit->version >= FIRST_VERSION && unit->version <= LAST_VERSION && unit->address_bytes > 0 &&
         unit->address_bytes <= 8 && unit->type != PROF_UNIT_TYPE && unit->type != PROF_UNIT_SPLIT_TYPE;
}

/* The next unit that is read; false: the end. */
static bool next_unit(struct prof_dwarf_file *file, struct prof_bytes *bytes, struct prof_dwarf_unit *unit) {
  const uint8_t *begin = file->sections[PROF_DWARF_INFO].bytes;
  while (prof_bytes_left(bytes) > 0) {
    *unit = (struct prof_dwarf_unit){.file = file,
                                     .lines = PROF_DWARF_NOWHERE,
                                     .addresses_base = PROF_DWARF_NOWHERE,
                                     .lists_base = PROF_DWARF_NOWHERE,
                                     .texts_base = PROF_DWARF_NOWHERE};
    if (read_header(bytes, (uint64_t)(bytes->at - begin), unit))
      return true;
  }
  file->damaged |= bytes->bad;
  return false;
}

bool prof_dwarf_units_read(struct prof_dwarf_file *file) {
  const struct prof_elf_section *info = prof_dwarf_section(file, PROF_DWARF_INFO);
  struct prof_bytes bytes = prof_bytes_from(info->bytes, info->size, 0), again = bytes;
  struct prof_dwarf_unit unit;
  size_t count = 0;
  while (next_unit(file, &bytes, &unit))
    count++;
  file->units = prof_arena_array(&file->arena, count, sizeof *file->units);
  if (file->units == NULL)
    return false;
  while (file->unit_count < count && next_unit(file, &again, &file->units[file->unit_count]))
    file->unit_count++;
  return true;
}

/* The last unit that begins at or before `offset`; NULL: none. */
static struct prof_dwarf_unit *last_before(const struct prof_dwarf_file *file, uint64_t offset) {
  /* the first beyond `offset` */
  size_t low = prof_search(0, file->unit_count, middle, file->units[middle].offset <= offset);
  return low == 0 ? NULL : &file->units[low - 1];
}

struct prof_dwarf_unit *prof_dwarf_units_find(const struct prof_dwarf_file *file, uint64_t offset) {
  struct prof_dwarf_unit *unit = last_before(file, offset);
  return unit != NULL && offset >= unit->first && offset < unit->end ? unit : NULL;
}

struct prof_dwarf_unit *prof_dwarf_units_at(const struct prof_dwarf_file *file, uint64_t offset) {
  struct prof_dwarf_unit *unit = last_before(file, offset);
  return unit != NULL && unit->offset == offset ? unit : NULL;
}

static void take_base(struct prof_dwarf_unit *unit, unsigned attribute, const struct prof_dwarf_value *value) {
  bool offset = value->kind == PROF_VALUE_OFFSET || value->kind == PROF_VALUE_NUMBER;
  if (!offset)
    return;
  switch (attribute) {
  case PROF_AT_STMT_LIST:
    unit->lines = value->number;
    break;
  case PROF_AT_STR_OFFSETS_BASE:
    unit->texts_base = value->number;
    break;
  case PROF_AT_ADDR_BASE:
  case PROF_AT_GNU_ADDR_BASE:
    unit->addresses_base = value->number;
    break;
  case PROF_AT_RNGLISTS_BASE:
    unit->lists_base = value->number;
    break;
  case PROF_AT_GNU_RANGES_BASE:
    unit->old_ranges_base = value->number;
    break;
  case PROF_AT_GNU_DWO_ID:
    unit->id = value->number;
    break;
  default:
    break;
  }
}

static void take_text(struct prof_dwarf_unit *unit, unsigned attribute, const struct prof_dwarf_value *value) {
  if (value->kind != PROF_VALUE_TEXT)
    return;
  if (attribute == PROF_AT_NAME)
    unit->name = value->text;
  else if (attribute == PROF_AT_COMP_DIR)
    unit->folder = value->text;
  else if (attribute == PROF_AT_DWO_NAME || attribute == PROF_AT_GNU_DWO_NAME)
    unit->split_name = value->text;
}

static bool is_base(unsigned attribute) {
  return attribute == PROF_AT_STMT_LIST || attribute == PROF_AT_STR_OFFSETS_BASE || attribute == PROF_AT_ADDR_BASE ||
         attribute == PROF_AT_GNU_ADDR_BASE || attribute == PROF_AT_RNGLISTS_BASE ||
         attribute == PROF_AT_GNU_RANGES_BASE || attribute == PROF_AT_GNU_DWO_ID;
}

/* Bases first, then the values that need them: their order in the entry is the compiler's choice. */
static void read_root(struct prof_dwarf_unit *unit, struct prof_bytes bytes, const struct prof_dwarf_abbrev *abbrev) {
  struct prof_bytes again = bytes;
  for (uint32_t i = 0; i < abbrev->spec_count; i++) {
    if (is_base(abbrev->specs[i].attribute)) {
      struct prof_dwarf_value value = prof_dwarf_value_read(unit, &bytes, &abbrev->specs[i]);
      take_base(unit, abbrev->specs[i].attribute, &value);
    } else {
      prof_dwarf_value_skip(unit, &bytes, abbrev->specs[i].form);
    }
  }
  for (uint32_t i = 0; i < abbrev->spec_count; i++) {
    unsigned attribute = abbrev->specs[i].attribute;
    struct prof_dwarf_value value = prof_dwarf_value_read(unit, &again, &abbrev->specs[i]);
    if (attribute == PROF_AT_LOW_PC && value.kind == PROF_VALUE_ADDRESS) {
      unit->low = value.number;
      unit->has_low = true;
    } else if (attribute == PROF_AT_HIGH_PC && value.kind == PROF_VALUE_ADDRESS)
      unit->high = value.number;
    else if (attribute == PROF_AT_HIGH_PC && value.kind == PROF_VALUE_NUMBER)
      unit->high = unit->low + value.number;
    else if (attribute == PROF_AT_RANGES)
      unit->ranges = value;
    else
      take_text(unit, attribute, &value);
  }
}

bool prof_dwarf_unit_root(struct prof_dwarf_unit *unit) {
  if (unit->root_read)
    return unit->abbrevs != NULL;
  unit->root_read = true;
  const struct prof_elf_section *info = prof_dwarf_section(unit->file, PROF_DWARF_INFO);
  struct prof_bytes bytes = prof_bytes_from(info->bytes, unit->end, unit->first);
  unit->abbrevs = prof_dwarf_file_abbrevs(unit->file, unit->abbrev_offset);
  if (unit->abbrevs == NULL)
    return false;
  const struct prof_dwarf_abbrev *abbrev = prof_dwarf_abbrev_find(unit->abbrevs, prof_bytes_uleb(&bytes));
  if (abbrev != NULL && abbrev->tag == PROF_TAG_PARTIAL_UNIT)
    unit->type = PROF_UNIT_PARTIAL; /* before version 5 only the entry shows it */
  if (abbrev != NULL)
    read_root(unit, bytes, abbrev);
  else
    unit->file->damaged = true;
  return true;
}
