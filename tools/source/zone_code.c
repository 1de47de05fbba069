/*
 * tools/source/zone_code.c - see zone_code.h.
 */
#include "source/zone_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/vec.h"
#include "base/zone_ranges.h"

#define LINE_BYTES 32u /* before an end's sled, for the instruction that loads its line */
#define NEAR 64u       /* ranges before an address that may be around it */

struct place { /* a zone in a function */
  uint32_t zone, host;
  uint64_t code; /* where it begins, of one that isn't known */
  bool begins, ends;
};

struct line { /* of a zone's begin */
  uint32_t host, line, zone;
};

struct finding {
  const struct prof_elf_zone_code *in;
  PROF_VEC(struct place) places; /* by zone and host, each once */
  PROF_VEC(struct line) lines;   /* by host and line */
  PROF_VEC(struct prof_elf_zone_tie) ties;
  struct prof_zone_ranges ranges;
  bool *any_ends; /* by function: it has ends by line whose zone isn't known */
  bool *fixed;    /* by function: a zone that can't be switched */
  bool *ends;     /* by function: a zone that has an end */
};

static uint32_t kind_of(const struct prof_elf_site *site) {
  return site->kind & PROF_ROW_KIND_MASK;
}

static bool is_of_zone(const struct prof_elf_site *site) {
  return (kind_of(site) == PROF_PROBE_ENTRY || kind_of(site) == PROF_PROBE_EXIT) && (site->kind & PROF_ROW_ZONE);
}

static bool is_by_line(const struct prof_elf_site *site) {
  return is_of_zone(site) && kind_of(site) == PROF_PROBE_EXIT && (site->kind & PROF_ROW_HAS_VALUE);
}

static struct prof_elf_site *site_at(const struct finding *finding, size_t at) {
  return &finding->in->module->sites[finding->in->by_address[at]];
}

/* ---- hosts ---- */

/* The function whose code begins there; of a part that was split off: the function of its sites. */
static uint32_t host_of(const struct finding *finding, uint64_t begin) {
  const struct prof_elf_module *module = finding->in->module;
  uint32_t host = PROF_ELF_NO_FUNCTION;
  size_t at = prof_search(0, module->site_count, i, site_at(finding, i)->address < begin);
  for (; at < module->site_count; at++) {
    const struct prof_elf_site *site = site_at(finding, at);
    if (prof_frame_header_begin(finding->in->header, site->address) != begin)
      break;
    if (site->function == PROF_ELF_NO_FUNCTION || (site->kind & PROF_ROW_ZONE))
      continue;
    if (kind_of(site) == PROF_PROBE_ENTRY && site->begin == begin)
      return site->function;
    if (kind_of(site) == PROF_PROBE_EXIT || kind_of(site) == PROF_PROBE_LANDED)
      host = host == PROF_ELF_NO_FUNCTION ? site->function : host;
  }
  return host;
}

static void find_hosts(const struct finding *finding) {
  uint64_t known_begin = 0;
  uint32_t known = PROF_ELF_NO_FUNCTION;
  for (size_t i = 0; i < finding->in->module->site_count; i++) {
    struct prof_elf_site *site = site_at(finding, i);
    if (!is_of_zone(site))
      continue;
    uint64_t begin = prof_frame_header_begin(finding->in->header, site->address);
    if (begin != known_begin)
      known = begin != 0 ? host_of(finding, begin) : PROF_ELF_NO_FUNCTION;
    known_begin = begin;
    site->host = known;
  }
}

/* ---- ends by line ---- */

static int by_line(const void *left, const void *right) {
  const struct line *a = left, *b = right;
  return prof_order(a->host, b->host) ?: prof_order(a->line, b->line) ?: prof_order(a->zone, b->zone);
}

