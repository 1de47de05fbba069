/*
 * tools/source/dwarf/dwarf_value.c - values of attributes (dwarf_unit.h), whatever form they were written in.
 *
 * Source: DWARF 5, sections 7.5.5 and 7.5.6; the GNU extensions for split DWARF and dwz.
 */
#include "source/dwarf/dwarf_unit.h"

enum { MOST_INDIRECTIONS = 4 };

enum encoding {           /* what the bytes are */
                BYTES,    /* `width` of them, no value */
                WORD,     /* a number of `width` bytes */
                OFFSET,   /* a number as long as the unit's offsets */
                ADDRESS,  /* a number as long as an address */
                REF_ADDR, /* as an address in version 2, as an offset later */
                ULEB,
                SLEB,
                COUNTED, /* a number of `width` bytes, 0: a uleb; as many bytes follow, no value */
                TEXT,
                NOTHING,  /* the value 1 */
                IMPLICIT, /* the value stands in the abbreviation */
                INDIRECT,
};

enum meaning {
  PLAIN,
  IS_ADDRESS,
  ADDRESS_INDEX,
  IN_STR,
  IN_LINE_STR,
  IN_ALTERNATE_STR,
  TEXT_INDEX,
  SECTION_OFFSET,
  LIST_INDEX,
  UNIT_REFERENCE,
  FILE_REFERENCE,
  ALTERNATE_REFERENCE,
  IGNORED,
};

struct form {
  uint8_t encoding, width, meaning; /* enums */
};

/* Forms below 0x30; an empty row (BYTES of width 0) is unknown. */
static const struct form forms[] = {
    [PROF_FORM_ADDR] = {ADDRESS, 0, IS_ADDRESS},
    [PROF_FORM_BLOCK2] = {COUNTED, 2, IGNORED},
    [PROF_FORM_BLOCK4] = {COUNTED, 4, IGNORED},
    [PROF_FORM_DATA2] = {WORD, 2, PLAIN},
    [PROF_FORM_DATA4] = {WORD, 4, PLAIN},
    [PROF_FORM_DATA8] = {WORD, 8, PLAIN},
    [PROF_FORM_STRING] = {TEXT, 0, PLAIN},
    [PROF_FORM_BLOCK] = {COUNTED, 0, IGNORED},
    [PROF_FORM_BLOCK1] = {COUNTED, 1, IGNORED},
    [PROF_FORM_DATA1] = {WORD, 1, PLAIN},
    [PROF_FORM_FLAG] = {WORD, 1, PLAIN},
    [PROF_FORM_SDATA] = {SLEB, 0, PLAIN},
    [PROF_FORM_STRP] = {OFFSET, 0, IN_STR},
    [PROF_FORM_UDATA] = {ULEB, 0, PLAIN},
    [PROF_FORM_REF_ADDR] = {REF_ADDR, 0, FILE_REFERENCE},
    [PROF_FORM_REF1] = {WORD, 1, UNIT_REFERENCE},
    [PROF_FORM_REF2] = {WORD, 2, UNIT_REFERENCE},
    [PROF_FORM_REF4] = {WORD, 4, UNIT_REFERENCE},
    [PROF_FORM_REF8] = {WORD, 8, UNIT_REFERENCE},
    [PROF_FORM_REF_UDATA] = {ULEB, 0, UNIT_REFERENCE},
    [PROF_FORM_INDIRECT] = {INDIRECT, 0, IGNORED},
    [PROF_FORM_SEC_OFFSET] = {OFFSET, 0, SECTION_OFFSET},
    [PROF_FORM_EXPRLOC] = {COUNTED, 0, IGNORED},
    [PROF_FORM_FLAG_PRESENT] = {NOTHING, 0, PLAIN},
    [PROF_FORM_STRX] = {ULEB, 0, TEXT_INDEX},
    [PROF_FORM_ADDRX] = {ULEB, 0, ADDRESS_INDEX},
    [PROF_FORM_REF_SUP4] = {WORD, 4, ALTERNATE_REFERENCE},
    [PROF_FORM_STRP_SUP] = {OFFSET, 0, IN_ALTERNATE_STR},
    [PROF_FORM_DATA16] = {BYTES, 16, IGNORED},
    [PROF_FORM_LINE_STRP] = {OFFSET, 0, IN_LINE_STR},
    [PROF_FORM_REF_SIG8] = {BYTES, 8, IGNORED},
    [PROF_FORM_IMPLICIT_CONST] = {IMPLICIT, 0, PLAIN},
    [PROF_FORM_LOCLISTX] = {ULEB, 0, IGNORED},
    [PROF_FORM_RNGLISTX] = {ULEB, 0, LIST_INDEX},
    [PROF_FORM_REF_SUP8] = {WORD, 8, ALTERNATE_REFERENCE},
    [PROF_FORM_STRX1] = {WORD, 1, TEXT_INDEX},
    [PROF_FORM_STRX2] = {WORD, 2, TEXT_INDEX},
    [PROF_FORM_STRX3] = {WORD, 3, TEXT_INDEX},
    [PROF_FORM_STRX4] = {WORD, 4, TEXT_INDEX},
    [PROF_FORM_ADDRX1] = {WORD, 1, ADDRESS_INDEX},
    [PROF_FORM_ADDRX2] = {WORD, 2, ADDRESS_INDEX},
    [PROF_FORM_ADDRX3] = {WORD, 3, ADDRESS_INDEX},
    [PROF_FORM_ADDRX4] = {WORD, 4, ADDRESS_INDEX},
};

