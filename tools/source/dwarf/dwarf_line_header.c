/*
 * tools/source/dwarf/dwarf_line_header.c - the head of a line table: directories and files (dwarf_line.h).
 *
 * Versions 2 to 4 count directories and files from 1, where directory 0 is the unit's own; version 5 counts both from
 * 0. Source: DWARF 4 and 5, section 6.2.4.
 */
#include "source/dwarf/dwarf_line.h"

enum { FIRST_VERSION = 2, LAST_VERSION = 5, MOST_CONTENTS = 16, LONG_FORMAT = -1 };

struct content { /* one column of a table of version 5 */
  uint64_t kind;
  struct prof_dwarf_spec spec;
};

static bool old_tables(struct prof_bytes *bytes, struct prof_dwarf_lines *lines) {
  for (const char *name; (name = prof_bytes_text(bytes)) != NULL && *name != 0;)
    if (!prof_vec_push(&lines->directories, (struct prof_dwarf_source){name, 0}))
      return false;
  for (const char *name; !bytes->bad && (name = prof_bytes_text(bytes)) != NULL && *name != 0;) {
    struct prof_dwarf_source file = {name, prof_bytes_uleb(bytes)};
    prof_bytes_leb_skip(bytes); /* time */
    prof_bytes_leb_skip(bytes); /* length */
    if (!prof_vec_push(&lines->files, file))
      return false;
  }
  return true;
}

static bool new_table(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes, void *out) {
  PROF_VEC(struct prof_dwarf_source) *table = out;
  struct content contents[MOST_CONTENTS];
  unsigned count = prof_bytes_u8(bytes);
  if (count > MOST_CONTENTS)
    prof_bytes_fail(bytes);
  for (unsigned i = 0; i < count && !bytes->bad; i++) {
    contents[i].kind = prof_bytes_uleb(bytes);
    contents[i].spec = (struct prof_dwarf_spec){.form = (uint16_t)(prof_bytes_uleb(bytes) & UINT16_MAX)};
  }
  uint64_t entries = prof_bytes_uleb(bytes);
  if (count == 0 && entries > 0)
    prof_bytes_fail(bytes);
  for (uint64_t entry = 0; entry < entries && !bytes->bad; entry++) {
    struct prof_dwarf_source source = {0};
    const uint8_t *begin = bytes->at;
    for (unsigned i = 0; i < count; i++) {
      struct prof_dwarf_value value = prof_dwarf_value_read(unit, bytes, &contents[i].spec);
      if (contents[i].kind == PROF_LNCT_PATH)
        source.name = value.text;
      else if (contents[i].kind == PROF_LNCT_DIRECTORY_INDEX)
        source.directory = value.number;
    }
    if (bytes->at == begin) /* forms without bytes: the count would be the only limit */
      prof_bytes_fail(bytes);
    if (!bytes->bad && !prof_vec_push(table, source))
      return false;
  }
  return true;
}

/* False: damaged, or a version that isn't known. */
static bool read_numbers(struct prof_bytes *bytes, unsigned version, struct prof_dwarf_line_header *header) {
  header->instruction_bytes = prof_bytes_u8(bytes);
  header->operations = version >= 4 ? prof_bytes_u8(bytes) : 1;
  header->statement = prof_bytes_u8(bytes) != 0;
  header->line_base = (int8_t)prof_bytes_u8(bytes);
  header->line_range = prof_bytes_u8(bytes);
  header->opcode_base = prof_bytes_u8(bytes);
  for (unsigned i = 1; i < header->opcode_base; i++)
    header->lengths[i] = prof_bytes_u8(bytes);
  if (header->operations == 0)
    header->operations = 1;
  return !bytes->bad && header->line_range != 0 && header->opcode_base != 0;
}

bool prof_dwarf_line_header_read(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes,
                                 struct prof_dwarf_lines *lines, struct prof_dwarf_line_header *header,
                                 bool *no_memory) {
  uint64_t length = prof_bytes_u32(bytes);
  header->offset_bytes = length == (uint32_t)LONG_FORMAT ? 8 : 4;
  if (header->offset_bytes == 8)
    length = prof_bytes_u64(bytes);
  if (bytes->bad || length > prof_bytes_left(bytes))
    return false;
  bytes->end = bytes->at + length;
  lines->version = prof_bytes_u16(bytes);
  header->address_bytes = unit->address_bytes;
  if (lines->version < FIRST_VERSION || lines->version > LAST_VERSION)
    return false;
  if (lines->version >= 5) {
    header->address_bytes = prof_bytes_u8(bytes);
    prof_bytes_u8(bytes); /* size of segment selectors */
  }
  uint64_t head_bytes = prof_bytes_number(bytes, header->offset_bytes);
  if (bytes->bad || head_bytes > prof_bytes_left(bytes))
    return false;
  struct prof_bytes head = {bytes->at, bytes->at + head_bytes, false};
  bytes->at = head.end;
  if (!read_numbers(&head, lines->version, header))
    return false;
  struct prof_dwarf_unit forms = *unit; /* the table has a format and a version of its own */
  forms.offset_bytes = header->offset_bytes;
  forms.address_bytes = header->address_bytes;
  forms.version = lines->version;
  *no_memory |= lines->version >= 5
                    ? !new_table(&forms, &head, &lines->directories) || !new_table(&forms, &head, &lines->files)
                    : !old_tables(&head, lines);
  unit->file->damaged |= head.bad;
  return !*no_memory;
}

const struct prof_dwarf_source *prof_dwarf_lines_file(const struct prof_dwarf_lines *lines, uint64_t number) {
  uint64_t index = lines->version >= 5 ? number : number - 1;
  return index < lines->files.count && lines->files.items[index].name != NULL ? &lines->files.items[index] : NULL;
}

const char *prof_dwarf_lines_directory(const struct prof_dwarf_lines *lines, const struct prof_dwarf_source *file,
                                       const char **folder) {
  uint64_t index = lines->version >= 5 ? file->directory : file->directory - 1;
  const char *directory = index < lines->directories.count ? lines->directories.items[index].name : NULL;
  if (lines->version >= 5 && index == 0 && directory != NULL)
    *folder = NULL; /* it is the unit's own, which may be a relative one (-ffile-prefix-map) */
  return directory;
}
