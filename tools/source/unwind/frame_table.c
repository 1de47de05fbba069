/*
 * tools/source/unwind/frame_table.c - see frame_table.h.
 */
#include "source/unwind/frame_table.h"

#include "base/vec.h"
#include "source/unwind/frame_header.h"

enum {
  SLOTS_AT_FIRST = 1 << 10,
  SLOTS_MAX = 1 << 19, /* 6 MB; then everything is forgotten */
};

struct start {
  uint64_t low;
  size_t offset;
};

struct slot {
  uint64_t address;
  uint32_t row; /* + 1; 0: the slot is free */
};

struct prof_frame_table {
  struct prof_frame_sections sections;
  struct prof_frame_header header;  /* without pairs: `starts[0]` */
  PROF_VEC(struct start) starts[2]; /* of .eh_frame and .debug_frame, made at the first look-up */
  bool started[2];
  PROF_VEC(struct prof_frame_row) rows;
  PROF_VEC(struct prof_frame_rule) rules;
  struct slot *slots;
  size_t slot_count, used;
};

struct prof_frame_table *prof_frame_table_new(const struct prof_frame_sections *sections) {
  struct prof_frame_table *table = calloc(1, sizeof *table);
  if (table == NULL)
    return NULL;
  table->sections = *sections;
  table->sections.debug_frame.is_debug = true;
  if (sections->eh_frame_hdr.size > 0 && sections->eh_frame.size > 0)
    prof_frame_header_read(&sections->eh_frame_hdr, &table->header);
  return table;
}

void prof_frame_sections_of(struct prof_elf *file, struct prof_frame_sections *out) {
  static const char *const names[] = {".eh_frame", ".eh_frame_hdr", ".debug_frame"};
  struct prof_frame_section *const outs[] = {&out->eh_frame, &out->eh_frame_hdr, &out->debug_frame};
  *out = (struct prof_frame_sections){0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct prof_elf_section section;
    if (i < 2 ? prof_elf_section(file, names[i], &section) : prof_elf_debug_section(file, names[i], &section))
      *outs[i] = (struct prof_frame_section){section.bytes, section.size, section.address, false};
  }
}

struct prof_frame_table *prof_frame_table_of(struct prof_elf *file) {
  struct prof_frame_sections sections;
  prof_frame_sections_of(file, &sections);
  return prof_frame_table_new(&sections);
}

void prof_frame_table_free(struct prof_frame_table *table) {
  if (table == NULL)
    return;
  prof_vec_fini(&table->starts[0]);
  prof_vec_fini(&table->starts[1]);
  prof_vec_fini(&table->rows);
  prof_vec_fini(&table->rules);
  free(table->slots);
  free(table);
}

static int compare(const void *left, const void *right) {
  uint64_t a = ((const struct start *)left)->low, b = ((const struct start *)right)->low;
  return a < b ? -1 : a > b;
}

/* Reads all of a section that has no sorted table. */
static void starts_read(struct prof_frame_table *table, const struct prof_frame_section *section) {
  size_t offset = 0, begin = 0;
  struct prof_frame_record record = {0};
  bool is_record;
  for (; prof_frame_record_next(section, &offset, &is_record, &record); begin = offset)
    if (is_record && !prof_vec_push(&table->starts[section->is_debug], (struct start){record.low, begin}))
      break;
  if (table->starts[section->is_debug].count > 0)
    qsort(table->starts[section->is_debug].items, table->starts[section->is_debug].count, sizeof(struct start),
          compare);
}

static struct start sorted_at(const struct prof_frame_table *table, size_t index) {
  struct prof_frame_start start = prof_frame_header_at(&table->header, index);
  return (struct start){start.begin, (size_t)(start.record - table->sections.eh_frame.address)};
}