static bool note_lines(struct finding *finding) {
  const struct prof_elf_module *module = finding->in->module;
  for (uint32_t i = 0; i < module->site_count; i++) {
    const struct prof_elf_site *site = &module->sites[i];
    if (is_of_zone(site) && kind_of(site) == PROF_PROBE_ENTRY && site->function != PROF_ELF_NO_FUNCTION &&
        !prof_vec_push(&finding->lines, (struct line){site->host, site->line, site->function}))
      return false;
  }
  prof_vec_sort(&finding->lines, by_line);
  return true;
}

/* The zone that begins in a line of the host's code.  NO_FUNCTION: none, or several. */
static uint32_t zone_of_line(const struct finding *finding, uint32_t host, uint32_t line) {
  const struct line *lines = finding->lines.items, wanted = {host, line, 0};
  size_t count = finding->lines.count, at = prof_search(0, count, i, by_line(&lines[i], &wanted) < 0);
  uint32_t zone = PROF_ELF_NO_FUNCTION;
  for (; at < count && lines[at].host == host && lines[at].line == line; at++) {
    if (zone != PROF_ELF_NO_FUNCTION && zone != lines[at].zone)
      return PROF_ELF_NO_FUNCTION;
    zone = lines[at].zone;
  }
  return zone;
}

/* mov $line, %eax, as near as possible before the sled; or of %rax. */
static uint32_t zone_before(const struct finding *finding, const struct prof_elf_site *site) {
  size_t count;
  const uint8_t *bytes = prof_elf_bytes_at(finding->in->file, site->address - LINE_BYTES, &count);
  for (uint32_t back = 5; bytes != NULL && count >= LINE_BYTES && back <= LINE_BYTES - 2; back++) {
    const uint8_t *at = bytes + LINE_BYTES - back;
    uint32_t line;
    memcpy(&line, at + 1, sizeof line);
    bool loads = at[0] == 0xb8 || (at[0] == 0xc0 && at[-1] == 0xc7 && at[-2] == 0x48);
    uint32_t zone = loads ? zone_of_line(finding, site->host, line) : PROF_ELF_NO_FUNCTION;
    if (zone != PROF_ELF_NO_FUNCTION)
      return zone;
  }
  return PROF_ELF_NO_FUNCTION;
}

/* False: there are ends that may be of any zone of the module. */
static bool find_ends(const struct finding *finding) {
  const struct prof_elf_module *module = finding->in->module;
  bool known = true;
  for (uint32_t i = 0; i < module->site_count; i++) {
    struct prof_elf_site *site = &module->sites[i];
    if (!is_by_line(site))
      continue;
    site->function = zone_before(finding, site);
    if (site->function == PROF_ELF_NO_FUNCTION && site->host != PROF_ELF_NO_FUNCTION)
      finding->any_ends[site->host] = true;
    known &= site->function != PROF_ELF_NO_FUNCTION || site->host != PROF_ELF_NO_FUNCTION;
  }
  return known;
}

/* ---- places ---- */

static int by_place(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->zone, b->zone) ?: prof_order(a->host, b->host) ?: prof_order(a->code, b->code);
}

static bool find_places(struct finding *finding) {
  struct prof_elf_module *module = finding->in->module;
  size_t kept = 0;
  for (uint32_t i = 0; i < module->site_count; i++) {
    const struct prof_elf_site *site = &module->sites[i];
    bool begins = kind_of(site) == PROF_PROBE_ENTRY;
    if (!is_of_zone(site) || site->function == PROF_ELF_NO_FUNCTION)
      continue;
    uint64_t code =
        site->host == PROF_ELF_NO_FUNCTION ? prof_frame_header_begin(finding->in->header, site->address) : 0;
    if (!prof_vec_push(&finding->places, (struct place){site->function, site->host, code, begins, !begins}))
      return false;
    finding->ends[site->function] |= !begins;
    module->functions[site->function].by_name |= !begins && !is_by_line(site);
  }
  prof_vec_sort(&finding->places, by_place);
  struct place *places = finding->places.items;
  for (size_t i = 0; i < finding->places.count; i++) {
    bool again = kept > 0 && by_place(&places[kept - 1], &places[i]) == 0;
    if (again) {
      places[kept - 1].begins |= places[i].begins;
      places[kept - 1].ends |= places[i].ends;
    } else {
      places[kept++] = places[i];
    }
  }
  finding->places.count = kept;
  return true;
}