static const struct form gnu_address_index = {ULEB, 0, ADDRESS_INDEX}, gnu_text_index = {ULEB, 0, TEXT_INDEX},
                         gnu_reference = {OFFSET, 0, ALTERNATE_REFERENCE}, gnu_text = {OFFSET, 0, IN_ALTERNATE_STR};

static struct form form_of(unsigned code) {
  if (code < sizeof forms / sizeof *forms)
    return forms[code];
  return code == PROF_FORM_GNU_ADDR_INDEX  ? gnu_address_index
         : code == PROF_FORM_GNU_STR_INDEX ? gnu_text_index
         : code == PROF_FORM_GNU_REF_ALT   ? gnu_reference
         : code == PROF_FORM_GNU_STRP_ALT  ? gnu_text
                                           : (struct form){0};
}

/* The number that the bytes hold; texts are left to the caller. */
static uint64_t read_number(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes, struct form form) {
  switch (form.encoding) {
  case WORD:
    return prof_bytes_number(bytes, form.width);
  case OFFSET:
    return prof_bytes_number(bytes, unit->offset_bytes);
  case ADDRESS:
    return prof_bytes_number(bytes, unit->address_bytes);
  case REF_ADDR:
    return prof_bytes_number(bytes, unit->version <= 2 ? unit->address_bytes : unit->offset_bytes);
  case ULEB:
    return prof_bytes_uleb(bytes);
  case SLEB:
    return (uint64_t)prof_bytes_sleb(bytes);
  case COUNTED:
    prof_bytes_skip(bytes, form.width == 0 ? prof_bytes_uleb(bytes) : prof_bytes_number(bytes, form.width));
    return 0;
  case NOTHING:
    return 1;
  default: /* BYTES; none: unknown, and so is its length */
    if (form.width == 0)
      prof_bytes_fail(bytes);
    else
      prof_bytes_skip(bytes, form.width);
    return 0;
  }
}

static struct prof_dwarf_value text_value(const char *text) {
  return (struct prof_dwarf_value){text == NULL ? PROF_VALUE_NONE : PROF_VALUE_TEXT, 0, text};
}

/* The word at `index` of a table of equal words that begins at `base`; false: not there. */
static bool table_word(const struct prof_elf_section *section, uint64_t base, uint64_t index, unsigned width,
                       uint64_t *out) {
  uint64_t at;
  if (__builtin_mul_overflow(index, width, &at) || __builtin_add_overflow(at, base, &at))
    return false;
  struct prof_bytes bytes = prof_bytes_from(section->bytes, section->size, at);
  *out = prof_bytes_number(&bytes, width);
  return !bytes.bad;
}