static bool record_find(struct prof_frame_table *table, const struct prof_frame_section *section, uint64_t address,
                        struct prof_frame_record *out) {
  bool by_header = !section->is_debug && table->header.count > 0, is_record;
  if (!by_header && !table->started[section->is_debug]) {
    table->started[section->is_debug] = true;
    starts_read(table, section);
  }
  const struct start *starts = table->starts[section->is_debug].items;
  size_t low = 0, high = by_header ? table->header.count : table->starts[section->is_debug].count;
  struct start found = {UINT64_MAX, 0};
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    struct start start = by_header ? sorted_at(table, middle) : starts[middle];
    if (start.low > address) {
      high = middle;
    } else {
      low = middle + 1;
      found = start;
    }
  }
  out->cie.program.at = NULL;
  return found.low <= address && prof_frame_record_next(section, &found.offset, &is_record, out) && is_record &&
         out->low <= address && address < out->high;
}

static struct slot *slot_find(const struct prof_frame_table *table, uint64_t address) {
  size_t at = (size_t)(address * 0x9e3779b97f4a7c15u >> 32);
  for (;; at++) {
    struct slot *slot = &table->slots[at & (table->slot_count - 1)];
    if (slot->row == 0 || slot->address == address)
      return slot;
  }
}

/* Room for two more addresses; false: no memory. */
static bool slots_reserve(struct prof_frame_table *table) {
  if (table->slots != NULL && (table->used + 2) * 2 <= table->slot_count)
    return true;
  bool full = table->slot_count == SLOTS_MAX;
  size_t old_count = table->slot_count;
  struct slot *old = table->slots, *grown;
  table->slot_count = old == NULL ? SLOTS_AT_FIRST : full ? old_count : 2 * old_count;
  if ((grown = calloc(table->slot_count, sizeof *grown)) == NULL) {
    table->slot_count = old_count;
    return false;
  }
  table->slots = grown;
  for (size_t i = 0; i < old_count && !full; i++)
    if (old[i].row != 0)
      *slot_find(table, old[i].address) = old[i];
  free(old);
  if (full)
    table->used = table->rows.count = table->rules.count = 0;
  return true;
}

/* Adds the row of these rules, known under their lowest address; its index + 1, 0: no memory. */
static uint32_t row_add(struct prof_frame_table *table, const struct prof_frame_section *section, bool signal,
                        const struct prof_frame_rules *rules) {
  struct prof_frame_row row = {rules->cfa, section, (uint32_t)table->rules.count, 0, signal};
  for (uint8_t i = 0; i < PROF_FRAME_REGISTERS; i++) {
    struct prof_frame_rule rule = rules->registers[i];
    rule.reg = i;
    if (rule.kind == PROF_RULE_SAME)
      continue;
    if (!prof_vec_push(&table->rules, rule))
      return 0;
    row.rule_count++;
  }
  return prof_vec_push(&table->rows, row) ? (uint32_t)table->rows.count : 0;
}

static uint32_t row_make(struct prof_frame_table *table, uint64_t address) {
  const struct prof_frame_section *const sections[] = {&table->sections.eh_frame, &table->sections.debug_frame};
  struct prof_frame_rules rules = {.low = address};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    struct prof_frame_record record;
    if (sections[i]->size == 0 || !record_find(table, sections[i], address, &record))
      continue;
    if (!prof_frame_rules_at(sections[i], &record, address, &rules))
      break;
    struct slot *slot = slot_find(table, rules.low);
    if (slot->row == 0) {
      *slot = (struct slot){rules.low, row_add(table, sections[i], record.cie.signal, &rules)};
      table->used++;
    }
    return slot->row;
  }
  return row_add(table, NULL, false, &rules);
}

const struct prof_frame_row *prof_frame_table_find(struct prof_frame_table *table, uint64_t address,
                                                   const struct prof_frame_rule **rules) {
  static const struct prof_frame_row unknown;
  if (!slots_reserve(table))
    return &unknown;
  struct slot *slot = slot_find(table, address);
  if (slot->row == 0) {
    uint32_t row = row_make(table, address);
    slot = slot_find(table, address);
    if (slot->row == 0) {
      if (row == 0)
        return &unknown;
      *slot = (struct slot){address, row};
      table->used++;
    }
  }
  const struct prof_frame_row *row = &table->rows.items[slot->row - 1];
  *rules = row->rule_count > 0 ? table->rules.items + row->first_rule : NULL;
  return row;
}
