/*
 * tools/source/dwarf/dwarf_scope.c - see dwarf_scope.h.
 *
 * Source: DWARF 5, sections 3.3.1 (functions and their parts), 3.3.8 (inlined ones).
 */
#include "source/dwarf/dwarf_scope.h"

#include "source/dwarf/dwarf_range.h"

enum { MOST_REFERENCES = 16, DEEPEST = 1024 };

struct reader {
  const struct prof_dwarf_unit *unit;
  const struct prof_intervals *code;
  struct prof_dwarf_scopes *scopes;
  uint32_t index, rank; /* of the entry that is being read */
  bool covers, no_memory;
};

struct found { /* attributes of a function or an inlined one */
  struct prof_dwarf_scope scope;
  uint64_t low, high;
  bool has_low, has_high;
  struct prof_dwarf_value ranges;
};

static bool take_range(void *context, uint64_t low, uint64_t high) {
  struct reader *reader = context;
  if (low >= high || !prof_intervals_clip(reader->code, low, &high))
    return true;
  reader->covers = true;
  reader->no_memory |= !prof_intervals_add(&reader->scopes->covers, low, high, reader->rank, reader->index);
  return !reader->no_memory;
}

static void take_attribute(struct found *found, unsigned attribute, const struct prof_dwarf_value *value) {
  uint64_t number = value->kind == PROF_VALUE_NUMBER ? value->number : 0;
  switch (attribute) {
  case PROF_AT_LOW_PC:
    found->has_low = value->kind == PROF_VALUE_ADDRESS;
    found->low = value->number;
    break;
  case PROF_AT_HIGH_PC:
    found->has_high = value->kind == PROF_VALUE_ADDRESS || value->kind == PROF_VALUE_NUMBER;
    found->high = value->number;
    if (value->kind == PROF_VALUE_NUMBER) /* a length; all compilers put it behind the low end, whose value it needs */
      found->high += found->low;
    break;
  case PROF_AT_RANGES:
    found->ranges = *value;
    break;
  case PROF_AT_CALL_FILE:
    found->scope.call_file = number <= UINT32_MAX ? (uint32_t)number : 0;
    break;
  case PROF_AT_CALL_LINE:
    found->scope.call_line = number <= UINT32_MAX ? (uint32_t)number : 0;
    break;
  case PROF_AT_CALL_COLUMN:
    found->scope.call_column = number <= UINT16_MAX ? (uint16_t)number : 0;
    break;
  default:
    break;
  }
}

static bool asked_for(unsigned attribute) {
  return attribute == PROF_AT_LOW_PC || attribute == PROF_AT_HIGH_PC || attribute == PROF_AT_RANGES ||
         (attribute >= PROF_AT_CALL_COLUMN && attribute <= PROF_AT_CALL_LINE);
}

/* The scope of this function or inlined one; `parent` again: it has no code of its own. */
static uint32_t read_scope(struct reader *reader, struct prof_bytes *bytes, const struct prof_dwarf_abbrev *abbrev,
                           uint64_t entry, uint32_t parent) {
  struct found found = {.scope = {.entry = entry, .inlined = abbrev->tag == PROF_TAG_INLINED_SUBROUTINE}};
  for (uint32_t i = 0; i < abbrev->spec_count; i++) {
    const struct prof_dwarf_spec *spec = &abbrev->specs[i];
    if (!asked_for(spec->attribute)) {
      prof_dwarf_value_skip(reader->unit, bytes, spec->form);
      continue;
    }
    struct prof_dwarf_value value = prof_dwarf_value_read(reader->unit, bytes, spec);
    take_attribute(&found, spec->attribute, &value);
  }
  if (bytes->bad || reader->scopes->items.count >= PROF_DWARF_NO_SCOPE)
    return parent;
  reader->covers = false;
  reader->index = (uint32_t)reader->scopes->items.count;
  if (found.ranges.kind != PROF_VALUE_NONE)
    prof_dwarf_ranges_walk(reader->unit, &found.ranges, take_range, reader);
  else if (found.has_low && found.has_high)
    take_range(reader, found.low, found.high);
  if (!reader->covers)
    return parent;
  found.scope.parent = found.scope.inlined ? parent : PROF_DWARF_NO_SCOPE;
  reader->no_memory |= !prof_vec_push(&reader->scopes->items, found.scope);
  return reader->index;
}

