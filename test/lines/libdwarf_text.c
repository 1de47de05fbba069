/*
 * test/lines/libdwarf_text.c - what libdwarf (0.9 or newer) says about addresses, in the words of lines_text.
 *
 *   libdwarf_text MODULE [mend]     < addresses in hexadecimal, one a line
 *
 * Out: per address its frames from the innermost on and a symbol that is unknown, as lines_text writes them.  At the
 * end on stderr the units, the split units without a file or an entry, and the errors with the last one's text.  `mend`
 * corrects one fault: a row with epilogue_begin is taken for the end of a sequence.  The library allocates as it likes;
 * all is given back at exit.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <libdwarf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

enum { PATH_BYTES = 4096, REFERENCES = 8 };

struct line {
  uint64_t low, high, number, column;
  const char *file;
};

/* A function, or a call that was inlined into its parent. */
struct scope {
  size_t parent; /* NO_PARENT: a function */
  const char *function, *call_file;
  uint64_t call_line, call_column;
};

struct span {
  uint64_t low, high;
  size_t scope;
};

struct unit {
  Dwarf_Debug debug; /* where the entries are: the module's, or a split unit's */
  Dwarf_Half version;
  uint64_t base; /* what ranges before DWARF 5 count from */
  char **files;
  Dwarf_Signed file_count;
};

static const size_t NO_PARENT = SIZE_MAX;
static PROF_VEC(struct line) lines;
static PROF_VEC(struct scope) scopes;
static PROF_VEC(struct span) spans; /* a child's stand behind its parent's */
static unsigned splits_missing, errors;
static char last_error[256];

/* Whether a call of the library gave something; its error is counted. */
static bool gave(int result, Dwarf_Debug debug, Dwarf_Error error) {
  if (result == DW_DLV_ERROR) {
    errors++;
    snprintf(last_error, sizeof last_error, "%s", dwarf_errmsg(error));
    dwarf_dealloc_error(debug, error);
  }
  return result == DW_DLV_OK;
}

#define GAVE(debug, call)                                                                                              \
  ({                                                                                                                   \
    Dwarf_Error error = NULL;                                                                                          \
    int result = (call);                                                                                               \
    gave(result, debug, error);                                                                                        \
  })

static void must(bool there_is_memory) {
  if (!there_is_memory)
    exit(1);
}

static Dwarf_Attribute attribute(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half name) {
  Dwarf_Attribute found = NULL;
  return GAVE(debug, dwarf_attr(die, name, &found, &error)) ? found : NULL;
}

static uint64_t number(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half name) {
  Dwarf_Attribute at = attribute(debug, die, name);
  Dwarf_Unsigned value = 0;
  return at != NULL && GAVE(debug, dwarf_formudata(at, &value, &error)) ? value : 0;
}

static const char *text(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half name) {
  char *value = NULL;
  return GAVE(debug, dwarf_die_text(die, name, &value, &error)) ? value : NULL;
}

/* The entry that another one refers to, or NULL. */
static Dwarf_Die referred(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half name) {
  Dwarf_Attribute at = attribute(debug, die, name);
  Dwarf_Off offset;
  Dwarf_Bool is_info;
  Dwarf_Die found = NULL;
  if (at == NULL || !GAVE(debug, dwarf_global_formref_b(at, &offset, &is_info, &error)))
    return NULL;
  return GAVE(debug, dwarf_offdie_b(debug, offset, is_info, &found, &error)) ? found : NULL;
}

/* The linker's name of a function, else the source's. */
static const char *function_name(Dwarf_Debug debug, Dwarf_Die die) {
  const char *source = NULL;
  for (int i = 0; i < REFERENCES && die != NULL; i++) {
    const char *linkers = text(debug, die, DW_AT_linkage_name);
    if (linkers == NULL)
      linkers = text(debug, die, DW_AT_MIPS_linkage_name);
    if (linkers != NULL)
      return linkers;
    if (source == NULL)
      source = text(debug, die, DW_AT_name);
    Dwarf_Die next = referred(debug, die, DW_AT_abstract_origin);
    die = next != NULL ? next : referred(debug, die, DW_AT_specification);
  }
  return source;
}

