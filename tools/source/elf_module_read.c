/*
 * tools/source/elf_module_read.c - see elf_module_read.h.
 *
 * A site is joined to its PROBE fact by the sled's address, the fact to its FUNCTION by key.  Facts of functions that
 * the linker threw away match no sled and are left out.  Sites without facts get their function from the symbol table,
 * and at last by order: sleds between one entry and the next belong to the function of that entry.
 */
#include "source/elf_module_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"
#include "event.h"
#include "source/facts.h"
#include "source/loops.h"
#include "source/points.h"
#include "source/symbols.h"
#include "source/unwind/frame_header.h"
#include "source/unwind/frame_table.h"
#include "source/zone_code.h"
#include "source/zones.h"
#include "version.h"

enum { COMPILERS = 32 }; /* different ones that are named */

struct known { /* a FUNCTION fact */
  struct prof_elf_function function;
  uint32_t index; /* among the module's functions, PROF_ELF_NO_FUNCTION: no site has named it yet */
};

struct storage {
  struct prof_elf *file; /* strings point into its sections */
  struct prof_arena arena;
};

struct build {
  struct prof_elf *file;
  struct prof_elf_module *module;
  struct storage *storage;
  uint32_t *by_address; /* site indices */
  PROF_VEC(struct known) known;
  PROF_VEC(const char *) compilers;
  PROF_VEC(struct prof_elf_function) functions;
  struct prof_elf_loops loops;
  struct prof_elf_zones zones;
  struct prof_elf_points points;
};

static int compare_address(const void *left, const void *right, void *context) {
  const struct prof_elf_site *sites = context;
  uint64_t a = sites[*(const uint32_t *)left].address, b = sites[*(const uint32_t *)right].address;
  return prof_order(a, b);
}

static int compare_key(const void *left, const void *right) {
  uint64_t a = ((const struct known *)left)->function.key, b = ((const struct known *)right)->function.key;
  return prof_order(a, b);
}

/* Rows give addresses and kinds; they are loaded, so the runtime numbers exactly these. */
static prof_status read_rows(struct build *build, struct prof_diag *diag) {
  struct prof_elf_section rows;
  const char *path = prof_elf_path(build->file);
  if (!prof_elf_section(build->file, PROF_ROWS_SECTION, &rows) || rows.size < sizeof(struct prof_row))
    return prof_diag_fill(diag, PROF_EMPTY, path, PROF_NO_OFFSET, "compile it with -fplugin=prof.so", "has no probes");
  size_t count = rows.size / sizeof(struct prof_row);
  if (count >= PROF_SITE_LIMIT)
    return prof_diag_fill(diag, PROF_CORRUPT, path, PROF_NO_OFFSET, NULL, "has %zu probes, more than can be numbered",
                          count);
  struct prof_elf_site *sites = prof_arena_array(&build->storage->arena, count, sizeof *sites);
  build->by_address = malloc(count * sizeof *build->by_address);
  if (sites == NULL || build->by_address == NULL)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < count; i++) {
    struct prof_row row;
    memcpy(&row, rows.bytes + i * sizeof row, sizeof row);
    sites[i].address = rows.address + i * sizeof row + (uint64_t)(int64_t)row.sled;
    sites[i].kind = row.kind;
    sites[i].function = PROF_ELF_NO_FUNCTION;
    sites[i].loop = PROF_ELF_NO_LOOP;
    sites[i].point = PROF_ELF_NO_POINT;
    sites[i].host = PROF_ELF_NO_FUNCTION;
    build->by_address[i] = (uint32_t)i;
  }
  qsort_r(build->by_address, count, sizeof *build->by_address, compare_address, sites);
  build->module->sites = sites;
  build->module->site_count = (uint32_t)count;
  return PROF_OK;
}

/* Position in by_address of the first site at or beyond `address`. */
static size_t first_at(const struct build *build, uint64_t address) {
  return prof_search(0, build->module->site_count, middle,
                     build->module->sites[build->by_address[middle]].address < address);
}

static void take_probe(struct build *build, const struct prof_fact_probe *probe, uint64_t loop_key) {
  struct prof_elf_site *sites = build->module->sites;
  if (probe->function == 0)
    return;
  /* Where a linker folded equal functions, the first fact names them all. */
  for (size_t i = first_at(build, probe->sled);
       i < build->module->site_count && sites[build->by_address[i]].address == probe->sled; i++) {
    struct prof_elf_site *site = &sites[build->by_address[i]];
    if (site->key != 0)
      return;
    site->key = probe->function;
    site->line = probe->line;
    site->loop_key = loop_key;
  }
}

