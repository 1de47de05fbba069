/*
 * tools/source/dwarf/dwarf_abbrev.c - see dwarf_abbrev.h.
 *
 * Source: DWARF 5, section 7.5.3.
 */
#include "source/dwarf/dwarf_abbrev.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/vec.h"
#include "source/dwarf/dwarf_codes.h"

enum {
  MOST_SPECS = 256
}; /* attributes of one entry; compilers stay below 40.  It bounds the work per byte of entries */

enum width { VARIES, FIXED, ADDRESS, OFFSET };

struct form_width {
  uint16_t form;
  uint8_t width; /* enum */
  uint8_t bytes; /* of FIXED */
};

/* A reference with DW_FORM_ref_addr is as long as an address in version 2, so it counts as one that varies. */
static const struct form_width widths[] = {
    {PROF_FORM_ADDR, ADDRESS, 0},      {PROF_FORM_DATA1, FIXED, 1},        {PROF_FORM_DATA2, FIXED, 2},
    {PROF_FORM_DATA4, FIXED, 4},       {PROF_FORM_DATA8, FIXED, 8},        {PROF_FORM_DATA16, FIXED, 16},
    {PROF_FORM_FLAG, FIXED, 1},        {PROF_FORM_FLAG_PRESENT, FIXED, 0}, {PROF_FORM_IMPLICIT_CONST, FIXED, 0},
    {PROF_FORM_REF1, FIXED, 1},        {PROF_FORM_REF2, FIXED, 2},         {PROF_FORM_REF4, FIXED, 4},
    {PROF_FORM_REF8, FIXED, 8},        {PROF_FORM_REF_SIG8, FIXED, 8},     {PROF_FORM_REF_SUP4, FIXED, 4},
    {PROF_FORM_REF_SUP8, FIXED, 8},    {PROF_FORM_STRX1, FIXED, 1},        {PROF_FORM_STRX2, FIXED, 2},
    {PROF_FORM_STRX3, FIXED, 3},       {PROF_FORM_STRX4, FIXED, 4},        {PROF_FORM_ADDRX1, FIXED, 1},
    {PROF_FORM_ADDRX2, FIXED, 2},      {PROF_FORM_ADDRX3, FIXED, 3},       {PROF_FORM_ADDRX4, FIXED, 4},
    {PROF_FORM_STRP, OFFSET, 0},       {PROF_FORM_LINE_STRP, OFFSET, 0},   {PROF_FORM_STRP_SUP, OFFSET, 0},
    {PROF_FORM_SEC_OFFSET, OFFSET, 0}, {PROF_FORM_GNU_REF_ALT, OFFSET, 0}, {PROF_FORM_GNU_STRP_ALT, OFFSET, 0},
};

struct reader {
  struct prof_bytes bytes;
  PROF_VEC(struct prof_dwarf_abbrev) items;
  PROF_VEC(struct prof_dwarf_spec) specs;
  bool no_memory;
};

static void add_width(struct prof_dwarf_abbrev *abbrev, unsigned form) {
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    if (widths[i].form != form)
      continue;
    abbrev->fixed_bytes += widths[i].bytes;
    abbrev->addresses += widths[i].width == ADDRESS;
    abbrev->offsets += widths[i].width == OFFSET;
    return;
  }
  abbrev->fixed = false;
}

/* False: the end of the table, or of the bytes, or no memory. */
static bool read_one(struct reader *reader) {
  struct prof_bytes *bytes = &reader->bytes;
  struct prof_dwarf_abbrev abbrev = {.code = prof_bytes_uleb(bytes), .fixed = true};
  if (abbrev.code == 0)
    return false;
  uint64_t tag = prof_bytes_uleb(bytes);
  abbrev.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
  abbrev.children = prof_bytes_u8(bytes) != 0;
  for (;;) {
    uint64_t attribute = prof_bytes_uleb(bytes), form = prof_bytes_uleb(bytes);
    int64_t implicit = form == PROF_FORM_IMPLICIT_CONST ? prof_bytes_sleb(bytes) : 0;
    if (bytes->bad || (attribute == 0 && form == 0))
      break;
    if (abbrev.spec_count == MOST_SPECS || form > UINT16_MAX) {
      prof_bytes_fail(bytes);
      break;
    }
    struct prof_dwarf_spec spec = {attribute <= UINT16_MAX ? (uint16_t)attribute : 0, (uint16_t)form, implicit};
    add_width(&abbrev, spec.form);
    abbrev.spec_count++;
    if (!prof_vec_push(&reader->specs, spec))
      reader->no_memory = true;
  }
  if (!bytes->bad && !reader->no_memory && !prof_vec_push(&reader->items, abbrev))
    reader->no_memory = true;
  return !bytes->bad && !reader->no_memory;
}

static int compare_code(const void *left, const void *right) {
  uint64_t a = ((const struct prof_dwarf_abbrev *)left)->code, b = ((const struct prof_dwarf_abbrev *)right)->code;
  return prof_order(a, b);
}

static struct prof_dwarf_abbrevs *keep(struct reader *reader, uint64_t offset, struct prof_arena *arena) {
  size_t count = reader->items.count, spec_bytes = reader->specs.count * sizeof *reader->specs.items;
  struct prof_dwarf_abbrevs *table = prof_arena_array(arena, 1, sizeof *table);
  struct prof_dwarf_abbrev *items = prof_arena_alloc(arena, count * sizeof *items);
  struct prof_dwarf_spec *specs = prof_arena_alloc(arena, spec_bytes);
  if (table == NULL || items == NULL || specs == NULL)
    return NULL;
  if (spec_bytes > 0)
    memcpy(specs, reader->specs.items, spec_bytes);
  *table = (struct prof_dwarf_abbrevs){offset, items, (uint32_t)count, true};
  for (size_t i = 0; i < count; i++) {
    items[i] = reader->items.items[i];
    items[i].specs = specs;
    specs += items[i].spec_count;
    table->dense = table->dense && items[i].code == i + 1;
  }
  if (!table->dense)
    qsort(items, count, sizeof *items, compare_code);
  return table;
}

struct prof_dwarf_abbrevs *prof_dwarf_abbrevs_read(struct prof_bytes bytes, uint64_t offset, struct prof_arena *arena,
                                                   uint64_t *used, bool *damaged) {
  struct reader reader = {.bytes = bytes};
  while (read_one(&reader))
    ;
  *used = (uint64_t)(reader.bytes.at - bytes.at);
  *damaged = reader.bytes.bad;
  struct prof_dwarf_abbrevs *table = reader.no_memory ? NULL : keep(&reader, offset, arena);
  prof_vec_fini(&reader.items);
  prof_vec_fini(&reader.specs);
  return table;
}

const struct prof_dwarf_abbrev *prof_dwarf_abbrev_find_sparse(const struct prof_dwarf_abbrevs *abbrevs, uint64_t code) {
  size_t low = prof_search(0, abbrevs->count, middle, abbrevs->items[middle].code < code);
  return low < abbrevs->count && abbrevs->items[low].code == code ? &abbrevs->items[low] : NULL;
}