static size_t add_span(uint64_t low, uint64_t high, size_t scope) {
  if (low == 0 || low >= high)
    return 0; /* code that the linker dropped */
  must(prof_vec_push(&spans, (struct span){low, high, scope}));
  return 1;
}

static size_t add_list_5(const struct unit *unit, Dwarf_Attribute at, size_t scope) {
  Dwarf_Half form;
  Dwarf_Unsigned value, count, offset;
  Dwarf_Rnglists_Head head;
  Dwarf_Bool is_info;
  size_t added = 0;
  if (!GAVE(unit->debug, dwarf_whatform(at, &form, &error)) ||
      !GAVE(unit->debug, form == DW_FORM_rnglistx ? dwarf_formudata(at, &value, &error)
                                                  : dwarf_global_formref_b(at, &value, &is_info, &error)) ||
      !GAVE(unit->debug, dwarf_rnglists_get_rle_head(at, form, value, &head, &count, &offset, &error)))
    return 0;
  for (Dwarf_Unsigned i = 0; i < count; i++) {
    unsigned bytes, kind;
    Dwarf_Unsigned raw[2], low, high;
    Dwarf_Bool unknown;
    if (GAVE(unit->debug, dwarf_get_rnglists_entry_fields_a(head, i, &bytes, &kind, &raw[0], &raw[1], &unknown, &low,
                                                            &high, &error)) &&
        kind != DW_RLE_end_of_list && kind != DW_RLE_base_address && kind != DW_RLE_base_addressx && !unknown)
      added += add_span(low, high, scope);
  }
  dwarf_dealloc_rnglists_head(head);
  return added;
}

static size_t add_list_4(const struct unit *unit, Dwarf_Die die, Dwarf_Attribute at, size_t scope) {
  Dwarf_Off offset, real_offset;
  Dwarf_Bool is_info;
  Dwarf_Ranges *ranges;
  Dwarf_Signed count;
  Dwarf_Unsigned bytes;
  size_t added = 0;
  if (!GAVE(unit->debug, dwarf_global_formref_b(at, &offset, &is_info, &error)) ||
      !GAVE(unit->debug, dwarf_get_ranges_b(unit->debug, offset, die, &real_offset, &ranges, &count, &bytes, &error)))
    return 0;
  uint64_t base = unit->base;
  for (Dwarf_Signed i = 0; i < count; i++) {
    if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
      base = ranges[i].dwr_addr2;
    else if (ranges[i].dwr_type == DW_RANGES_ENTRY)
      added += add_span(base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2, scope);
  }
  dwarf_dealloc_ranges(unit->debug, ranges, count);
  return added;
}

/* Adds the code of an entry; how many spans that were. */
static size_t add_code(const struct unit *unit, Dwarf_Die die, size_t scope) {
  Dwarf_Attribute at = attribute(unit->debug, die, DW_AT_ranges);
  if (at != NULL)
    return unit->version >= 5 ? add_list_5(unit, at, scope) : add_list_4(unit, die, at, scope);
  Dwarf_Addr low, high;
  Dwarf_Half form;
  enum Dwarf_Form_Class class;
  if (!GAVE(unit->debug, dwarf_lowpc(die, &low, &error)) ||
      !GAVE(unit->debug, dwarf_highpc_b(die, &high, &form, &class, &error)))
    return 0;
  return add_span(low, class == DW_FORM_CLASS_CONSTANT ? low + high : high, scope);
}

static const char *file_name(const struct unit *unit, uint64_t index) {
  uint64_t place = unit->version >= 5 ? index : index - 1;
  return place < (uint64_t)unit->file_count ? unit->files[place] : NULL;
}