static bool take_compiler(struct build *build, const char *compiler) {
  for (size_t i = 0; i < build->compilers.count; i++)
    if (strcmp(build->compilers.items[i], compiler) == 0)
      return true;
  return build->compilers.count == COMPILERS || prof_vec_push(&build->compilers, compiler);
}

static bool take_fact(struct build *build, const struct prof_fact_view *view) {
  struct prof_fact_probe probe;
  struct prof_fact_function function;
  struct prof_fact_unit unit;
  const char *name, *file;
  if (prof_fact_probe_read(view, &probe)) {
    take_probe(build, &probe, prof_fact_probe_loop(view));
  } else if (prof_fact_function_read(view, &function, &name, &file)) {
    struct prof_elf_function known = {
        function.key, function.line, function.statements, function.flags, function.language, name, file};
    return prof_vec_push(&build->known, (struct known){known, PROF_ELF_NO_FUNCTION});
  } else if (prof_fact_unit_read(view, &unit, &name, &file)) {
    return take_compiler(build, name);
  }
  return prof_elf_loops_take(&build->loops, view) && prof_elf_zones_take(&build->zones, build->file, view) &&
         prof_elf_points_take(&build->points, build->file, view);
}

static bool read_facts(struct build *build) {
  struct prof_elf_section facts;
  if (!prof_elf_section(build->file, PROF_FACTS_SECTION, &facts))
    return true;
  struct prof_fact_walk walk = prof_fact_walk_begin(facts.bytes, facts.size);
  for (struct prof_fact_view view; prof_fact_walk_next(&walk, &view);)
    if (!take_fact(build, &view))
      return false;
  build->module->facts_damaged = walk.damaged;
  if (build->known.count > 1)
    qsort(build->known.items, build->known.count, sizeof *build->known.items, compare_key);
  prof_elf_zones_sort(&build->zones);
  return true;
}

/* Adds a function to the module; PROF_ELF_NO_FUNCTION: no memory. */
static uint32_t add_function(struct build *build, const struct prof_elf_function *function) {
  if (!prof_vec_push(&build->functions, *function))
    return PROF_ELF_NO_FUNCTION;
  return (uint32_t)(build->functions.count - 1);
}

static bool is_of_zone(const struct prof_elf_site *site) {
  uint32_t kind = site->kind & PROF_ROW_KIND_MASK;
  return (kind == PROF_PROBE_ENTRY || kind == PROF_PROBE_EXIT) && (site->kind & PROF_ROW_ZONE);
}