/* Those whose begins and ends aren't together.  An end alone may lie in a part that was split off.  A zone without any
 * end is left open: it ends with its function. */
static void fix_apart(const struct finding *finding, bool all) {
  struct prof_elf_module *module = finding->in->module;
  for (size_t i = 0; i < finding->places.count; i++) {
    const struct place *place = &finding->places.items[i];
    bool has_host = place->host != PROF_ELF_NO_FUNCTION;
    bool ends = place->ends || (has_host && finding->any_ends[place->host]);
    finding->fixed[place->zone] |= all || (place->begins ? !has_host || !ends : has_host);
    module->functions[place->zone].is_apart |=
        !all && (finding->ends[place->zone] || ends) && (place->begins ? !ends : has_host);
  }
  for (uint32_t i = 0; i < module->site_count; i++) /* a request's number is wanted always */
    if (is_of_zone(&module->sites[i]) && kind_of(&module->sites[i]) == PROF_PROBE_ENTRY &&
        (module->sites[i].kind & PROF_ROW_HAS_VALUE) && module->sites[i].function != PROF_ELF_NO_FUNCTION)
      finding->fixed[module->sites[i].function] = true;
}

/* ---- ties ---- */

static bool tie(struct finding *finding, uint32_t zone, uint32_t around) {
  return zone == around || prof_vec_push(&finding->ties, (struct prof_elf_zone_tie){zone, around});
}

static int by_host(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->host, b->host) ?: prof_order(a->zone, b->zone);
}

/* A zone and its hosts; zones of a host that share ends, in a circle. */
static bool tie_places(struct finding *finding) {
  struct place *places = finding->places.items;
  size_t count = finding->places.count;
  prof_vec_sort(&finding->places, by_host);
  for (size_t i = 0, first = 0; i < count && places[i].host != PROF_ELF_NO_FUNCTION; i++) {
    bool last = i + 1 == count || places[i + 1].host != places[i].host;
    if (!tie(finding, places[i].zone, places[i].host) ||
        (finding->any_ends[places[i].host] && !tie(finding, places[i].zone, places[last ? first : i + 1].zone)))
      return false;
    first = last ? i + 1 : first;
  }
  return true;
}

static bool find_ranges(struct finding *finding) {
  PROF_VEC(struct prof_zone_sled) sleds = {0};
  bool done = true;
  for (size_t i = 0; i < finding->in->module->site_count && done; i++) {
    const struct prof_elf_site *site = site_at(finding, i);
    bool begins = kind_of(site) == PROF_PROBE_ENTRY, exits = kind_of(site) == PROF_PROBE_EXIT && !is_of_zone(site);
    if ((is_of_zone(site) && site->host != PROF_ELF_NO_FUNCTION) ||
        (exits && site->function != PROF_ELF_NO_FUNCTION && !(site->kind & PROF_ROW_ZONE)))
      done = prof_vec_push(&sleds,
                           (struct prof_zone_sled){site->address, site->function, exits ? site->function : site->host,
                                                   exits    ? PROF_ZONE_SLED_EXIT
                                                   : begins ? PROF_ZONE_SLED_BEGIN
                                                            : PROF_ZONE_SLED_END});
  }
  done = done && prof_zone_ranges_find(&finding->ranges, sleds.items, sleds.count);
  prof_vec_fini(&sleds);
  return done;
}

/* A zone inside of another. */
static bool tie_ranges(struct finding *finding) {
  const struct prof_zone_range *ranges = finding->ranges.items;
  for (size_t i = 0; i < finding->ranges.count; i++)
    for (size_t k = i; k > 0 && i - k < NEAR; k--)
      if (ranges[k - 1].host == ranges[i].host && ranges[k - 1].end > ranges[i].begin &&
          !tie(finding, ranges[i].zone, ranges[k - 1].zone))
        return false;
  return true;
}