static void walk(const struct unit *unit, Dwarf_Die die, size_t parent) {
  Dwarf_Half tag = 0;
  size_t inside = parent;
  (void)GAVE(unit->debug, dwarf_tag(die, &tag, &error));
  if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
    struct scope scope = {.parent = tag == DW_TAG_subprogram ? NO_PARENT : parent};
    if (add_code(unit, die, scopes.count) > 0) {
      scope.function = function_name(unit->debug, die);
      scope.call_file = file_name(unit, number(unit->debug, die, DW_AT_call_file));
      scope.call_line = number(unit->debug, die, DW_AT_call_line);
      scope.call_column = number(unit->debug, die, DW_AT_call_column);
      inside = scopes.count;
      must(prof_vec_push(&scopes, scope));
    }
  }
  Dwarf_Die child = NULL;
  bool more = GAVE(unit->debug, dwarf_child(die, &child, &error));
  while (more) {
    Dwarf_Die next = NULL;
    walk(unit, child, inside);
    more = GAVE(unit->debug, dwarf_siblingof_c(child, &next, &error));
    child = next;
  }
}

static void read_lines(Dwarf_Debug debug, Dwarf_Die die, bool mend) {
  Dwarf_Unsigned version, isa, discriminator;
  Dwarf_Small tables;
  Dwarf_Line_Context context;
  Dwarf_Line *rows;
  Dwarf_Signed count;
  if (!GAVE(debug, dwarf_srclines_b(die, &version, &tables, &context, &error)) ||
      !GAVE(debug, dwarf_srclines_from_linecontext(context, &rows, &count, &error)))
    return;
  for (Dwarf_Signed i = 0; i + 1 < count; i++) {
    struct line line = {0};
    Dwarf_Bool end = 0, prologue = 0, epilogue = 0;
    Dwarf_Unsigned value = 0, column = 0;
    Dwarf_Addr low = 0, high = 0;
    char *file = NULL;
    if (!GAVE(debug, dwarf_lineendsequence(rows[i], &end, &error)) ||
        !GAVE(debug, dwarf_prologue_end_etc(rows[i], &prologue, &epilogue, &isa, &discriminator, &error)) ||
        (end && !(mend && epilogue)) || !GAVE(debug, dwarf_lineaddr(rows[i], &low, &error)) ||
        !GAVE(debug, dwarf_lineaddr(rows[i + 1], &high, &error)) || low == 0 || low >= high)
      continue;
    (void)GAVE(debug, dwarf_lineno(rows[i], &value, &error));
    (void)GAVE(debug, dwarf_lineoff_b(rows[i], &column, &error));
    (void)GAVE(debug, dwarf_linesrc(rows[i], &file, &error));
    line = (struct line){low, high, value, column, file};
    must(prof_vec_push(&lines, line));
  }
}

/* The entry of a unit, and what a skeleton and its split unit have in common. */
struct header {
  Dwarf_Die die;
  Dwarf_Half version;
  Dwarf_Sig8 signature;
};

/* A module, or a file with split units of it. */
struct file {
  char path[PATH_BYTES];
  Dwarf_Debug debug;
  PROF_VEC(struct header) units;
};

/* False: there are no more units. */
static bool next_unit(Dwarf_Debug debug, struct header *unit) {
  Dwarf_Unsigned bytes, type_offset, next;
  Dwarf_Off abbreviations;
  Dwarf_Half address_bytes, offset_bytes, extension, kind;
  if (!GAVE(debug,
            dwarf_next_cu_header_e(debug, 1, &unit->die, &bytes, &unit->version, &abbreviations, &address_bytes,
                                   &offset_bytes, &extension, &unit->signature, &type_offset, &next, &kind, &error)))
    return false;
  Dwarf_Attribute at = attribute(debug, unit->die, DW_AT_GNU_dwo_id);
  if (at != NULL)
    (void)GAVE(debug, dwarf_formsig8_const(at, &unit->signature, &error));
  return true;
}

/*
 * A file and all its units, read once; without units where it can't be opened.  All units first, and in the order of
 * the file: reading a split unit moves through the file that it is tied to, and asked for a unit by its signature
 * 0.11.1 gives one with the addresses of another.
 */