static bool is_gate(const struct prof_elf_site *site) {
  return (site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_GATE;
}

/* Left by prof.h: it is of no function. */
static bool is_of_header(const struct prof_elf_site *site) {
  return is_of_zone(site) || is_gate(site) || prof_elf_is_point(site->kind);
}

/* Joins a site with the function that has FUNCTION facts of its key, if there is one.  False: no memory. */
static bool join_known(struct build *build, struct prof_elf_site *site) {
  struct known wanted = {.function.key = site->key};
  struct known *known = build->known.count > 0 ? bsearch(&wanted, build->known.items, build->known.count,
                                                         sizeof *build->known.items, compare_key)
                                               : NULL;
  if (known == NULL)
    return true;
  if (known->index == PROF_ELF_NO_FUNCTION &&
      (known->index = add_function(build, &known->function)) == PROF_ELF_NO_FUNCTION)
    return false;
  site->function = known->index;
  return true;
}

static bool join_zones(struct build *build) {
  for (uint32_t i = 0; i < build->module->site_count; i++) {
    struct prof_elf_site *site = &build->module->sites[i];
    struct prof_elf_zone *zone =
        is_of_zone(site) && site->key != 0 ? prof_elf_zones_find(&build->zones, build->file, site->key) : NULL;
    if (zone == NULL)
      continue;
    if (zone->index == PROF_ELF_NO_FUNCTION &&
        (zone->index = add_function(build, &zone->function)) == PROF_ELF_NO_FUNCTION)
      return false;
    site->function = zone->index;
  }
  return true;
}

static bool join_by_key(struct build *build) {
  for (uint32_t i = 0; i < build->module->site_count; i++) {
    struct prof_elf_site *site = &build->module->sites[i];
    bool has_name = is_of_zone(site) && site->function != PROF_ELF_NO_FUNCTION; /* the others are of iterations */
    if (site->key != 0 && !has_name && !join_known(build, site))
      return false;
  }
  return true;
}

/* By symbols and, without one, by order; `symbols` may be empty.  Sites come by address, so a function's are
 * neighbours; only split-off parts lie elsewhere, and they are found by the address of the whole. */
static bool join_by_address(struct build *build, const struct prof_elf_symbols *symbols) {
  PROF_VEC(uint32_t) of_symbol = {0}; /* function per symbol, one more than its index; 0: none yet */
  bool good = prof_vec_reserve(&of_symbol, symbols->count);
  if (good && symbols->count > 0)
    memset(of_symbol.items, 0, symbols->count * sizeof *of_symbol.items);
  uint32_t entered = PROF_ELF_NO_FUNCTION;
  for (size_t i = 0; good && i < build->module->site_count; i++) {
    struct prof_elf_site *site = &build->module->sites[build->by_address[i]];
    if (is_of_header(site))
      continue;
    if (site->function != PROF_ELF_NO_FUNCTION) {
      entered = PROF_ELF_NO_FUNCTION;
      continue;
    }
    const struct prof_elf_symbol *symbol = prof_elf_symbols_find(symbols, site->address);
    struct prof_elf_function function = {.key = site->address, .file = ""};
    if (symbol != NULL) {
      uint32_t *known = &of_symbol.items[symbol - symbols->items];
      function.key = symbol->address;
      function.name = symbol->name;
      if (*known == 0)
        *known = add_function(build, &function) + 1;
      site->function = *known - 1;
      good = *known != 0;
      entered = PROF_ELF_NO_FUNCTION;
    } else {
      if ((site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY) {
        char name[32];
        int length = snprintf(name, sizeof name, "0x%" PRIx64, site->address);
        function.name = prof_arena_copy(&build->storage->arena, name, (size_t)length);
        entered = function.name == NULL ? PROF_ELF_NO_FUNCTION : add_function(build, &function);
        good = entered != PROF_ELF_NO_FUNCTION;
      }
      site->function = entered;
    }
  }
  prof_vec_fini(&of_symbol);
  return good;
}

static bool join_rest(struct build *build) {
  bool complete = true;
  for (uint32_t i = 0; complete && i < build->module->site_count; i++)
    complete = build->module->sites[i].function != PROF_ELF_NO_FUNCTION || is_of_header(&build->module->sites[i]);
  if (complete)
    return true;
  struct prof_elf_symbols symbols;
  if (!prof_elf_symbols_read(build->file, &symbols))
    return false;
  bool good = join_by_address(build, &symbols);
  prof_elf_symbols_free(&symbols);
  return good;
}

/* Compilers by facts; without any, by .comment. */
static bool name_compiler(struct build *build) {
  struct prof_elf_section comment;
  if (build->compilers.count == 0 && prof_elf_section(build->file, ".comment", &comment)) {
    const char *at = (const char *)comment.bytes, *end = at + comment.size, *stop;
    for (; at < end && (stop = memchr(at, 0, (size_t)(end - at))) != NULL; at = stop + 1)
      if (*at != 0 && !take_compiler(build, at))
        return false;
  }
  size_t bytes = 1;
  for (size_t i = 0; i < build->compilers.count; i++)
    bytes += strlen(build->compilers.items[i]) + 1;
  char *text = prof_arena_alloc(&build->storage->arena, bytes), *to = text;
  if (text == NULL)
    return false;
  for (size_t i = 0; i < build->compilers.count; i++) {
    if (i > 0)
      *to++ = '\n';
    to = stpcpy(to, build->compilers.items[i]);
  }
  *to = 0;
  build->module->compiler = text;
  return true;
}

static bool keep_functions(struct build *build) {
  struct prof_elf_module *module = build->module;
  module->functions = prof_arena_array(&build->storage->arena, build->functions.count, sizeof *module->functions);
  if (module->functions == NULL)
    return false;
  if (build->functions.count > 0)
    memcpy(module->functions, build->functions.items, build->functions.count * sizeof *module->functions);
  module->function_count = (uint32_t)build->functions.count;
  return true;
}
/* The set-up of a function's frame lies before its entry's sled. */
static void find_begins(struct build *build) {
  struct prof_frame_sections sections;
  struct prof_frame_header header;
  prof_frame_sections_of(build->file, &sections);
  prof_frame_header_read(&sections.eh_frame_hdr, &header);
  for (uint32_t i = 0; i < build->module->site_count; i++) {
    struct prof_elf_site *site = &build->module->sites[i];
    if ((site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY && !is_of_zone(site))
      site->begin = prof_frame_header_begin(&header, site->address);
  }
}

/* Functions that begin where the code of a zone, or of a value of the open call, does; several if one was inlined into
 * another. */
static void mark_host(struct build *build, uint64_t begin, bool keeps) {
  struct prof_elf_site *sites = build->module->sites;
  for (size_t i = first_at(build, begin); i < build->module->site_count; i++) {
    const struct prof_elf_site *site = &sites[build->by_address[i]];
    if ((site->kind & PROF_ROW_KIND_MASK) != PROF_PROBE_ENTRY || is_of_zone(site))
      continue;
    if (site->begin != begin)
      return;
    if (site->function == PROF_ELF_NO_FUNCTION)
      continue;
    build->module->functions[site->function].has_zones = true;
    build->module->functions[site->function].is_kept |= keeps;
  }
}

/* Must the function around a site be recorded always? */
static bool keeps_host(const struct build *build, const struct prof_elf_site *site) {
  if (!is_of_zone(site))
    return true;
  bool begins = (site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY;
  return begins && (site->function == PROF_ELF_NO_FUNCTION || build->module->functions[site->function].is_kept);
}

/* False: no memory. */
static bool mark_hosts(struct build *build) {
  struct prof_frame_sections sections;
  struct prof_frame_header header;
  prof_frame_sections_of(build->file, &sections);
  prof_frame_header_read(&sections.eh_frame_hdr, &header);
  if (!prof_elf_zone_code_find(
          &(struct prof_elf_zone_code){build->file, build->module, build->by_address, &header, &build->storage->arena}))
    return false;
  for (uint32_t i = 0; i < build->module->site_count; i++) {
    const struct prof_elf_site *site = &build->module->sites[i];
    bool needs_call = is_of_zone(site) || is_gate(site) || (site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LOOP_COUNT;
    uint64_t begin = needs_call && (site->kind & PROF_ROW_ZONE) ? prof_frame_header_begin(&header, site->address) : 0;
    if (begin != 0)
      mark_host(build, begin, keeps_host(build, site));
  }
  return true;
}

prof_status prof_elf_module_read(const char *path, struct prof_diag *diag, struct prof_elf_module **out) {
  struct build build = {0};
  *out = NULL;
  prof_status status = prof_elf_open(path, diag, &build.file);
  if (status != PROF_OK)
    return status;
  build.module = calloc(1, sizeof *build.module);
  build.storage = calloc(1, sizeof *build.storage);
  if (build.module == NULL || build.storage == NULL) {
    prof_elf_close(build.file);
    free(build.module);
    free(build.storage);
    return prof_diag_memory(diag);
  }
  build.storage->file = build.file;
  build.module->storage = build.storage;
  build.module->build_id_bytes = prof_elf_build_id(build.file, build.module->build_id);
  prof_elf_unprobed_read(build.file, &build.module->unprobed);
  status = read_rows(&build, diag);
  if (status == PROF_OK)
    find_begins(&build);
  if (status == PROF_OK &&
      !(read_facts(&build) && join_zones(&build) && join_by_key(&build) && join_rest(&build) && name_compiler(&build) &&
        keep_functions(&build) && prof_elf_loops_join(&build.loops, build.module, &build.storage->arena) &&
        prof_elf_points_join(&build.points, build.module, build.by_address, &build.storage->arena)))
    status = prof_diag_memory(diag);
  if (status == PROF_OK && !mark_hosts(&build))
    status = prof_diag_memory(diag);
  free(build.by_address);
  prof_vec_fini(&build.known);
  prof_vec_fini(&build.compilers);
  prof_vec_fini(&build.functions);
  prof_vec_fini(&build.loops);
  prof_vec_fini(&build.zones);
  prof_vec_fini(&build.points);
  if (status == PROF_OK)
    *out = build.module;
  else
    prof_elf_module_free(build.module);
  return status;
}

void prof_elf_module_free(struct prof_elf_module *module) {
  if (module == NULL)
    return;
  struct storage *storage = module->storage;
  prof_elf_close(storage->file);
  prof_arena_fini(&storage->arena);
  free(storage);
  free(module);
}