/* Values belong to the zone that is open, and so do zones that are named at run time. */
static void fix_around_values(const struct finding *finding) {
  const struct prof_zone_range *ranges = finding->ranges.items;
  size_t count = finding->ranges.count;
  for (uint32_t i = 0; i < finding->in->module->site_count; i++) {
    const struct prof_elf_site *site = &finding->in->module->sites[i];
    bool of_value = kind_of(site) == PROF_PROBE_LOOP_COUNT && (site->kind & PROF_ROW_ZONE);
    if (!of_value && kind_of(site) != PROF_PROBE_GATE)
      continue;
    size_t end = prof_search(0, count, k, ranges[k].begin < site->address);
    for (size_t k = end; k > 0 && end - k < NEAR; k--)
      finding->fixed[ranges[k - 1].zone] |= ranges[k - 1].end > site->address;
  }
}

/* What is around a zone that can't be switched can't be, either. */
static void spread_fixed(const struct finding *finding) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < finding->ties.count; i++) {
      const struct prof_elf_zone_tie *tie = &finding->ties.items[i];
      bool is_new = finding->fixed[tie->zone] && !finding->fixed[tie->around];
      finding->fixed[tie->around] |= is_new;
      again |= is_new;
    }
  }
}

static int by_zone(const void *left, const void *right) {
  const struct prof_elf_zone_tie *a = left, *b = right;
  return prof_order(a->zone, b->zone) ?: prof_order(a->around, b->around);
}

static bool keep(struct finding *finding) {
  struct prof_elf_module *module = finding->in->module;
  size_t kept = 0;
  prof_vec_sort(&finding->ties, by_zone);
  for (size_t i = 0; i < finding->ties.count; i++)
    if (!finding->fixed[finding->ties.items[i].zone] &&
        (kept == 0 || by_zone(&finding->ties.items[kept - 1], &finding->ties.items[i]) != 0))
      finding->ties.items[kept++] = finding->ties.items[i];
  module->ties = prof_arena_array(finding->in->arena, kept, sizeof *module->ties);
  if (module->ties == NULL)
    return false;
  if (kept > 0)
    memcpy(module->ties, finding->ties.items, kept * sizeof *module->ties);
  module->tie_count = (uint32_t)kept;
  for (uint32_t i = 0; i < module->function_count; i++)
    module->functions[i].is_kept = finding->fixed[i];
  return true;
}

bool prof_elf_zone_code_find(const struct prof_elf_zone_code *in) {
  struct finding finding = {.in = in};
  size_t functions = (size_t)in->module->function_count + 1;
  bool any = false;
  for (uint32_t i = 0; i < in->module->site_count && !any; i++)
    any = is_of_zone(&in->module->sites[i]);
  if (!any)
    return true;
  finding.any_ends = calloc(functions, sizeof *finding.any_ends);
  finding.fixed = calloc(functions, sizeof *finding.fixed);
  find_hosts(&finding);
  finding.ends = calloc(functions, sizeof *finding.ends);
  bool done = finding.any_ends && finding.fixed && finding.ends && note_lines(&finding);
  bool all_fixed = done && !find_ends(&finding);
  done = done && find_places(&finding);
  if (done)
    fix_apart(&finding, all_fixed);
  done = done && tie_places(&finding) && find_ranges(&finding) && tie_ranges(&finding);
  if (done) {
    fix_around_values(&finding);
    spread_fixed(&finding);
    done = keep(&finding);
  }
  free(finding.any_ends);
  free(finding.fixed);
  free(finding.ends);
  prof_vec_fini(&finding.places);
  prof_vec_fini(&finding.lines);
  prof_vec_fini(&finding.ties);
  prof_vec_fini(&finding.ranges);
  return done;
}