static struct file *open_file(const char *path, Dwarf_Debug tied) {
  static PROF_VEC(struct file *) files;
  for (size_t i = 0; i < files.count; i++)
    if (strcmp(files.items[i]->path, path) == 0)
      return files.items[i];
  struct file *file = calloc(1, sizeof *file);
  must(file != NULL);
  must(prof_vec_push(&files, file));
  snprintf(file->path, sizeof file->path, "%s", path);
  if (GAVE(tied, dwarf_init_path(path, NULL, 0, DW_GROUPNUMBER_ANY, NULL, NULL, &file->debug, &error)) &&
      (tied == NULL || GAVE(file->debug, dwarf_set_tied_dbg(file->debug, tied, &error))))
    for (struct header unit = {0}; next_unit(file->debug, &unit);)
      must(prof_vec_push(&file->units, unit));
  return file;
}

/* The split unit of a skeleton, from the module's .dwp or its own .dwo; NULL: it is lost. */
static Dwarf_Die find_split(const struct file *module, const struct header *skeleton, const char *name,
                            Dwarf_Debug *debug) {
  char path[PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s.dwp", module->path);
  if (access(path, R_OK) != 0) {
    const char *folder = text(module->debug, skeleton->die, DW_AT_comp_dir);
    bool whole = name[0] == '/' || folder == NULL;
    snprintf(path, sizeof path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
  }
  const struct file *file = open_file(path, module->debug);
  *debug = file->debug;
  for (size_t i = 0; i < file->units.count; i++)
    if (memcmp(&file->units.items[i].signature, &skeleton->signature, sizeof skeleton->signature) == 0)
      return file->units.items[i].die;
  return NULL;
}

static void read_unit(const struct file *module, const struct header *header, bool mend) {
  struct unit unit = {.debug = module->debug, .version = header->version};
  Dwarf_Die die = header->die;
  Dwarf_Addr base = 0;
  if (GAVE(unit.debug, dwarf_lowpc(die, &base, &error)))
    unit.base = base;
  (void)GAVE(unit.debug, dwarf_srcfiles(die, &unit.files, &unit.file_count, &error));
  read_lines(unit.debug, die, mend);
  const char *split = text(unit.debug, die, unit.version >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
  if (split != NULL)
    die = find_split(module, header, split, &unit.debug);
  if (die != NULL)
    walk(&unit, die, NO_PARENT);
  else
    splits_missing++;
}

static const char *or_dash(const char *name) {
  return name == NULL || *name == 0 ? "-" : name;
}

static void answer(uint64_t address) {
  struct line here = {0};
  size_t scope = NO_PARENT;
  for (size_t i = 0; i < lines.count; i++)
    if (lines.items[i].low <= address && address < lines.items[i].high)
      here = lines.items[i];
  for (size_t i = 0; i < spans.count; i++)
    if (spans.items[i].low <= address && address < spans.items[i].high)
      scope = spans.items[i].scope;
  do {
    const struct scope *of = scope != NO_PARENT ? &scopes.items[scope] : NULL;
    printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n", or_dash(of ? of->function : NULL), or_dash(here.file), here.number,
           here.column);
    if (of)
      here = (struct line){0, 0, of->call_line, of->call_column, of->call_file};
    scope = of ? of->parent : NO_PARENT;
  } while (scope != NO_PARENT);
  printf("symbol\t-\n\n");
}

int main(int argc, char **argv) {
  char address[64];
  const struct file *module = argc > 1 ? open_file(argv[1], NULL) : NULL;
  if (module == NULL || module->units.count == 0) {
    fprintf(stderr, "libdwarf_text: %s\n", module ? last_error : "usage: libdwarf_text MODULE [mend]");
    return 1;
  }
  for (size_t i = 0; i < module->units.count; i++)
    read_unit(module, &module->units.items[i], argc > 2);
  while (fgets(address, sizeof address, stdin) != NULL)
    answer(strtoull(address, NULL, 16));
  fprintf(stderr, "libdwarf %s, %zu units, %u split units missing, %u errors%s%s\n", dwarf_package_version(),
          module->units.count, splits_missing, errors, errors ? ", the last one: " : "", last_error);
  return 0;
}