static struct prof_dwarf_value indexed_text(const struct prof_dwarf_unit *unit, uint64_t index) {
  uint64_t base = unit->texts_base, offset;
  if (base == PROF_DWARF_NOWHERE) /* of a split unit: behind the header, which came with version 5 */
    base = unit->version < 5 ? 0 : unit->offset_bytes == 8 ? 16 : 8;
  if (!table_word(prof_dwarf_section(unit->file, PROF_DWARF_STR_OFFSETS), base, index, unit->offset_bytes, &offset))
    return text_value(NULL);
  return text_value(prof_dwarf_text(unit->file, PROF_DWARF_STR, offset));
}

bool prof_dwarf_address(const struct prof_dwarf_unit *unit, uint64_t index, uint64_t *out) {
  const struct prof_dwarf_unit *owner = unit->skeleton != NULL ? unit->skeleton : unit;
  uint64_t base = owner->addresses_base;
  if (base == PROF_DWARF_NOWHERE)
    base = owner->version < 5 ? 0 : 8;
  return table_word(prof_dwarf_section(owner->file, PROF_DWARF_ADDR), base, index, unit->address_bytes, out);
}

static struct prof_dwarf_value give_meaning(const struct prof_dwarf_unit *unit, enum meaning meaning, uint64_t number) {
  static const enum prof_dwarf_kind kinds[] = {
      [PLAIN] = PROF_VALUE_NUMBER,
      [IS_ADDRESS] = PROF_VALUE_ADDRESS,
      [SECTION_OFFSET] = PROF_VALUE_OFFSET,
      [LIST_INDEX] = PROF_VALUE_INDEX,
      [UNIT_REFERENCE] = PROF_VALUE_REFERENCE,
      [FILE_REFERENCE] = PROF_VALUE_REFERENCE,
      [ALTERNATE_REFERENCE] = PROF_VALUE_ALTERNATE,
      [IGNORED] = PROF_VALUE_NONE,
  };
  switch (meaning) {
  case IN_STR:
    return text_value(prof_dwarf_text(unit->file, PROF_DWARF_STR, number));
  case IN_LINE_STR:
    return text_value(prof_dwarf_text(unit->file, PROF_DWARF_LINE_STR, number));
  case IN_ALTERNATE_STR:
    return text_value(unit->file->alternate == NULL ? NULL
                                                    : prof_dwarf_text(unit->file->alternate, PROF_DWARF_STR, number));
  case TEXT_INDEX:
    return indexed_text(unit, number);
  case ADDRESS_INDEX: {
    uint64_t address;
    bool found = prof_dwarf_address(unit, number, &address);
    return (struct prof_dwarf_value){found ? PROF_VALUE_ADDRESS : PROF_VALUE_NONE, found ? address : 0, NULL};
  }
  case UNIT_REFERENCE:
    number = number < unit->end - unit->offset ? number + unit->offset : PROF_DWARF_NOWHERE;
    break;
  default:
    break;
  }
  return (struct prof_dwarf_value){kinds[meaning], number, NULL};
}

struct prof_dwarf_value prof_dwarf_value_read(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes,
                                              const struct prof_dwarf_spec *spec) {
  struct form form = form_of(spec->form);
  for (int i = 0; i < MOST_INDIRECTIONS && form.encoding == INDIRECT; i++)
    form = form_of((unsigned)(prof_bytes_uleb(bytes) & UINT16_MAX));
  if (form.encoding == TEXT)
    return text_value(prof_bytes_text(bytes));
  uint64_t number = form.encoding == IMPLICIT ? (uint64_t)spec->implicit : read_number(unit, bytes, form);
  if (bytes->bad)
    return (struct prof_dwarf_value){0};
  return give_meaning(unit, form.meaning, number);
}

void prof_dwarf_value_skip(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes, unsigned code) {
  struct form form = form_of(code);
  for (int i = 0; i < MOST_INDIRECTIONS && form.encoding == INDIRECT; i++)
    form = form_of((unsigned)(prof_bytes_uleb(bytes) & UINT16_MAX));
  if (form.encoding == TEXT)
    prof_bytes_text(bytes);
  else if (form.encoding == ULEB || form.encoding == SLEB)
    prof_bytes_leb_skip(bytes);
  else if (form.encoding != IMPLICIT)
    read_number(unit, bytes, form);
}