/* Reads entry after entry; the stack holds the scope around the children of each open entry. */
static void read_entries(struct reader *reader, struct prof_bytes bytes, const uint8_t *begin) {
  uint32_t around[DEEPEST];
  uint32_t depth = 0;
  while (prof_bytes_left(&bytes) > 0 && !reader->no_memory) {
    uint64_t entry = (uint64_t)(bytes.at - begin), code = prof_bytes_uleb(&bytes);
    if (code == 0) {
      if (depth <= 1)
        break;
      depth--;
      continue;
    }
    const struct prof_dwarf_abbrev *abbrev = prof_dwarf_abbrev_find(reader->unit->abbrevs, code);
    if (abbrev == NULL || depth == DEEPEST) {
      bytes.bad = true;
      break;
    }
    uint32_t scope = depth > 0 ? around[depth - 1] : PROF_DWARF_NO_SCOPE;
    reader->rank = depth;
    if (abbrev->tag == PROF_TAG_SUBPROGRAM || abbrev->tag == PROF_TAG_INLINED_SUBROUTINE)
      scope = read_scope(reader, &bytes, abbrev, entry, scope);
    else
      prof_dwarf_entry_skip(reader->unit, &bytes, abbrev);
    if (abbrev->children)
      around[depth++] = scope;
    else if (depth == 0)
      break;
  }
  reader->unit->file->damaged |= bytes.bad;
}

bool prof_dwarf_scopes_read(const struct prof_dwarf_unit *unit, const struct prof_intervals *code,
                            struct prof_dwarf_scopes *scopes) {
  struct reader reader = {.unit = unit, .code = code, .scopes = scopes};
  const struct prof_elf_section *info = prof_dwarf_section(unit->file, PROF_DWARF_INFO);
  if (unit->abbrevs != NULL)
    read_entries(&reader, prof_bytes_from(info->bytes, unit->end, unit->first), info->bytes);
  return !reader.no_memory && prof_intervals_flatten(&scopes->covers);
}

void prof_dwarf_scopes_fini(struct prof_dwarf_scopes *scopes) {
  prof_vec_fini(&scopes->items);
  prof_intervals_fini(&scopes->covers);
}

struct names {
  const char *linkage, *source;
  const struct prof_dwarf_file *file; /* the entry to go on with; NULL: none */
  uint64_t offset;
};

static void refer(struct names *names, const struct prof_dwarf_file *file, const struct prof_dwarf_value *value) {
  names->file = value->kind == PROF_VALUE_REFERENCE   ? file
                : value->kind == PROF_VALUE_ALTERNATE ? file->alternate
                                                      : NULL;
  names->offset = value->number;
}

static void read_names(struct names *names, const struct prof_dwarf_file *file, struct prof_dwarf_unit *unit,
                       uint64_t offset) {
  const struct prof_elf_section *info = &file->sections[PROF_DWARF_INFO];
  struct prof_bytes bytes = prof_bytes_from(info->bytes, unit->end, offset);
  const struct prof_dwarf_abbrev *abbrev = prof_dwarf_abbrev_find(unit->abbrevs, prof_bytes_uleb(&bytes));
  names->file = NULL;
  for (uint32_t i = 0; abbrev != NULL && i < abbrev->spec_count; i++) {
    unsigned attribute = abbrev->specs[i].attribute;
    struct prof_dwarf_value value = prof_dwarf_value_read(unit, &bytes, &abbrev->specs[i]);
    if (bytes.bad)
      return;
    if (attribute == PROF_AT_LINKAGE_NAME || attribute == PROF_AT_MIPS_LINKAGE_NAME)
      names->linkage = value.text;
    else if (attribute == PROF_AT_NAME && names->source == NULL)
      names->source = value.text;
    else if (attribute == PROF_AT_ABSTRACT_ORIGIN || (attribute == PROF_AT_SPECIFICATION && names->file == NULL))
      refer(names, file, &value);
  }
}

const char *prof_dwarf_name(const struct prof_dwarf_file *file, uint64_t offset) {
  struct names names = {.file = file, .offset = offset};
  for (int i = 0; i < MOST_REFERENCES && names.file != NULL && names.linkage == NULL; i++) {
    struct prof_dwarf_unit *unit = prof_dwarf_units_find(names.file, names.offset);
    if (unit == NULL || !prof_dwarf_unit_root(unit))
      break;
    read_names(&names, names.file, unit, names.offset);
  }
  return names.linkage != NULL ? names.linkage : names.source;
}
